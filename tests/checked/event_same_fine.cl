// One wait may name the event of a copy several times: as an array has it, or as two copies that share one.
// RUN: heddle check %s good --global 8 --local 4 --arg i32[8]=range --arg i32[8]
// EXIT: 0
// CHECK-NOT: check.
// CHECK: arg 1: i32[8] = 3, 2, 1, 0, 7, 6, 5, 4

kernel void good(global const int *in, global int *out)
{
    local int a[4];
    event_t events[3];
    int i = get_local_id(0), first = get_group_id(0) * 4;

    events[0] = async_work_group_copy(a, in + first, 2, 0);
    events[1] = async_work_group_copy(a + 2, in + first + 2, 2, events[0]);
    events[2] = events[0];
    wait_group_events(3, events);
    out[first + i] = a[3 - i];
}
