// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
scan_blelloch(global const int *a, global int *b) {
    local int t[512];
    uint l = get_local_id(0), base = get_group_id(0) * 512;
    t[2 * l] = a[base + 2 * l];
    t[2 * l + 1] = a[base + 2 * l + 1];
    uint step = 1;
    for (uint d = 256; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
        step *= 2;
    }
    if (l == 0)
        t[511] = 0;
    for (uint d = 1; d < 512; d *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint x = step * (2 * l + 1) - 1, y = step * (2 * l + 2) - 1;
            int v = t[x];
            t[x] = t[y];
            t[y] += v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    b[base + 2 * l] = t[2 * l];
    b[base + 2 * l + 1] = t[2 * l + 1];
}
