// Half of a group does not come.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[8]
// EXIT: 1
// CHECK: [check.divergent-barrier]

kernel void bad(global int *out)
{
    size_t i = get_local_id(0);

    out[i] = 1;
    if (i < 4)
        barrier(CLK_GLOBAL_MEM_FENCE);
    else
        barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = 2;
}
