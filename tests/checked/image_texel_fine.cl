// The twin of image_texel.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg image1d:4:R:FLOAT=1,inf,2,3 --arg sampler=edge,nearest --arg f32[1]
// CHECK-NOT: [check.

kernel void good(read_only image1d_t i, sampler_t s, global float *out)
{
    out[0] = read_imagef(i, s, 1.0f).x;
}
