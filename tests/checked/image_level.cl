// A level that the image does not have.
// RUN: heddle check %s bad --global 1 --arg image2d:8x8:levels2:R:FLOAT=zeros --arg i32[2]=zeros
// EXIT: 1
// CHECK: [check.image-outside]

#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable

kernel void bad(write_only image2d_t a, global int *out)
{
    out[0] = get_image_num_mip_levels(a);
    write_imagef(a, (int2)(0, 0), out[0], (float4)(1));
}
