// An event is released by the first wait.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// EXIT: 1
// CHECK: an event is waited for a second time [check.event]

kernel void bad(global int *in, global int *out)
{
    local int l[16];
    event_t e = async_work_group_copy(l, in, 16, 0);

    wait_group_events(1, &e);
    wait_group_events(1, &e);
    out[get_global_id(0)] = l[get_local_id(0)];
}
