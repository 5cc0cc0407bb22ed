// The twin of relaxed_flag.cl: what releases is acquired.
// RUN: heddle check %s device --cl -cl-std=CL3.0 --global 16 --local 8 --arg i32[1]=zeros --arg i32[1]=zeros --arg i32[16]=zeros
// RUN: heddle check %s group --cl -cl-std=CL3.0 --global 16 --local 8 --arg i32[2]=zeros --arg i32[2]=zeros --arg i32[16]=zeros
// RUN: heddle check %s sure --cl -cl-std=CL3.0 --global 16 --local 8 --arg i32[1]=zeros --arg i32[1]=zeros --arg i32[16]=zeros
// CHECK-NOT: [check.
kernel void device(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_release);
    } else if (atomic_load_explicit(flag, memory_order_acquire)) {
        out[get_global_id(0)] = data[0];
    }
}

kernel void group(global int *data, global atomic_int *flag, global int *out)
{
    size_t g = get_group_id(0);

    if (get_local_id(0) == 0) {
        data[g] = 5;
        atomic_store_explicit(flag + g, 1, memory_order_release, memory_scope_work_group);
    } else if (atomic_load_explicit(flag + g, memory_order_acquire, memory_scope_work_group)) {
        out[get_global_id(0)] = data[g];
    }
}

kernel void sure(global int *data, global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_seq_cst, memory_scope_all_svm_devices);
    } else if (atomic_load_explicit(flag, memory_order_seq_cst, memory_scope_all_svm_devices)) {
        out[get_global_id(0)] = data[0];
    }
}
