// The twin of uninitialised_part.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[8]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    local int l[8];
    int i = get_local_id(0);

    l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[7 - i];
}
