// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void collatz(global uint *a) {
    uint i = get_global_id(0), n = i + 1, k = 0;
    while (n != 1 && k < 200) {
        n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
        k++;
    }
    a[i] = k;
}
