// Local memory ends, even where more of it follows.
// RUN: heddle check %s bad --global 8 --local 8 --arg i32[8]
// EXIT: 1
// CHECK: behind the end of local memory of 32 bytes [check.out-of-bounds]

kernel void bad(global int *out)
{
    local int a[8], b[8];
    size_t i = get_local_id(0);

    a[i] = 1;
    b[i] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (&a[0])[i + out[i]] + b[i];
    (a + 1)[i] = out[i];
}
