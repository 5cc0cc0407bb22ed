// Functions that are `inline` and nothing else have a body here, whether or not calls of them are inlined; those that are
// `extern inline`, too.
// RUN: heddle run %s k --global 4 --arg f32[4]=range --arg f32[4]=zeros
// RUN: heddle run %s k --global 4 --arg f32[4]=range --arg f32[4]=zeros --cl=-cl-opt-disable
// RUN: heddle run %s k --global 4 --arg f32[4]=range --arg f32[4]=zeros --cl=-g
// CHECK: arg 1: f32[4] = 7, 12, 17, 22
inline float steps(float x, int n)
{
    for (int i = 0; i < n; i++)
        x += x < 100 ? 1.0f : 0.5f;
    return x;
}
inline float twice(float x) { return steps(x, 1) + steps(x, 2); }
extern inline float once(float x) { return x; }

kernel void k(global const float *in, global float *out)
{
    int i = get_global_id(0);

    out[i] = twice(in[i]) + twice(in[i]) + once(in[i]) + 1;
}
