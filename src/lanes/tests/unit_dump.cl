// For steps of one element there is code without gathers and scatters.
// RUN: heddle run %s step --global 64 --local 64 --arg f32[64]=zeros --arg f32[64]=zeros --arg i32=1 --dump lanes
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"step"
// CHECK: ICMP.eq bool uniform
// CHECK: PTRADD ptr affine stride 4
// CHECK: LOAD.global
// CHECK: PTRADD ptr affine stride 4
// CHECK: STORE.global
// CHECK: PTRADD ptr @
// CHECK: LOAD.global
// CHECK: PTRADD ptr @
// CHECK: STORE.global
// CHECK-NOT: LOAD.global
kernel void step(global float *o, global const float *a, int inc)
{
    int i = get_global_id(0);

    o[i * inc] = a[i * inc] * 2;
}
