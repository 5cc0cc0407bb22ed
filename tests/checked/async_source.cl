// What is still being copied is overwritten.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// EXIT: 1
// CHECK: a write of 4 bytes races with a read of an asynchronous copy that nobody has waited for [check.race]

kernel void bad(global int *in, global int *out)
{
    local int l[16];
    int i = get_local_id(0);
    event_t e = async_work_group_copy(l, in, 16, 0);

    out[i] = in[i];
    in[i] = 0;
    wait_group_events(1, &e);
    out[i] += l[i];
}
