// A private variable without a value decides a branch.
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[1]
// EXIT: 1
// CHECK: error: a branch depends on a value that is undefined [check.uninitialised]
// CHECK: the value comes from memory that nobody wrote, in bad

kernel void bad(global int *out)
{
    int x;

    if (out[0] > 5)
        x = 1;
    if (x > 0)
        out[0] = 1;
}
