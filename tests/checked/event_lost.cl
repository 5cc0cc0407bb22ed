// Nobody waits for the copy.
// RUN: heddle check %s bad --global 16 --local 16 --width 8 --arg i32[16]
// EXIT: 1
// CHECK: the kernel ends before this asynchronous copy has been waited for [check.event]
// CHECK: async_work_group_copy(out, l, 16, 0);

kernel void bad(global int *out)
{
    local int l[16];

    l[get_local_id(0)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    async_work_group_copy(out, l, 16, 0);
}
