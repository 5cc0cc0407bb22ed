// A variable without a value decides a branch (OpUndef after optimisation).
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[1] --arg i32=2
// EXIT: 1
// CHECK: a branch depends on a value that is undefined [check.uninitialised]

kernel void bad(global int *out, int n)
{
    int x;

    if (n > 5)
        x = 1;
    if (x == 1)
        out[0] = 1;
}
