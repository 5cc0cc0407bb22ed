// Kernels enqueued where work-items go different ways: in loops behind `continue`, in a switch, by a function that is called
// in each round, with local memory, and in an order that events made in a branch determine. Blocks capture what differs.
// RUN: heddle run %s loops --cl -cl-std=CL3.0 --global 8 --local 8 --no-print --arg queue=65536 --arg u32[32]=zeros --expect 1=0,0,0,0,33,0,0,0,63,66,0,0,93,96,99,0,0,0,0,0,153,0,0,0,183,0,0,0,213,0,219
// RUN: heddle run %s ordered --cl -cl-std=CL3.0 --global 9 --local 3 --no-print --arg queue=65536 --arg u32[9]=zeros --expect 1=71,1,2,71,4,5,71,7,8
// RUN: heddle run %s called --cl -cl-std=CL3.0 --global 5 --local 5 --no-print --arg queue=65536 --arg u32[3]=zeros --expect 1=47,6,6
// RUN: heddle run %s cases --cl -cl-std=CL3.0 --global 4 --local 4 --no-print --arg queue=65536 --arg u32[32]=zeros --expect 1=0,0,0,0,0,0,0,0,21,18,15,12,9,6,3,0,1,0,0,0,0,0,0,0,1
kernel void loops(queue_t queue, global uint *out)
{
    uint g = get_global_id(0);

    for (uint i = 0; i < g % 4; i++) {
        global uint *p = out + 4 * g + i;
        uint v = 10 * g + i;

        if (i == 1 && (g & 4))
            continue;
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{
            atomic_add(p, v + (uint)get_global_id(0));
        });
    }
}

kernel void ordered(queue_t queue, global uint *out)
{
    uint g = get_global_id(0);

    if (g % 3 == 0) {
        clk_event_t done, start = create_user_event();
        global uint *p = out + g;

        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2, 1), 1, &start, &done, ^{
            atomic_add(p, 5u);
        });
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0, ^{
            *p = *p * 7 + 1;
        });
        set_user_event_status(start, CL_COMPLETE);
        release_event(start);
        release_event(done);
    } else {
        out[g] = g;
    }
}

void enqueue(queue_t queue, global uint *out, uint depth)
{
    atomic_add(out, depth);
    if (get_global_id(0) == 0)
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(depth), ^{
            atomic_add(out + 1, 1u);
            if (get_global_id(0) % 2)
                atomic_add(out + 2, 3u);
        });
}

kernel void called(queue_t queue, global uint *out)
{
    for (uint depth = 3 + get_global_id(0) % 3; depth > 0; depth--)
        enqueue(queue, out, depth);
}

kernel void cases(queue_t queue, global uint *out)
{
    uint g = get_global_id(0);
    global uint *p = out + 8 * g;

    switch (g) {
    case 0: break;
    case 1:
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(8, 8), ^(local void *memory) {
            local uint *all = memory;
            uint i = get_local_id(0);

            all[i] = 3 * i;
            barrier(CLK_LOCAL_MEM_FENCE);
            p[i] = all[7 - i];
        }, (uint)(8 * sizeof(uint)));
        break;
    default: *p = 1;
    }
}
