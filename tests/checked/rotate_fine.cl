// Operations of extensions, in a module with lines and names.
// RUN: heddle check %s fine --width 8 --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[16]=range
// CHECK: 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8
// CHECK-NOT: check.

#pragma OPENCL EXTENSION cl_khr_subgroup_rotate : enable
kernel void fine(global int *io) { io[get_global_id(0)] = sub_group_rotate(io[get_global_id(0)], 1); }
