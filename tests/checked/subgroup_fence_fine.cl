// Neighbours of one sub-group exchange values.
// RUN: heddle check %s fine --cl -cl-std=CL3.0 --global 16 --local 16 --width 4 --arg i32[16]
// CHECK-NOT: [check.

kernel void fine(global int *out)
{
    local int l[16];
    int i = get_local_id(0);

    l[i] = i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[i ^ 1];
}
