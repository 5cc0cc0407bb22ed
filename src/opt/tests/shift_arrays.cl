// Private arrays that are shifted by some places, in either direction, whole or from a place on, which clang makes calls of
// memmove: what is in each element, for arrays of each size of elements.
// RUN: heddle run %s queue --global 9 --arg i32[297]=random:1 --arg i32[9]=zeros --arg i32=33
// RUN: heddle run %s shorts --global 9 --arg i16[297]=random:2 --arg i16[180]=zeros --arg i32=33
// RUN: heddle run %s doubles --global 5 --arg f64[60]=range:1:0.5 --arg f64[60]=zeros --arg i32=12
// RUN: heddle run %s erased --global 9 --arg i32[216]=random:3 --arg i32[9]=zeros --arg i32=24
// RUN: heddle run %s bytes --global 5 --arg u8[100]=random:4 --arg u8[5]=zeros --arg i32=20
// RUN: heddle run %s mixed --global 5 --arg i32[100]=random:5 --arg u8[5]=zeros --arg i32=20

kernel void queue(global const int *in, global int *out, int n)
{
    int id = get_global_id(0), w[40], s = 0;

    for (int i = 0; i < 40; i++)
        w[i] = i;
    for (int t = 0; t < n; t++) {
        for (int i = 39; i > 0; i--)
            w[i] = w[i - 1];
        w[0] = in[t * 9 + id];
        s = s * 5 + (w[39] ^ w[20] + w[7]);
    }
    out[id] = s;
}

kernel void shorts(global const short *in, global short *out, int n)
{
    int id = get_global_id(0);
    short w[20];

    for (int i = 0; i < 20; i++)
        w[i] = -i;
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 18; i++)
            w[i] = w[i + 2];
        w[18] = in[t * 9 + id];
        w[19] = w[t % 18] + t;
    }
    for (int i = 0; i < 20; i++)
        out[i * 9 + id] = w[i];
}

kernel void doubles(global const double *in, global double *out, int n)
{
    int id = get_global_id(0);
    double w[12];

    for (int i = 0; i < 12; i++)
        w[i] = i;
    for (int t = 0; t < n; t++) {
        for (int i = 11; i > 2; i--)
            w[i] = w[i - 3];
        w[t % 3] = in[t * 5 + id];
    }
    for (int i = 0; i < 12; i++)
        out[i * 5 + id] = w[i];
}

kernel void erased(global const int *in, global int *out, int n)
{
    int id = get_global_id(0), q[24], len = n, s = 0;

    for (int i = 0; i < n; i++)
        q[i] = in[i * 9 + id];
    while (len > 1) {
        int gone = (q[len - 1] & 0xffff) % len;

        s = s * 31 + q[gone];
        for (int i = gone; i < len - 1; i++)
            q[i] = q[i + 1];
        len--;
    }
    out[id] = s;
}

kernel void bytes(global const uchar *in, global uchar *out, int n)
{
    uchar w[35], s = 0;

    for (int i = 0; i < 35; i++)
        w[i] = i;
    for (int t = 0; t < n; t++) {
        for (int i = 34; i > 0; i--)
            w[i] = w[i - 1];
        w[0] = in[t * 5 + get_global_id(0)];
        s = s * 3 + w[34] + w[17];
    }
    out[get_global_id(0)] = s;
}

// Ints that are looked at as bytes, too.
kernel void mixed(global const int *in, global uchar *out, int n)
{
    int w[30];
    uchar s = 0;

    for (int i = 0; i < 30; i++)
        w[i] = i;
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 29; i++)
            w[i] = w[i + 1];
        w[29] = in[t * 5 + get_global_id(0)];
        s = s * 3 + ((uchar *)w)[(t * 7 + 80) % 120];
    }
    out[get_global_id(0)] = s;
}
