// Local memory begins without values.
// RUN: heddle check %s bad --global 4 --local 4 --arg i32[4]
// EXIT: 1
// CHECK: error: the host reads byte 12 of buffer 0, where this kernel stored an undefined value [check.uninitialised]

kernel void bad(global int *out)
{
    local int a[4];

    if (get_local_id(0) > 0)
        a[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = a[3 - get_local_id(0)] + 1;
}
