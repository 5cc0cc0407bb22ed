// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
reduction_subgroup(global const uint *a, global uint *sum) {
    uint i = get_group_id(0) * 1024 + get_local_id(0);
    uint s = sub_group_reduce_add(a[i] + a[i + 256] + a[i + 512] + a[i + 768]);
    if (get_sub_group_local_id() == 0)
        atomic_add(sum, s);
}
