// Two neighbours along a row, whose index is a sum of the lane's own and of the loop's counter, are
// one gather of 64 bits.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --cl=-O0 --dump llvm
// CPU: icelake-server
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: @llvm.masked.gather.v16i64
kernel void k(global const uint *a, global uint *y, uint n)
{
    uint row = get_global_id(0), sum = 0;

    for (uint j = 0; j < n; j++)
        sum = sum * 31 + a[row * n + j] * (j + 1);
    y[row] = sum;
}
