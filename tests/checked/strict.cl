// With --strict a checked run fails for a note, too.
// RUN: heddle check %s k --strict --global 8 --local 8 --arg i32[1]
// EXIT: 1
// CHECK: note: {{.*}} [check.race-same-value]
// CHECK-NOT: bad input

kernel void k(global int *flag)
{
    flag[0] = 1;
}
