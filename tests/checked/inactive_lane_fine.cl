// The twin of inactive_lane.cl: nothing to find.
// RUN: heddle check %s good --width 8 --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// CHECK-NOT: [check.

#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
kernel void good(global int *io)
{
    int i = get_global_id(0), x = io[i];

    x = sub_group_shuffle(x, get_sub_group_local_id() ^ 1);
    if (i & 1)
        io[i] = x;
}
