// The twin of async_uniform.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[16] --arg i32[8]
// CHECK-NOT: [check.

kernel void good(global int *in, global int *out)
{
    local int l[16];
    event_t e = async_work_group_copy(l, in + get_group_id(0), 8, 0);

    wait_group_events(1, &e);
    out[get_global_id(0)] = l[get_local_id(0)];
}
