// A block that ends outside of the image.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 4 --local 4 --width 4 --arg image2d:4x2:R:UNSIGNED_INT32=zeros
// EXIT: 1
// CHECK: error: a block is written outside of the image [check.image-outside]

kernel void bad(write_only image2d_t out)
{
    intel_sub_group_block_write2(out, (int2)(0, 1), (uint2)(1, 2));
}
