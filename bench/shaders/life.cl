// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(32, 8, 1))) void life(global const uint *a, global uint *b) {
    uint gx = get_global_id(0), gy = get_global_id(1), count = 0;
    for (uint y = 0; y < 3; y++)
        for (uint x = 0; x < 3; x++)
            count += a[(gy + y + 1023 & 1023) * 1024 + (gx + x + 1023 & 1023)] & 1;
    uint self = a[gy * 1024 + gx] & 1;
    b[gy * 1024 + gx] = count == 3 || (count == 4 && self == 1);
}
