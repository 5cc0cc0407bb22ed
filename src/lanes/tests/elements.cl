// Small private arrays at indices of the lanes' own, of several types, under masks, in loops and across barriers; some of
// them also at an index that all lanes share, or by a pointer that is chosen, so that they remain in memory.
// RUN: heddle run %s bins --global 70 --local 35 --arg u8[1120]=random:1 --arg f32[630]=zeros --arg i32=16
// RUN: heddle run %s shared --global 70 --local 35 --arg u8[1120]=random:2 --arg f32[70]=zeros --arg i32=16
// RUN: heddle run %s bytes --global 70 --local 35 --arg u8[1120]=random:3 --arg u8[1120]=zeros --arg i32=16
// RUN: heddle run %s longs --global 70 --local 35 --arg u8[1120]=random:4 --arg i64[70]=zeros --arg i32=16
// RUN: heddle run %s mixed --global 70 --local 35 --arg u8[1120]=random:5 --arg u32[70]=zeros --arg i32=16
// RUN: heddle run %s stack --global 70 --local 35 --arg u8[1120]=random:6 --arg i32[70]=zeros --arg i32=16
// RUN: heddle run %s across --global 70 --local 35 --arg u8[1120]=random:7 --arg i32[70]=zeros --arg i32=16
// RUN: heddle run %s chosen --global 70 --local 35 --arg u8[1120]=random:8 --arg i32[70]=zeros --arg i32=16
// RUN: heddle run %s table --global 70 --local 35 --arg u8[1120]=random:9 --arg i32[70]=zeros --arg i32=16
// RUN: heddle run %s early --global 70 --local 35 --arg u8[1120]=random:10 --arg i32[70]=zeros --arg i32=16
// WIDTHS: 4 8 16 32
#define OF_LANES barrier(CLK_LOCAL_MEM_FENCE) /* one after the other they would be alone */

kernel void bins(global const uchar *in, global float *out, int n)
{
    int i = get_global_id(0);
    float h[9];

    OF_LANES;
    for (int k = 0; k < 9; k++)
        h[k] = 0;
    for (int k = 0; k < n; k++)
        h[in[i * n + k] % 9] += in[i * n + k] * 0.5f;
    for (int k = 0; k < 9; k++)
        out[i * 9 + k] = h[k];
}

kernel void shared(global const uchar *in, global float *out, int n)
{
    int i = get_global_id(0);
    float h[16], s = 0;

    OF_LANES;
    for (int k = 0; k < n; k++)
        h[k] = k;
    for (int k = 0; k < n; k++)
        if (in[i * n + k] > 100)
            h[in[i * n + k] & 15] += in[i * n + k];
    for (int k = 0; k < n; k++)
        s = s * 0.5f + h[k];
    out[i] = s;
}

kernel void bytes(global const uchar *in, global uchar *out, int n)
{
    int i = get_global_id(0);
    uchar h[16];

    OF_LANES;
    for (int k = 0; k < 16; k++)
        h[k] = k * 16;
    for (int k = 0; k < n; k++) {
        uchar c = in[i * n + k] & 15, t = h[c];
        h[c] = h[k & 15];
        h[k & 15] = t;
    }
    for (int k = 0; k < 16; k++)
        out[i * 16 + k] = h[k];
}

kernel void longs(global const uchar *in, global long *out, int n)
{
    int i = get_global_id(0);
    long h[5] = {1, 2, 3, 4, 5}, s = 0;

    OF_LANES;
    for (int k = 0; k < n; k++) {
        int at = in[i * n + k] % 5;
        h[at] = h[at] * 31 + k;
        if (at == 3)
            h[at - 1] ^= s;
        s += h[at];
    }
    out[i] = s ^ h[0] ^ h[4];
}

// Elements that are a float here and an int there.
kernel void mixed(global const uchar *in, global uint *out, int n)
{
    int i = get_global_id(0);
    union { float f; uint u; } h[6];
    uint s = 0;

    OF_LANES;
    for (int k = 0; k < 6; k++)
        h[k].f = k;
    for (int k = 0; k < n; k++) {
        h[in[i * n + k] % 6].f += 1.5f;
        s = s * 31 + h[in[i * n + k] / 6 % 6].u;
    }
    out[i] = s;
}

kernel void stack(global const uchar *in, global int *out, int n)
{
    int i = get_global_id(0), top = 0, v[8];

    OF_LANES;
    v[0] = 1;
    for (int k = 0; k < n; k++) {
        int c = in[i * n + k];
        if (c < 128 && top < 7)
            v[++top] = c;
        else if (c < 200 && top > 0) {
            v[top - 1] = v[top - 1] * 3 + v[top];
            top--;
        } else
            v[top] ^= c;
    }
    out[i] = v[top] + top;
}

kernel void across(global const uchar *in, global int *out, int n)
{
    int i = get_global_id(0), v[4] = {1, 2, 3, 4};
    local int sum;

    for (int k = 0; k < n; k++) {
        if (get_local_id(0) == k)
            sum = v[in[i * n + k] & 3];
        barrier(CLK_LOCAL_MEM_FENCE);
        v[in[i * n + k] & 3] += sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7;
}

kernel void chosen(global const uchar *in, global int *out, int n)
{
    int i = get_global_id(0), v[4] = {1, 2, 3, 4}, w[4] = {5, 6, 7, 8}, s = 0;

    OF_LANES;
    for (int k = 0; k < n; k++) {
        int *p = in[i * n + k] > 99 ? v : w;
        p[in[i * n + k] & 3] += k;
        s += v[in[i * n + k] >> 2 & 3] * w[in[i * n + k] >> 4 & 3];
    }
    out[i] = s;
}

kernel void table(global const uchar *in, global int *out, int n)
{
    int i = get_global_id(0), t[3][4], s = 0;

    OF_LANES;
    for (int k = 0; k < 12; k++)
        t[k / 4][k & 3] = k * k;
    for (int k = 0; k < n; k++) {
        t[in[i * n + k] % 3][k & 3]++;
        s += t[k % 3][in[i * n + k] & 3];
    }
    out[i] = s;
}

// Lanes leave the loop at different times.
kernel void early(global const uchar *in, global int *out, int n)
{
    int i = get_global_id(0), v[7] = {0}, k = 0;

    OF_LANES;
    while (k < n && in[i * n + k] < 220) {
        v[in[i * n + k] % 7] += k + 1;
        k++;
    }
    out[i] = v[0] ^ v[1] << 2 ^ v[2] << 4 ^ v[3] << 6 ^ v[4] << 8 ^ v[5] << 10 ^ v[6] << 12;
}
