// One element of local memory is read that nobody wrote.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[8]
// EXIT: 1
// CHECK: [check.uninitialised]

kernel void bad(global int *out)
{
    local int l[8];
    int i = get_local_id(0);

    if (i < 7)
        l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[7 - i];
}
