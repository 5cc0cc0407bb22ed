// A sub-group's barrier does not wait for the others.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 16 --local 16 --width 4 --arg i32[16]
// EXIT: 1
// CHECK: [check.race]

kernel void bad(global int *out)
{
    local int l[16];
    int i = get_local_id(0);

    l[i] = i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[15 - i];
}
