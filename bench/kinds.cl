// bench/kinds.cl -- short kernels of many kinds, as people write them: what bench/kinds.py runs.
//
// Each case is a program of its own: what stands behind its line belongs to it alone.
//
// SPDX-License-Identifier: MIT

// case mat4vec
kernel void mat4vec(global const float4 *m, global const float4 *v, global float4 *o)
{
    int i = get_global_id(0);
    float4 a = m[0], b = m[1], c = m[2], d = m[3];
    float4 x = v[i];
    o[i] = a * x.x + b * x.y + c * x.z + d * x.w;
}

// case mat4mul
kernel void mat4mul(global const float16 *p, global const float16 *q, global float16 *o)
{
    int i = get_global_id(0);
    float a[16], b[16], c[16];
    vstore16(p[i], 0, a);
    vstore16(q[i], 0, b);
    for (int r = 0; r < 4; r++)
        for (int s = 0; s < 4; s++) {
            float t = 0;
            for (int u = 0; u < 4; u++)
                t += a[r * 4 + u] * b[u * 4 + s];
            c[r * 4 + s] = t;
        }
    o[i] = vload16(0, c);
}

// case quat
kernel void quat(global const float4 *p, global const float4 *q, global float4 *o)
{
    int i = get_global_id(0);
    float4 a = p[i], b = q[i];
    o[i] = (float4)(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

// case gray_uchar4
kernel void gray_uchar4(global const uchar4 *p, global uchar *o)
{
    int i = get_global_id(0);
    uchar4 a = p[i];
    o[i] = (a.x * 77 + a.y * 150 + a.z * 29) >> 8;
}

// case gray_uchar3
kernel void gray_uchar3(global const uchar *p, global uchar *o)
{
    int i = get_global_id(0);
    uchar3 a = vload3(i, p);
    o[i] = (a.x * 77 + a.y * 150 + a.z * 29) >> 8;
}

// case blur3_u8
kernel void blur3_u8(global const uchar *p, global uchar *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int s = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int xx = clamp(x + i, 0, w - 1), yy = clamp(y + j, 0, h - 1);
            s += p[yy * w + xx];
        }
    o[y * w + x] = s / 9;
}

// case bilateral
kernel void bilateral(global const float *p, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float c = p[y * w + x], s = 0, n = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int xx = x + i, yy = y + j;
            if (xx < 0 || yy < 0 || xx >= w || yy >= h)
                continue;
            float v = p[yy * w + xx];
            float g = native_exp(-(i * i + j * j) * 0.1f - (v - c) * (v - c) * 4.f);
            s += g * v;
            n += g;
        }
    o[y * w + x] = s / n;
}

// case stencil3d
kernel void stencil3d(global const float *p, global float *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
        return;
    int i = (z * n + y) * n + x;
    o[i] = 0.4f * p[i] +
           0.1f * (p[i - 1] + p[i + 1] + p[i - n] + p[i + n] + p[i - n * n] + p[i + n * n]);
}

// case aos_update
typedef struct {
    float x, y, z, vx, vy, vz, m;
    int id;
} P;
kernel void aos_update(global P *p, float dt)
{
    int i = get_global_id(0);
    P a = p[i];
    a.vz -= 9.8f * dt;
    a.x += a.vx * dt;
    a.y += a.vy * dt;
    a.z += a.vz * dt;
    if (a.z < 0) {
        a.z = -a.z;
        a.vz = -a.vz * 0.5f;
    }
    p[i] = a;
}

// case aos_member
typedef struct {
    float x, y, z, vx, vy, vz, m;
    int id;
} P;
kernel void aos_member(global const P *p, global float *o)
{
    int i = get_global_id(0);
    o[i] = p[i].m * (p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz) * 0.5f;
}

// case soa3
kernel void soa3(global const float3 *p, global float *o)
{
    int i = get_global_id(0);
    o[i] = length(p[i]);
}

// case normalize4
kernel void normalize4(global const float4 *p, global float4 *o)
{
    int i = get_global_id(0);
    o[i] = normalize(p[i]);
}

// case cross_dot
kernel void cross_dot(global const float *p, global const float *q, global float *o)
{
    int i = get_global_id(0);
    float3 a = vload3(i, p), b = vload3(i, q);
    vstore3(cross(a, b) * dot(a, b), i, o);
}

// case dgemm_naive
kernel void dgemm_naive(global const double *a, global const double *b, global double *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[y * n + i] * b[i * n + x];
    c[y * n + x] = s;
}

// case gemm_nt
kernel void gemm_nt(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[y * n + i] * b[x * n + i];
    c[y * n + x] = s;
}

// case gemv_rows
kernel void gemv_rows(global const float *a, global const float *x, global float *o, int n)
{
    int r = get_global_id(0);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[r * n + i] * x[i];
    o[r] = s;
}

// case gemv_cols
kernel void gemv_cols(global const float *a, global const float *x, global float *o, int n, int m)
{
    int r = get_global_id(0);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i * m + r] * x[i];
    o[r] = s;
}

// case gemm_local
kernel void gemm_local(global const float *a, global const float *b, global float *c, int n)
{
    local float p[16][17], q[16][17];
    int x = get_local_id(0), y = get_local_id(1), X = get_global_id(0), Y = get_global_id(1);
    float s = 0;
    for (int t = 0; t < n; t += 16) {
        p[y][x] = a[Y * n + t + x];
        q[y][x] = b[(t + y) * n + X];
        barrier(1);
        for (int i = 0; i < 16; i++)
            s += p[y][i] * q[i][x];
        barrier(1);
    }
    c[Y * n + X] = s;
}

// case int8gemm
kernel void int8gemm(global const char4 *a, global const char4 *b, global int *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int s = 0;
    for (int i = 0; i < n / 4; i++) {
        char4 p = a[y * (n / 4) + i], q = b[x * (n / 4) + i];
        s += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    c[y * n + x] = s;
}

// case softmax_row
kernel void softmax_row(global const float *a, global float *o, int n)
{
    int r = get_global_id(0);
    float m = -1e30f;
    for (int i = 0; i < n; i++)
        m = fmax(m, a[r * n + i]);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += exp(a[r * n + i] - m);
    for (int i = 0; i < n; i++)
        o[r * n + i] = exp(a[r * n + i] - m) / s;
}

// case layernorm_wg
kernel void layernorm_wg(global const float *a, global float *o, int n)
{
    int r = get_group_id(0), l = get_local_id(0);
    float s = 0, q = 0;
    for (int i = l; i < n; i += 64) {
        float v = a[r * n + i];
        s += v;
        q += v * v;
    }
    s = work_group_reduce_add(s);
    q = work_group_reduce_add(q);
    float m = s / n, d = rsqrt(q / n - m * m + 1e-5f);
    for (int i = l; i < n; i += 64)
        o[r * n + i] = (a[r * n + i] - m) * d;
}

// case lut_const
constant float T[16] = {0.1f, 0.5f, 0.9f, 1.2f, 3.f,  4.f,  5.f,  6.f,
                        7.f,  8.f,  9.f,  10.f, 11.f, 12.f, 13.f, 14.f};
kernel void lut_const(global const uchar *p, global float *o)
{
    int i = get_global_id(0);
    o[i] = T[p[i] & 15] + T[p[i] >> 4];
}

// case lut_global
kernel void lut_global(global const uchar *p, global const float *t, global float *o)
{
    int i = get_global_id(0);
    o[i] = t[p[i]];
}

// case hist_local
kernel void hist_local(global const uchar *p, global uint *h, int n)
{
    local uint l[256];
    int t = get_local_id(0);
    l[t] = 0;
    barrier(1);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&l[p[i]]);
    barrier(1);
    atomic_add(&h[t], l[t]);
}

