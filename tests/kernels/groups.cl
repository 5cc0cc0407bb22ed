/* Functions of work-groups, and calls through generic pointers.
 * SPDX-License-Identifier: MIT */
/* Sums of each work-group by a work-group function. */
__kernel void group_sum(__global const int *in, __global int *out, uint n)
{
    uint i = get_global_id(0);
    int sum = work_group_reduce_add(i < n ? in[i] : 0);

    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sum;
}

/* Prefix sums in each work-group, less what its first item has. */
__kernel void group_scan(__global const int *in, __global int *out, uint n)
{
    uint i = get_global_id(0);
    int x = i < n ? in[i] : 0, first = work_group_broadcast(x, 0);

    x = work_group_scan_inclusive_add(x) - first;
    if (i < n)
        out[i] = x;
}

/* Calls through generic pointers. */
__attribute__((noinline)) int walk(const int *p, int step, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += p[i * step] ^ i;
    return sum;
}

__kernel void pointers(__global const int *in, __global int *out, __local int *tile)
{
    uint i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);

    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l & 1 ? walk(tile, 1, (int)size) : walk(in + i - l, 1, (int)size);
}
