// Texels that work-items exchange, behind a barrier for images.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 8 --local 8 --arg image2d:8x1:RGBA:FLOAT=zeros --arg f32x4[8]
// CHECK-NOT: [check.

kernel void fine(read_write image2d_t image, global float4 *out)
{
    int x = get_global_id(0);

    write_imagef(image, (int2)(x, 0), (float4)(x));
    barrier(CLK_IMAGE_MEM_FENCE);
    out[x] = read_imagef(image, (int2)(7 - x, 0));
}
