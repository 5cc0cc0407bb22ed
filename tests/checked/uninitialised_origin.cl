// What goes on through memory is told with the place where it was first read.
// RUN: heddle check %s bad --global 4 --local 4 --arg i32[3]=1,2,3 --arg i32[1]
// EXIT: 1
// CHECK: uninitialised_origin.cl:21:16: error: the host reads byte 0 of buffer 1, where this kernel stored an undefined value [check.uninitialised]
// CHECK: the value comes from memory that nobody wrote, in bad at tests/checked/uninitialised_origin.cl:17:24
// CHECK-NEXT: part[l] += part[l + s];

kernel void bad(global const int *in, global int *out)
{
    local int part[4];
    int l = get_local_id(0);
    if (l < 3)
        part[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 2; s > 0; s /= 2) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[0] = part[0];
}
