// Two events, waited for once each, one for two copies.
// RUN: heddle check %s fine --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// CHECK-NOT: [check.

kernel void fine(global int *in, global int *out)
{
    local int l[16], m[16], n[16];
    int i = get_local_id(0);
    event_t e[2];

    e[0] = async_work_group_copy(l, in, 16, 0);
    e[1] = async_work_group_copy(m, in, 16, 0);
    e[1] = async_work_group_copy(n, in, 16, e[1]);
    wait_group_events(2, e);
    l[i] += m[15 - i] + n[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    e[0] = async_work_group_copy(out, l, 16, 0);
    wait_group_events(1, e);
}
