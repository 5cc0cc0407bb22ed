// Two buffers take turns: the next block is copied while work-items read the last one.
// RUN: heddle check %s fine --global 32 --local 16 --width 8 --arg i32[64]=range --arg i32[32]
// CHECK-NOT: [check.

kernel void fine(global int *in, global int *out)
{
    local int l[2][16];
    int i = get_local_id(0), sum = 0;
    event_t e = async_work_group_copy(l[0], in, 16, 0);

    for (int n = 0; n < 4; n++) {
        wait_group_events(1, &e);
        if (n < 3)
            e = async_work_group_copy(l[(n + 1) & 1], in + 16 * (n + 1), 16, 0);
        sum += l[n & 1][15 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
