// A texel, or the place of one, that nobody gave a value.
// RUN: heddle check %s texel --global 4 --arg image2d:4x1:RGBA:FLOAT
// RUN: heddle check %s part --global 4 --arg image2d:4x1:RGBA:FLOAT
// RUN: heddle check %s place --global 1 --arg image2d:4x1:RGBA:FLOAT
// EXIT: 1
// CHECK: {{a texel is written with|the place of a texel depends on}} a value that is undefined [check.uninitialised]
kernel void texel(write_only image2d_t to)
{
    float x;

    write_imagef(to, (int2)(get_global_id(0), 0), (float4)(x));
}

kernel void part(write_only image2d_t to)
{
    float4 x;

    x.xyz = 0;
    write_imagef(to, (int2)(get_global_id(0), 0), x);
}

kernel void place(write_only image2d_t to)
{
    int x;

    write_imagef(to, (int2)(x & 3, 0), (float4)(0));
}
