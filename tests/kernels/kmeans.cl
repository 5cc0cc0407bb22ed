/* k-means in four dimensions over whole numbers small enough for exact float arithmetic.
 * SPDX-License-Identifier: MIT */
#define CLUSTERS 16

/* Give each point to its nearest centre, and add it to that cluster's sums. */
__kernel void kmeans_assign(__global const float4 *points, uint n, __global const float4 *centres,
                            __global uint *member, volatile __global uint *sums)
{
    __local float4 near[CLUSTERS];
    uint i = get_global_id(0);
    event_t copied = async_work_group_copy(near, centres, CLUSTERS, 0);

    wait_group_events(1, &copied);
    if (i >= n)
        return;
    float4 p = points[i];
    float least = FLT_MAX;
    uint best = 0;

    for (uint k = 0; k < CLUSTERS; k++) {
        float4 d = p - near[k];
        float distance = dot(d, d);

        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    uint4 whole = convert_uint4(p);

    member[i] = best;
    atomic_add(&sums[best * 5 + 0], whole.x);
    atomic_add(&sums[best * 5 + 1], whole.y);
    atomic_add(&sums[best * 5 + 2], whole.z);
    atomic_add(&sums[best * 5 + 3], whole.w);
    atomic_inc(&sums[best * 5 + 4]);
}

/* New centres, rounded down to whole numbers; the sums start again at zero. */
__kernel void kmeans_update(__global float4 *centres, __global uint *sums)
{
    uint k = get_global_id(0);

    if (k >= CLUSTERS)
        return;
    uint4 sum = vload4(0, sums + 5 * k);
    uint count = sums[5 * k + 4];

    if (count != 0)
        centres[k] = convert_float4(sum / count);
    vstore4((uint4)(0), 0, sums + 5 * k);
    sums[5 * k + 4] = 0;
}
