// Bits have values one by one: a mask makes a value of what has none.
// RUN: heddle check %s bad --global 1 --cl -O0 --arg i32[1]
// EXIT: 1
// CHECK: an address depends on a value that is undefined [check.uninitialised]

kernel void bad(global int *out)
{
    int a[4];
    int i = (a[1] & 1) & 3;

    out[i - i + (a[0] & 0)] = 1;
    out[(a[2] & 1) * 0 + (a[3] & 1)] = 2;
}
