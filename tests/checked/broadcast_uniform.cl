// Work-items name different sources of one broadcast.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// EXIT: 1
// CHECK: [check.non-uniform]

kernel void bad(global int *io)
{
    int i = get_global_id(0);

    io[i] = work_group_broadcast(io[i], get_local_id(0));
}
