// Neighbours along a row, whose index is a sum of the lane's own and of the loop's counter, are
// gathered together.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --global 3 --local 3 --arg u32[21]=range --arg u32[3]=zeros --arg u32=7
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --cl=-O0 --global 3 --local 3 --arg u32[21]=range --arg u32[3]=zeros --arg u32=7
// CHECK: arg 1: u32[3] = 112, 308, 504
kernel void k(global const uint *a, global uint *y, uint n)
{
    uint row = get_global_id(0), sum = 0;

    for (uint j = 0; j < n; j++)
        sum += a[row * n + j] * (j + 1);
    y[row] = sum;
}
