// The twin of broadcast_uniform.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    int i = get_global_id(0);

    io[i] = work_group_broadcast(io[i], get_local_size(0) - 1);
}
