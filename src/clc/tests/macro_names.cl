// Macros with the names that built-ins' parameters would have: those of the prelude have others.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --cl=-Dx=1 --cl=-Dn=2 --cl=-Do=3 --cl=-Dg=4 --cl=-Dl=5 --cl=-Dr=6 --cl=-Dp=7 --cl=-Dv=8 --cl=-Di=9 --global 1 --arg i32[6]=zeros
// CHECK: arg 0: i32[6] = 7, 7, 7, 7, 1, 4
kernel void k(global int *out)
{
    size_t size[2] = {2, 2};
    local atomic_int at;

    atomic_init(&at, g);
    out[4] = any((int2)(-x, 0));
    out[5] = atomic_load(&at);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size), ^{
        out[get_global_id(0) + 2 * get_global_id(1)] = 7;
    });
}
