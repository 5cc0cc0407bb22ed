// Bytes that each lane has behind an index of its own: up to sixteen are one load where gathers are slow.
// RUN: heddle run %s whole --global 37 --arg u32[37]=random:1 --arg f32[128]=range --arg f64[64]=range --arg f32x4[37]=zeros --arg f64[74]=zeros --no-print
// RUN: heddle run %s some --global 37 --arg u32[37]=random:2 --arg f32[128]=range --arg f64[64]=range --arg f32x4[37]=zeros --arg f64[74]=zeros --no-print
// RUN: heddle run %s blocks --global 37 --arg u8[1258]=random:6 --arg u32[37]=random:3 --arg i32[74]=zeros --no-print
// RUN: heddle run %s blocks_if --global 37 --arg u8[1258]=random:7 --arg u32[37]=random:4 --arg i32[37]=zeros --no-print
// RUN: heddle run %s packed --global 37 --arg u8[407]=random:8 --arg u32[37]=zeros --no-print
// RUN: heddle run %s members --global 37 --arg u8[1036]=random:9 --arg u32[37]=zeros --no-print
// RUN: heddle run %s sums --global 37 --arg u32[300]=range --arg u32[37]=random:5 --arg u32[37]=zeros --no-print
// RUN: heddle run %s mixed --global 37 --arg u32[222]=random:10 --arg u32[37]=random:11 --arg u32[222]=zeros --arg u32[222]=zeros --no-print
// RUN: heddle run %s mixed_vectors --global 37 --arg u32[128]=random:12 --arg u32[128]=random:13 --arg u32[37]=random:14 --arg u32[148]=zeros --arg u32[148]=zeros --no-print
kernel void whole(global const uint *x, global const float4 *a, global const double2 *d, global float4 *o, global double2 *e)
{
    int i = get_global_id(0), k = x[i] & 31;
    float4 v = a[k];

    o[i] = v * 2.f + a[31 - k].wzyx;
    e[i] = d[k] + (double2)(v.x, v.w);
}

kernel void some(global const uint *x, global const float3 *a, global const double *d, global float4 *o, global double *e)
{
    int i = get_global_id(0), k = x[i] & 31;

    if (x[i] & 64) {
        float3 v = a[k];

        o[i] = (float4)(v, vload3(k, (global const float *)a).z);
        e[2 * i + 1] = d[2 * k] - d[2 * k + 1];
    }
}

typedef struct {
    short scale;
    char q[32];
} Block;

kernel void blocks(global const Block *b, global const uint *x, global int *o)
{
    int i = get_global_id(0), k = x[i] % 37, sum = 0, other = 0;

    for (int j = 0; j < 32; j++) {
        sum += b[i].q[j] * (j + 1);
        other = other * 3 + b[k].q[j];
    }
    o[2 * i] = sum * b[i].scale;
    o[2 * i + 1] = other;
}

kernel void blocks_if(global const uchar *b, global const uint *x, global int *o)
{
    int i = get_global_id(0);
    global const uchar *from = b + x[i] % 37 * 34;

    if (x[i] & 128)
        o[i] = from[0] + from[5] * 3 + from[7] * 5 + from[11] * 7;
    else
        o[i] = from[1] + from[2] * 3 + from[4] * 5 + from[6] * 7 + from[8] * 9;
}

// Numbers at odd distances lie across words.
typedef struct __attribute__((packed)) {
    ushort a;
    uchar b;
    ushort c;
    uchar d;
    ushort e;
    uchar f[3];
} Packed;

kernel void packed(global const Packed *p, global uint *o)
{
    int i = get_global_id(0);

    o[i] = p[i].a + p[i].c * 3u + p[i].e * 5u + p[i].b + p[i].d * 7u + p[i].f[0] + p[i].f[2] * 9u;
}

typedef struct {
    uint a;
    ushort b, c;
    uchar d[8];
    uint e, f, g;
} Members;

kernel void members(global const Members *m, global uint *o)
{
    int i = get_global_id(0);

    o[i] = m[i].a + m[i].b * 3u + m[i].c * 5u + m[i].d[1] + m[i].d[6] * 7u + (m[i].e ^ m[i].f ^ m[i].g);
}

// Indices may wrap between members.
kernel void sums(global const uint *a, global const uint *x, global uint *o)
{
    int i = get_global_id(0);
    uint k = x[i] % 290;

    o[i] = a[k] + a[k + 1] * 3 + a[k + 3] * 5;
}

// Members of several types.
typedef struct {
    float x;
    int n;
    float y, z;
    uint k;
    int m;
} Mixed;

kernel void mixed(global const Mixed *a, global const uint *x, global Mixed *o, global Mixed *p)
{
    int i = get_global_id(0), k = x[i] % 37;
    Mixed v = a[i], w = a[k];

    v.x = w.n;
    v.y = w.k;
    v.m += (int)(w.n ^ w.m);
    o[i] = v;
    if (x[i] & 1)
        p[36 - i] = (Mixed){v.n, v.n, 2, 3, v.k, 4};
}

kernel void mixed_vectors(global const float4 *a, global const int4 *b, global const uint *x, global float4 *o, global int4 *p)
{
    int i = get_global_id(0), k = x[i] & 31;
    float4 v = a[k];

    o[i] = (float4)(v.xy, as_float(b[k].z), v.w);
    p[i] = (int4)(as_int(v.x), b[k].y, as_int(a[31 - k].y), 7);
}
