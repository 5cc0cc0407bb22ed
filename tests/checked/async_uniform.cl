// Work-items copy different places in one async copy.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[16] --arg i32[8]
// EXIT: 1
// CHECK: an asynchronous copy whose work-items name different places, sizes or events [check.non-uniform]

kernel void bad(global int *in, global int *out)
{
    local int l[16];
    event_t e = async_work_group_copy(l, in + get_local_id(0), 8, 0);

    wait_group_events(1, &e);
    out[get_global_id(0)] = l[get_local_id(0)];
}
