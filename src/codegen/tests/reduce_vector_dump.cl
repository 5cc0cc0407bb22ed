// Reductions of a sub-group stay in vector registers to the last step, where all lanes get the result: no integer is taken out
// and put back.
// RUN: heddle run %s most --cl=-cl-std=CL3.0 --dump asm
// RUN: heddle run %s sum --cl=-cl-std=CL3.0 --dump asm
// WIDTHS: 16
// CPU: znver4
// ENGINES: compiled
// CHECK: vextracti64x4
// CHECK-NOT: vpextrd
// CHECK: vpbroadcastd {{.*}}%xmm
// CHECK-NOT: vpextrd
kernel void most(global const int *a, global int *o)
{
    int i = get_global_id(0), x = a[i];
    for (int k = 0; k < 64; k++)
        x = x * 3 + sub_group_reduce_max(x);
    o[i] = x;
}

kernel void sum(global const int *a, global int *o)
{
    int i = get_global_id(0), x = a[i];
    for (int k = 0; k < 64; k++)
        x = x * 3 + sub_group_reduce_add(x);
    o[i] = x;
}
