// Pointers that are less aligned than their type, as hosts make them that pack structures one behind the other: not defined,
// but other drivers bear it, and so do instructions for vectors here. `heddle check` tells of it.
// ENGINES: compiled dispatch
// RUN: heddle run %s k --global 4 --arg f32[10]=range --arg f32[16]=zeros
// CHECK: arg 1: f32[16] = 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8
kernel void k(global const float *in, global float *out)
{
    global const float4 *all = (global const float4 *)(in + 1);
    float4 x = all[0] + all[1] * 0.0f + 4.0f;

    vstore4(x, get_global_id(0), out);
}
