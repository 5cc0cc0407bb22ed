// Operations on the components of small vectors that a work-item alone does together give what each alone would: where loads and
// stores meet, where components change places, go different ways or depend on each other, where loops carry them, across barriers.
// RUN: heddle run %s overlap --global 9 --arg f32[64]=range
// RUN: heddle run %s crossed --global 9 --arg i32[64]=range --arg i32[64]=range:100
// RUN: heddle run %s chained --global 9 --arg f32[64]=range:1
// RUN: heddle run %s swizzled --global 9 --arg f32[36]=range:1 --arg f32[36]=range:3:0.5 --arg f32[36]=zeros
// RUN: heddle run %s carried --global 9 --arg f32[128]=range:1:0.25 --arg f32[36]=zeros --arg f32[9]=zeros --arg i32=7
// RUN: heddle run %s chosen --global 9 --arg i32[72]=random:3 --arg i32[72]=random:4 --arg i32[72]=zeros
// RUN: heddle run %s narrowed --global 9 --arg u8[144]=random:5 --arg f32[36]=range:-20:7.5 --arg u8[36]=zeros --arg i16[72]=zeros
// RUN: heddle run %s barriers --global 18 --local 9 --arg f32[72]=range:1 --arg f32[72]=zeros --arg i32=5
// RUN: heddle run %s both_ways --global 9 --arg f32[36]=range:-9 --arg f32[36]=zeros
// RUN: heddle run %s exchanged --global 9 --arg i16[72]=random:6 --arg i16[72]=random:7 --arg i16[72]=zeros
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Each store is to what the next load reads.
kernel void overlap(global float *a)
{
    if (get_global_id(0) != 0)
        return;
    for (int i = 0; i < 40; i += 3)
        vstore4(vload4(0, a + i) * 2 + 1, 0, a + i + 1);
}

// No two components can be done together: each store comes before the load of the next.
kernel void crossed(global int *a, global int *b)
{
    if (get_global_id(0) != 0)
        return;
    for (int i = 0; i < 40; i += 4) {
        a[i] = b[i] + 1;
        b[i + 1] = a[i + 3] * 3;
        a[i + 1] = b[i + 1] + 1;
        b[i + 2] = a[i] * 3;
        a[i + 2] = b[i + 2] + 1;
        b[i + 3] = a[i + 1] * 3;
        a[i + 3] = b[i + 3] + 1;
        b[i] = a[i + 2] * 3;
    }
}

// Adjacent elements, each computed from the one before.
kernel void chained(global float *a)
{
    int i = get_global_id(0) * 4;
    float x = a[i] * 0.5f, y = a[i + 1] * x, z = a[i + 2] * y, w = a[i + 3] * z;

    a[i] = x;
    a[i + 1] = y;
    a[i + 2] = z;
    a[i + 3] = w;
}

kernel void swizzled(global const float4 *a, global const float4 *b, global float4 *out)
{
    int i = get_global_id(0);
    float4 x = a[i].wzyx * b[i].xxyz, y = (float4)(x.yz, b[i].x, i) - x.xxww;

    y.s13 += a[8 - i].s02;
    out[i] = y * (float4)(x.x, 2, y.x, x.w) + (float4)(1, 2, 3, x.y);
}

kernel void carried(global const float4 *a, global float4 *out, global float *sums, int n)
{
    int i = get_global_id(0);
    float4 s = 0, t = a[i], u = t.x;

    for (int k = 0; k < n; k++) {
        float4 x = a[(i + k * 3) % 32];

        s = s.yzwx + x * t;
        if (k & 1)
            t = fmin(t, x) + u.z;
        u = t;
    }
    out[i] = s + u;
    sums[i] = s.x + s.y + s.z + s.w + t.w;
}

kernel void chosen(global const int8 *a, global const int8 *b, global int8 *out)
{
    int i = get_global_id(0);
    int8 x = a[i], y = b[i];
    int8 z = x < y ? x * y : (i & 1 ? x >> 3 : rotate(y, x));

    out[i] = max(z, abs_diff(x, y) > 1000u ? x : -y) ^ (clz(x) + popcount(y));
}

kernel void narrowed(global const uchar16 *bytes, global const float4 *x, global uchar4 *out, global short8 *sums)
{
    int i = get_global_id(0);
    uchar16 b = bytes[i];

    out[i] = convert_uchar4_sat(x[i] * 1.5f + convert_float4(b.s048c)) + b.s1590;
    sums[i] = convert_short8(b.lo) * (short8)3 - convert_short8(b.hi) + (short8)(b.s7);
}

kernel void barriers(global const float4 *a, global float4 *out, int n)
{
    local float4 row[9];
    int l = get_local_id(0), i = get_global_id(0);
    float4 s = 0;

    for (int k = 0; k < n; k++) {
        row[l] = a[i] + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        s += row[(l + k) % 9] * row[8 - l].yxwz;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = s;
}

// Sums in some components, differences in others; halves; a sign.
kernel void both_ways(global const float4 *a, global float4 *out)
{
    int i = get_global_id(0);
    float4 x = a[i];
    half4 h = convert_half4(x * 0.125f);

    x = (float4)(x.x + x.y, x.y - x.x, x.z + x.w, x.w - x.z);
    h = fma(h, h.yxwz, (half4)0.5h) - h;
    out[i] = fabs(x) * convert_float4(h) + copysign(x, -x.w);
}

// The same with operands in either order.
kernel void exchanged(global const short4 *x, global const short4 *y, global short4 *out)
{
    int i = get_global_id(0);
    short4 a = x[i], b = y[i] ^ a;

    out[2 * i] = (short4)(add_sat(a.x, b.x), add_sat(b.y, a.y), add_sat(b.z, a.z), add_sat(a.w, b.w));
    out[2 * i + 1] = (short4)(mul_hi(a.x, b.x), mul_hi(b.y, a.y), mul_hi(b.z, a.z), mul_hi(a.w, b.w));
}
