// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(128, 8, 1))) void
heat(global const float *a, global float *b, uint n, float k) {
    uint x = get_global_id(0), y = get_global_id(1), i = y * n + x;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        b[i] = a[i] + k * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] - 4 * a[i]);
}
