// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void reduction(global const float *a, global float *b) {
    local float t[256];
    uint l = get_local_id(0), i = get_group_id(0) * 512 + l;
    t[l] = a[i] + a[i + 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 128; d > 0; d >>= 1) {
        if (l < d)
            t[l] += t[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        b[get_group_id(0)] = t[0];
}
