// Short rows that may run as one, and kernels that can tell: by another length, by ids alone, by sizes, in wrapped numbers.
// RUN: heddle run %s exact --cl=-cl-std=CL3.0 --global 4,50 --arg u32[200]=random:1 --arg u32[200]=zeros
// RUN: heddle run %s exact --cl=-cl-std=CL3.0 --global 5,50 --arg u32[210]=random:1 --arg u32[210]=zeros
// RUN: heddle run %s exact --cl=-cl-std=CL3.0 --global 4,50 --local 2,10 --arg u32[200]=random:1 --arg u32[200]=zeros
// RUN: heddle run %s exact --cl=-cl-std=CL3.0 --global 4,50 --offset 1,0 --arg u32[210]=random:1 --arg u32[210]=zeros
// RUN: heddle run %s exact --cl=-cl-std=CL3.0 --global 4,49 --offset 0,1 --arg u32[210]=random:1 --arg u32[210]=zeros
// RUN: heddle run %s given --cl=-cl-std=CL3.0 --global 5,33 --arg u32[400]=random:1 --arg u32[400]=zeros --arg i32=5
// RUN: heddle run %s given --cl=-cl-std=CL3.0 --global 5,33 --arg u32[400]=random:1 --arg u32[400]=zeros --arg i32=7
// RUN: heddle run %s given_char --cl=-cl-std=CL3.0 --global 5,25 --arg u32[400]=random:1 --arg u32[400]=zeros --arg i8=5
// RUN: heddle run %s given_char --cl=-cl-std=CL3.0 --global 130,2 --arg u32[800]=random:1 --arg u32[800]=zeros --arg i8=-126
// RUN: heddle run %s given_long --cl=-cl-std=CL3.0 --global 3,70 --arg u32[210]=random:1 --arg u32[210]=zeros --arg u64=3
// RUN: heddle run %s given_long --cl=-cl-std=CL3.0 --global 3,70 --arg u32[210]=random:1 --arg u32[210]=zeros --arg u64=4294967299
// RUN: heddle run %s sized --cl=-cl-std=CL3.0 --global 7,21 --arg u32[147]=random:1 --arg u32[147]=zeros
// RUN: heddle run %s sized_too --cl=-cl-std=CL3.0 --global 7,21 --arg u32[147]=random:1 --arg u32[147]=zeros
// RUN: heddle run %s sized_behind --cl=-cl-std=CL3.0 --global 7,21 --arg u32[154]=random:1 --arg u32[154]=zeros
// RUN: heddle run %s rows_too --cl=-cl-std=CL3.0 --global 7,21 --arg u32[147]=zeros
// RUN: heddle run %s linear --cl=-cl-std=CL3.0 --global 3,40 --arg u32[120]=zeros
// RUN: heddle run %s linear --cl=-cl-std=CL3.0 --global 3,40 --offset 2,1 --arg u32[120]=zeros
// RUN: heddle run %s linear --cl=-cl-std=CL3.0 --global 3,5,7 --arg u32[105]=zeros
// RUN: heddle run %s linear --cl=-cl-std=CL3.0 --global 5,20,3 --arg u32[300]=zeros
// RUN: heddle run %s linear --cl=-cl-std=CL3.0 --global 20,20,2 --arg u32[800]=zeros
// RUN: heddle run %s colours --cl=-cl-std=CL3.0 --global 3,20,11 --arg u8[660]=random:2 --arg u8[660]=zeros --arg i32=20
// RUN: heddle run %s colours --cl=-cl-std=CL3.0 --global 3,19,11 --arg u8[660]=random:2 --arg u8[660]=zeros --arg i32=20
// RUN: heddle run %s from_the_end --cl=-cl-std=CL3.0 --global 6,30 --arg u32[180]=random:1 --arg u32[180]=zeros --arg i32=6 --arg i32=180
// RUN: heddle run %s by_x --cl=-cl-std=CL3.0 --global 6,30 --arg u32[180]=random:1 --arg u32[180]=zeros --arg u32[6]=random:2
// RUN: heddle run %s two_lengths --cl=-cl-std=CL3.0 --global 6,30 --arg u32[180]=random:1 --arg u32[210]=zeros
// RUN: heddle run %s walks --cl=-cl-std=CL3.0 --global 6,30 --arg u32[180]=random:1 --arg u32[180]=zeros --arg i32=6
// RUN: heddle run %s from_y --cl=-cl-std=CL3.0 --global 6,30 --arg u32[180]=zeros --arg i32=6
// RUN: heddle run %s wraps --cl=-cl-std=CL3.0 --global 4,40 --arg u32[160]=zeros
// RUN: heddle run %s short_number --cl=-cl-std=CL3.0 --global 4,300 --arg u32[1200]=zeros
// RUN: heddle run %s folded --cl=-cl-std=CL3.0 --global 4,40 --arg u32[160]=zeros
// RUN: heddle run %s counts --cl=-cl-std=CL3.0 --global 3,45 --arg u32[4]=zeros --arg u32[135]=random:4
// RUN: heddle run %s groups --cl=-cl-std=CL3.0 --global 4,30 --local 4,3 --arg u32[120]=zeros
// RUN: heddle run %s products --cl=-cl-std=CL3.0 --global 4,30 --arg u32[120]=zeros --arg u32=4
// WIDTHS: 4 16
kernel void exact(global const uint *in, global uint *out)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[y * 4 + x] = in[y * 4 + x] * 2 + 1;
}

