// Neighbours along a row are gathered together, two by two, also where the loop counts in 64 bits and
// the index takes the counter's low half, as optimised modules do.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --dump llvm
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
