// The twin of undefined_branch.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[1] --arg i32=2
// CHECK-NOT: [check.

kernel void good(global int *out, int n)
{
    int x = 0;

    if (n > 5)
        x = 1;
    if (x == 1)
        out[0] = 1;
}
