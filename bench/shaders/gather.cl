// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
gather(global const uint *place, global const float *a, global float *b) {
    uint i = get_global_id(0);
    b[i] = a[place[i] & 0xfffff];
}
