// A component outside its vector is read.
// RUN: heddle check %s bad --global 1 --cl -O1 --arg f32x4[1]=1,2,3,4 --arg f32[1] --arg i32=5
// EXIT: 1
// RUN: heddle check %s changed --global 1 --arg f32x4[1]=1,2,3,4 --arg f32x4[1] --arg i32=5
// RUN: heddle check %s argument --global 1 --arg f32x4=1,2,3,4 --arg f32[1] --arg i32=4
// CHECK: [check.vector-index]
// CHECK: variable: v
// CHECK: the value comes from a component outside its vector, in

kernel void bad(global float4 *in, global float *out, int n)
{
    float4 v = in[0];

    out[0] = v[n];
}

kernel void changed(global float4 *in, global float4 *out, int n)
{
    float4 v = in[0];

    v[n] = 0;
    out[0] = v;
}

kernel void argument(float4 v, global float *out, int n)
{
    out[0] = v[n & 7];
}
