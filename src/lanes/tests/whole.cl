// Rows that are no whole sub-groups long: those sub-groups that have all of their lanes have code without masks, where masks of
// bytes are branches (lanes/version_whole.c).
// RUN: heddle run %s edges --global 62,7 --arg u8[1024]=random:1 --arg u8[1024]=zeros --arg i32=64
// RUN: heddle run %s edges --global 5,9 --local 5,1 --arg u8[128]=random:2 --arg u8[128]=zeros --arg i32=7
// RUN: heddle run %s edges --global 19,6 --local 19,2 --offset 2,1 --arg u8[512]=random:3 --arg u8[512]=zeros --arg i32=24
// RUN: heddle run %s ways --global 37,5 --arg u16[185]=random:4 --arg u16[185]=zeros --arg i32=37
// RUN: heddle run %s ways --global 37,5 --local 37,1 --arg u16[185]=random:5 --arg u16[185]=zeros --arg i32=20
// RUN: heddle run %s counts --global 45,3 --arg u8[135]=random:6 --arg u32[8]=zeros --arg u8[135]=zeros
// RUN: heddle run %s called --global 29,4 --arg u8[116]=random:7 --arg u8[116]=zeros --calls
// RUN: heddle run %s called --global 29,4 --arg u8[116]=random:7 --arg u8[116]=zeros
// RUN: heddle run %s halves --cl=-cl-std=CL3.0 --global 27,3 --arg u16[81]=random:8 --arg u16[81]=zeros
// RUN: heddle run %s edges --global 62,7 --arg u8[1024]=random:1 --arg u8[1024]=zeros --arg i32=64 --dispatch
// WIDTHS: 1 4 8 16
kernel void edges(global const uchar *p, global uchar *o, int w)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, i = y * w + x;
    int gx = p[i - w + 1] + 2 * p[i + 1] + p[i + w + 1] - p[i - w - 1] - 2 * p[i - 1] - p[i + w - 1];

    o[i] = convert_uchar_sat(abs(gx));
}

// Lanes that part, loops of which they leave at different times, an early end.
kernel void ways(global const ushort *in, global ushort *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
    ushort v = in[i];

    if (x >= w)
        return;
    if (v & 1)
        for (int k = 0; k < (v & 15); k++)
            v += in[i] >> k;
    else
        v = in[y * get_global_size(0)] - v;
    out[i] = v;
}

// What every lane does for itself: as many times as there are work-items.
kernel void counts(global const uchar *in, global uint *sums, global uchar *out)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    atomic_add(&sums[in[i] & 7], 1u);
    out[i] = in[i] + 3;
}

uchar turned(global const uchar *in, int i)
{
    return in[i] & 1 ? rotate(in[i], (uchar)3) : in[i];
}

kernel void called(global const uchar *in, global uchar *out)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = turned(in, i) ^ in[i];
}

kernel void halves(global const half *in, global half *out)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float x = vload_half(i, in);

    vstore_half(fabs(x) < 100 ? x * 2 : 1, i, out);
}
