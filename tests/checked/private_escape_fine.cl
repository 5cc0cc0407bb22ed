// The twin of private_escape.cl: nothing to find.
// RUN: heddle check %s good --global 2 --local 2 --arg u64[2] --arg i32[2]
// CHECK-NOT: [check.

kernel void good(global ulong *where, global int *out)
{
    volatile int x = get_local_id(0);

    where[get_local_id(0)] = (ulong)&x;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_local_id(0)] = *(volatile int *)where[get_local_id(0)];
}
