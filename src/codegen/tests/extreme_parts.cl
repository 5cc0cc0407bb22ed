// Parts of a vector are made together only where the same is known of their NaN: the first one's other operand is a
// number, the second one's may be none.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg f32[32]=range --arg f32[32]=zeros --arg f32[32]=zeros --arg i32=5 --arg f32=nan
// CHECK: arg 1: f32[32] = 5, 1, 5, 3, 5, 5, 6, 7, 8, 9
// CHECK: arg 2: f32[32] = 1, 5, 3, 5, 5, 5, 7, 6, 9, 8
kernel void k(global const float2 *x, global float2 *y, global float2 *z, int n, float f)
{
    int i = get_global_id(0);
    float2 v = x[i];

    y[i] = (float2)(fmax(v.x, (float)n), fmax(v.y, f));
    z[i] = (float2)(fmax(v.y, f), fmax(v.x, (float)n));
}
