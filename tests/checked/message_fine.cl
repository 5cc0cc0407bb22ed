// The twin of message.cl: nothing to find.
// RUN: heddle check %s good --global 2 --local 2 --cl -cl-std=CL3.0 --arg i32[2] --arg i32[2]
// CHECK-NOT: [check.

kernel void good(global int *data, global atomic_int *flag)
{
    if (get_local_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1) {
        data[1] = data[0];
    }
}
