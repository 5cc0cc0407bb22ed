// The twin of race_chain.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 10 --local 1 --threads 1 --arg i32[4]=zeros --arg u32[16]=zeros
// CHECK: arg 0: i32[4] = 7, 0, 7, 0
// CHECK-NOT: [check.

kernel void good(global int *data, volatile global atomic_uint *flags)
{
    size_t g = get_group_id(0);

    if (g == 0) {
        data[0] = 7;
        atomic_store_explicit(&flags[0], 1, memory_order_release, memory_scope_device);
    } else if (g < 9) {
        if (atomic_load_explicit(&flags[g - 1], memory_order_acquire, memory_scope_device))
            atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(&flags[8], memory_order_acquire, memory_scope_device)) {
        data[2] = data[0];
    }
}
