// The twin of divergent_barrier.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --arg i32[8]
// CHECK-NOT: [check.

kernel void good(global int *out)
{
    size_t i = get_local_id(0);

    out[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = 2;
}
