// Launches a few work-items wide, or some more, whose x and y are one dimension where that gains: rows one behind the other, of a length
// that is written down, that the launch has, or that is an argument (the launch's or another); ids of their own, in three
// dimensions, behind bounds, in loops, in 64 and 32 bits, going down; and where nothing is gained, or may be.
// RUN: heddle run %s rows --global 4,37 --arg f32[148]=zeros --arg f32[148]=range
// RUN: heddle run %s rows --global 3,37 --arg f32[148]=zeros --arg f32[148]=range
// RUN: heddle run %s rows --global 4,37 --local 4,37 --arg f32[148]=zeros --arg f32[148]=range
// RUN: heddle run %s rows --global 4,37 --offset 0,2 --arg f32[156]=zeros --arg f32[156]=range
// RUN: heddle run %s by_size --global 7,33 --arg u32[231]=zeros --arg u32[231]=range
// RUN: heddle run %s by_size --global 15,16 --arg u32[240]=zeros --arg u32[240]=range
// RUN: heddle run %s by_argument --global 8,40 --arg i32[320]=zeros --arg i32[320]=range --arg i32=8 --arg i32=40
// RUN: heddle run %s by_argument --global 8,40 --arg i32[400]=zeros --arg i32[400]=range --arg i32=10 --arg i32=40
// RUN: heddle run %s by_argument --global 8,48 --arg i32[280]=zeros --arg i32[280]=range --arg i32=7 --arg i32=40
// RUN: heddle run %s by_size --global 17,20 --arg u32[340]=zeros --arg u32[340]=range
// RUN: heddle run %s by_size --global 100,17 --arg u32[1700]=zeros --arg u32[1700]=range
// RUN: heddle run %s by_argument --global 20,40 --arg i32[800]=zeros --arg i32[800]=range --arg i32=20 --arg i32=40
// RUN: heddle run %s by_argument --global 33,17 --arg i32[800]=zeros --arg i32[800]=range --arg i32=30 --arg i32=16
// RUN: heddle run %s around --global 28,28,3 --arg f32[2352]=zeros --arg f32[2352]=range
// RUN: heddle run %s texels --global 3,20,6 --arg u8[360]=zeros --arg u8[360]=range --arg i32=20
// RUN: heddle run %s wide --global 5,40 --arg u64[200]=zeros
// RUN: heddle run %s apart --global 6,30 --arg u32[180]=zeros --arg u32[6]=range --arg u32[30]=range
// RUN: heddle run %s backwards --global 4,40 --arg u32[160]=zeros --arg u32[160]=range
// RUN: heddle run %s backwards_in_y --global 4,40 --arg u32[160]=zeros --arg u32[160]=range
// RUN: heddle run %s product --global 10,24 --arg f32[240]=zeros --arg f32[240]=range --arg f32[100]=range
// RUN: heddle run %s two_lengths --global 4,32 --arg i32[128]=zeros --arg i32[256]=range --arg i32=4 --arg i32=8
// RUN: heddle run %s two_lengths --global 4,32 --arg i32[128]=zeros --arg i32[256]=range --arg i32=4 --arg i32=4
// RUN: heddle run %s planes --global 2,16,5 --arg u32[160]=zeros
// RUN: heddle run %s sizes --global 5,16,3 --arg u32[240]=zeros
// RUN: heddle run %s narrow_numbers --global 9,32 --arg u32[288]=zeros
// WIDTHS: 1 4 8 16 32
kernel void rows(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[y * 4 + x] = in[y * 4 + x] * 2;
}

kernel void by_size(global uint *out, global const uint *in)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = in[i] + (uint)get_global_id(0) * 1000;
}

kernel void by_argument(global int *out, global const int *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);

    if (x < width && y < height)
        out[y * width + x] = in[y * width + x] - y;
}

kernel void around(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float sum = 0;

    if (x > 0 && x < 27 && y > 0 && y < 27)
        for (int j = -1; j < 2; j++)
            for (int i = -1; i < 2; i++)
                sum += in[(z * 28 + y + j) * 28 + x + i];
    out[(z * 28 + y) * 28 + x] = sum;
}

kernel void texels(global uchar *out, global const uchar *in, int width)
{
    int part = get_global_id(0), x = get_global_id(1), y = get_global_id(2), i = (y * width + x) * 3 + part;

    out[i] = part == 1 ? in[i] : 255 - in[i];
}

kernel void wide(global ulong *out)
{
    ulong x = get_global_id(0), y = get_global_id(1), i = x + 5 * y;

    out[i] = i * 0x100000001ul + x - y;
}

kernel void apart(global uint *out, global const uint *a, global const uint *b)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[6 * y + x] = a[x] * 100 + b[y];
}

kernel void backwards(global uint *out, global const uint *in)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[159 - (y * 4 + x)] = in[4 * y + 3 - x] + in[y * 4 + x];
}

kernel void backwards_in_y(global uint *out, global const uint *in)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[y * 4 + x] = in[(39 - y) * 4 + x];
}

kernel void product(global float *out, global const float *a, global const float *b)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < 10; k++)
        sum += a[row * 10 + k] * b[k * 10 + column];
    out[row * 10 + column] = sum;
}

kernel void two_lengths(global int *out, global const int *in, int out_length, int in_length)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[y * out_length + x] = in[y * in_length + x] + y;
}

kernel void planes(global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    out[(z * 16 + y) * 2 + x] = 10000 * z + 100 * y + x;
}

kernel void sizes(global uint *out)
{
    uint i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);

    out[i] = get_global_size(0) * 10000 + get_global_size(1) * 100 + get_global_size(2) * 10 + get_work_dim();
}

kernel void narrow_numbers(global uint *out)
{
    uchar x = get_global_id(0), y = get_global_id(1);
    uchar i = y * 9 + x;

    out[get_global_id(1) * 9 + get_global_id(0)] = i;
}
