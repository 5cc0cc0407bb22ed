// fmax and fmin of whole vectors: more elements side by side than lanes, and numbers of them that no register has.
// RUN: heddle run %s floats --global 37 --arg f32x16[37]=random:1 --arg f32x16[37]=random:2 --arg f32x16[37]=zeros
// RUN: heddle run %s doubles --global 37 --arg f64x16[37]=random:3 --arg f64x16[37]=random:4 --arg f64x16[37]=zeros
// RUN: heddle run %s threes --global 37 --arg f32[111]=random:5 --arg f32[111]=random:6 --arg f32[111]=zeros
// RUN: heddle run %s pairs --global 37 --arg f32[74]=random:7 --arg f32[74]=random:8 --arg f32[74]=zeros
// WIDTHS: 1 4 8 16 32
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

kernel void threes(global const float *x, global const float *y, global float *out)
{
    size_t i = get_global_id(0);
    vstore3(fmax(vload3(i, x), vload3(i, y)), i, out);
}

kernel void pairs(global const float *x, global const float *y, global float *out)
{
    size_t i = get_global_id(0);
    vstore2(fmin(vload2(i, x), vload2(i, y)), i, out);
}
