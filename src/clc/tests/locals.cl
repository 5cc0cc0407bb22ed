// An array in local memory that only built-ins see: clang-22 makes it one element large. Two copies: it writes the null
// event with words too many.
// RUN: heddle run %s --global 8 --local 4 --arg f32[8]=range --arg u16[8]=zeros --arg i32[2]=7,8
// RUN: heddle check %s --global 8 --local 4 --arg f32[8]=range --arg u16[8]=zeros --arg i32[2]=7,8
// CHECK: arg 1: u16[8] = 0, 15360, 16384, 16896, 17408, 17664, 17920, 18176
// CHECK: arg 2: i32[2] = 7, 8
// WIDTHS: 4
kernel void k(global float *p, global half *f, global int *ones)
{
    local ushort data[8][2];
    local int scalar;
    size_t i = get_global_id(0), lid = get_local_id(0);
    global int *one = ones + get_group_id(0);
    event_t null = 0, e;

    e = async_work_group_copy(&scalar, one, 1, null);
    wait_group_events(1, &e);
    vstore_half(p[i], lid, (local half *)data);
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy((global ushort *)f + i - lid, (local ushort *)data, get_local_size(0), null);
    wait_group_events(1, &e);
    e = async_work_group_copy(one, &scalar, 1, null);
    wait_group_events(1, &e);
}
