/* Accelerations of bodies that attract each other; w is the mass. The group loads tiles of
 * bodies into local memory. The last tile may be short, and the last group small.
 * SPDX-License-Identifier: MIT */
__kernel void nbody(__global const float4 *bodies, __global float4 *accelerations,
                    __local float4 *tile, float softening, uint n)
{
    uint i = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
    float4 me = i < n ? bodies[i] : (float4)(0.0f);
    float3 sum = (float3)(0.0f);

    for (uint first = 0; first < n; first += size) {
        uint here = min(size, n - first);

        if (lid < here)
            tile[lid] = bodies[first + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < here; j++) {
            float4 other = tile[j];
            float3 d = other.xyz - me.xyz;
            float inverse = rsqrt(dot(d, d) + softening);

            sum += d * (other.w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        accelerations[i] = (float4)(sum, 0.0f);
}
