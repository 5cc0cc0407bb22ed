// The twin of null.cl: nothing to find.
// RUN: heddle check %s good --global 2 --arg null
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    if (out != 0)
        out[0] = 1;
}
