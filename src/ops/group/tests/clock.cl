// The clock never goes back, at any scope, also where lanes part; its halves are the lower and the upper one.
// RUN: heddle run %s k --cl=-cl-std=CL3.0 --global 21 --arg u32[21]=zeros --expect 0=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// RUN: heddle run %s parted --cl=-cl-std=CL3.0 --global 21 --arg u32[21]=zeros --expect 0=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
kernel void k(global uint *out)
{
    ulong before = clock_read_device();
    ulong group = clock_read_work_group();
    ulong sub = clock_read_sub_group();
    uint2 halves = clock_read_hilo_sub_group();
    ulong later = as_ulong(clock_read_hilo_device()), last = as_ulong(clock_read_hilo_work_group());
    out[get_global_id(0)] = before != 0 && before <= group && group <= sub && sub <= as_ulong(halves) &&
                            as_ulong(halves) <= later && later <= last;
}

/* Each waits its own time. */
kernel void parted(global uint *out)
{
    uint i = get_global_id(0), n = 1;
    ulong start = clock_read_sub_group(), now = start;

    if (i % 3 != 0)
        while (now - start < 100 * i && n < 100000) {
            ulong next = clock_read_sub_group();
            n += next >= now ? 1 : 1000000;
            now = next;
        }
    out[i] = n < 1000000;
}
