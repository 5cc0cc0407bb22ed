// The twin of endless.cl: nothing to find.
// RUN: heddle check %s good --global 1 --time-limit 1 --arg i32[1]
// CHECK-NOT: [check.

kernel void good(global volatile int *io)
{
    for (int i = 0; i < 1000 && io[0] == 0; i++)
        ;
}
