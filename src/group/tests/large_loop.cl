// A loop whose body is long before its barrier: from before the loop, and from its end, to that barrier is one region.
// RUN: heddle run %s --global 32 --local 32 --arg f32[32]=range --arg local[128] --arg u32=3
// CHECK: arg 0: f32[32] = 2.4259042e+19, 7.682027e+19, 14, 7, 22, 21, 38, 35, 43, 49, 51, 36, 89, 62
#define S   x = fabs(x - a) + fabs(x - b) * 0.5f - x * 0.25f;
#define S8  S S S S S S S S
#define S64 S8 S8 S8 S8 S8 S8 S8 S8
kernel void k(global float *out, local float *own, uint n)
{
    uint t = get_local_id(0);
    float x = out[t], last = 0;

    for (uint i = 0; i < n; i++) {
        float a = x - 1, b = a - 1, y = x;

        S64 S64 S64
        own[t] = y + floor(x);
        barrier(CLK_LOCAL_MEM_FENCE);
        last += own[t ^ 1];
        x = y + i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[t] = last;
}
