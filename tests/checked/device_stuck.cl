// A kernel waits for an event that nobody completes.
// RUN: heddle check %s k --cl -cl-std=CL3.0 --global 1 --arg u32[1]=zeros
// EXIT: 1
// CHECK: 1 enqueued kernels or markers wait for events that nothing completes [launch.stuck]
kernel void k(global uint *out)
{
    clk_event_t user = create_user_event();

    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, NULL,
                   ^{ out[0] = 1; });
    release_event(user);
}
