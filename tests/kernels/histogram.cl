/* Histogram of bytes: counted per group in local memory, then added to the global counts.
 * SPDX-License-Identifier: MIT */
#define BINS 256

__kernel void histogram(__global const uchar *data, uint n, __global uint *bins)
{
    __local uint counts[BINS];

    for (uint b = get_local_id(0); b < BINS; b += get_local_size(0))
        counts[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&counts[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < BINS; b += get_local_size(0))
        if (counts[b] != 0)
            atomic_add(&bins[b], counts[b]);
}
