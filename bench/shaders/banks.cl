// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
banks(global const float *a, global const float *b, global const float *c, global const float *d, global float *to) {
    uint i = get_global_id(0);
    to[i] = ((a[i] * 0.5f + b[i]) * 0.5f + c[i]) * 0.5f + d[i];
}
