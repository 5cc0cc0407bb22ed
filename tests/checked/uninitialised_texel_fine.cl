// The twin of uninitialised_texel.cl: components that the image does not have need no value, nor have coordinates beyond its dimensions.
// RUN: heddle check %s part --global 4 --arg image2d:4x1:RG:FLOAT
// RUN: heddle check %s space --cl -cl-std=CL3.0 --global 4 --arg image3d:4x1x1:R:UNSIGNED_INT8
// CHECK-NOT: [check.
kernel void part(write_only image2d_t to)
{
    float4 x;

    x.xy = 0;
    write_imagef(to, (int2)(get_global_id(0), 0), x);
}

kernel void space(write_only image3d_t to)
{
    int4 at;
    uint4 x;

    at.xyz = (int3)(get_global_id(0), 0, 0);
    x.x = 5;
    write_imageui(to, at, x);
}
