// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(128, 8, 1))) void
separable(global const float *a, constant float *w, global float *b) {
    local float t[8][144];
    uint lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), row = get_global_id(1) * 1024;
    for (uint x = lx; x < 144; x += 128) {
        int at = (int)(get_group_id(0) * 128 + x) - 8;
        t[ly][x] = at >= 0 && at < 1024 ? a[row + at] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (uint k = 0; k < 16; k++)
        s += w[k] * t[ly][lx + k];
    b[row + gx] = s;
}
