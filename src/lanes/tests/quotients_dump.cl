// Pixels of rows that a constant divides into are neighbours within a row.
// RUN: heddle run %s pixels --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: UDIV i32 address
// CHECK: PTRADD ptr address stride 4
// CHECK: LOAD.global f32
kernel void pixels(global const float *in, global const float *gain, global float *out)
{
    uint i = get_global_id(0), x = i % 300, y = i / 300;
    out[i] = in[(y + 1) * 302 + x + 1] * gain[y];
}
