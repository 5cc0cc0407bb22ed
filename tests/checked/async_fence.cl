// Copies that use the same memory need a fence between them: a barrier is none.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16]
// EXIT: 1
// CHECK: races with {{.*}}asynchronous copy that nobody has waited for [check.race]

kernel void bad(global int *in, global int *out)
{
    local int l[16];
    event_t e[2];

    e[0] = async_work_group_copy(l, in, 16, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    e[1] = async_work_group_copy(out, l, 16, 0);
    wait_group_events(2, e);
}
