// Who has which number of a block: rows as wide as the sub-group, half and twice as wide, packed, transposed; and one that begins
// in the last row but one, four columns before the end.
// Spec: SPV_INTEL_2d_block_io, "Mapping Block Data to Invocations".
// WIDTHS: 16
// RUN: heddle run %s k --local 16 --global 16 --arg u32[64]=range --arg u32x4[16]=zeros --arg u16x2[16]=zeros --arg u32x4[16]=zeros
// CHECK: arg 1: u32x4[16] = (0, 32, 28, 0), (1, 33, 29, 0), (2, 34, 30, 0), (3, 35, 31, 0), (4, 36, 0, 0), (5, 37, 0, 0), (6, 38, 0, 0), (7, 39, 0, 0), (16, 48, 44, 0), (17, 49, 45, 0), (18, 50, 46, 0), (19, 51, 47, 0), (20, 52, 0, 0), (21, 53, 0, 0), (22, 54, 0, 0), (23, 55, 0, 0)
// CHECK: arg 2: u16x2[16] = (0, 16), (0, 0), (1, 17), (0, 0), (2, 18), (0, 0), (3, 19), (0, 0), (4, 20), (0, 0), (5, 21), (0, 0), (6, 22), (0, 0), (7, 23), (0, 0)
// CHECK: arg 3: u32x4[16] = (1048576, 3145760, 0, 3), (0, 0, 16, 19), (1114113, 3211297, 32, 35), (0, 0, 48, 51), (1179650, 3276834, 0, 0), {{.*}}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uint *m, global uint4 *wide, global ushort2 *bytes, global uint4 *mixed)
{
    uint i = get_global_id(0), quarter[4], edge[2], packed[8], columns[8];
    ushort narrow[2];

    intel_sub_group_2d_block_read_32b_4r8x1c(m, 64, 4, 64, (int2)(0, 0), quarter);
    intel_sub_group_2d_block_read_32b_2r8x1c(m, 64, 3, 64, (int2)(12, 1), edge);
    intel_sub_group_2d_block_read_8b_2r32x1c(m, 64, 4, 64, (int2)(0, 0), narrow);
    intel_sub_group_2d_block_read_transform_16b_16r16x1c(m, 64, 4, 64, (int2)(0, 0), packed);
    intel_sub_group_2d_block_read_transpose_32b_16r8x1c(m, 64, 4, 64, (int2)(0, 0), columns);
    intel_sub_group_2d_block_prefetch_8b_2r32x1c(m, 64, 4, 64, (int2)(0, 0));
    wide[i] = (uint4)(quarter[0], quarter[1], edge[0], edge[1]);
    bytes[i] = (ushort2)(narrow[0], narrow[1]);
    mixed[i] = (uint4)(packed[0], packed[1], columns[0], columns[3]);
}