// case compact
kernel void compact(global const int *p, global int *c, global int *o)
{
    int i = get_global_id(0);
    int v = p[i];
    if ((v & 7) == 3) {
        int s = atomic_inc(c);
        o[s & 1023] = 1;
    }
}

// case ell_spmv
kernel void ell_spmv(global const float *v, global const int *c, global const float *x,
                     global float *y, int n)
{
    int r = get_global_id(0);
    float s = 0;
    for (int j = 0; j < 16; j++)
        s += v[j * n + r] * x[c[j * n + r]];
    y[r] = s;
}

// case gcd
kernel void gcd(global const uint *a, global const uint *b, global uint *o)
{
    int i = get_global_id(0);
    uint x = a[i], y = b[i];
    while (y) {
        uint t = x % y;
        x = y;
        y = t;
    }
    o[i] = x;
}

// case modpow
kernel void modpow(global const ulong *a, global ulong *o, ulong m)
{
    int i = get_global_id(0);
    ulong b = a[i] % m, r = 1;
    uint e = 65537;
    while (e) {
        if (e & 1)
            r = r * b % m;
        b = b * b % m;
        e >>= 1;
    }
    o[i] = r;
}

// case collatz32
kernel void collatz32(global uint *o)
{
    uint n = get_global_id(0) + 1, c = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        c++;
    }
    o[get_global_id(0)] = c;
}

// case sieve
kernel void sieve(global uint *o)
{
    uint n = get_global_id(0) + 2;
    uint p = 1;
    for (uint d = 2; d * d <= n; d++)
        if (n % d == 0) {
            p = 0;
            break;
        }
    o[get_global_id(0)] = p;
}

// case popc_rev
kernel void popc_rev(global const uint *a, global uint *o)
{
    int i = get_global_id(0);
    uint v = a[i];
    uint r = 0;
    for (int j = 0; j < 32; j++) {
        r = (r << 1) | (v & 1);
        v >>= 1;
    }
    o[i] = r ^ popcount(a[i]) ^ clz(a[i]);
}

// case insertsort
kernel void insertsort(global const int *a, global int *o)
{
    int i = get_global_id(0);
    int v[16];
    for (int j = 0; j < 16; j++)
        v[j] = a[i * 16 + j];
    for (int j = 1; j < 16; j++) {
        int x = v[j], q = j - 1;
        while (q >= 0 && v[q] > x) {
            v[q + 1] = v[q];
            q--;
        }
        v[q + 1] = x;
    }
    for (int j = 0; j < 16; j++)
        o[i * 16 + j] = v[j];
}

// case sortnet8
#define S(i, j)                  \
    {                            \
        int t = min(v[i], v[j]); \
        v[j] = max(v[i], v[j]);  \
        v[i] = t;                \
    }
kernel void sortnet8(global const int *a, global int *o)
{
    int i = get_global_id(0);
    int v[8];
    for (int j = 0; j < 8; j++)
        v[j] = a[i * 8 + j];
    S(0, 1)
    S(2, 3)
    S(4, 5) S(6, 7) S(0, 2) S(1, 3) S(4, 6) S(5, 7) S(1, 2) S(5, 6) S(0, 4) S(3, 7) S(1, 5) S(2, 6)
        S(1, 4) S(3, 6) S(2, 4) S(3, 5) S(3, 4) for (int j = 0; j < 8; j++) o[i * 8 + j] = v[j];
}

// case treewalk
kernel void treewalk(global const int *key, global const float *q, global int *o, int n)
{
    int i = get_global_id(0);
    int t = (int)(q[i] * 1e9f);
    int at = 0;
    while (at < n) {
        if (key[at] == t)
            break;
        at = 2 * at + (t < key[at] ? 1 : 2);
    }
    o[i] = at;
}

// case stackwalk
kernel void stackwalk(global const float *b, global const float *q, global int *o, int n)
{
    int i = get_global_id(0);
    int st[24], sp = 0, hit = 0;
    st[sp++] = 0;
    float x = q[i];
    while (sp > 0) {
        int a = st[--sp];
        if (a >= n)
            continue;
        float lo = b[a] * 0.9f, hi = lo + 0.3f;
        if (x >= lo && x < hi) {
            hit++;
            st[sp++] = 2 * a + 1;
            if (sp < 23)
                st[sp++] = 2 * a + 2;
        }
    }
    o[i] = hit;
}

// case perlin
float fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}
float g(int h, float x, float y)
{
    h &= 3;
    float u = h & 1 ? -x : x, v = h & 2 ? -y : y;
    return u + v;
}
kernel void perlin(global const int *p, global float *o, int w)
{
    int X = get_global_id(0), Y = get_global_id(1);
    float x = X * 0.037f, y = Y * 0.041f, s = 0, a = 1;
    for (int c = 0; c < 4; c++) {
        int xi = (int)floor(x), yi = (int)floor(y);
        float fx = x - xi, fy = y - yi;
        float u = fade(fx), v = fade(fy);
        int A = p[xi & 255] + yi, B = p[(xi + 1) & 255] + yi;
        s += a * mix(mix(g(p[A & 255], fx, fy), g(p[B & 255], fx - 1, fy), u),
                     mix(g(p[(A + 1) & 255], fx, fy - 1), g(p[(B + 1) & 255], fx - 1, fy - 1), u),
                     v);
        x *= 2;
        y *= 2;
        a *= 0.5f;
    }
    o[Y * w + X] = s;
}

// case julia_double
kernel void julia_double(global int *o, int w)
{
    int X = get_global_id(0), Y = get_global_id(1);
    double x = X * 3.0 / w - 1.5, y = Y * 2.0 / w - 1.0;
    int i = 0;
    while (i < 100 && x * x + y * y < 4) {
        double t = x * x - y * y - 0.7;
        y = 2 * x * y + 0.27;
        x = t;
        i++;
    }
    o[Y * w + X] = i;
}

// case mc_pi
kernel void mc_pi(global uint *o)
{
    uint s = get_global_id(0) * 2654435761u + 12345u, h = 0;
    for (int i = 0; i < 200; i++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        float x = (s >> 8) * 5.96e-8f;
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        float y = (s >> 8) * 5.96e-8f;
        h += (x * x + y * y < 1);
    }
    o[get_global_id(0)] = h;
}

// case lcg64
kernel void lcg64(global ulong *o)
{
    ulong s = get_global_id(0) + 1;
    for (int i = 0; i < 100; i++)
        s = s * 6364136223846793005UL + 1442695040888963407UL;
    o[get_global_id(0)] = s >> 11;
}

// case fnv_bytes
kernel void fnv_bytes(global const uchar *p, global uint *o)
{
    int i = get_global_id(0);
    uint h = 2166136261u;
    for (int j = 0; j < 64; j++) {
        h ^= p[i * 64 + j];
        h *= 16777619u;
    }
    o[i] = h;
}

// case base64
constant char T[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void base64(global const uchar *p, global char4 *o)
{
    int i = get_global_id(0);
    uint v = p[3 * i] << 16 | p[3 * i + 1] << 8 | p[3 * i + 2];
    o[i] = (char4)(T[v >> 18], T[(v >> 12) & 63], T[(v >> 6) & 63], T[v & 63]);
}

// case transp_naive
kernel void transp_naive(global const float *a, global float *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * n + y] = a[y * n + x];
}

// case fp16conv
kernel void fp16conv(global const float *a, global half *o)
{
    int i = get_global_id(0);
    vstore_half(a[i], i, o);
}

// case half_poly
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_poly(global const half *a, global half *o)
{
    int i = get_global_id(0);
    half x = a[i], r = (half)1;
    for (int j = 0; j < 16; j++)
        r = r * x + (half)0.5;
    o[i] = r;
}

// case short_sat
kernel void short_sat(global const short *a, global const short *b, global short *o)
{
    int i = get_global_id(0);
    o[i] = sub_sat(add_sat(a[i], b[i]), (short)100);
}

