// The twin of uninitialised_bits.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[1]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    int a[4];

    out[(a[0] & 0)] = 1;
}
