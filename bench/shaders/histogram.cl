// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void histogram(global const uint *a, global uint *bins) {
    local uint t[256];
    uint l = get_local_id(0), base = get_group_id(0) * 4096;
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; k++) {
        uint v = a[base + k * 256 + l];
        atomic_add(&t[v >> 24], 1);
        atomic_add(&t[v & 255], 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], t[l]);
}
