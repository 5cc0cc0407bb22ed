/* C = A B, one element of C per work-item.
 * SPDX-License-Identifier: MIT */
__kernel void matmul_naive(__global const float *a, __global const float *b, __global float *c,
                           uint rows, uint inner, uint columns)
{
    uint column = get_global_id(0);
    uint row = get_global_id(1);
    float sum = 0.0f;

    if (row >= rows || column >= columns)
        return;
    for (uint k = 0; k < inner; k++)
        sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}
