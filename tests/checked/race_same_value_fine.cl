// Work-items that write the same value in no order are worth a note.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[1]
// EXIT: 0
// CHECK: note: {{.*}} [check.race-same-value]
// CHECK-NOT: error:

kernel void good(global int *flag)
{
    flag[0] = 1;
}
