// Sub-groups give a copy different events.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// EXIT: 1
// CHECK: an asynchronous copy whose work-items name different places, sizes or events [check.non-uniform]

kernel void bad(global int *in, global int *out)
{
    local int l[3][16];
    int i = get_local_id(0);
    event_t e[2];

    e[0] = async_work_group_copy(l[0], in, 16, 0);
    e[1] = async_work_group_copy(l[1], in, 16, 0);
    async_work_group_copy(l[2], in, 16, e[i >> 3]);
    wait_group_events(2, e);
    out[i] = l[2][i];
}
