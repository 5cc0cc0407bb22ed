// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
scan(global const uint *a, global uint *b, global uint *sums) {
    local uint t[256];
    uint i = get_global_id(0), l = get_local_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d <<= 1) {
        uint add = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    b[i] = t[l];
    if (l == 255)
        sums[get_group_id(0)] = t[255];
}
