// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
matmul_tiled(global const float *a, global const float *b, global float *c, uint n) {
    local float ta[16][16], tb[16][16];
    uint lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    float s = 0;
    for (uint t = 0; t < n; t += 16) {
        ta[ly][lx] = a[gy * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + gx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++)
            s += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[gy * n + gx] = s;
}
