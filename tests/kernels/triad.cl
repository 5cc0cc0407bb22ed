/* STREAM's arithmetic kernels.
 * SPDX-License-Identifier: MIT */
__kernel void scale(__global float *out, __global const float *a, float s, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        out[i] = s * a[i];
}

__kernel void add(__global float *out, __global const float *a, __global const float *b, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        out[i] = a[i] + b[i];
}

__kernel void triad(__global float *restrict out, __global const float *restrict a,
                    __global const float *restrict b, float s, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        out[i] = a[i] + s * b[i];
}
