// Rows that each work-item goes along once, which may lie a power of two apart: half a sub-group at a time where that costs nothing.
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 37 --arg f32[37000]=range --arg f32[37]=zeros --arg i32=1000
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 64 --arg f32[65536]=range --arg f32[64]=zeros --arg i32=1024
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 64 --local 24 --arg f32[65536]=range --arg f32[64]=zeros --arg i32=1024
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 8 --local 8 --arg f32[8192]=range --arg f32[8]=zeros --arg i32=1024
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 9 --local 9 --arg f32[9216]=range --arg f32[9]=zeros --arg i32=1024
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 3,11 --local 3,11 --arg f32[33792]=range --arg f32[33]=zeros --arg i32=1024
// RUN: heddle run %s sums --cl=-cl-std=CL3.0 --global 20,4 --local 10,2 --arg f32[81920]=range --arg f32[80]=zeros --arg i32=1024
// RUN: heddle run %s doubles --cl=-cl-std=CL3.0 --global 35 --arg f64[17920]=range --arg f64[35]=zeros --arg i32=512
// RUN: heddle run %s prefixes --cl=-cl-std=CL3.0 --global 35 --local 7 --arg i32[17920]=random:1 --arg i32[17920]=zeros --arg i32=512
// RUN: heddle run %s turned --cl=-cl-std=CL3.0 --global 35 --arg i32[1225]=random:1 --arg i32[1225]=zeros --arg i32=35
// RUN: heddle run %s twice --cl=-cl-std=CL3.0 --global 35 --arg f32[17920]=range --arg f32[35]=zeros --arg i32=512
// RUN: heddle run %s counted --cl=-cl-std=CL3.0 --global 50 --arg i32[25600]=random:3 --arg i32[4]=zeros --arg i32=512
// WIDTHS: 1 8 16
kernel void sums(global const float *in, global float *out, int n)
{
    size_t i = get_global_linear_id();
    float s = 0;

    for (int k = 0; k < n; k++)
        s = s * 0.5f + in[i * n + k];
    out[i] = s;
}

kernel void doubles(global const double *in, global double *out, int n)
{
    int i = get_global_id(0);
    double s = 0;

    for (int k = 0; k < n; k++)
        s = s * 0.5 + in[i * n + k];
    out[i] = s;
}

kernel void prefixes(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), s = 0;

    for (int k = 0; k < n; k++) {
        s += in[i * n + k];
        out[i * n + k] = s ^ get_local_id(0);
    }
}

kernel void turned(global const int *in, global int *out, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < n; k++)
        out[k * n + i] = in[i * n + k];
}

// Each row in two loops, and lanes that stay away.
kernel void twice(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float most = -1, s = 0;

    if (i % 3 == 1)
        return;
    for (int k = 0; k < n; k++)
        most = fmax(most, in[i * n + k]);
    for (int k = 0; k < n; k++)
        s = s * 0.75f + (most - in[i * n + k]);
    out[i] = s;
}

kernel void counted(global const int *in, global int *out, int n)
{
    int i = get_global_id(0), s = 0;

    for (int k = 0; k < n; k++)
        s = (s >> 1) + in[i * n + k];
    atomic_add(&out[s & 3], 1);
}