// case uchar_blend
kernel void uchar_blend(global const uchar4 *a, global const uchar4 *b, global uchar4 *o)
{
    int i = get_global_id(0);
    uchar4 p = a[i], q = b[i];
    uint4 x = convert_uint4(p) * (uint)q.w + convert_uint4(q) * (uint)(255 - q.w);
    o[i] = convert_uchar4(x >> 8);
}

// case conv_sat
kernel void conv_sat(global const float4 *a, global uchar4 *o)
{
    int i = get_global_id(0);
    o[i] = convert_uchar4_sat_rte(a[i] * 300.f - 20.f);
}

// case yuv
kernel void yuv(global const uchar *y, global const uchar *u, global const uchar *v,
                global uchar4 *o, int w)
{
    int X = get_global_id(0), Y = get_global_id(1);
    float a = y[Y * w + X], b = u[(Y / 2) * (w / 2) + X / 2] - 128.f,
          c = v[(Y / 2) * (w / 2) + X / 2] - 128.f;
    o[Y * w + X] = convert_uchar4_sat(
        (float4)(a + 1.402f * c, a - 0.344f * b - 0.714f * c, a + 1.772f * b, 255.f));
}

// case lbm_like
kernel void lbm_like(global const float *f, global float *g, int n)
{
    int i = get_global_id(0);
    float a[9], r = 0;
    for (int q = 0; q < 9; q++) {
        a[q] = f[q * n + i];
        r += a[q];
    }
    float ux = (a[1] + a[5] + a[8] - a[3] - a[6] - a[7]) / r,
          uy = (a[2] + a[5] + a[6] - a[4] - a[7] - a[8]) / r;
    const float w[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                        1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float uu = 1.5f * (ux * ux + uy * uy);
    for (int q = 0; q < 9; q++) {
        float cu = 3 * (cx[q] * ux + cy[q] * uy);
        g[q * n + i] = a[q] - 0.6f * (a[q] - w[q] * r * (1 + cu + 0.5f * cu * cu - uu));
    }
}

// case knn
kernel void knn(global const float2 *p, global const float2 *q, global int *o, int n)
{
    int i = get_global_id(0);
    float2 a = q[i];
    float b = 1e30f;
    int at = -1;
    for (int j = 0; j < n; j++) {
        float2 d = p[j] - a;
        float e = dot(d, d);
        if (e < b) {
            b = e;
            at = j;
        }
    }
    o[i] = at;
}

// case dp_lcs
kernel void dp_lcs(global const uchar *a, global const uchar *b, global int *o)
{
    int i = get_global_id(0);
    int r[17];
    for (int j = 0; j <= 16; j++)
        r[j] = 0;
    for (int y = 0; y < 16; y++) {
        int d = 0;
        for (int x = 1; x <= 16; x++) {
            int t = r[x];
            r[x] = a[i * 16 + y] == b[i * 16 + x - 1] ? d + 1 : max(r[x], r[x - 1]);
            d = t;
        }
    }
    o[i] = r[16];
}

// case sg_scan
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_scan(global const int *a, global int *o)
{
    int i = get_global_id(0);
    o[i] = sub_group_scan_inclusive_add(a[i]) + sub_group_reduce_max(a[i]);
}

// case wg_reduce_tree
kernel void wg_reduce_tree(global const float *a, global float *o)
{
    local float s[256];
    int l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    for (int d = 128; d > 0; d >>= 1) {
        barrier(1);
        if (l < d)
            s[l] += s[l + d];
    }
    if (l == 0)
        o[get_group_id(0)] = s[0];
}

// case fft4
kernel void fft4(global float2 *a, int n)
{
    int i = get_global_id(0);
    float2 x = a[i], y = a[i + n], z = a[i + 2 * n], w = a[i + 3 * n];
    float2 p = x + z, q = x - z, r = y + w, s = (float2)(y.y - w.y, w.x - y.x);
    a[i] = p + r;
    a[i + n] = q + s;
    a[i + 2 * n] = p - r;
    a[i + 3 * n] = q - s;
}

// case cplx_mandel
kernel void cplx_mandel(global int *o, int w)
{
    int X = get_global_id(0), Y = get_global_id(1);
    float2 c = (float2)(X * 3.f / w - 2.f, Y * 2.f / w - 1.f), z = 0;
    int i;
    for (i = 0; i < 128; i++) {
        z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
        if (dot(z, z) > 4)
            break;
    }
    o[Y * w + X] = i;
}

// case switchy
kernel void switchy(global const int *a, global int *o)
{
    int i = get_global_id(0);
    int v = a[i], acc = 0;
    for (int j = 0; j < 16; j++) {
        switch ((v >> j) & 7) {
        case 0: acc += v; break;
        case 1: acc ^= j; break;
        case 2: acc *= 3; break;
        case 3: acc -= 7;
        case 4: acc |= 1; break;
        case 5: acc = ~acc; break;
        default: acc >>= 1;
        }
    }
    o[i] = acc;
}

// case strided_sum
kernel void strided_sum(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < 8; j++)
        s += a[i * 8 + j];
    o[i] = s;
}

// case gather2d
kernel void gather2d(global const float *a, global float *o, int w, int h, float c, float s)
{
    int x = get_global_id(0), y = get_global_id(1);
    float u = c * (x - w / 2) - s * (y - h / 2) + w / 2,
          v = s * (x - w / 2) + c * (y - h / 2) + h / 2;
    int ix = (int)floor(u), iy = (int)floor(v);
    float r = 0;
    if (ix >= 0 && iy >= 0 && ix < w - 1 && iy < h - 1) {
        float fx = u - ix, fy = v - iy;
        r = mix(mix(a[iy * w + ix], a[iy * w + ix + 1], fx),
                mix(a[(iy + 1) * w + ix], a[(iy + 1) * w + ix + 1], fx), fy);
    }
    o[y * w + x] = r;
}

// case axpby_d
kernel void axpby_d(global const double *a, global double *o, double s)
{
    int i = get_global_id(0);
    o[i] = fma(s, a[i], o[i]);
}

// case div_int
kernel void div_int(global const int *a, global const int *b, global int *o)
{
    int i = get_global_id(0);
    o[i] = a[i] / (b[i] | 1) + a[i] % 10;
}

// case long_arith
kernel void long_arith(global const long *a, global const long *b, global long *o)
{
    int i = get_global_id(0);
    o[i] = mul_hi(a[i], b[i]) + (a[i] * b[i] >> 7) + max(a[i], b[i]) + abs(a[i] - b[i]);
}

// case conv_const
kernel void conv_const(global const float *p, constant float *f, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) {
            int xx = x + i - 2, yy = y + j - 2;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h)
                s += p[yy * w + xx] * f[j * 5 + i];
        }
    o[y * w + x] = s;
}

// case dilate_u8
kernel void dilate_u8(global const uchar *p, global uchar *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar m = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int xx = x + i, yy = y + j;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h)
                m = max(m, p[yy * w + xx]);
        }
    o[y * w + x] = m;
}

// case rowscan
kernel void rowscan(global const float *p, global float *o, int w)
{
    int y = get_global_id(0);
    float s = 0;
    for (int x = 0; x < w; x++) {
        s += p[y * w + x];
        o[y * w + x] = s;
    }
}

// case colscan
kernel void colscan(global const float *p, global float *o, int w, int h)
{
    int x = get_global_id(0);
    float s = 0;
    for (int y = 0; y < h; y++) {
        s += p[y * w + x];
        o[y * w + x] = s;
    }
}

// case bitonic_g
kernel void bitonic_g(global uint *a, int j, int kk)
{
    uint i = get_global_id(0);
    uint x = i ^ j;
    if (x > i) {
        uint p = a[i], q = a[x];
        bool up = (i & kk) == 0;
        if ((p > q) == up) {
            a[i] = q;
            a[x] = p;
        }
    }
}

