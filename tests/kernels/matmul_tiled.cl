/* C = A B by tiles in local memory. The global size is made of whole tiles; what lies outside
 * the matrices is taken as zero.
 * SPDX-License-Identifier: MIT */
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul_tiled(__global const float *a, __global const float *b, __global float *c, uint rows,
             uint inner, uint columns)
{
    __local float left[TILE][TILE];
    __local float right[TILE][TILE];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint column = get_global_id(0);
    uint row = get_global_id(1);
    float sum = 0.0f;

    for (uint t = 0; t < inner; t += TILE) {
        left[ly][lx] = row < rows && t + lx < inner ? a[row * inner + t + lx] : 0.0f;
        right[ly][lx] = t + ly < inner && column < columns ? b[(t + ly) * columns + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum = mad(left[ly][k], right[k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}
