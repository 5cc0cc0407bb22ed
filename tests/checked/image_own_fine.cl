// The twin of image_own.cl: a fence, or a barrier, lies between. Nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 8 --local 4 --arg image1d:8:R:FLOAT=range --arg f32[8]
// CHECK-NOT: [check.

kernel void good(read_write image1d_t i, global float *out)
{
    int x = get_global_id(0);
    float first = read_imagef(i, x).x;

    write_imagef(i, x, (float4)(first + 1));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[x] = read_imagef(i, x).x;
    write_imagef(i, x, (float4)(3));
    barrier(CLK_IMAGE_MEM_FENCE);
    out[x] += read_imagef(i, x).x;
}
