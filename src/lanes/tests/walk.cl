// Bytes and 16-bit numbers that each work-item takes one after the other, from rows of its own.
// RUN: heddle run %s hashes --global 70 --arg u8[2311]=random:1 --arg u32[70]=zeros --arg i32=33
// RUN: heddle run %s hashes --global 64 --arg u8[2048]=random:1 --arg u32[64]=zeros --arg i32=32
// RUN: heddle run %s own_lengths --global 70 --arg u8[2310]=random:2 --arg u32[70]=zeros --arg i32=33
// RUN: heddle run %s at_own_speed --global 70 --arg u8[4550]=random:3 --arg u32[70]=zeros --arg i32=64
// RUN: heddle run %s by_twos --global 70 --arg u8[4551]=random:4 --arg u32[70]=zeros --arg i32=65
// RUN: heddle run %s by_threes --global 70 --arg u8[4551]=random:4 --arg u32[70]=zeros --arg i32=65
// RUN: heddle run %s shorts --global 70 --arg i16[2350]=random:5 --arg i32[70]=zeros --arg i32=33
// RUN: heddle run %s halves --cl=-cl-std=CL3.0 --global 70 --arg u16[2350]=range --arg f32[70]=zeros --arg i32=33
// RUN: heddle run %s backwards --global 70 --arg u8[2311]=random:6 --arg u32[70]=zeros --arg i32=33
// RUN: heddle run %s pointers --global 70 --arg u8[2311]=random:7 --arg u32[70]=zeros --arg i32=33
// RUN: heddle run %s distances --global 70 --arg u8[4550]=random:8 --arg u32[70]=zeros --arg i32=32
// RUN: heddle run %s written --global 70 --arg u8[2311]=random:9 --arg u32[70]=zeros --arg i32=33
// RUN: heddle run %s over_again --global 70 --arg u8[2311]=random:9 --arg u32[70]=zeros --arg i32=33
// RUN: heddle run %s copied --global 70 --arg u8[2311]=random:9 --arg u8[2311]=zeros --arg i32=33
// WIDTHS: 4 16 32
kernel void hashes(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 2166136261u;

    for (int j = 0; j < n; j++)
        h = (h ^ text[i * n + j]) * 16777619u;
    out[i] = h;
}

kernel void own_lengths(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0;
    int length = text[i * n] % n;

    for (int j = 0; j < length; j++)
        h = h * 31 + text[i * n + j];
    out[i] = h;
}

// Some lanes go on where others stay.
kernel void at_own_speed(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0, at = i * (n + 1);

    for (int j = 0; j < n; j++) {
        uchar c = text[at];

        h = h * 33 + c;
        at += c & 1;
    }
    out[i] = h;
}

kernel void by_twos(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0;

    for (int j = 0; j + 1 < n; j += 2)
        h = h * 31 + (text[i * n + j] ^ i);
    out[i] = h;
}

kernel void by_threes(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0;

    for (int j = 0; j + 2 < n; j += 3) {
        h = h * 31 + text[i * n + j];
        if (h & 4)
            h += text[i * n + j + 2];
    }
    out[i] = h;
}

kernel void shorts(global const short *in, global int *out, int n)
{
    uint i = get_global_id(0);
    int most = -40000;

    for (int j = 0; j < n; j++)
        most = max(most, in[i * n + j] ^ (most & 255));
    out[i] = most;
}

kernel void halves(global const half *in, global float *out, int n)
{
    uint i = get_global_id(0);
    float s = 0;

    for (int j = 0; j < n; j++)
        s = s * 0.5f + vload_half(i * n + j, in);
    out[i] = s;
}

kernel void backwards(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0;

    for (int j = n - 1; j >= 0; j--)
        h = h * 31 + text[i * n + j];
    out[i] = h;
}

kernel void pointers(global const uchar *text, global uint *out, int n)
{
    global const uchar *p = text + get_global_id(0) * n, *end = p + n;
    uint h = 0;

    while (p < end && *p != 200)
        h = h * 31 + *p++;
    out[get_global_id(0)] = h;
}

// Two rows, one in the inner loop again and again.
kernel void distances(global const uchar *pairs, global uint *out, int n)
{
    uint i = get_global_id(0), same = 0;

    for (int k = 0; k < n; k++)
        for (int j = 0; j < n - k; j++)
            same += (pairs[i * 65 + k] & 15) == (pairs[i * 65 + 32 + j] & 15) ? j : 1;
    out[i] = same;
}

// Memory that the kernel itself changes.
kernel void written(global uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0;

    for (int j = 0; j + 1 < n; j++) {
        h = h * 31 + text[i * n + j];
        text[i * n + j + 1] = h;
    }
    out[i] = h;
}

// The same bytes in a second loop, behind a change of nothing that it reads.
kernel void over_again(global const uchar *text, global uint *out, int n)
{
    uint i = get_global_id(0), h = 0;

    for (int j = 0; j < n; j++)
        h += text[i * n + j];
    out[i] = h;
    for (int j = 0; j < n; j++)
        h = h * 31 + text[i * n + j];
    out[i] += h;
}

kernel void copied(global const uchar *from, global uchar *to, int n)
{
    uint i = get_global_id(0);
    uchar last = 0;

    for (int j = 0; j < n; j++) {
        to[i * n + j] = from[i * n + j] - last;
        last = from[i * n + j];
    }
}
