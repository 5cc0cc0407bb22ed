// Steps that only the host knows: of one element, of others, backwards, and in bytes.
// RUN: heddle run %s axpy --global 40 --local 20 --arg i32=40 --arg f32=2 --arg f32[100]=range --arg i32=3 --arg i32=1 --arg f32[100]=fill:1 --arg i32=2 --arg i32=1
// RUN: heddle run %s axpy --global 40 --local 20 --arg i32=40 --arg f32=2 --arg f32[100]=range --arg i32=3 --arg i32=2 --arg f32[100]=fill:1 --arg i32=2 --arg i32=1
// RUN: heddle run %s axpy --global 40 --local 20 --arg i32=33 --arg f32=2 --arg f32[100]=range --arg i32=90 --arg i32=-1 --arg f32[100]=fill:1 --arg i32=2 --arg i32=2
// RUN: heddle run %s bytes --global 24 --local 24 --arg f32[96]=zeros --arg f32[96]=range --arg i64=4 --arg i64=4
// RUN: heddle run %s bytes --global 24 --local 24 --arg f32[96]=zeros --arg f32[96]=range --arg i64=4 --arg i64=16
// RUN: heddle run %s bytes --global 24 --local 24 --arg f32[96]=zeros --arg f32[96]=range --arg i64=16 --arg i64=4
// RUN: heddle run %s columns --global 20 --local 20 --arg u32[20]=zeros --arg u32[600]=range --arg u32[20]=range --arg u32=20 --arg u32=1
// RUN: heddle run %s columns --global 10 --local 10 --arg u32[20]=zeros --arg u32[600]=range --arg u32[20]=range --arg u32=20 --arg u32=2
// RUN: heddle run %s kept --global 20 --local 20 --arg u32[60]=zeros --arg u32=1 --arg u32=3
// RUN: heddle run %s kept --global 20 --local 20 --arg u32[60]=zeros --arg u32=3 --arg u32=1
kernel void axpy(int n, float alpha, global const float *x, int x_at, int x_step, global float *y, int y_at, int y_step)
{
    int i = get_global_id(0);

    if (i < n)
        y[y_at + i * y_step] += alpha * x[x_at + i * x_step];
}

kernel void bytes(global char *to, global const char *from, long to_step, long from_step)
{
    size_t i = get_global_id(0);

    *(global float *)(to + i * to_step) = 2 * *(global const float *)(from + i * from_step);
}

kernel void columns(global uint *y, global const uint *a, global const uint *x, uint n, uint step)
{
    uint i = get_global_id(0), sum = 0;

    for (uint k = 0; k < n; k++)
        sum += a[k * n + i * step] * x[k];
    y[i * step] = sum;
}

// The steps are used as numbers, too; a private array lives through both forms.
kernel void kept(global uint *out, uint step, uint shift)
{
    uint i = get_global_id(0), own[4];

    for (uint k = 0; k < 4; k++)
        own[k] = i * shift + k * step;
    out[i * step] = own[i % 4] + step * 1000;
}
