// Whether a condition holds in all lanes, or in any, is a comparison of the mask: it does not become bytes that are combined.
// RUN: heddle run %s all_of --cl=-cl-std=CL3.0 --dump asm
// RUN: heddle run %s any_of --cl=-cl-std=CL3.0 --dump asm
// WIDTHS: 16
// CPU: znver4
// ENGINES: compiled
// CHECK: kortestw
// CHECK-NOT: vextracti
kernel void all_of(global const int *a, global int *o)
{
    int s = work_group_all(a[get_global_id(0)] > 5);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = s;
}

kernel void any_of(global const int *a, global int *o)
{
    int s = work_group_any(a[get_global_id(0)] > 5);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = s;
}
