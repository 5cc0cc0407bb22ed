// The twin of missing_return.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[1] --arg i32=7
// CHECK-NOT: [check.

int f(int n)
{
    if (n < 3)
        return 1;
    return 2;
}

kernel void good(global int *out, int n)
{
    out[0] = f(n);
}
