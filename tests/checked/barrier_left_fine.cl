// The twin of barrier_left.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[8]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    size_t i = get_local_id(0);

    if (i < 5)
        out[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i > 0 && i < 5)
        out[i] = out[0];
}
