// Only some work-items of the sub-group reach its reduction, and its barrier.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 8 --local 8 --width 8 --arg i32[8]
// EXIT: 1
// CHECK: only some work-items of the sub-group reach this barrier or sub-group operation, others wait elsewhere [check.divergent-barrier]
// CHECK: sub_group_reduce_add(i)
// CHECK: only some work-items of the sub-group reach this barrier or sub-group operation
// CHECK: sub_group_barrier(CLK_LOCAL_MEM_FENCE)

kernel void bad(global int *out)
{
    int i = get_local_id(0);

    if (i < 4)
        out[i] = sub_group_reduce_add(i);
    else
        out[i] = i;
    if (i == 7)
        return;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
