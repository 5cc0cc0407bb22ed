// The twin of constant_write.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg i32[4]=range --arg i32[1]
// CHECK-NOT: [check.

kernel void good(constant int *c, global int *out)
{
    global const int *p = (global const int *)(ulong)c;

    out[0] = p[0] + c[1];
}
