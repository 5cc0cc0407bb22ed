// A number that others read as an atomic is written as a plain one.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range --arg i32[8]
// EXIT: 1
// CHECK: a write of 4 bytes races with an atomic read by another work-item of the work-group [check.race-atomic]

kernel void bad(global int *numbers, global int *out)
{
    size_t i = get_global_id(0);
    global atomic_int *other = (global atomic_int *)&numbers[i ^ 1];

    out[i] = atomic_load_explicit(other, memory_order_relaxed, memory_scope_device);
    numbers[i] = 1;
}
