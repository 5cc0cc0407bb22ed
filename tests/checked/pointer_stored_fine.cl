// The twin of pointer_stored.cl: nothing to find.
// RUN: heddle check %s good --global 8 --arg i32[8]=range --arg i32[8]=zeros
// CHECK-NOT: [check.

kernel void good(global const int *in, global int *out)
{
    local int a[4], b[4];
    local int *both[2] = {a, b};
    size_t i = get_global_id(0);

    if (i < 4)
        *(both[in[i] & 1] + i) = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i == 1 ? b[1] : 0;
}
