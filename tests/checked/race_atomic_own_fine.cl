// Between the plain accesses of one work-item and the others' atomic ones lie a barrier, or a flag that
// is released and acquired.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]
// CHECK-NOT: [check.

kernel void fine(global int *out)
{
    local int count;
    local atomic_int flag;

    if (get_local_id(0) == 0) {
        count = 0;
        atomic_init(&flag, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        count = 1;
        atomic_inc(&count);
        atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
    } else if (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) == 1) {
        atomic_inc(&count);
    }
}
