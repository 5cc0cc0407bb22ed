// The twin of uninitialised_local.cl: nothing to find.
// RUN: heddle check %s good --global 4 --local 4 --arg i32[4]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    local int a[4];

    a[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = a[3 - get_local_id(0)] + 1;
}
