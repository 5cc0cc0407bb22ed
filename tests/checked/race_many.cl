// One group acquires what each of 63 others released, and reads what the first wrote behind its release.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 64 --local 1 --arg i32[64]=zeros --arg u32[64]=zeros --arg i32[64]=zeros
// EXIT: 1
// CHECK: races with a write by another work-item, of another work-group [check.race]

kernel void bad(global int *data, volatile global atomic_uint *flags, global int *late)
{
    size_t g = get_group_id(0);

    if (g < 63) {
        data[g] = g;
        atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
        late[g] = g;
        return;
    }
    for (int k = 0; k < 63; k++)
        if (atomic_load_explicit(&flags[k], memory_order_acquire, memory_scope_device))
            data[63] += data[k];
    data[63] += late[0];
}
