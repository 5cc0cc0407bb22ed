// Only some work-items reach a work-group operation.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range
// EXIT: 1
// CHECK: others of the work-group have left the kernel without [check.barrier-left]

kernel void bad(global int *io)
{
    int i = get_global_id(0);

    if (i < 5)
        io[i] = work_group_reduce_add(i);
}
