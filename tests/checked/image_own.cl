// A work-item reads the texel that it has just written.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 4 --arg image1d:8:R:FLOAT=range --arg f32[8]
// EXIT: 1
// CHECK: error: a read of a texel that the work-item itself has written, without a fence for images [check.missing-fence]
// CHECK: hint: put atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item) between the two
// CHECK: check.missing-fence           1 place, 8 times

kernel void bad(read_write image1d_t i, global float *out)
{
    int x = get_global_id(0);

    write_imagef(i, x, (float4)(1));
    out[x] = read_imagef(i, x).x;
}
