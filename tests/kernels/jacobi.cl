/* One step of Jacobi's iteration for A x = b in double precision, one row per work-item, and
 * the largest change of each group.
 * SPDX-License-Identifier: MIT */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void jacobi(__global const double *a, __global const double *b,
                     __global const double *x, __global double *next, __global double *changes,
                     __local double *room, uint n)
{
    uint row = get_global_id(0), lid = get_local_id(0);
    double change = 0.0;

    if (row < n) {
        double sum = b[row];

        for (uint j = 0; j < n; j++)
            if (j != row)
                sum -= a[j * n + row] * x[j]; /* A is kept by columns */
        sum /= a[row * n + row];
        change = fabs(sum - x[row]);
        next[row] = sum;
    }
    room[lid] = change;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        for (uint i = 1; i < get_local_size(0); i++)
            change = fmax(change, room[i]);
        changes[get_group_id(0)] = change;
    }
}
