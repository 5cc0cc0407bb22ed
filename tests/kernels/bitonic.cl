/* Bitonic sort of a power of two of keys: far exchanges in global memory, near ones (all steps
 * whose distance fits a group) in local memory.
 * SPDX-License-Identifier: MIT */

/* One exchange per pair of work-items: item i meets i ^ distance. */
__kernel void bitonic_far(__global uint *keys, uint run, uint distance)
{
    uint i = get_global_id(0);
    uint other = i ^ distance;

    if (other > i) {
        uint a = keys[i], b = keys[other];
        bool up = (i & run) == 0;

        if ((a > b) == up) {
            keys[i] = b;
            keys[other] = a;
        }
    }
}

/* All steps of run length `run` from `distance` down to 1; distance < local size. */
__kernel void bitonic_near(__global uint *keys, uint run, uint distance, __local uint *room)
{
    uint i = get_global_id(0);
    uint lid = get_local_id(0);
    bool up = (i & run) == 0;

    room[lid] = keys[i];
    for (; distance > 0; distance >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint mine = room[lid];
        uint theirs = room[lid ^ distance];
        bool lower = (lid & distance) == 0;
        uint keep = lower == up ? min(mine, theirs) : max(mine, theirs);

        barrier(CLK_LOCAL_MEM_FENCE);
        room[lid] = keep;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[i] = room[lid];
}
