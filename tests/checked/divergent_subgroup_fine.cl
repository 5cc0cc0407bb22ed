// Sub-groups go different ways, each as a whole; operations for those that come are for any lanes.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 16 --local 16 --width 8 --arg i32[16]
// CHECK-NOT: [check.
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable

kernel void fine(global int *out)
{
    int i = get_local_id(0);

    if (get_sub_group_id() == 0) {
        out[i] = sub_group_reduce_add(i);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    } else if (i & 1) {
        out[i] = sub_group_non_uniform_reduce_add(i);
    }
}
