// What lanes load at `i >> 5` is loaded once where no lane is across a multiple of 32.
// RUN: heddle run %s k --global 64 --local 64 --arg f32[64]=range --arg f32[2]=range --arg f32[64]=zeros --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: load float
// CHECK: @llvm.masked.gather
kernel void k(global const float *x, global const float *scale, global float *y)
{
    int i = get_global_id(0);
    y[i] = x[i] * scale[i >> 5];
}
