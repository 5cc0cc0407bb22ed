// The twin of image_coordinate.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg image2d:4x4:R:FLOAT=range --arg image1d:4:R:SIGNED_INT32=range --arg sampler=edge,linear --arg sampler=edge,nearest --arg f32[4]=0
// CHECK-NOT: [check.

kernel void good(read_only image2d_t i, read_only image1d_t n, sampler_t s, sampler_t t, global float *out)
{
    out[1] = read_imagef(i, s, (float2)(out[0], 1)).x;
    out[2] = read_imagef(i, s, (float2)(1, 1e9f)).x;
    out[3] = read_imagei(n, t, 1.5f).x;
}
