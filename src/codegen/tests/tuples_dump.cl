// A work-item that runs alone does the components of its vectors together: what a loop carries, and what is done to all of one
// vector before its components are added up.
// RUN: heddle run %s weigh --global 4 --width 1 --arg f32[64]=range --arg f32[64]=range --arg u8[80]=range --arg u8[64]=zeros --arg f32[4]=zeros --arg i32=4 --dump llvm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: phi <4 x float>
// CHECK: llvm.fma.v4f32
// CHECK: shufflevector <16 x i8>
// CHECK: store <16 x i8>
kernel void weigh(global const float4 *x, global const float4 *w, global const uchar16 *y, global uchar16 *turned,
                  global float *sums, int n)
{
    int i = get_global_id(0);
    float4 s = 0;

    for (int k = 0; k < n; k++)
        s += x[(i + k * k) % 16] * w[(i * k) % 16];
    sums[i] = s.x + s.y + s.z + s.w;
    turned[i] = y[i].s1032547698badcfe ^ y[i + 1];
}
