// The twin of stride.cl: nothing to find.
// RUN: heddle check %s good --global 4 --local 4 --arg i32[8]=range
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    local int to[4];
    event_t e = async_work_group_strided_copy(to, io, 4, 2, 0);

    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    io[get_local_id(0)] = to[get_local_id(0)];
}
