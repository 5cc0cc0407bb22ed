// A child's own defects are found like any kernel's: it writes behind the buffer, and what its block captured is known.
// RUN: heddle check %s k --cl -cl-std=CL3.0 --global 1 --arg u32[4]=zeros
// EXIT: 1
// CHECK: error: {{.*}}write of 4 bytes
// CHECK: kernel: __k_block_invoke_kernel
// CHECK: who: work-item (4, 0, 0)
kernel void k(global uint *out)
{
    uint add = 7;

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(5),
                   ^{ out[get_global_id(0)] = add; });
}
