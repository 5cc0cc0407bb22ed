// A work-group takes nearly all local memory that there is.
// RUN: heddle check %s fine --cl -O0 --global 8 --local 8 --arg i32[8]=range --arg local[100000]
// CHECK-NOT: check.

kernel void fine(global int *io, local int *other)
{
    local int a[40000];
    int i = get_local_id(0);
    a[i] = io[i];
    other[i] = 1;
    io[i] = a[i] + other[i];
}
