// Copies behind a fence come after those before it.
// RUN: heddle check %s fine --global 16 --local 16 --width 8 --arg i32[16]=range --arg i32[16] --print 1
// RUN: heddle run %s fine --global 16 --local 16 --arg i32[16]=range --arg i32[16] --print 1
// CHECK-NOT: [check.
// CHECK: = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

kernel void fine(global int *in, global int *out)
{
    local int l[16];
    event_t e[2];

    e[0] = async_work_group_copy(l, in, 16, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    e[1] = async_work_group_copy(out, l, 16, 0);
    wait_group_events(2, e);
}
