// Values that nobody gave: in parts of structures and vectors, through functions, behind loops, in images.
// RUN: heddle check %s uninitstruct --cl -cl-std=CL3.0 --global 4 --arg i32[4]
// RUN: heddle check %s uninitvec --cl -cl-std=CL3.0 --global 4 --arg f32[16]
// RUN: heddle check %s uninitbranch --cl -cl-std=CL3.0 --global 4 --arg i32[4]=zeros --arg i32=2
// RUN: heddle check %s uninitaddr --cl -cl-std=CL3.0 --global 4 --local 4 --arg i32[4]=zeros
// RUN: heddle check %s swz --cl -cl-std=CL3.0 --global 4 --arg f32[16]
// RUN: heddle check %s loopinit --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle check %s outarr --cl -cl-std=CL3.0 --global 4 --arg i32[4]
// RUN: heddle check %s undcmp --cl -cl-std=CL3.0 --global 4 --arg i32[4]=zeros
// RUN: heddle check %s imgund --cl -cl-std=CL3.0 --global 8 --arg image1d:8:R:FLOAT=zeros --arg f32[8]
// EXIT: 1
// CHECK: error: {{.*}} [check.uninitialised]
// CHECK: variable: {{[a-z]+}}
// CHECK: the value comes from memory that nobody wrote, in

kernel void uninitstruct(global int *out)
{
    struct {
        int a, b;
    } s;
    s.a = get_global_id(0);
    out[get_global_id(0)] = s.a + s.b;
}

kernel void uninitvec(global float4 *out)
{
    float4 v;
    v.xy = (float2)(1, 2);
    v.w = 3;
    out[get_global_id(0)] = v * 2.0f;
}

static int maybe(int i, int n)
{
    int x;
    if (i < n)
        x = i;
    return x;
}
kernel void uninitbranch(global int *out, int n)
{
    int i = get_global_id(0);
    if (maybe(i, n) > 1)
        out[i] = 1;
}

kernel void uninitaddr(global int *out)
{
    local int idx[4];
    int i = get_local_id(0);
    if (i < 2)
        idx[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[idx[i] & 3] = 1;
}

static float4 half_set(float x)
{
    float4 v;
    v.even = (float2)(x);
    return v;
}
kernel void swz(global float4 *o)
{
    o[get_global_id(0)] = half_set(3).xyzw + 1;
}

kernel void loopinit(global int *o)
{
    int i = get_global_id(0), best;
    for (int k = 0; k < i; k++)
        best = k;
    o[i] = best + 1;
}

static void fill(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
}
kernel void outarr(global int *o)
{
    int buf[8];
    fill(buf, 7);
    o[get_global_id(0)] = buf[7] * 2;
}

kernel void undcmp(global int *o)
{
    local int t[4];
    if (t[get_local_id(0)] == 3)
        o[get_global_id(0)] = 1;
}

kernel void imgund(write_only image1d_t im, global float *o)
{
    float4 v;
    v.y = 2;
    int i = get_global_id(0);
    write_imagef(im, i, v);
    o[i] = v.x;
}
