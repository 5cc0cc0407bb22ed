// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void floyd(global uint *d, uint n, uint k) {
    uint x = get_global_id(0), y = get_global_id(1);
    uint far = (d[y * n + k] >> 1) + (d[k * n + x] >> 1);
    if (x != k && y != k && far < d[y * n + x])
        d[y * n + x] = far;
}
