// A block inside of what it says its memory is, which is more than there is; and one written from a lane's memory without a value.
// RUN: not heddle check %s bad --width 16 --global 16 --local 16 --arg u32[128]=range --arg u32[128]=zeros
// CHECK: [check.uninitialised]
// CHECK: [check.out-of-bounds]
kernel void bad(global uint *m, global uint *out)
{
    uint rows[2];

    intel_sub_group_2d_block_write_32b_2r16x1c(out, 64, 8, 64, (int2)(0, 0), rows);
    if (out[get_global_id(0)] == 1)
        m[0] = 2;
    intel_sub_group_2d_block_read_32b_2r16x1c(m, 64, 9, 64, (int2)(0, 7), rows);
    out[get_global_id(0)] = rows[0] + rows[1];
}
