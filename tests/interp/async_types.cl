// What is copied belongs to an array: the compiler gives the copy pointers to all of it.
// RUN: heddle run %s k --global 8 --local 8 --arg f32[32]=zeros --arg f32[32]=range
// RUN: heddle check %s k --global 8 --local 8 --arg f32[32]=zeros --arg f32[32]=range
// CHECK: arg 0: f32[32] = 2, 3, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
// CHECK-NOT: [check.

kernel void k(global float4 *out, global float4 *in)
{
    local float l[32];
    event_t e = async_work_group_copy((local float4 *)l, in, 8, 0);

    wait_group_events(1, &e);
    l[get_local_id(0)] += 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out, (local float4 *)l, 8, 0);
    wait_group_events(1, &e);
}
