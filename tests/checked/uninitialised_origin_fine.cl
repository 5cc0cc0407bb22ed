// The twin of uninitialised_origin.cl: nothing to find.
// RUN: heddle check %s good --global 4 --local 4 --arg i32[3]=1,2,3 --arg i32[1]
// CHECK: arg 1: i32[1] = 6
// CHECK-NOT: [check.

kernel void good(global const int *in, global int *out)
{
    local int part[4];
    int l = get_local_id(0);

    part[l] = l < 3 ? in[l] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 2; s > 0; s /= 2) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[0] = part[0];
}
