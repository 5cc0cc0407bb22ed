// The twin of race_atomic.cl: nothing to find.
// RUN: heddle check %s good --global 64 --local 64 --arg i32[2]
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    if (atomic_inc(&io[0]) == 3)
        io[1] = 1;
}
