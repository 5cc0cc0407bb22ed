// The same, by the work-item whose array it is.
// RUN: heddle check %s good --global 70 --local 70 --arg u64[70] --arg i32[70]
// EXIT: 0
// CHECK-NOT: check:

static int read(global ulong *where, int i)
{
    return *(private int *)where[i];
}

kernel void good(global ulong *where, global int *out)
{
    int i = get_local_id(0);
    int values[4] = {1, 2, 3, i};

    where[i] = (ulong)&values[2];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = read(where, i);
}
