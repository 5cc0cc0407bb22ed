// Blocks of local memory: written by whole sub-groups, read by work-items in the other direction, and the reverse; through a whole array, whose
// pointer clang-22 hands on as it is, too.
// RUN: heddle run %s k --global 64 --local 32 --arg u32[64]=range --arg u32[64]=zeros --arg u32x2[64]=zeros
// CHECK: arg 1: u32[64] = 93, 90, 87, 84, 81, 78, 75, 72, 69, 66, 63, 60, 57, 54, 51, 48, 45, 42, 39, 36, 33, 30, 27, 24, 21, 18, 15, 12, 9, 6, 3, 0, 189, 186, 183, 180, 177, 174, 171, 168, 165, 162, 159, 156, 153, 150, 147, 144, 141, 138, 135, 132, 129, 126, 123, 120, 117, 114, 111, 108, 105, 102, 99, 96
// CHECK-W16: arg 2: u32x2[64] = (100, 116), (101, 117), {{.*}}, (115, 131), (100, 116), {{.*}}
// CHECK-W4: arg 2: u32x2[64] = (100, 104), (101, 105), (102, 106), (103, 107), (100, 104), {{.*}}
kernel void k(global const uint *in, global uint *out, global uint2 *pairs)
{
    local uint row[32], all[32];
    uint first = get_sub_group_id() * get_max_sub_group_size(), lid = get_local_id(0);

    intel_sub_group_block_write(row + first, intel_sub_group_block_read(in + get_group_id(0) * 32 + first) * 3);
    all[lid] = 100 + lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = row[31 - lid];
    pairs[get_global_id(0)] = intel_sub_group_block_read2(all);
}
