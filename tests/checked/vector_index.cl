// A component outside its vector is read.
// RUN: heddle check %s bad --global 1 --cl -O1 --arg f32x4[1]=1,2,3,4 --arg f32[1] --arg i32=5
// EXIT: 1
// CHECK: [check.vector-index]

kernel void bad(global float4 *in, global float *out, int n)
{
    float4 v = in[0];

    out[0] = v[n];
}
