// A pointer into a function that has been left.
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[1]
// EXIT: 1
// CHECK: [check.dangling]

int *leak(int v)
{
    int x = v;
    int *p = &x;

    return p;
}

kernel void bad(global int *out)
{
    int *p = leak(3);

    out[0] = *p;
}
