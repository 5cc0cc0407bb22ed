// An element that each lane chooses is selected in registers, before and after a barrier, and likewise where it is given a
// new value.
// RUN: heddle run %s --dump llvm
// WIDTHS: 8 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: @llvm.masked.{{gather|scatter}}
// CHECK: ret void
kernel void k(global const uchar *in, global float *out, int n)
{
    int i = get_global_id(0);
    float h[9];

    for (int k = 0; k < 9; k++)
        h[k] = 0;
    for (int k = 0; k < n; k++) {
        h[in[k * 64 + i] % 9] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < 9; k++)
        out[k * 64 + i] = h[k];
}
