/* Sum and maximum: each work-item walks the input, each group folds its values in local memory
 * at whatever size it has, and leaves one partial result.
 * SPDX-License-Identifier: MIT */
__kernel void reduce(__global const uint *in, uint n, __global uint *sums, __global uint *maxima,
                     __local uint *sum, __local uint *top)
{
    uint lid = get_local_id(0);
    uint left = get_local_size(0);
    uint total = 0, highest = 0;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        total += in[i];
        highest = max(highest, in[i]);
    }
    sum[lid] = total;
    top[lid] = highest;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (left > 1) {
        uint upper = (left + 1) / 2;

        if (lid < left / 2) {
            sum[lid] += sum[lid + upper];
            top[lid] = max(top[lid], top[lid + upper]);
        }
        left = upper;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        sums[get_group_id(0)] = sum[0];
        maxima[get_group_id(0)] = top[0];
    }
}

/* One group folds the partial results of the first kernel. */
__kernel void reduce_rest(__global const uint *sums, __global const uint *maxima, uint n,
                          __global uint *out)
{
    __local uint sum[64];
    __local uint top[64];
    uint lid = get_local_id(0);

    sum[lid] = 0;
    top[lid] = 0;
    for (uint i = lid; i < n; i += 64) {
        sum[lid] += sums[i];
        top[lid] = max(top[lid], maxima[i]);
    }
    for (uint step = 32; step > 0; step >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < step) {
            sum[lid] += sum[lid + step];
            top[lid] = max(top[lid], top[lid + step]);
        }
    }
    if (lid == 0) {
        out[0] = sum[0];
        out[1] = top[0];
    }
}
