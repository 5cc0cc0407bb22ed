// Products of matrices in a loop that work-items leave together, through every engine: 16 times 1 and 2 by ones, then 16 times 1 by 2.
// WIDTHS: 16
// RUN: heddle run %s k --local 16 --global 16 --arg i32=2 --arg i32[16]=range --arg f32[16]=range --expect 1=96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111 --expect 2=64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(int rounds, global int *whole, global float *single)
{
    size_t i = get_global_id(0);

    for (int n = 0; n < rounds; n++) {
        whole[i] = intel_sub_group_i8_i8_matrix_mad_k32((short)0x0201, (int8)(0x01010101), whole[i]);
        single[i] = intel_sub_group_f16_f16_matrix_mad_k16((short)0x3c00, (int8)(0x40004000), single[i]);
    }
}
