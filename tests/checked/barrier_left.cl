// Some have returned before the barrier.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[8]
// EXIT: 1
// CHECK: [check.barrier-left]

kernel void bad(global int *out)
{
    size_t i = get_local_id(0);

    if (i >= 5)
        return;
    out[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = out[0];
}
