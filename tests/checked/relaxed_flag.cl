// A relaxed flag orders nothing, and one of the work-group nothing that another group does.
// RUN: heddle check %s relaxed --cl -cl-std=CL3.0 --global 16 --local 8 --arg i32[1]=zeros --arg i32[1]=zeros --arg i32[16]=zeros
// RUN: heddle check %s narrow --cl -cl-std=CL3.0 --global 16 --local 8 --arg i32[1]=zeros --arg i32[1]=zeros --arg i32[16]=zeros
// EXIT: 1
// CHECK: [check.race]
kernel void relaxed(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device)) {
        out[get_global_id(0)] = data[0];
    }
}

kernel void narrow(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
    } else if (get_group_id(0) == 1 && atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group)) {
        out[get_global_id(0)] = data[0];
    }
}
