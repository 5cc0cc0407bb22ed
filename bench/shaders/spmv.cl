// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
spmv(global const uint *column, global const float *value, global const float *x, global float *y) {
    uint i = get_global_id(0);
    float s = 0;
    for (uint k = i * 16; k < i * 16 + 8 + (i & 7); k++)
        s += value[k] * x[column[k] & 65535];
    y[i] = s;
}
