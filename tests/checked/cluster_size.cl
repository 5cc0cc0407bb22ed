// A cluster is larger than the sub-group.
// RUN: heddle check %s bad --width 8 --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[16]
// EXIT: 1
// CHECK: [check.cluster]

#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
kernel void bad(global int *io)
{
    int i = get_global_id(0);

    io[i] = sub_group_clustered_reduce_add(io[i], 16);
}
