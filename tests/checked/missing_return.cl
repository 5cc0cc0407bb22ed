// A function ends without a value, which is used.
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[1] --arg i32=7
// EXIT: 1
// CHECK: [check.u

int f(int n)
{
    if (n < 3)
        return 1;
}

kernel void bad(global int *out, int n)
{
    out[0] = f(n);
}
