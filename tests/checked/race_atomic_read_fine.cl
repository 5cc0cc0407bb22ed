// A number that nobody else touches may be read as an atomic and as a plain one, and then be written.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// CHECK-NOT: [check.

kernel void good(global int *numbers)
{
    size_t i = get_global_id(0);
    global atomic_int *own = (global atomic_int *)&numbers[i];
    int x = atomic_load_explicit(own, memory_order_relaxed, memory_scope_device);

    x += numbers[i];
    numbers[i] = x + 1;
}
