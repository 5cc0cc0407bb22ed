// Pointers that go on in a loop until they come to another one.
// RUN: heddle run %s below --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s below --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=0
// RUN: heddle run %s below --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=-3
// RUN: heddle run %s until --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s last --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s turned --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s apart --global 20 --arg u8[263]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s pairs --global 20 --arg u32[270]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s down --global 20 --arg u32[261]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s own_ends --global 20 --arg u32[300]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s left_early --global 20 --arg u32[260]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s threes --global 20 --arg u8[789]=random:1 --arg u32[20]=zeros --arg i32=13
// RUN: heddle run %s both_ways --global 20 --arg u32[260]=random:1 --arg u32[260]=zeros --arg i32=13
// WIDTHS: 1 8
kernel void below(global const uint *in, global uint *out, int n)
{
    global const uint *p = in + get_global_id(0) * n, *end = p + n;
    uint h = 0;

    while (p < end)
        h = h * 31 + *p++;
    out[get_global_id(0)] = h;
}

kernel void until(global const uint *in, global uint *out, int n)
{
    uint h = 0;

    for (global const uint *p = in + get_global_id(0) * n, *end = p + n; p != end; p++)
        h = h * 31 + *p;
    out[get_global_id(0)] = h;
}

kernel void last(global const uint *in, global uint *out, int n)
{
    uint h = 0;

    for (global const uint *p = in + get_global_id(0) * n, *end = p + n - 1; p <= end; p++)
        h = h * 31 + *p;
    out[get_global_id(0)] = h;
}

kernel void turned(global const uint *in, global uint *out, int n)
{
    global const uint *p = in + get_global_id(0) * n, *end = p + n;
    uint h = 0;

    do {
        h = h * 31 + *p;
        p++;
    } while (end > p);
    out[get_global_id(0)] = h;
}

// The end is no whole number of steps away.
kernel void apart(global const uchar *in, global uint *out, int n)
{
    global const ushort *p = (global const ushort *)(in + get_global_id(0) / 2 * 2 * n);
    global const ushort *end = (global const ushort *)((global const uchar *)p + n);
    uint h = 0;

    while (p < end)
        h = h * 31 + *p++;
    out[get_global_id(0)] = h;
}

kernel void pairs(global const uint *in, global uint *out, int n)
{
    global const uint *p = in + get_global_id(0) * n, *end = p + n;
    uint h = 0;

    for (; p < end; p += 2)
        h = h * 31 + p[0] - p[1];
    out[get_global_id(0)] = h;
}

kernel void down(global const uint *in, global uint *out, int n)
{
    global const uint *end = in + get_global_id(0) * n, *p = end + n;
    uint h = 0;

    while (p > end)
        h = h * 31 + *--p;
    out[get_global_id(0)] = h;
}

kernel void own_ends(global const uint *in, global uint *out, int n)
{
    global const uint *start = in + get_global_id(0) * n, *p = start, *end = p + in[get_global_id(0)] % n;
    uint h = 0;

    while (p < end)
        h = h * 31 + *p++;
    out[get_global_id(0)] = h + (uint)(p - start);
}

kernel void left_early(global const uint *in, global uint *out, int n)
{
    global const uint *start = in + get_global_id(0) * n, *p = start, *end = p + n;

    while (p < end && *p < 0xc0000000u)
        p++;
    out[get_global_id(0)] = p == end ? 1000 : (uint)(p - start);
}

kernel void threes(global const uchar *in, global uint *out, int n)
{
    global const uchar *p = in + get_global_id(0) * n * 3, *end = p + n * 3;
    uint h = 0;

    for (; p < end; p += 3)
        h = h * 31 + p[0] + p[1] * 3 + p[2];
    out[get_global_id(0)] = h;
}

// Two that go on together, each with a test of its own.
kernel void both_ways(global const uint *in, global uint *out, int n)
{
    global const uint *p = in + get_global_id(0) * n, *end = p + n;
    global uint *o = out + get_global_id(0) * n, *most = o + n - 2;

    while (p < end && o <= most)
        *o++ = *p++ * 3 + 1;
}
