// The twin of misaligned_vload.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg u8[32]=range --arg f32[4]
// CHECK-NOT: [check.

kernel void good(global const char *in, global float *out)
{
    vstore4(vload4(0, (global const float *)(in + 4)), 0, out);
}
