// The twin of race_many.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 64 --local 1 --arg i32[64]=zeros --arg u32[64]=zeros --arg i32[64]=zeros
// CHECK-NOT: [check.

kernel void good(global int *data, volatile global atomic_uint *flags, global int *late)
{
    size_t g = get_group_id(0);

    if (g < 63) {
        data[g] = g;
        late[g] = g;
        atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
        return;
    }
    for (int k = 0; k < 63; k++)
        if (atomic_load_explicit(&flags[k], memory_order_acquire, memory_scope_device))
            data[63] += data[k] + late[k];
}
