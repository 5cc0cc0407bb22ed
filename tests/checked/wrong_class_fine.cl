// The twin of wrong_class.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg i32[1]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    volatile int x = 3;
    int *p = (int *)(ulong)&x;

    *p = 4;
    out[0] = x;
}
