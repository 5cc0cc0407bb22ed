// What an acquire sees is ordered behind its release; another flag says nothing.
// RUN: heddle check %s bad --global 2 --local 2 --cl -cl-std=CL3.0 --arg i32[2] --arg i32[2]
// EXIT: 1
// CHECK: a read of 4 bytes races with a write by another work-item of the work-group [check.race]

kernel void bad(global int *data, global atomic_int *flag)
{
    if (get_local_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag + 1, memory_order_acquire, memory_scope_device) == 0) {
        data[1] = data[0];
    }
}
