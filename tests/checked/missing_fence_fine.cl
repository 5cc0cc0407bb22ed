// The twin of missing_fence.cl: nothing to find.
// RUN: heddle check %s good --global 64 --local 64 --arg i32[128]
// CHECK-NOT: [check.

kernel void good(global int *io)
{
    size_t i = get_local_id(0);

    io[i] = i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    io[64 + i] = io[63 - i];
}
