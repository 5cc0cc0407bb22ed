// Vectors of a work-item alone that overlap in memory, and vectors shifted by some places, give what each component alone would:
// where windows are loaded, where stores come between them, where a loop carries what is shifted, with what is put in.
// RUN: heddle run %s windows --global 9 --arg u8[200]=random:1 --arg u8[144]=zeros
// RUN: heddle run %s stored_between --global 5 --arg u8[240]=random:2
// RUN: heddle run %s stored_behind --global 5 --arg i16[240]=random:3 --arg i16[240]=zeros
// RUN: heddle run %s striped --global 5 --arg u8[160]=random:4 --arg u8[2048]=random:5 --arg u8[80]=zeros --arg i32=32
// RUN: heddle run %s striped_short --global 5 --arg u8[160]=random:6 --arg i16[2048]=random:7 --arg i16[40]=zeros --arg i32=32
// RUN: heddle run %s shifted --global 5 --arg i32[80]=random:8 --arg i32[80]=random:9 --arg i32[80]=zeros
// RUN: heddle run %s zipped --global 5 --arg f32[40]=range:-7:1.5 --arg f32[40]=range:3:0.5 --arg f32[80]=zeros --arg f32=9

// The middle of three neighbours.
kernel void windows(global const uchar *in, global uchar *out)
{
    int i = get_global_id(0);
    global const uchar *p = in + 16 * i;
    uchar16 a = vload16(0, p), b = vload16(0, p + 1), c = vload16(0, p + 2);

    vstore16(max(min(a, b), min(max(a, b), c)), i, out);
}

// What a window loads is stored to before the next one loads it.
kernel void stored_between(global uchar *a)
{
    global uchar *p = a + 48 * get_global_id(0);

    vstore16(vload16(0, p) + vload16(0, p + 1), 0, p + 4);
    vstore16(min(vload16(0, p + 2), vload16(0, p + 3)), 0, p + 8);
    vstore8(vload8(0, p + 4) ^ vload8(0, p + 5), 0, p + 6);
}

// Behind all loads, and to other memory.
kernel void stored_behind(global short *a, global short *b)
{
    global short *p = a + 48 * get_global_id(0), *q = b + 48 * get_global_id(0);
    short8 x = vload8(0, p), y = vload8(0, p + 3), z = vload8(0, p + 1);

    vstore8(x + y, 0, p + 2);
    vstore8(x - z, 0, q);
    vstore8(max(y, z), 0, q + 9);
}

kernel void striped(global const uchar *text, global const uchar *profile, global uchar *most, int n)
{
    int id = get_global_id(0);
    uchar16 h[4], best = 0;

    for (int s = 0; s < 4; s++)
        h[s] = 0;
    for (int i = 0; i < n; i++) {
        global const uchar *row = profile + text[id * n + i] % 31 * 64;
        uchar16 v = (uchar16)(7, h[3].s01234567, h[3].s89ab, h[3].scde);

        for (int s = 0; s < 4; s++) {
            v = sub_sat(add_sat(v, vload16(s, row)), (uchar16)(90));
            best = max(best, v);
            uchar16 next = h[s];
            h[s] = v;
            v = next;
        }
    }
    vstore16(best, id, most);
}

// The same with what differs from round to round put in, and shifted by two places.
kernel void striped_short(global const uchar *text, global const short *profile, global short *most, int n)
{
    int id = get_global_id(0);
    short8 h[2] = {-9, -9}, best = -30000;

    for (int i = 0; i < n; i++) {
        global const short *row = profile + text[id * n + i] % 63 * 16;
        short8 v = (short8)(i, -3, h[1].s0123, h[1].s45), next = h[0];

        h[0] = add_sat(v, vload8(0, row));
        h[1] = add_sat(next, vload8(1, row));
        best = max(best, max(h[0], h[1]));
    }
    vstore8(best, id, most);
}

// Out of two vectors, with a constant or without.
kernel void shifted(global const int *a, global const int *b, global int *out)
{
    int i = get_global_id(0);
    int16 x = vload16(i, a) ^ 0x55, y = vload16(i, b) * 3;
    int16 z = (int16)(x.s456789ab, x.scdef, y.s0123), w = (int16)(1, 2, y.s01234567, y.s89ab, y.scd);

    vstore16(z * w + x, i, out);
}

kernel void zipped(global const float *a, global const float *b, global float *out, float c)
{
    int i = get_global_id(0);
    float8 x = vload8(i, a) * 2, y = vload8(i, b) + 1;

    vstore8((float8)(x.s0, y.s0, x.s1, y.s1, x.s2, y.s2, c, 4), 2 * i, out);
    vstore8((float8)(x.s4567, y.s0123) * (float8)(y.s7654, x.s3210), 2 * i + 1, out);
}
