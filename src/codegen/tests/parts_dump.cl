// A work-item that runs alone does the components of its vectors together.
// RUN: heddle run %s weigh --global 4 --width 1 --arg f32[64]=range --arg f32[64]=range --arg f32[16]=zeros --arg i32=4 --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: llvm.fma.v4f32
kernel void weigh(global const float4 *x, global const float4 *w, global float4 *out, int n)
{
    int i = get_global_id(0);
    float4 s = 0;

    for (int k = 0; k < n; k++)
        s += x[(i + k * k) % 16] * w[(i * k) % 16];
    out[i] = s;
}
