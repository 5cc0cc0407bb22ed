/* y = A x with A in compressed rows, one row per work-item.
 * SPDX-License-Identifier: MIT */
__kernel void spmv(__global const uint *starts, __global const uint *columns,
                   __global const float *values, __global const float *x, __global float *y,
                   uint rows)
{
    uint row = get_global_id(0);

    if (row < rows) {
        float sum = 0.0f;

        for (uint i = starts[row]; i < starts[row + 1]; i++)
            sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
}
