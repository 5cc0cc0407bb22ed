// Compare-exchanges of floats, which OpenCL C has and SPIR-V has not: of their bits, so that -0 is not 0, and NaN is NaN.
// RUN: heddle run %s add --cl -cl-std=CL3.0 --global 32 --arg f32[1]=0 --arg f64[1]=1 --no-print --expect 0=48 --expect 1=17
// RUN: heddle run %s bits --cl -cl-std=CL3.0 --global 1 --arg f32[3]=0,nan,2 --arg i32[3]=zeros --no-print --expect 1=0,1,1
kernel void add(global atomic_float *f, global atomic_double *d)
{
    float old = atomic_load_explicit(f, memory_order_relaxed, memory_scope_device);
    double half_of = atomic_load_explicit(d, memory_order_relaxed, memory_scope_device);

    while (!atomic_compare_exchange_strong_explicit(f, &old, old + 1.5f, memory_order_relaxed, memory_order_relaxed, memory_scope_device))
        ;
    while (!atomic_compare_exchange_weak_explicit(d, &half_of, half_of + 0.5, memory_order_relaxed, memory_order_relaxed, memory_scope_device))
        ;
}

kernel void bits(global atomic_float *f, global int *took)
{
    float zero = -0.0f, none = as_float(0x7fc00000), two = 2.0f;

    took[0] = atomic_compare_exchange_strong_explicit(&f[0], &zero, 1.0f, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
    took[1] = atomic_compare_exchange_strong_explicit(&f[1], &none, 1.0f, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
    took[2] = atomic_compare_exchange_strong_explicit(&f[2], &two, 1.0f, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
}
