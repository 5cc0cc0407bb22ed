// Without a sampler nobody clamps the coordinate.
// RUN: heddle check %s bad --global 8 --arg image1d:6:R:FLOAT=range --arg image1d:9:R:FLOAT=zeros --arg image1d:5:R:FLOAT=zeros
// EXIT: 1
// CHECK: read outside of the image: 6 of 6 texels [check.image-outside]
// CHECK: times: 2
// CHECK: write outside of the image: 5 of 5 texels [check.image-outside]
// CHECK: times: 3

kernel void bad(read_only image1d_t a, write_only image1d_t b, write_only image1d_t c)
{
    int i = get_global_id(0);
    float4 x = read_imagef(a, i);

    write_imagef(b, i, x);
    write_imagef(c, i, x);
}
