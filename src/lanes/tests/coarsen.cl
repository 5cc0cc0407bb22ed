// Launches of two dimensions whose work-items may do several rows: products, filters, rows that part before anything is stored (bounds of
// their own, a switch, a loop in front), rows that are left over at the end, sizes and ids that the kernel asks for, indices that wrap, three
// dimensions; and where they may not: loops of their own length, branches in loops or behind stores, private arrays, offsets.
// RUN: heddle run %s product --global 64,40 --arg f32[2560]=zeros --arg f32[2560]=range:0:0.25 --arg f32[4096]=range:-9:0.5 --arg i32=64
// RUN: heddle run %s product --global 64,43 --arg f32[2752]=zeros --arg f32[2752]=range:0:0.25 --arg f32[4096]=range:-9:0.5 --arg i32=64
// RUN: heddle run %s product --global 50,67 --local 10,1 --arg f32[3350]=zeros --arg f32[3350]=range:0:0.25 --arg f32[2500]=range:-9:0.5 --arg i32=50
// RUN: heddle run %s product --global 64,33 --offset 0,2 --arg f32[2240]=zeros --arg f32[2240]=range:0:0.25 --arg f32[4096]=range:-9:0.5 --arg i32=64
// RUN: heddle run %s product --global 40,33 --offset 3,0 --arg f32[2240]=zeros --arg f32[2240]=range:0:0.25 --arg f32[4096]=range:-9:0.5 --arg i32=64
// RUN: heddle run %s bounded --global 64,48 --local 16,16 --arg f32[2419]=zeros --arg f32[2419]=range:0:0.25 --arg f32[3481]=range:-9:0.5 --arg u32=41 --arg u32=59
// RUN: heddle run %s bounded_apart --global 64,48 --arg f32[2419]=zeros --arg f32[2419]=range:0:0.25 --arg f32[3481]=range:-9:0.5 --arg u32=41 --arg u32=59
// RUN: heddle run %s four_rows --global 64,36 --arg f32[9216]=zeros --arg f32[9216]=range:0:0.25 --arg f32[4096]=range:-9:0.5 --arg u32=64
// RUN: heddle run %s four_rows --global 48,37 --arg f32[9216]=zeros --arg f32[9216]=range:0:0.25 --arg f32[4096]=range:-9:0.5 --arg u32=48
// RUN: heddle run %s doubles --global 64,40 --arg f64[2560]=zeros --arg f64[2560]=range --arg f64[4096]=range --arg i32=64
// RUN: heddle run %s filter --global 48,41 --arg f32[1968]=zeros --arg f32[4096]=range --arg f32[25]=range --arg i32=5
// RUN: heddle run %s kinds --global 32,40 --arg i32[1280]=zeros --arg i32[64]=range --arg i32=21
// RUN: heddle run %s behind_a_loop --global 32,35 --arg i32[1120]=zeros --arg i32[64]=range --arg i32=21
// RUN: heddle run %s sizes --global 32,37 --arg u32[1184]=zeros --arg u32[64]=range --arg u32=9
// RUN: heddle run %s wraps --global 32,40 --arg u32[1280]=zeros --arg u32[512]=range --arg u32=64 --arg u32=4294967040
// RUN: heddle run %s wraps_midway --global 32,40 --arg u64[1280]=zeros --arg u32[128]=range --arg u32=64 --arg u32=4294966016 --arg u32=30
// RUN: heddle run %s wraps_midway --global 32,40 --arg u64[1280]=zeros --arg u32[128]=range --arg u32=64 --arg u32=5 --arg u32=30
// RUN: heddle run %s planes --global 32,34,3 --arg u32[3264]=zeros --arg u32[320]=range --arg u32=10
// RUN: heddle run %s in_place --global 32,40 --arg i32[1280]=range --arg i32[320]=range --arg i32=10
// RUN: heddle run %s triangle --global 32,40 --arg i32[1280]=zeros --arg i32[1280]=range
// RUN: heddle run %s parts_in_loop --global 32,40 --arg i32[1280]=zeros --arg i32[1280]=range --arg i32=17
// RUN: heddle run %s parts_late --global 32,40 --arg i32[1280]=zeros --arg i32[1280]=range --arg i32=17
// RUN: heddle run %s own_array --global 32,40 --arg i32[1280]=zeros --arg i32[1280]=range --arg i32=17
// RUN: heddle run %s counts --global 32,40 --arg i32[32]=zeros --arg i32[1280]=range --arg i32=17
// WIDTHS: 1 4 8 16 32
kernel void product(global float *out, global const float *a, global const float *b, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < n; k++)
        sum = fma(a[row * n + k], b[k * n + column], sum);
    out[row * n + column] = sum;
}

