// Events of the device that are used when they are none any more, twice, or never given back.
// RUN: heddle check %s k --cl -cl-std=CL3.0 --global 1 --arg u32[2]=zeros
// EXIT: 1
// CHECK: error: what is released is not an event, or none any more [check.device-event]
// CHECK: who: work-item (0, 0, 0)
// CHECK: error: the status is not valid, or the event is not a user event without a status [check.device-event]
// CHECK: error: what is enqueued cannot run: its list of events to wait for is not valid [check.enqueue]
// CHECK: warning: kernels did not release 1 device event [check.device-event-leak]
kernel void k(global uint *out)
{
    queue_t q = get_default_queue();
    clk_event_t user = create_user_event(), gone = create_user_event(), kept;

    release_event(gone);
    release_event(gone);
    set_user_event_status(user, CL_COMPLETE);
    set_user_event_status(user, CL_COMPLETE);
    out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gone, &kept,
                            ^{ out[1] = 1; });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &kept, ^{ out[1] = 2; });
    release_event(user);
}
