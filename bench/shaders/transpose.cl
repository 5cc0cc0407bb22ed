// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
transpose(global const float *a, global float *b, uint n) {
    local float t[16][17];
    uint lx = get_local_id(0), ly = get_local_id(1), wx = get_group_id(0) * 16, wy = get_group_id(1) * 16;
    t[ly][lx] = a[(wy + ly) * n + wx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[(wx + ly) * n + wy + lx] = t[lx][ly];
}