// Rows 41 and on, and columns 59 and on, have nothing to do.
kernel void bounded(global float *out, global const float *a, global const float *b, uint rows, uint n)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    if (row >= rows || column >= n)
        return;
    for (uint k = 0; k < n; k++)
        sum = fma(a[row * n + k], b[k * n + column], sum);
    out[row * n + column] = sum;
}

kernel void bounded_apart(global float *out, global const float *a, global const float *b, uint rows, uint n)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    if (column < n) {
        for (uint k = 0; k < n; k++)
            sum += b[k * n + column];
        if (row < rows) {
            for (uint k = 0; k < n; k++)
                sum = fma(a[row * n + k], b[k * n + column], sum);
            out[row * n + column] = sum;
        }
    }
}

kernel void four_rows(global float *out, global const float *a, global const float *b, uint n)
{
    uint column = get_global_id(0), row = get_global_id(1) * 4;
    float sum[4] = {0, 0, 0, 0};

    for (uint k = 0; k < n; k++)
        for (uint r = 0; r < 4; r++)
            sum[r] = fma(a[(row + r) * n + k], b[k * n + column], sum[r]);
    for (uint r = 0; r < 4; r++)
        out[(row + r) * n + column] = sum[r];
}

kernel void doubles(global double *out, global const double *a, global const double *b, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    double sum = 0;

    for (int k = 0; k < n; k++)
        sum = fma(a[row * n + k], b[k * n + column], sum);
    out[row * n + column] = sum;
}

// Rows share what they load, but for where it lies.
kernel void filter(global float *out, global const float *in, global const float *weights, int size)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            sum = fma(weights[j * size + i], in[(y + j) * 64 + x + i], sum);
    out[y * 48 + x] = sum;
}

kernel void kinds(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, way;

    switch (y / 8) {
    case 0: way = 3; break;
    case 1: way = x + y; break;
    case 3: way = -y; break;
    default: way = 7;
    }
    for (int k = 0; k < n; k++)
        sum = sum * 3 + in[x + k] * way;
    out[y * 32 + x] = sum;
}

kernel void behind_a_loop(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int k = 0; k < n; k++)
        sum = sum * 3 + in[x + k] + y;
    if ((sum & 3) == 1)
        sum += in[y];
    for (int k = 0; k < n; k++)
        sum = sum * 5 + in[x + k];
    out[y * 32 + x] = sum;
}

kernel void sizes(global uint *out, global const uint *in, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[x + k] + y;
    out[y * get_global_size(0) + x] = sum * 100 + get_global_size(1) + get_work_dim();
}

// The index begins below 2^32 and goes on behind it.
kernel void wraps(global uint *out, global const uint *in, uint n, uint start)
{
    uint x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[start + k * 4 + 256 + x] * (in[start + y + 256 + k] + y);
    out[y * 32 + x] = sum;
}

// A number, not an index, that wraps in the middle of the loop.
kernel void wraps_midway(global ulong *out, global const uint *in, uint n, uint start, uint step)
{
    uint x = get_global_id(0), y = get_global_id(1);
    ulong sum = 0;

    for (uint k = 0; k < n; k++)
        sum = sum * 3 + (ulong)(start + k * step + y) * in[x + k];
    out[y * 32 + x] = sum;
}

kernel void planes(global uint *out, global const uint *in, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), sum = 0;

    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[k * 32 + x] * y + z;
    out[(z * 34 + y) * 32 + x] = sum;
}

kernel void in_place(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1);

    for (int k = 0; k < n; k++)
        out[y * 32 + x] = out[y * 32 + x] * 3 + in[k * 32 + x];
}

kernel void triangle(global int *out, global const int *in)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int k = 0; k < y; k++)
        sum = sum * 3 + in[k * 32 + x];
    out[y * 32 + x] = sum;
}

kernel void parts_in_loop(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int k = 0; k < n; k++) {
        sum = sum * 3 + in[k * 32 + x];
        if ((sum + y) % 5 == 0)
            sum = sum * 7 + in[y];
    }
    out[y * 32 + x] = sum;
}

kernel void parts_late(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int k = 0; k < n; k++)
        sum = sum * 3 + in[k * 32 + x] * y;
    out[y * 32 + x] = sum;
    if ((sum & 1) == 0)
        out[y * 32 + x] = out[y * 32 + x] * 3 + in[y];
}

kernel void own_array(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0, own[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    for (int k = 0; k < n; k++) {
        own[in[k * 32 + x] & 7] += y;
        sum = sum * 3 + own[k & 7];
    }
    out[y * 32 + x] = sum;
}

kernel void counts(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1);

    for (int k = 0; k < n; k++)
        atomic_add(&out[x], in[k * 32 + x] + y);
}
