// Blocks that keep to the rules, a part of them outside; matrices of the sub-group's size.
// RUN: heddle check %s good --width 16 --global 16 --local 16 --arg u32[256]=range --arg u32[16]=zeros
// CHECK-NOT: [check.
kernel void good(global uint *m, global uint *out)
{
    uint rows[2];
    ushort halves[1];

    intel_sub_group_block_prefetch_ui4(m);
    intel_sub_group_2d_block_prefetch_32b_2r16x1c(m, 64, 4, 80, (int2)(-4, 3));
    intel_sub_group_2d_block_read_32b_2r16x1c(m, 64, 4, 80, (int2)(-4, 3), rows);
    intel_sub_group_2d_block_read_16b_1r16x1c(m, 64, 4, 64, (int2)(2, 0), halves);
    out[get_global_id(0)] = rows[0] + intel_sub_group_u8_u8_matrix_mad_k32(halves[0], (uint8)(1), (int)rows[1]);
}
