// The barrier is there, but not for global memory.
// RUN: heddle check %s bad --global 64 --local 64 --arg i32[128]
// EXIT: 1
// CHECK: [check.missing-fence]
// CHECK: hint: give the barrier CLK_GLOBAL_MEM_FENCE

kernel void bad(global int *io)
{
    size_t i = get_local_id(0);

    io[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    io[64 + i] = io[63 - i];
}
