// Loops over all items of a launch ask for what they will read some rounds later, behind the end of the buffer too.
// RUN: heddle run %s --global 48 --local 24 --arg u8[1000]=range --arg u32[16]=zeros --arg u32=1000 --no-print --expect 1=63,63,63,63,63,63,63,63,62,62,62,62,62,62,62,62
kernel void k(global const uchar *in, global uint *bins, uint n)
{
    local uint counts[16];

    for (uint b = get_local_id(0); b < 16; b += get_local_size(0))
        counts[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&counts[in[i] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < 16; b += get_local_size(0))
        atomic_add(&bins[b], counts[b]);
}
