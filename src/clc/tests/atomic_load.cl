// Loads with every order and scope: clang-22 writes the order where the scope belongs.
// RUN: heddle run %s --global 8 --local 4 --arg i32[1]=41 --arg f32[1]=2.5 --arg i32[8]=zeros --cl -cl-std=CL3.0
// RUN: heddle check %s --global 8 --local 4 --arg i32[1]=41 --arg f32[1]=2.5 --arg i32[8]=zeros --cl -cl-std=CL3.0
// CHECK: arg 2: i32[8] = 209, 209, 209, 209, 209, 209, 209, 209
// WIDTHS: 4
kernel void k(global atomic_int *a, global atomic_float *f, global int *o)
{
    int sum = atomic_load_explicit(a, memory_order_relaxed);

    sum += atomic_load_explicit(a, memory_order_acquire, memory_scope_work_group);
    sum += atomic_load_explicit(a, memory_order_seq_cst);
    sum += atomic_load_explicit(a, memory_order_seq_cst, memory_scope_device);
    sum += atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_item);
    sum += (int)(2 * atomic_load_explicit(f, memory_order_seq_cst, memory_scope_all_svm_devices)) - 1;
    o[get_global_id(0)] = sum;
}
