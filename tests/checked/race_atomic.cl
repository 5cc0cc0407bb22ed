// A plain read of what others count atomically.
// RUN: heddle check %s bad --global 64 --local 64 --arg i32[2]
// EXIT: 1
// CHECK: [check.race-atomic]

kernel void bad(global int *io)
{
    atomic_inc(&io[0]);
    if (io[0] == 3)
        io[1] = 1;
}
