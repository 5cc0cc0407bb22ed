// fmax and fmin of whole vectors of sixteen: more elements side by side than lanes.
// RUN: heddle run %s floats --global 37 --arg f32x16[37]=random:1 --arg f32x16[37]=random:2 --arg f32x16[37]=zeros
// RUN: heddle run %s doubles --global 37 --arg f64x16[37]=random:3 --arg f64x16[37]=random:4 --arg f64x16[37]=zeros
// WIDTHS: 8 16 32
// CHECK: arg 2
kernel void floats(global const float16 *x, global const float16 *y, global float16 *out)
{
    size_t i = get_global_id(0);
    out[i] = fmax(x[i], y[i]) - fmin(x[i], y[i]);
}

kernel void doubles(global const double16 *x, global const double16 *y, global double16 *out)
{
    size_t i = get_global_id(0);
    out[i] = fmax(x[i], y[i]) - fmin(x[i], y[i]);
}
