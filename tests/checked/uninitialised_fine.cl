// The twin of uninitialised.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[1]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    int x = 0;

    if (out[0] > 5)
        x = 1;
    if (x > 0)
        out[0] = 1;
}