kernel void given(global const uint *in, global uint *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[(y + 1) * w + x] = in[(y + 1) * w + x + 2] * 2 + 1;
}

kernel void given_char(global const uint *in, global uint *out, char w)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[y * w + x + 150] = in[y * w + x + 150] * 2 + 1;
}

kernel void given_long(global const uint *in, global uint *out, ulong w)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[y * (uint)w + x] = in[y * (uint)w + x] * 2 + 1;
}

kernel void sized(global const uint *in, global uint *out)
{
    int w = get_global_size(0);
    size_t i = get_global_id(0) + w * get_global_id(1);

    out[i] = in[i] + 3;
}

kernel void sized_too(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0) + get_global_size(0) * get_global_id(1);

    out[i] = in[i] + get_global_size(0);
}

kernel void sized_behind(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + 1);

    out[i] = in[i] + 3;
}

kernel void rows_too(global uint *out)
{
    out[get_global_id(0) + get_global_size(0) * get_global_id(1)] = get_global_size(1);
}

kernel void linear(global uint *out)
{
    out[get_global_linear_id()] = 3 * get_global_linear_id() + get_work_dim();
}

kernel void colours(global const uchar *in, global uchar *out, int w)
{
    int c = get_global_id(0), x = get_global_id(1), y = get_global_id(2), i = (y * w + x) * 3 + c;

    out[i] = 255 - in[i];
}

kernel void from_the_end(global const uint *in, global uint *out, int w, int n)
{
    int i = n - 1 - (int)get_global_id(1) * w - (int)get_global_id(0);

    out[i] = in[n - 1 - i] ^ i;
}

kernel void by_x(global const uint *in, global uint *out, global const uint *bias)
{
    size_t x = get_global_id(0), i = get_global_id(1) * 6 + x;

    out[i] = in[i] + bias[x];
}

kernel void two_lengths(global const uint *in, global uint *out)
{
    size_t x = get_global_id(0), y = get_global_id(1);

    out[y * 7 + x] = in[y * 6 + x];
}

kernel void walks(global const uint *in, global uint *out, int w)
{
    uint s = 0;

    for (int i = get_global_id(1) * w + get_global_id(0); i >= 0; i -= 13)
        s = s * 3 + in[i];
    out[get_global_id(1) * w + get_global_id(0)] = s;
}

kernel void from_y(global uint *out, int w)
{
    uint s = 0;

    for (int i = get_global_id(1); i >= 0; i -= 5)
        s = s * 3 + i;
    out[get_global_id(1) * w + get_global_id(0)] = s;
}

// Numbers of 32 bits that wrap before they are made long.
kernel void wraps(global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1);
    ulong i = (ulong)(y * 0x40000001u) + x * 0x40000000ul, j = (ulong)(y * 4 + x - 5);

    out[y * 4 + x] = (uint)(i >> 30) * 5 + (uint)(j >> 16);
}

kernel void short_number(global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[y * 4 + x] = (uchar)y * 4 + x + ((short)(y * 300) * 4 + (short)x);
}

kernel void folded(global uint *out)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[y << 2 | x] = min(y, 10u) * 4 + x + ((y << 2) + x) / 3;
}

kernel void counts(global uint *n, global const uint *in)
{
    atomic_add(&n[in[get_global_id(1) * 3 + get_global_id(0)] % 4], 1);
}

kernel void groups(global uint *out)
{
    out[get_global_id(1) * 4 + get_global_id(0)] = get_local_id(1) * 10 + get_local_id(0);
}

// Products of two ids, and of the length with itself.
kernel void products(global uint *out, uint w)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[y * w + x] = y * w * w + x * w + (y * w + x) * (y * w + x) + x * y;
}
