// Vectors that are stored behind an index need not be taken apart: their bytes are stored as they were loaded.
// RUN: heddle run %s --global 16 --local 16 --arg f32[128]=range --arg u32[16]=range --arg f32[128]=zeros --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: scatter
// CHECK: fadd <64 x float>
// CHECK-NOT: scatter
// CHECK: store <4 x float>
// CHECK-NOT: scatter
// CHECK: {{^}$}}
kernel void k(global const float4 *a, global const uint *x, global float4 *o)
{
    uint i = get_global_id(0);

    o[x[i] & 31] = a[i] + 1;
}
