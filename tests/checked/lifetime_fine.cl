// The twin of lifetime.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg i32[2] --arg i32=2
// CHECK-NOT: [check.

kernel void good(global int *out, int n)
{
    int *p, x[4];

    for (int i = 0; i < 4; i++)
        x[i] = n + i;
    p = x;
    out[0] = p[n & 3];
}
