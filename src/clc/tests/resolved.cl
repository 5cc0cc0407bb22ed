// clang-22 declares 64-bit atomics for some of their instructions only, and takes the pointers of vload_half and
// vstore_half for what they were before a cast.
// RUN: heddle run %s --global 8 --local 4 --arg i64[2]=5,5 --arg u16[8]=0,15360,16384,16896,17408,17664,17920,18176 --arg f32[8]=zeros
// CHECK: arg 0: i64[2] = 13, -3
// CHECK: arg 1: u16[8] = 16384, 16896, 0, 15360, 17920, 18176, 17408, 17664
// CHECK: arg 2: f32[8] = 2, 3, 0, 1, 6, 7, 4, 5
// WIDTHS: 4
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

kernel void k(volatile global long *counts, global const half *p, global float *f)
{
    local ushort bits[4];
    local half *halves = (local half *)bits;
    size_t i = get_global_id(0), l = get_local_id(0);

    atom_inc(counts);
    atom_dec(counts + 1);
    bits[l] = ((global ushort *)p)[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    f[i] = vload_half(l ^ 2, halves);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore_half(f[i], l, halves);
    barrier(CLK_LOCAL_MEM_FENCE);
    ((global ushort *)p)[i] = bits[l];
}
