// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
histogram_global(global const uint *a, global uint *bins) {
    atomic_add(&bins[a[(uint)get_global_id(0)] >> 24], 1);
}
