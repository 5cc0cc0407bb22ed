// Texels and coordinates that are compound literals have commas, which the macros for levels of mipmaps must not take for
// arguments. A source that mentions cl_khr_mipmap_image gets these macros.
// RUN: heddle run %s k --global 2,1 --arg image2d:2x1:RGBA:FLOAT --arg image2d:2x1:RGBA:FLOAT=fill:0.5 --arg f32[4]
// CHECK: arg 2: f32[4] = 0.5, 1.5, 0.5, 3.5
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
kernel void k(write_only image2d_t to, read_only image2d_t from, global float *out)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0);
    float one = read_imagef(from, s, (int2){x, 0}).x;
    float two = read_imagef(from, (int2){x, 0}).y;
    float three = read_imagef(from, s, (float2){x + 0.5f, 0.5f}).z;

    write_imagef(to, (int2){x, 0}, (float4){one, two, three, x});
    write_imagef(to, (int2)(x, 0), (float4){one, two, three, 1.0f});
    out[2 * x] = read_imagef(from, s, (int2)(x, 0)).w;
    out[2 * x + 1] = one + two + three + 2 * x;
}
