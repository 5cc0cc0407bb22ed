// Flags that reach a barrier through a function: it orders what they name. Nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[64] --arg image1d:64:R:FLOAT=range
// RUN: heddle check %s old --global 64 --local 64 --arg i32[64]
// CHECK-NOT: [check.

void meet(cl_mem_fence_flags flags)
{
    barrier(flags);
}

#if __OPENCL_C_VERSION__ >= 300
void meet_again(cl_mem_fence_flags flags)
{
    work_group_barrier(flags, memory_scope_device);
}

kernel void good(global int *out, read_write image1d_t image)
{
    local int all[64];
    int i = get_local_id(0);

    all[i] = i;
    write_imagef(image, i, (float4)(i));
    meet(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
    out[i] = all[63 - i] + (int)read_imagef(image, 63 - i).x;
    meet_again(CLK_GLOBAL_MEM_FENCE);
    all[i] = out[63 - i];
}
#endif

kernel void old(global int *out)
{
    local int all[64];
    int i = get_local_id(0);

    all[i] = i;
    meet(CLK_LOCAL_MEM_FENCE);
    out[i] = all[63 - i];
}