// case inv3
kernel void inv3(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float m[9];
    for (int j = 0; j < 9; j++)
        m[j] = a[i * 9 + j];
    float d = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
              m[2] * (m[3] * m[7] - m[4] * m[6]);
    float r = 1.f / (d + 2.f);
    o[i * 9] = (m[4] * m[8] - m[5] * m[7]) * r;
    o[i * 9 + 1] = (m[2] * m[7] - m[1] * m[8]) * r;
    o[i * 9 + 2] = (m[1] * m[5] - m[2] * m[4]) * r;
    o[i * 9 + 3] = (m[5] * m[6] - m[3] * m[8]) * r;
    o[i * 9 + 4] = (m[0] * m[8] - m[2] * m[6]) * r;
    o[i * 9 + 5] = (m[2] * m[3] - m[0] * m[5]) * r;
    o[i * 9 + 6] = (m[3] * m[7] - m[4] * m[6]) * r;
    o[i * 9 + 7] = (m[1] * m[6] - m[0] * m[7]) * r;
    o[i * 9 + 8] = (m[0] * m[4] - m[1] * m[3]) * r;
}

// case lu4
kernel void lu4(global const float *a, global float *o)
{
    int t = get_global_id(0);
    float m[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = a[t * 16 + i * 4 + j] + (i == j ? 4 : 0);
    for (int p = 0; p < 4; p++)
        for (int i = p + 1; i < 4; i++) {
            float f = m[i][p] / m[p][p];
            m[i][p] = f;
            for (int j = p + 1; j < 4; j++)
                m[i][j] -= f * m[p][j];
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            o[t * 16 + i * 4 + j] = m[i][j];
}

// case horner_d
kernel void horner_d(global const double *a, global double *o)
{
    int i = get_global_id(0);
    double x = a[i], r = 1;
    for (int j = 0; j < 32; j++)
        r = r * x + j;
    o[i] = r;
}

// case newton
kernel void newton(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float v = a[i] * 100 + 1, x = v;
    for (int j = 0; j < 50; j++) {
        float y = 0.5f * (x + v / x);
        if (fabs(y - x) < 1e-6f * x)
            break;
        x = y;
    }
    o[i] = x;
}

// case rk4
float f(float t, float y)
{
    return -2.f * y + sin(t);
}
kernel void rk4(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float y = a[i], t = 0, h = 0.01f;
    for (int j = 0; j < 50; j++) {
        float p = f(t, y), q = f(t + h / 2, y + h / 2 * p), r = f(t + h / 2, y + h / 2 * q),
              s = f(t + h, y + h * r);
        y += h / 6 * (p + 2 * q + 2 * r + s);
        t += h;
    }
    o[i] = y;
}

// case boxmuller
kernel void boxmuller(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float u = a[2 * i] + 1e-7f, v = a[2 * i + 1];
    float r = sqrt(-2 * log(u));
    o[2 * i] = r * cos(6.2831853f * v);
    o[2 * i + 1] = r * sin(6.2831853f * v);
}

// case bs_double
double cnd(double d)
{
    return 0.5 * erfc(-d * 0.70710678118654752);
}
kernel void bs_double(global const double *s, global double *o)
{
    int i = get_global_id(0);
    double S = s[i] * 50 + 10, K = 40, T = 1.5, R = 0.02, V = 0.3;
    double q = sqrt(T);
    double d1 = (log(S / K) + (R + 0.5 * V * V) * T) / (V * q), d2 = d1 - V * q;
    o[i] = S * cnd(d1) - K * exp(-R * T) * cnd(d2);
}

// case csr
kernel void csr(global const int *rp, global const int *c, global const float *v,
                global const float *x, global float *y)
{
    int r = get_global_id(0);
    float s = 0;
    for (int j = rp[r]; j < rp[r + 1]; j++)
        s += v[j] * x[c[j]];
    y[r] = s;
}

// case words
kernel void words(global const uchar *p, global int *o)
{
    int i = get_global_id(0);
    int n = 0;
    bool in = false;
    for (int j = 0; j < 64; j++) {
        uchar c = p[i * 64 + j] & 63;
        bool a = c > 40;
        n += a && !in;
        in = a;
    }
    o[i] = n;
}

// case hexenc
kernel void hexenc(global const uchar *p, global uchar2 *o)
{
    int i = get_global_id(0);
    uchar c = p[i];
    uchar a = c >> 4, b = c & 15;
    o[i] = (uchar2)(a < 10 ? '0' + a : 'a' + a - 10, b < 10 ? '0' + b : 'a' + b - 10);
}

// case crctab
kernel void crctab(global const uchar *p, constant uint *t, global uint *o)
{
    int i = get_global_id(0);
    uint c = ~0u;
    for (int j = 0; j < 32; j++)
        c = t[(c ^ p[i * 32 + j]) & 255] ^ (c >> 8);
    o[i] = ~c;
}

// case xx64
kernel void xx64(global const ulong *p, global ulong *o)
{
    int i = get_global_id(0);
    ulong h = 0x27D4EB2F165667C5UL;
    for (int j = 0; j < 8; j++) {
        ulong v = p[i * 8 + j] * 0xC2B2AE3D27D4EB4FUL;
        v = rotate(v, 31UL) * 0x9E3779B185EBCA87UL;
        h ^= v;
        h = rotate(h, 27UL) * 0x9E3779B185EBCA87UL + 0x85EBCA77C2B2AE63UL;
    }
    h ^= h >> 33;
    o[i] = h;
}

// case sha1ish
kernel void sha1ish(global const uint *p, global uint *o)
{
    int g = get_global_id(0);
    uint w[16];
    for (int i = 0; i < 16; i++)
        w[i] = p[g * 16 + i];
    uint a = 1, b = 2, c = 3, d = 4, e = 5;
    for (int t = 0; t < 80; t++) {
        if (t >= 16) {
            uint x = w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ w[t & 15];
            w[t & 15] = rotate(x, 1u);
        }
        uint f = t < 20   ? (b & c) | (~b & d)
                 : t < 40 ? b ^ c ^ d
                 : t < 60 ? (b & c) | (b & d) | (c & d)
                          : b ^ c ^ d;
        uint z = rotate(a, 5u) + f + e + w[t & 15] + 0x5A827999u;
        e = d;
        d = c;
        c = rotate(b, 30u);
        b = a;
        a = z;
    }
    o[g] = a ^ b ^ c ^ d ^ e;
}

// case chacha
#define Q(a, b, c, d)                \
    x[a] += x[b];                    \
    x[d] = rotate(x[d] ^ x[a], 16u); \
    x[c] += x[d];                    \
    x[b] = rotate(x[b] ^ x[c], 12u); \
    x[a] += x[b];                    \
    x[d] = rotate(x[d] ^ x[a], 8u);  \
    x[c] += x[d];                    \
    x[b] = rotate(x[b] ^ x[c], 7u);
kernel void chacha(global uint *o)
{
    uint g = get_global_id(0);
    uint x[16], s[16];
    for (int i = 0; i < 16; i++)
        s[i] = x[i] = i * 0x9E3779B9u + (i == 12 ? g : 0);
    for (int r = 0; r < 10; r++) {
        Q(0, 4, 8, 12)
        Q(1, 5, 9, 13)
        Q(2, 6, 10, 14) Q(3, 7, 11, 15) Q(0, 5, 10, 15) Q(1, 6, 11, 12) Q(2, 7, 8, 13)
            Q(3, 4, 9, 14)
    }
    for (int i = 0; i < 16; i++)
        o[g * 16 + i] = x[i] + s[i];
}

// case rc4
kernel void rc4(global const uchar *key, global uchar *o)
{
    int g = get_global_id(0);
    uchar s[256];
    for (int i = 0; i < 256; i++)
        s[i] = i;
    uchar j = 0;
    for (int i = 0; i < 256; i++) {
        j += s[i] + key[(g + i) & 255];
        uchar t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
    uchar a = 0, b = 0;
    for (int n = 0; n < 16; n++) {
        a++;
        b += s[a];
        uchar t = s[a];
        s[a] = s[b];
        s[b] = t;
        o[g * 16 + n] = s[(uchar)(s[a] + s[b])];
    }
}

// case nbody_tile
kernel void nbody_tile(global const float4 *p, global float4 *o, int n)
{
    local float4 t[64];
    int i = get_global_id(0), l = get_local_id(0);
    float4 a = p[i];
    float3 f = 0;
    for (int b = 0; b < n; b += 64) {
        t[l] = p[b + l];
        barrier(1);
        for (int j = 0; j < 64; j++) {
            float3 d = t[j].xyz - a.xyz;
            float r = rsqrt(dot(d, d) + 0.01f);
            f += d * (t[j].w * r * r * r);
        }
        barrier(1);
    }
    o[i] = (float4)(f, 0);
}

// case md_cut
kernel void md_cut(global const float4 *p, global const int *nb, global float4 *o)
{
    int i = get_global_id(0);
    float4 a = p[i];
    float3 f = 0;
    for (int j = 0; j < 32; j++) {
        int q = nb[i * 32 + j];
        float3 d = p[q].xyz - a.xyz;
        float r2 = dot(d, d);
        if (r2 < 0.25f) {
            float r6 = 1.f / (r2 * r2 * r2 + 1e-3f);
            f += d * r6 * (r6 - 0.5f);
        }
    }
    o[i] = (float4)(f, 0);
}

// case spheres
typedef struct {
    float x, y, z, r;
} Sp;
kernel void spheres(constant Sp *s, global float *o, int w, int n)
{
    int X = get_global_id(0), Y = get_global_id(1);
    float dx = X * 2.f / w - 1, dy = Y * 2.f / w - 1, dz = 1;
    float il = rsqrt(dx * dx + dy * dy + 1);
    dx *= il;
    dy *= il;
    dz *= il;
    float best = 1e9f;
    for (int i = 0; i < n; i++) {
        float cx = s[i].x - 0.5f, cy = s[i].y - 0.5f, cz = s[i].z + 2;
        float b = cx * dx + cy * dy + cz * dz;
        float q = b * b - (cx * cx + cy * cy + cz * cz) + s[i].r * s[i].r * 0.1f;
        if (q > 0) {
            float t = b - sqrt(q);
            if (t > 0 && t < best)
                best = t;
        }
    }
    o[Y * w + X] = best;
}

// case rot_near
kernel void rot_near(global const uchar4 *a, global uchar4 *o, int w, int h, float c, float s)
{
    int x = get_global_id(0), y = get_global_id(1);
    int u = (int)(c * (x - w / 2) - s * (y - h / 2)) + w / 2,
        v = (int)(s * (x - w / 2) + c * (y - h / 2)) + h / 2;
    uchar4 r = 0;
    if (u >= 0 && v >= 0 && u < w && v < h)
        r = a[v * w + u];
    o[y * w + x] = r;
}

// case tonemap
kernel void tonemap(global const float4 *a, global uchar4 *o)
{
    int i = get_global_id(0);
    float4 c = a[i] * 4.f;
    c = c / (1.f + c);
    c = pow(c, (float4)(0.4545f));
    o[i] = convert_uchar4_sat(c * 255.f);
}

// case hsv
kernel void hsv(global const float4 *a, global float4 *o)
{
    int i = get_global_id(0);
    float4 c = a[i];
    float M = max(c.x, max(c.y, c.z)), m = min(c.x, min(c.y, c.z)), d = M - m, h = 0;
    if (d > 0) {
        if (M == c.x)
            h = (c.y - c.z) / d;
        else if (M == c.y)
            h = 2 + (c.z - c.x) / d;
        else
            h = 4 + (c.x - c.y) / d;
        h /= 6;
        if (h < 0)
            h += 1;
    }
    o[i] = (float4)(h, M > 0 ? d / M : 0, M, c.w);
}

// case fft_stage
kernel void fft_stage(global float2 *a, int half_, int n)
{
    int i = get_global_id(0);
    int j = (i / half_) * half_ * 2 + i % half_;
    float ang = -3.14159265f * (i % half_) / half_;
    float2 w = (float2)(cos(ang), sin(ang));
    float2 x = a[j], y = a[j + half_];
    y = (float2)(y.x * w.x - y.y * w.y, y.x * w.y + y.y * w.x);
    a[j] = x + y;
    a[j + half_] = x - y;
}

// case dct_local
kernel void dct_local(global const float *a, constant float *c, global float *o, int w)
{
    local float t[8][8], u[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    int g = (get_group_id(1) * 8 + y) * w + get_group_id(0) * 8 + x;
    t[y][x] = a[g];
    barrier(1);
    float s = 0;
    for (int i = 0; i < 8; i++)
        s += c[y * 8 + i] * t[i][x];
    u[y][x] = s;
    barrier(1);
    s = 0;
    for (int i = 0; i < 8; i++)
        s += u[y][i] * c[x * 8 + i];
    o[g] = s;
}

// case redblack
kernel void redblack(global float *a, int w, int c)
{
    int x = get_global_id(0), y = get_global_id(1);
    int i = (y + 1) * w + 2 * x + 1 + ((y + c) & 1);
    a[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
}

// case life_bits
kernel void life_bits(global const uint *a, global uint *o, int w)
{
    int i = get_global_id(0) + w;
    uint u = a[i - w], m = a[i], d = a[i + w];
    uint n[8] = {u << 1, u, u >> 1, m << 1, m >> 1, d << 1, d, d >> 1};
    uint s0 = 0, s1 = 0, s2 = 0;
    for (int k = 0; k < 8; k++) {
        uint c = s0 & n[k];
        s0 ^= n[k];
        uint e = s1 & c;
        s1 ^= c;
        s2 |= e;
    }
    o[i] = ~s2 & s1 & (s0 | m);
}

// case bnn
kernel void bnn(global const uint *a, global const uint *b, global int *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += popcount(a[y * n + i] ^ b[i * 256 + x]);
    o[y * 256 + x] = s;
}

// case reverse
kernel void reverse(global const float *a, global float *o, int n)
{
    int i = get_global_id(0);
    o[n - 1 - i] = a[i];
}

// case deint
kernel void deint(global const short *a, global short *l, global short *r)
{
    int i = get_global_id(0);
    l[i] = a[2 * i];
    r[i] = a[2 * i + 1];
}

// case gather_f4
kernel void gather_f4(global const float4 *a, global const int *x, global float4 *o)
{
    int i = get_global_id(0);
    o[i] = a[x[i]] * 2.f;
}

// case atomic_fmax
kernel void atomic_fmax(global const float *a, global volatile uint *o)
{
    int i = get_global_id(0);
    uint v = as_uint(a[i]);
    if (v > o[0])
        atomic_max(&o[0], v);
}

// case bigadd
kernel void bigadd(global const ulong *a, global const ulong *b, global ulong *o)
{
    int g = get_global_id(0);
    ulong c = 0;
    for (int i = 0; i < 8; i++) {
        ulong x = a[g * 8 + i], y = b[g * 8 + i];
        ulong s = x + y;
        ulong t = s + c;
        c = (s < x) | (t < s);
        o[g * 8 + i] = t;
    }
}

// case half_dot
kernel void half_dot(global const half *a, global const half *b, global float *o)
{
    int g = get_global_id(0);
    float s = 0;
    for (int i = 0; i < 16; i++)
        s += vload_half(i * 4096 + g, a) * vload_half(i * 4096 + g, b);
    o[g] = s;
}

// case async_tile
kernel void async_tile(global const float *a, global float *o)
{
    local float t[256];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 256, 256, 0);
    wait_group_events(1, &e);
    int l = get_local_id(0);
    o[get_global_id(0)] = t[l] + t[255 - l];
}

// case blelloch
kernel void blelloch(global const int *a, global int *o)
{
    local int t[512];
    int l = get_local_id(0), g = get_group_id(0) * 512;
    t[2 * l] = a[g + 2 * l];
    t[2 * l + 1] = a[g + 2 * l + 1];
    int s = 1;
    for (int d = 256; d > 0; d >>= 1) {
        barrier(1);
        if (l < d) {
            t[s * (2 * l + 2) - 1] += t[s * (2 * l + 1) - 1];
        }
        s *= 2;
    }
    if (l == 0)
        t[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        s >>= 1;
        barrier(1);
        if (l < d) {
            int i = s * (2 * l + 1) - 1, j = s * (2 * l + 2) - 1;
            int v = t[i];
            t[i] = t[j];
            t[j] += v;
        }
    }
    barrier(1);
    o[g + 2 * l] = t[2 * l];
    o[g + 2 * l + 1] = t[2 * l + 1];
}

// case oddeven
kernel void oddeven(global int *a)
{
    local int t[64];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    for (int p = 0; p < 64; p++) {
        barrier(1);
        int i = l;
        if ((i & 1) == (p & 1) && i < 63) {
            int x = t[i], y = t[i + 1];
            if (x > y) {
                t[i] = y;
                t[i + 1] = x;
            }
        }
    }
    barrier(1);
    a[get_global_id(0)] = t[l];
}

// case fib_mat
kernel void fib_mat(global ulong *o)
{
    ulong n = get_global_id(0), m = 1000000007UL;
    ulong a = 1, b = 1, c = 1, d = 0, p = 1, q = 0, r = 0, s = 1;
    while (n) {
        if (n & 1) {
            ulong t = (p * a + q * c) % m, u = (p * b + q * d) % m, v = (r * a + s * c) % m,
                  w = (r * b + s * d) % m;
            p = t;
            q = u;
            r = v;
            s = w;
        }
        ulong t = (a * a + b * c) % m, u = (a * b + b * d) % m, v = (c * a + d * c) % m,
              w = (c * b + d * d) % m;
        a = t;
        b = u;
        c = v;
        d = w;
        n >>= 1;
    }
    o[get_global_id(0)] = q;
}

// case heapsel
kernel void heapsel(global const float *a, global float *o)
{
    int g = get_global_id(0);
    float h[8];
    for (int i = 0; i < 8; i++)
        h[i] = 1e30f;
    for (int j = 0; j < 64; j++) {
        float v = a[g * 64 + j];
        if (v < h[7]) {
            int p = 7;
            while (p > 0 && h[p - 1] > v) {
                h[p] = h[p - 1];
                p--;
            }
            h[p] = v;
        }
    }
    for (int i = 0; i < 8; i++)
        o[g * 8 + i] = h[i];
}

// case sincos_d
kernel void sincos_d(global const double *a, global double *o)
{
    int i = get_global_id(0);
    double c;
    double s = sincos(a[i] * 10, &c);
    o[i] = s * c;
}

// case logsumexp
kernel void logsumexp(global const float *a, global float *o, int n)
{
    int r = get_global_id(0);
    float m = -1e30f, s = 0;
    for (int i = 0; i < n; i++) {
        float v = a[i * 4096 + r];
        float M = fmax(m, v);
        s = s * exp(m - M) + exp(v - M);
        m = M;
    }
    o[r] = m + log(s);
}

// case relu_bias
kernel void relu_bias(global const float *a, global const float *b, global float *o, int n)
{
    int i = get_global_id(0);
    o[i] = fmax(a[i] + b[i % n], 0.f);
}

// case maxpool
kernel void maxpool(global const float *a, global float *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const float *p = a + 2 * y * w + 2 * x;
    o[y * (w / 2) + x] = fmax(fmax(p[0], p[1]), fmax(p[w], p[w + 1]));
}

// case im2col
kernel void im2col(global const float *a, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    int i = c % 3 - 1 + x, j = c / 3 - 1 + y;
    o[(c * h + y) * w + x] = (i >= 0 && j >= 0 && i < w && j < h) ? a[j * w + i] : 0;
}

// case argmax_wg
kernel void argmax_wg(global const float *a, global int *o)
{
    local float v[256];
    local int x[256];
    int l = get_local_id(0);
    v[l] = a[get_global_id(0)];
    x[l] = l;
    for (int d = 128; d > 0; d >>= 1) {
        barrier(1);
        if (l < d && v[l + d] > v[l]) {
            v[l] = v[l + d];
            x[l] = x[l + d];
        }
    }
    if (l == 0)
        o[get_group_id(0)] = x[0];
}

// case shorts8
kernel void shorts8(global const short8 *a, global const short8 *b, global short8 *o)
{
    int i = get_global_id(0);
    o[i] = a[i] * b[i] + (short8)(3);
}

// case int16_min
kernel void int16_min(global const int16 *a, global int *o)
{
    int i = get_global_id(0);
    int16 v = a[i];
    int8 w = min(v.lo, v.hi);
    int4 x = min(w.lo, w.hi);
    int2 y = min(x.lo, x.hi);
    o[i] = min(y.x, y.y);
}

// case shuffle_v
kernel void shuffle_v(global const uchar16 *a, global uchar16 *o)
{
    int i = get_global_id(0);
    uchar16 v = a[i];
    o[i] = v.sfedcba9876543210;
}

// case mirror
kernel void mirror(global const uchar4 *p, global uchar4 *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * w + x] = p[y * w + (w - 1 - x)];
}

// case rot90
kernel void rot90(global const uint *p, global uint *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * h + (h - 1 - y)] = p[y * w + x];
}

// case bfs_level
kernel void bfs_level(global const int *start, global const int *edge, global int *level, int now)
{
    int v = get_global_id(0);
    if (level[v] != now)
        return;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (level[edge[e]] < 0)
            level[edge[e]] = now + 1;
}

// case pagerank
kernel void pagerank(global const int *start, global const int *edge, global const float *rank,
                     global const int *degree, global float *o, float d)
{
    int v = get_global_id(0);
    float s = 0;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int u = edge[e];
        s += rank[u] / degree[u];
    }
    o[v] = (1 - d) + d * s;
}

// case radix_count
kernel void radix_count(global const uint *a, global uint *count, int shift, int each)
{
    local uint l[16];
    int t = get_local_id(0), g = get_group_id(0);
    if (t < 16)
        l[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < each; i++)
        atomic_inc(&l[(a[(g * each + i) * get_local_size(0) + t] >> shift) & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16)
        count[t * get_num_groups(0) + g] = l[t];
}

// case odd_reduce
kernel void odd_reduce(global const float *a, global float *o, int n)
{
    local float s[100];
    int t = get_local_id(0), k = get_local_size(0);
    float x = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        x += a[i];
    s[t] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (k > 1) {
        int rest = (k + 1) / 2;
        if (t + rest < k)
            s[t] += s[t + rest];
        barrier(CLK_LOCAL_MEM_FENCE);
        k = rest;
    }
    if (t == 0)
        o[get_group_id(0)] = s[0];
}

// case kmp
kernel void kmp(global const char *text, constant char *pattern, global int *found, int n, int m)
{
    int i = get_global_id(0);
    if (i + m > n)
        return;
    int j = 0;
    while (j < m && text[i + j] == pattern[j])
        j++;
    if (j == m)
        atomic_inc(found);
}

// case utf8_len
kernel void utf8_len(global const uchar *s, global int *o)
{
    int i = get_global_id(0);
    int c = 0;
    for (int j = 0; j < 32; j++)
        c += (s[i * 32 + j] & 0xc0) != 0x80;
    o[i] = c;
}

// case tea
kernel void tea(global uint2 *v, constant uint *k)
{
    int i = get_global_id(0);
    uint a = v[i].x, b = v[i].y, s = 0;
    for (int r = 0; r < 32; r++) {
        s += 0x9e3779b9;
        a += ((b << 4) + k[0]) ^ (b + s) ^ ((b >> 5) + k[1]);
        b += ((a << 4) + k[2]) ^ (a + s) ^ ((a >> 5) + k[3]);
    }
    v[i] = (uint2)(a, b);
}

// case siphash
#define ROUND              \
    v0 += v1;              \
    v1 = rotate(v1, 13UL); \
    v1 ^= v0;              \
    v0 = rotate(v0, 32UL); \
    v2 += v3;              \
    v3 = rotate(v3, 16UL); \
    v3 ^= v2;              \
    v0 += v3;              \
    v3 = rotate(v3, 21UL); \
    v3 ^= v0;              \
    v2 += v1;              \
    v1 = rotate(v1, 17UL); \
    v1 ^= v2;              \
    v2 = rotate(v2, 32UL);
kernel void siphash(global const ulong *m, global ulong *o, ulong k0, ulong k1)
{
    int i = get_global_id(0);
    ulong v0 = k0 ^ 0x736f6d6570736575UL, v1 = k1 ^ 0x646f72616e646f6dUL;
    ulong v2 = k0 ^ 0x6c7967656e657261UL, v3 = k1 ^ 0x7465646279746573UL;
    for (int j = 0; j < 4; j++) {
        ulong x = m[4 * i + j];
        v3 ^= x;
        ROUND ROUND v0 ^= x;
    }
    v2 ^= 0xff;
    ROUND ROUND ROUND ROUND o[i] = v0 ^ v1 ^ v2 ^ v3;
}

// case morton
kernel void morton(global const ushort2 *p, global uint *o)
{
    int i = get_global_id(0);
    uint x = p[i].x, y = p[i].y;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    x = (x | x << 1) & 0x55555555;
    y = (y | y << 8) & 0x00ff00ff;
    y = (y | y << 4) & 0x0f0f0f0f;
    y = (y | y << 2) & 0x33333333;
    y = (y | y << 1) & 0x55555555;
    o[i] = x | y << 1;
}

// case gray_code
kernel void gray_code(global uint *a, int n)
{
    int i = get_global_id(0);
    uint x = a[i];
    for (int s = 1; s < 32; s <<= 1)
        x ^= x >> s;
    a[i] = x;
}

// case sobel_u8
kernel void sobel_u8(global const uchar *p, global uchar *o, int w)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, i = y * w + x;
    int gx =
        p[i - w + 1] + 2 * p[i + 1] + p[i + w + 1] - p[i - w - 1] - 2 * p[i - 1] - p[i + w - 1];
    int gy =
        p[i + w - 1] + 2 * p[i + w] + p[i + w + 1] - p[i - w - 1] - 2 * p[i - w] - p[i - w + 1];
    o[i] = convert_uchar_sat(abs(gx) + abs(gy));
}

// case gauss_row
kernel void gauss_row(global const float4 *p, global float4 *o, constant float *c, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 s = 0;
    for (int k = -3; k <= 3; k++)
        s += p[y * w + clamp(x + k, 0, w - 1)] * c[k + 3];
    o[y * w + x] = s;
}

// case bilinear
kernel void bilinear(global const float *p, global float *o, int w, int h, float s)
{
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
    float u = x * s, v = y * s;
    int i = (int)u, j = (int)v;
    float a = u - i, b = v - j;
    int i1 = min(i + 1, w - 1), j1 = min(j + 1, h - 1);
    float t = p[j * w + i] * (1 - a) + p[j * w + i1] * a;
    float q = p[j1 * w + i] * (1 - a) + p[j1 * w + i1] * a;
    o[y * n + x] = t * (1 - b) + q * b;
}

// case threshold
kernel void threshold(global const uchar *p, global uchar *o, uchar t)
{
    size_t i = get_global_id(0);
    o[i] = p[i] > t ? 255 : 0;
}

// case local_hist3
kernel void local_hist3(global const uchar4 *p, global uint *o, int n)
{
    local uint h[3 * 64];
    int t = get_local_id(0);
    for (int i = t; i < 192; i += get_local_size(0))
        h[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        uchar4 c = p[i];
        atomic_inc(&h[c.x >> 2]);
        atomic_inc(&h[64 + (c.y >> 2)]);
        atomic_inc(&h[128 + (c.z >> 2)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < 192; i += get_local_size(0))
        atomic_add(&o[i], h[i]);
}

// case sycl_index
kernel void sycl_index(global const float *a, global float *o, ulong n0, ulong n1, ulong off)
{
    ulong i = get_global_id(1) + off, j = get_global_id(0);
    if (i >= n0 || j >= n1)
        return;
    ulong id = i * n1 + j;
    o[id] = a[id] * 2.f + a[((i + 1) % n0) * n1 + j];
}

// case linear_3d
kernel void linear_3d(global const float *a, global float *o, int nx, int ny, int nz)
{
    int id = get_global_id(0);
    int z = id / (nx * ny), y = (id / nx) % ny, x = id % nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        o[id] = a[id - 1] + a[id + 1] + a[id - nx] + a[id + nx] + a[id - nx * ny] +
                a[id + nx * ny] - 6 * a[id];
}

// case soa_aos
typedef struct {
    float x, y, z;
} V3;
kernel void soa_aos(global const float *x, global const float *y, global const float *z,
                    global V3 *o)
{
    int i = get_global_id(0);
    V3 v = {x[i], y[i], z[i]};
    o[i] = v;
}

// case aos_dot3
typedef struct {
    float x, y, z;
} V3;
kernel void aos_dot3(global const V3 *a, global const V3 *b, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[i].x * b[i].x + a[i].y * b[i].y + a[i].z * b[i].z;
}

// case short_fir
kernel void short_fir(global const short *x, constant short *c, global short *o)
{
    int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < 16; k++)
        s += x[i + k] * c[k];
    o[i] = s >> 15;
}

// case char_count
kernel void char_count(global const char *s, global uint *o, int n)
{
    int i = get_global_id(0), c = 0;
    for (int j = 0; j < n; j++)
        c += s[j * get_global_size(0) + i] == 'a';
    o[i] = c;
}

// case dmath
kernel void dmath(global const double *x, global double *o)
{
    int i = get_global_id(0);
    double v = x[i];
    o[i] = sqrt(v * v + 1.0) * log(v + 1.0) - exp(-v) / (v + 0.5);
}

// case dquad
kernel void dquad(global double *o, int n)
{
    int i = get_global_id(0);
    double a = i * 0.001, h = 0.001 / n, s = 0;
    for (int k = 0; k < n; k++) {
        double x = a + (k + 0.5) * h;
        s += 4.0 / (1.0 + x * x);
    }
    o[i] = s * h;
}

// case mul128
kernel void mul128(global const ulong *a, global const ulong *b, global ulong2 *o)
{
    int i = get_global_id(0);
    o[i] = (ulong2)(a[i] * b[i], mul_hi(a[i], b[i]));
}

// case ldiv
kernel void ldiv(global const long *a, global const long *b, global long *o)
{
    int i = get_global_id(0);
    o[i] = a[i] / (b[i] | 1) + a[i] % 1000;
}

// case isqrt64
kernel void isqrt64(global const ulong *a, global uint *o)
{
    int i = get_global_id(0);
    ulong x = a[i], r = 0, b = 1UL << 62;
    while (b > x)
        b >>= 2;
    while (b) {
        if (x >= r + b) {
            x -= r + b;
            r = (r >> 1) + b;
        } else
            r >>= 1;
        b >>= 2;
    }
    o[i] = (uint)r;
}

// case prefix_local
kernel void prefix_local(global const int *a, global int *o)
{
    local int s[2][256];
    int t = get_local_id(0), w = 0;
    s[0][t] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d <<= 1) {
        w ^= 1;
        s[w][t] = t >= d ? s[w ^ 1][t] + s[w ^ 1][t - d] : s[w ^ 1][t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[get_global_id(0)] = s[w][t];
}

// case stencil_local
kernel void stencil_local(global const float *a, global float *o, int n)
{
    local float s[256 + 8];
    int t = get_local_id(0), i = get_global_id(0);
    s[t + 4] = a[i];
    if (t < 4) {
        s[t] = i >= 4 ? a[i - 4] : 0;
        s[t + 260] = i + 256 < n ? a[i + 256] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = 0;
    for (int k = 0; k <= 8; k++)
        x += s[t + k] * (k + 1);
    o[i] = x;
}

// case transpose_pad
kernel void transpose_pad(global const float *a, global float *o, int n)
{
    local float s[16][17];
    int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16,
        gy = get_group_id(1) * 16;
    s[y][x] = a[(gy + y) * n + gx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[(gx + y) * n + gy + x] = s[x][y];
}

// case upsweep_gs
kernel void upsweep_gs(global float *a, int n, float f)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        a[i] = a[i] * f + 1.0f;
}

// case batchnorm
kernel void batchnorm(global const float *x, global const float *m, global const float *v,
                      global const float *g, global const float *b, global float *o, int hw, int c)
{
    int i = get_global_id(0);
    int k = (i / hw) % c;
    o[i] = (x[i] - m[k]) * rsqrt(v[k] + 1e-5f) * g[k] + b[k];
}

// case conv1x1
kernel void conv1x1(global const float *x, global const float *w, global float *o, int hw, int ci)
{
    int i = get_global_id(0), k = get_global_id(1);
    float s = 0;
    for (int c = 0; c < ci; c++)
        s += x[c * hw + i] * w[k * ci + c];
    o[k * hw + i] = s;
}

// case conv3x3
kernel void conv3x3(global const float *x, global const float *w, global float *o, int W, int H,
                    int ci)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    float s = 0;
    for (int c = 0; c < ci; c++)
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++)
                s += x[(c * (H + 2) + j + dy) * (W + 2) + i + dx] *
                     w[((k * ci + c) * 3 + dy) * 3 + dx];
    o[(k * H + j) * W + i] = s;
}

// case gelu
kernel void gelu(global const float *x, global float *o)
{
    int i = get_global_id(0);
    float v = x[i];
    o[i] = 0.5f * v * (1.0f + tanh(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// case embedding
kernel void embedding(global const int *ids, global const float *table, global float *o, int d)
{
    int i = get_global_id(1), j = get_global_id(0);
    o[i * d + j] = table[ids[i] * d + j];
}

// case quant8
kernel void quant8(global const float *x, global char *o, float s)
{
    int i = get_global_id(0);
    o[i] = convert_char_sat_rte(x[i] * s);
}

// case dequant4
kernel void dequant4(global const uchar *q, global const float *scale, global float *o)
{
    int i = get_global_id(0);
    uchar b = q[i / 2];
    int v = (i & 1 ? b >> 4 : b & 15) - 8;
    o[i] = v * scale[i / 32];
}

// case wave2d
kernel void wave2d(global const float *u, global const float *p, global float *o, int w, int h,
                   float c)
{
    int x = get_global_id(0), y = get_global_id(1);
    int l = x > 0 ? x - 1 : 0, r = x < w - 1 ? x + 1 : w - 1;
    int t = y > 0 ? y - 1 : 0, b = y < h - 1 ? y + 1 : h - 1;
    float m = u[y * w + x];
    o[y * w + x] = 2 * m - p[y * w + x] +
                   c * (u[y * w + l] + u[y * w + r] + u[t * w + x] + u[b * w + x] - 4 * m);
}

// case lj_force
kernel void lj_force(global const float4 *p, global float4 *f, int n)
{
    int i = get_global_id(0);
    float3 a = p[i].xyz, s = 0;
    for (int j = 0; j < n; j++) {
        float3 d = p[j].xyz - a;
        float r2 = dot(d, d);
        if (r2 > 0 && r2 < 0.25f) {
            float q = 0.01f / r2, q3 = q * q * q;
            s += d * (q3 * (q3 - 0.5f) / r2);
        }
    }
    f[i] = (float4)(s, 0);
}

// case ray_box
kernel void ray_box(global const float *org, global const float *dir, global float *o, int n,
                    constant float *box)
{
    int i = get_global_id(0);
    float3 p = vload3(i, org), d = vload3(i, dir), inv = 1.0f / d;
    float best = 1e30f;
    for (int b = 0; b < n; b++) {
        float3 t0 = (vload3(2 * b, box) - p) * inv, t1 = (vload3(2 * b + 1, box) - p) * inv;
        float3 lo = fmin(t0, t1), hi = fmax(t0, t1);
        float near = fmax(fmax(lo.x, lo.y), lo.z), far = fmin(fmin(hi.x, hi.y), hi.z);
        if (near <= far && far > 0 && near < best)
            best = near;
    }
    o[i] = best;
}

// case median5
kernel void median5(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float v[5];
    for (int k = 0; k < 5; k++)
        v[k] = a[i + k];
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4 - k; j++)
            if (v[j] > v[j + 1]) {
                float t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    o[i] = v[2];
}

// case lower_bound
kernel void lower_bound(global const int *a, global const int *key, global int *o, int n)
{
    int i = get_global_id(0), lo = 0, hi = n, k = key[i];
    while (lo < hi) {
        int m = (lo + hi) >> 1;
        if (a[m] < k)
            lo = m + 1;
        else
            hi = m;
    }
    o[i] = lo;
}

// case hash_probe
kernel void hash_probe(global const uint *table, global const uint *key, global uint *o, uint mask)
{
    int i = get_global_id(0);
    uint k = key[i], h = k * 2654435761u, n = 0;
    while (n < 16 && table[(h + n) & mask] != k)
        n++;
    o[i] = n;
}

// case group_any
kernel void group_any(global const int *a, global int *o)
{
    local int found;
    if (get_local_id(0) == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (a[get_global_id(0)] > 1000)
        found = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = found;
}

// case cas_max
kernel void cas_max(global const float *a, global uint *o)
{
    int i = get_global_id(0);
    float v = a[i];
    uint old = o[i & 63];
    while (as_float(old) < v) {
        uint seen = atomic_cmpxchg(&o[i & 63], old, as_uint(v));
        if (seen == old)
            break;
        old = seen;
    }
}

// case poly16
kernel void poly16(global const float16 *a, global float16 *o)
{
    int i = get_global_id(0);
    float16 x = a[i];
    o[i] = ((x * 0.3f + 0.5f) * x - 0.2f) * x + 1.0f;
}

// case lens
kernel void lens(global const float *p, global float *o, int w, int h, float k)
{
    int x = get_global_id(0), y = get_global_id(1);
    float u = (x - w / 2) / (float)w, v = (y - h / 2) / (float)h;
    float r = 1 + k * (u * u + v * v);
    int i = clamp((int)(u * r * w) + w / 2, 0, w - 1),
        j = clamp((int)(v * r * h) + h / 2, 0, h - 1);
    o[y * w + x] = p[j * w + i];
}

// case trace_row
kernel void trace_row(global const float *a, global float *o, int n, int m)
{
    int r = get_group_id(0), l = get_local_id(0);
    local float s[64];
    float x = 0;
    for (int j = l; j < m; j += 64)
        x = fmax(x, fabs(a[r * m + j]));
    s[l] = x;
    for (int k = 32; k > 0; k >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < k)
            s[l] = fmax(s[l], s[l + k]);
    }
    if (l == 0)
        o[r] = s[0];
}
