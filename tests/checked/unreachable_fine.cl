// The twin of unreachable.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[1] --arg i32=3
// CHECK-NOT: [check.

kernel void good(global int *out, int n)
{
    if (n == 4)
        __builtin_unreachable();
    out[0] = n;
}
