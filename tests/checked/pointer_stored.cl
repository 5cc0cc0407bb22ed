// A pointer that was kept in an array leaves the variable that it came from, for another one.
// RUN: heddle check %s bad --global 8 --arg i32[8]=range --arg i32[8]=zeros
// EXIT: 1
// CHECK: write of 4 bytes {{.*}}behind the end of {{.*}}local memory of 16 bytes [check.out-of-bounds]

kernel void bad(global const int *in, global int *out)
{
    local int a[4], b[4];
    local int *both[2] = {a, b};
    size_t i = get_global_id(0);

    if (i < 4)
        *(both[in[i] & 1] + (in[i] & 1 ? i : i + 4)) = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i == 1 ? b[1] : 0;
}
