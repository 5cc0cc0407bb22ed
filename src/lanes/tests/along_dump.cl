// What goes along rows of the work-items' own runs item by item, a vector of rounds at a time.
// RUN: heddle run %s scale --global 64 --local 64 --arg f32[64]=zeros --arg f32[64]=zeros --arg i32=1 --dump lanes,asm
// RUN: heddle run %s parts --global 64 --local 64 --arg f32[256]=zeros --arg f32[256]=zeros --arg i32=1 --dump lanes,asm
// RUN: heddle run %s sum --global 64 --local 64 --arg i32[64]=zeros --arg i32[64]=zeros --arg i32=1 --dump lanes,asm
// RUN: heddle run %s back --global 64 --local 64 --arg f32[64]=zeros --arg f32[64]=zeros --arg i32=1 --dump lanes,asm
// RUN: heddle run %s least --global 64 --local 64 --arg f32[64]=zeros --arg i32=1 --arg f32=1 --dump lanes,asm
// RUN: heddle run %s chosen --global 64 --local 64 --arg i32[64]=zeros --arg i32[64]=zeros --arg i32[64]=zeros --arg i32=1 --arg i32=1 --dump lanes,asm
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: () -> () width 1 {
// CHECK: zmm
kernel void scale(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);

    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] * 2;
}

kernel void parts(global float4 *out, global const float4 *in, int n)
{
    int row = get_global_id(0);

    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] + 1;
}

kernel void sum(global int *out, global const int *in, int n)
{
    int row = get_global_id(0), s = 0;

    for (int j = 0; j < n; j++)
        s += in[row * n + j];
    out[row] = s;
}

kernel void back(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++)
        out[row + j] = in[row + n - 1 - j];
}

kernel void least(global float *a, int n, float least)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++)
        if (a[row + j] < least)
            a[row + j] = least;
}

kernel void chosen(global int *out, global const int *in, global const int *weight, int n, int limit)
{
    int row = get_global_id(0), sum = 0;

    for (int j = 0; j < n; j++)
        if (in[row * n + j] > limit)
            sum += weight[row * n + j];
    out[row] = sum;
}
