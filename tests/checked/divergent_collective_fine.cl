// The twin of divergent_collective.cl: nothing to find.
// RUN: heddle check %s good --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    int i = get_global_id(0), sum = work_group_reduce_add(i);

    if (i < 5)
        io[i] = sum;
}
