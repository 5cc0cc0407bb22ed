// A filter over a texel that is infinite.
// RUN: heddle check %s bad --global 1 --arg image1d:4:R:FLOAT=1,inf,2,3 --arg sampler=edge,linear --arg f32[1]
// CHECK: note: a filter over texels that are infinite or no numbers [check.image-texel]

kernel void bad(read_only image1d_t i, sampler_t s, global float *out)
{
    out[0] = read_imagef(i, s, 1.0f).x;
}
