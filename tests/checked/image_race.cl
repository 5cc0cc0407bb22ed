// Two work-items write one texel.
// RUN: heddle check %s bad --global 8 --arg image1d:8:R:FLOAT=zeros
// EXIT: 1
// CHECK: [check.race]
// CHECK: hint: put barrier(CLK_IMAGE_MEM_FENCE) between the two, or write to different texels

kernel void bad(write_only image1d_t a)
{
    write_imagef(a, get_global_id(0) / 2, (float)get_global_id(0));
}
