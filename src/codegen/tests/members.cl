// Structures of five to eight members that neighbours write: all members, some, by some lanes only, of words and doubles.
// RUN: heddle run %s six --global 40 --local 20 --arg f32[40]=range:1 --arg u32[240]=fill:9
// RUN: heddle run %s seven --global 40 --local 20 --arg f32[40]=range:1 --arg u32[280]=fill:9
// RUN: heddle run %s five --global 40 --local 20 --arg f32[40]=range:1 --arg f64[200]=fill:9
// RUN: heddle run %s eight --global 40 --local 20 --arg f32[40]=range:1 --arg f32[320]=fill:9
typedef struct { float x, y; int cell; float weight; uint next; float z; } Six;
typedef struct { float x, y, z, w; int a, b, c; } Seven;

kernel void six(global const float *in, global Six *out)
{
    int i = get_global_id(0);
    out[i].x = in[i];
    out[i].y = in[i] * 2;
    out[i].cell = i & 7;
    out[i].weight = 1;
    out[i].next = i + 1;
    out[i].z = in[i] - 5;
}

kernel void seven(global const float *in, global Seven *out)
{
    int i = get_global_id(0);
    if (i % 3 == 0 || i == 20)
        return;
    out[i].x = in[i];
    out[i].y = in[i] * 2;
    out[i].w = in[i] * 3;
    out[i].a = i;
    out[i].c = 3 - i;
}

kernel void five(global const float *in, global double *out)
{
    int i = get_global_id(0);
    for (int k = 0; k < 5; k++)
        out[i * 5 + k] = in[i] * k;
}

kernel void eight(global const float *in, global float8 *out)
{
    int i = get_global_id(0);
    out[i].lo = (float4)(in[i], in[i] + 1, in[i] * 2, 4);
    out[i].s57 = (float2)(i, in[i]);
    if (i < 33)
        out[i].s46 = (float2)(in[i] * 3, 7);
}

// Some of sixteen, read and written.
// RUN: heddle run %s sixteen --global 40 --local 20 --arg i32[640]=range:1 --arg i32[640]=fill:9
kernel void sixteen(global const int16 *in, global int16 *out)
{
    int i = get_global_id(0);
    int8 x = in[i].lo;
    int sum = x.s0 ^ x.s1 * 3 ^ x.s2 * 5 ^ x.s3 * 7 ^ x.s4 * 9 ^ x.s5 * 11 ^ x.s6 * 13 ^ x.s7 * 15;
    if (sum & 4)
        out[i].hi = (int8)(sum, sum * 3, sum ^ 5, sum >> 2, sum - 9, sum & 7, 8 - sum, sum | 1);
}
