// The twin of vector_index.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O1 --arg f32x4[1]=1,2,3,4 --arg f32[1] --arg i32=5
// CHECK-NOT: [check.

kernel void good(global float4 *in, global float *out, int n)
{
    float4 v = in[0];

    out[0] = v[n & 3];
}
