// A barrier does not wait for an asynchronous copy: its event does.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// EXIT: 1
// CHECK: a read of 4 bytes races with a write of an asynchronous copy that nobody has waited for [check.race]
// CHECK: written in bad at {{.*}}async_pending.cl:11:

kernel void bad(global int *in, global int *out)
{
    local int l[16];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(l, in, 16, 0);

    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[15 - i];
    wait_group_events(1, &e);
}
