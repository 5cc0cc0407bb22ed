// A work-item has more private memory than there can be.
// RUN: heddle check %s bad --cl -O0 --global 1 --arg i32[2]=range
// EXIT: 3
// CHECK: error: the variables of a work-item take more than 1 GiB [interp.private]

kernel void bad(global int *io)
{
    int a[1 << 29];
    a[io[0]] = 1;
    io[0] = a[io[1] - 1];
}
