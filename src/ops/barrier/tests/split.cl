// Halves of a barrier, with and without a scope of memory, which clang-22 gives to those who wait, too.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --global 16 --local 8 --arg u32[16]=zeros --arg local[32] --expect 0=7,6,5,4,3,2,1,0,7,6,5,4,3,2,1,0
// RUN: heddle run %s one --global 8 --local 8 --arg u32[8]=zeros --arg local[32] --expect 0=7,6,5,4,3,2,1,0
kernel void one(global uint *out, local uint *l)
{
    l[get_local_id(0)] = get_local_id(0);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)];
}

#if __OPENCL_C_VERSION__ >= 300
kernel void k(global uint *out, local uint *l)
{
    global uint *own = out + get_group_id(0) * get_local_size(0);

    own[get_local_id(0)] = get_local_id(0);
    intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    l[get_local_id(0)] = own[get_local_size(0) - 1 - get_local_id(0)];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    own[get_local_id(0)] = l[get_local_id(0)];
}
#endif
