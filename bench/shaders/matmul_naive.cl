// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
matmul_naive(global const float *a, global const float *b, global float *c, uint n) {
    uint x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (uint k = 0; k < n; k++)
        s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
