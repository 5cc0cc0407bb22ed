// The body of such a loop is there once, and a value that is carried round it is kept in one place: what the region after the
// last barrier hands on unchanged stays where it is.
// RUN: heddle run %s --global 32 --local 32 --arg f32[32]=range --arg local[128] --arg u32=3 --dump lanes
// WIDTHS: 16
// ENGINES: compiled
// CHECK: FLOOR
// CHECK-NOT: FLOOR
// CHECK: }
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
