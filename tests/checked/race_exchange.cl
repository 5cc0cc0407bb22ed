// A comparison that fails, and an atomic load, only read; which a plain write races with.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[2] --arg i32[8]
// EXIT: 1
// CHECK: error: a write of 4 bytes races with an atomic read by another work-item of the work-group [check.race-atomic]
// CHECK: *place = 2
// CHECK: error: a write of 4 bytes races with an atomic read by another work-item of the work-group [check.race-atomic]
// CHECK: place[1] = 3

kernel void bad(global int *place, global int *out)
{
    size_t i = get_local_id(0);
    int old = atomic_cmpxchg(place, 7, 1);

    if (i == 0)
        *place = 2;
    out[i] = old + atomic_load_explicit((global atomic_int *)place + 1, memory_order_relaxed, memory_scope_device);
    if (i == 0)
        place[1] = 3;
}
