// One work-item releases only what it has written itself: the barrier before orders local memory alone.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --threads 1 --global 384 --local 128 --arg u32[384] --arg u32[1]=zeros --arg u32[128] --no-print
// EXIT: 1
// CHECK: races with a write by another work-item, of another work-group [check.race]
// CHECK: written in bad

kernel void bad(global uint *data, global atomic_uint *count, global uint *sums)
{
    local int is_last;
    const uint i = get_local_id(0);

    data[get_global_id(0)] = i;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0)
        is_last = atomic_fetch_add_explicit(count, 1u, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last) {
        sums[i] = 0;
        for (uint g = 0; g < get_num_groups(0); g++)
            sums[i] += data[g * get_local_size(0) + (i ^ 1)];
    }
}
