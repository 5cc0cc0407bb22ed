// A loop without an end.
// RUN: heddle check %s bad --global 1 --time-limit 1 --arg i32[1]
// EXIT: 1
// CHECK: [check.time-limit]

kernel void bad(global volatile int *io)
{
    while (io[0] == 0)
        ;
}
