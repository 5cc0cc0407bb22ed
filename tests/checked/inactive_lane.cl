// A lane that takes no part is read by a shuffle.
// RUN: heddle check %s bad --width 8 --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// EXIT: 1
// CHECK: [check.inactive-lane]

#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
kernel void bad(global int *io)
{
    int i = get_global_id(0), x = io[i];

    if (i & 1)
        io[i] = sub_group_shuffle(x, get_sub_group_local_id() ^ 1);
}
