// A tile clamps indices at its edges: lanes there have no part in the first sum, and one in the second.
// RUN: heddle run %s --global 32 --local 16 --arg f32[32]=range --arg f32[32]=zeros --arg f32[32]=zeros
// RUN: heddle check %s --global 32 --local 16 --arg f32[32]=range --arg f32[32]=zeros --arg f32[32]=zeros
// CHECK: arg 1: f32[32] = 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 0, 0, 34,
// CHECK: arg 2: f32[32] = 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 29, 33, 34,
kernel void k(global const float *a, global float *b, global float *c)
{
    local float t[16];
    int x = get_local_id(0), g = get_global_id(0), left = max(x - 1, 0), right = min(x + 1, 15);

    t[x] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= 1 && x <= 14)
        b[g] = t[left] + t[right];
    c[g] = t[left] + t[right];
}
