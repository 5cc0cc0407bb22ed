// A block of two dimensions of memory whose rows are no multiple of 16 bytes apart, and one that begins in the middle of a word.
// RUN: not heddle check %s bad --width 16 --global 16 --local 16 --arg u32[256]=range --arg u32[16]=zeros
// CHECK: [check.block]
// CHECK: the pitch of a block's memory is its width or more, a multiple of 16 bytes
// CHECK: [check.block]
// CHECK: a block begins at a multiple of four bytes of its row
kernel void bad(global uint *m, global uint *out)
{
    uint rows[2];
    ushort halves[1];

    intel_sub_group_2d_block_read_32b_2r16x1c(m, 64, 4, 72, (int2)(0, 0), rows);
    intel_sub_group_2d_block_read_16b_1r16x1c(m, 64, 4, 64, (int2)(1, 0), halves);
    out[get_global_id(0)] = rows[0] + rows[1] + halves[0];
}
