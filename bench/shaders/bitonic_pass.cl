// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void bitonic_pass(global uint *a, uint k, uint j) {
    uint i = get_global_id(0), p = i ^ j;
    if (p > i) {
        uint x = a[i], y = a[p];
        if ((x > y) == ((i & k) == 0)) {
            a[i] = y;
            a[p] = x;
        }
    }
}
