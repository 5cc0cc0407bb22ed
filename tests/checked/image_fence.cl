// A barrier that orders buffers does not order images.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --arg image2d:8x1:RGBA:FLOAT=zeros --arg f32x4[8]
// EXIT: 1
// CHECK: a write before the barrier by another work-item of the work-group [check.missing-fence]
// CHECK: hint: give the barrier CLK_IMAGE_MEM_FENCE

kernel void bad(read_write image2d_t image, global float4 *out)
{
    int x = get_global_id(0);

    write_imagef(image, (int2)(x, 0), (float4)(x));
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[x] = read_imagef(image, (int2)(7 - x, 0));
}
