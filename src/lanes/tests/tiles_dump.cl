// A transposition stores along y, and each lane loads four neighbours in x at once; of planes that become channels it stores four.
// RUN: heddle run %s turned --global 64,64 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg i32=64 --arg i32=64 --dump lanes
// RUN: heddle run %s from_planes --global 64,8,8 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg i32=64 --arg i32=8 --arg i32=8 --dump lanes
// CPU: sapphirerapids
// WIDTHS: 16
// ENGINES: compiled
// CHECK: LOAD.global f32
// CHECK-NEXT: LOAD.global f32
// CHECK-NEXT: LOAD.global f32
// CHECK-NEXT: LOAD.global f32
// CHECK: STORE.global
// CHECK-NEXT: STORE.global
// CHECK-NEXT: STORE.global
// CHECK-NEXT: STORE.global
kernel void turned(global float *out, global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[x * h + y] = in[y * w + x];
}

kernel void from_planes(global float *out, global const float *in, int w, int h, int planes)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    out[(y * w + x) * planes + z] = in[(z * h + y) * w + x];
}
