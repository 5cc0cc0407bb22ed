// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void bitonic(global uint *a) {
    local uint t[256];
    uint i = get_global_id(0), l = get_local_id(0);
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= 256; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint p = l ^ j;
            if (p > l && (t[l] > t[p]) == ((l & k) == 0)) {
                uint v = t[l];
                t[l] = t[p];
                t[p] = v;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    a[i] = t[l];
}
