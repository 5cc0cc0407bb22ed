/* Exclusive prefix sum in three launches: blocks, block totals, blocks again.
 * SPDX-License-Identifier: MIT */
#define BLOCK 128

/* Inclusive scan of one value per work-item (Hillis and Steele); barriers inside the loop. */
uint scan_block(uint value, __local uint *room)
{
    uint lid = get_local_id(0);

    room[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < BLOCK; step <<= 1) {
        uint add = lid >= step ? room[lid - step] : 0;

        barrier(CLK_LOCAL_MEM_FENCE);
        room[lid] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return room[lid];
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_blocks(__global const uint *in, __global uint *out, __global uint *totals, uint n)
{
    __local uint room[BLOCK];
    uint i = get_global_id(0);
    uint value = i < n ? in[i] : 0;
    uint sum = scan_block(value, room);

    if (i < n)
        out[i] = sum - value;
    if (get_local_id(0) == BLOCK - 1)
        totals[get_group_id(0)] = sum;
}

/* One group turns the block totals into the sum before each block. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_totals(__global uint *totals, uint blocks)
{
    __local uint room[BLOCK];
    uint lid = get_local_id(0);
    uint before = 0;

    for (uint first = 0; first < blocks; first += BLOCK) {
        uint i = first + lid;
        uint value = i < blocks ? totals[i] : 0;
        uint sum = scan_block(value, room);

        if (i < blocks)
            totals[i] = before + sum - value;
        before += room[BLOCK - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void scan_add(__global uint *out, __global const uint *totals, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        out[i] += totals[i / BLOCK];
}
