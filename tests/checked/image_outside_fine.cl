// The twin of image_outside.cl: a sampler clamps, the sizes are compared with.
// RUN: heddle check %s good --global 8 --arg image1d:6:R:FLOAT=range --arg image1d:9:R:FLOAT=zeros --arg image1d:5:R:FLOAT=zeros
// CHECK-NOT: [check.

kernel void good(read_only image1d_t a, write_only image1d_t b, write_only image1d_t c)
{
    const sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    float4 x = read_imagef(a, s, i);

    write_imagef(b, i, x);
    if (i < get_image_width(c))
        write_imagef(c, i, x);
}
