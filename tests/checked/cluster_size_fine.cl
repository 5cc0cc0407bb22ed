// The twin of cluster_size.cl: nothing to find.
// RUN: heddle check %s good --width 8 --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[16]
// CHECK-NOT: [check.

#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
kernel void good(global int *io)
{
    int i = get_global_id(0);

    io[i] = sub_group_clustered_reduce_add(io[i], 4);
}
