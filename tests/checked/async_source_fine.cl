// Only every second element is copied, the others are written meanwhile; both copies share an event.
// RUN: heddle check %s fine --global 16 --local 16 --width 8 --arg i32[32]=range --arg i32[32]
// CHECK-NOT: [check.

kernel void fine(global int *in, global int *out)
{
    local int l[16], more[16];
    int i = get_local_id(0);
    event_t e = async_work_group_strided_copy(l, in, 16, 2, 0);

    in[2 * i + 1] = 0;
    e = async_work_group_copy(more, out + 16, 16, e);
    out[i] = in[2 * i];
    wait_group_events(1, &e);
    out[i] += l[15 - i] + more[i];
}
