// A sub-group's barrier that does not order local memory.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 16 --local 16 --width 16 --arg i32[16]
// EXIT: 1
// CHECK: [check.race]

kernel void bad(global int *out)
{
    local int l[16];
    int i = get_local_id(0);

    l[i] = i;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = l[i ^ 1];
}
