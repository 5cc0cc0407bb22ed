// Loops that go along rows of the work-items' own, of lengths that vectors do not divide: forwards, backwards, by parts
// of small vectors, in place, from a place before or behind, with sums, extremes and what the round before has loaded;
// and what they do on conditions.
// RUN: heddle run %s scale --global 5 --local 5 --arg f32[400]=zeros --arg f32[400]=range --arg i32=77
// RUN: heddle run %s scale --global 20 --local 10 --arg f32[400]=zeros --arg f32[400]=range --arg i32=3
// RUN: heddle run %s back --global 5 --local 5 --arg f32[400]=zeros --arg f32[400]=range --arg i32=79
// RUN: heddle run %s parts --global 5 --local 5 --arg i32[1600]=zeros --arg i32[1600]=range --arg i32=77
// RUN: heddle run %s half_parts --global 5 --local 5 --arg i32[800]=zeros --arg i32[800]=range --arg i32=75
// RUN: heddle run %s sums --global 5 --local 5 --arg u32[25]=zeros --arg u32[400]=range --arg u32=78
// RUN: heddle run %s place --global 5 --local 5 --arg f32[400]=range --arg i32=73
// RUN: heddle run %s before --global 5 --local 5 --arg i32[400]=range --arg i32=75
// RUN: heddle run %s behind --global 5 --local 5 --arg i32[400]=range --arg i32=75
// RUN: heddle run %s apart --global 4 --local 4 --arg i32[400]=range --arg i32=90 --arg i32=5
// RUN: heddle run %s apart --global 4 --local 4 --arg i32[400]=range --arg i32=90 --arg i32=-5
// RUN: heddle run %s smooth --global 5 --local 5 --arg f32[400]=zeros --arg f32[400]=range --arg i32=80
// RUN: heddle run %s bytes --global 5 --local 5 --arg u8[700]=zeros --arg u8[700]=range --arg i32=133 --arg i32=99
// RUN: heddle run %s wrapped --global 4 --local 4 --arg u32[400]=zeros --arg u32[64]=range --arg u32=4294967276 --arg u32=90
// RUN: heddle run %s least --global 5 --local 5 --arg f32[400]=range --arg i32=77 --arg f32=99.5
// RUN: heddle run %s pad --global 5 --local 5 --arg f32[500]=fill:7 --arg f32[400]=range --arg i32=77 --arg i32=90 --arg i32=5
// RUN: heddle run %s chosen --global 5 --local 5 --arg i32[10]=zeros --arg i32[400]=range --arg i32[400]=range --arg i32=77 --arg i32=50
// RUN: heddle run %s saturated --global 5 --local 5 --arg u8[400]=zeros --arg i16[400]=zeros --arg f32[400]=range --arg i32=77
kernel void scale(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);

    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] * 2;
}

kernel void back(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++)
        out[row + j] = in[row + n - 1 - j] + 1;
}

kernel void parts(global int4 *out, global const int4 *in, int n)
{
    int row = get_global_id(0);

    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j].yxwz + (int4)(1, 2, 3, 4);
}

// One part of two is stored: the other keeps what it has.
kernel void half_parts(global int2 *out, global const int2 *in, int n)
{
    int row = get_global_id(0);

    for (int j = 0; j < n; j++)
        out[row * n + j].y = in[row * n + j].x * 3;
}

kernel void sums(global uint *out, global const uint *in, uint n)
{
    uint row = get_global_id(0), sum = 0, least = ~0u, most = 0, bits = 0, product = 1;

    for (uint j = 0; j < n; j++) {
        uint x = in[row * n + j];

        sum += x * x;
        least = min(least, x ^ 5);
        most = max(most, x * 77 % 128);
        bits ^= x;
        product *= x | 1;
    }
    out[5 * row] = sum;
    out[5 * row + 1] = least;
    out[5 * row + 2] = most;
    out[5 * row + 3] = bits;
    out[5 * row + 4] = product;
}

kernel void place(global float *x, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++)
        x[row + j] = x[row + j] * 0.5f + j;
}

kernel void before(global int *x, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 1; j < n; j++)
        x[row + j] += x[row + j - 1];
}

kernel void behind(global int *x, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j + 1 < n; j++)
        x[row + j] += x[row + j + 1];
}

// How far what is read lies from what is written, only the host knows.
kernel void apart(global int *x, int n, int by)
{
    int row = get_global_id(0) * 100 + 5;

    for (int j = 0; j < n; j++)
        x[row + j] = x[row + j + by] + 1;
}

kernel void smooth(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 1; j < n - 1; j++)
        out[row + j] = in[row + j - 1] + 2 * in[row + j] + in[row + j + 1];
}

kernel void bytes(global uchar *out, global const uchar *in, int n, int limit)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++)
        out[row + j] = in[row + j] > limit ? in[row + j] - limit : 255;
}

// The index goes past 2^32 and begins again at 0.
kernel void wrapped(global uint *out, global const uint *in, uint from, uint n)
{
    uint row = get_global_id(0) * n;

    for (uint j = 0; j < n; j++) {
        uint i = from + j;

        out[row + j] = in[i & 63] + i;
    }
}

kernel void least(global float *a, int n, float least)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++)
        if (a[row + j] < least)
            a[row + j] = least;
}

// Nothing is read where the row ends.
kernel void pad(global float *out, global const float *in, int n, int m, int before)
{
    int row = get_global_id(0);

    for (int j = 0; j < m; j++)
        out[row * m + j] = j < before || j >= before + n ? 0 : in[row * n + j - before];
}

kernel void chosen(global int *out, global const int *in, global const int *weight, int n, int limit)
{
    int row = get_global_id(0), sum = 0, most = -1;

    for (int j = 0; j < n; j++)
        if (in[row * n + j] % 100 > limit) {
            sum += weight[row * n + j];
            most = max(most, weight[row * n + j] ^ 3);
        }
    out[2 * row] = sum;
    out[2 * row + 1] = most;
}

kernel void saturated(global uchar *bytes, global short *halves, global const float *in, int n)
{
    int row = get_global_id(0) * n;

    for (int j = 0; j < n; j++) {
        bytes[row + j] = convert_uchar_sat(in[row + j] * 1.7f - 20);
        halves[row + j] = convert_short_sat(in[row + j] * 300 - 40000);
    }
}
