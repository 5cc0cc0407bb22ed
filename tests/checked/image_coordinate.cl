// Coordinates that are no numbers, and samplers that an image does not go with.
// RUN: heddle check %s bad --global 1 --arg image2d:4x4:R:FLOAT=range --arg image1d:4:R:SIGNED_INT32=range --arg sampler=edge,linear --arg f32[4]=0
// EXIT: 1
// CHECK: error: a coordinate or level that is infinite or no number [check.image-coordinate]
// CHECK: hint: look at what the coordinate is computed from
// CHECK: error: a coordinate or level that is infinite or no number [check.image-coordinate]
// CHECK: error: a sampler that does not go with the coordinate or the image [check.image-sampler]

kernel void bad(read_only image2d_t i, read_only image1d_t n, sampler_t s, global float *out)
{
    float none = out[0] / out[0];

    out[1] = read_imagef(i, s, (float2)(none, 1)).x;
    out[2] = read_imagef(i, s, (float2)(1, INFINITY)).x;
    out[3] = read_imagei(n, s, 1.5f).x;
}
