// The lane of a broadcast need not be a constant; clang-22 writes SPIR-V 1.4, where it has to be one.
// RUN: heddle run %s --cl -cl-std=CL3.0 --global 16 --local 16 --arg u32=2 --arg i32[16]=range --arg i32[16]=zeros
// CHECK: arg 2: i32[16] = {{((\d+), \2, \2, \2,? ?)+$}}
// WIDTHS: 4 16

kernel void k(uint lane, global const int *in, global int *out)
{
    size_t i = get_global_id(0);

    out[i] = sub_group_non_uniform_broadcast(in[i], lane);
}
