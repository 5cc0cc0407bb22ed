// Work-items wait for different events.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// EXIT: 1
// CHECK: work-items of a work-group wait for different events [check.non-uniform]

kernel void bad(global int *in, global int *out)
{
    local int l[2][16];
    int i = get_local_id(0);
    event_t e[2];

    e[0] = async_work_group_copy(l[0], in, 16, 0);
    e[1] = async_work_group_copy(l[1], in, 16, 0);
    wait_group_events(1, &e[i & 1]);
    wait_group_events(1, &e[1 - (i & 1)]);
    out[i] = l[i & 1][i];
}
