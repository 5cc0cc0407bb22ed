// The twin of race_local.cl: nothing to find.
// RUN: heddle check %s good --global 64 --local 64 --arg i32[64]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    local int a[64];
    size_t i = get_local_id(0);

    a[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = a[63 - i];
}
