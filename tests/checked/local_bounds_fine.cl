// The twin of local_bounds.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[8]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    local int a[8], b[8];
    size_t i = get_local_id(0);

    a[i] = 1;
    b[i] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = a[i] + b[i];
}
