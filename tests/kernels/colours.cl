/* Three-component vectors in all the places where they take the room of four, or do not: tight
 * bytes in memory, float3 in global memory (16 bytes each), private variables and arrays that
 * are written by swizzles, constants.
 * SPDX-License-Identifier: MIT */
__constant float3 to_luma[3] = {
    (float3)(0.299f, 0.587f, 0.114f),
    (float3)(-0.168736f, -0.331264f, 0.5f),
    (float3)(0.5f, -0.418688f, -0.081312f),
};

/* The mean of the last four colours of a row, each turned to luma and two differences; `wide`
 * gets the vector, `tight` the same as bytes, in reverse order. */
__kernel void colours(__global const uchar *rgb, __global float3 *wide, __global uchar *tight,
                      uint n)
{
    uint i = get_global_id(0);
    float3 last[4];
    float3 sum;

    if (i >= n)
        return;
    for (uint k = 0; k < 4; k++) {
        float3 c = convert_float3(vload3(min(i + k, n - 1), rgb));

        last[(k + i) & 3].xy = (float2)(dot(c, to_luma[0]), dot(c, to_luma[1]));
        last[(k + i) & 3].z = dot(c, to_luma[2]);
    }
    sum = last[0];
    for (uint k = 1; k < 4; k++)
        sum += last[k];
    sum *= 0.25f;
    sum.yz += 128.0f;
    wide[i] = sum;
    vstore3(convert_uchar3_sat(sum.zyx), i, tight);
}
