// mixed.cl -- short kernels of many kinds, as people write them.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case mat4vec
// N, 64, F(16), F(4 * N), O(4 * N)
kernel void mat4vec(global const float4 *m, global const float4 *v, global float4 *o)
{
    int i = get_global_id(0);
    float4 a = m[0], b = m[1], c = m[2], d = m[3];
    float4 x = v[i];
    o[i] = a * x.x + b * x.y + c * x.z + d * x.w;
}

// case mat4mul
// 1 << 14, 64, F(16 << 14), F(16 << 14), O(16 << 14)
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
// N, None, F(4 * N), F(4 * N), O(4 * N)
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
// 1 << 20, None, I(4 << 20, 256, np.uint8), O(1 << 20, np.uint8)
kernel void gray_uchar4(global const uchar4 *p, global uchar *o)
{
    int i = get_global_id(0);
    uchar4 a = p[i];
    o[i] = (a.x * 77 + a.y * 150 + a.z * 29) >> 8;
}

// case gray_uchar3
// 1 << 20, None, I(3 << 20, 256, np.uint8), O(1 << 20, np.uint8)
kernel void gray_uchar3(global const uchar *p, global uchar *o)
{
    int i = get_global_id(0);
    uchar3 a = vload3(i, p);
    o[i] = (a.x * 77 + a.y * 150 + a.z * 29) >> 8;
}

// case blur3_u8
// (1024, 512), (16, 16), I(1 << 19, 256, np.uint8), O(1 << 19, np.uint8), S(1024), S(512)
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
// (512, 256), None, F(512 * 256), O(512 * 256), S(512), S(256)
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
// (64, 64, 64), (64, 4, 1), F(64 ** 3), O(64 ** 3), S(64)
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
// 1 << 16, 64, F(8 << 16), S(0.01, np.float32)
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
// 1 << 16, 64, F(8 << 16), O(1 << 16)
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
// N, 64, F(4 * N), O(N)
kernel void soa3(global const float3 *p, global float *o)
{
    int i = get_global_id(0);
    o[i] = length(p[i]);
}

// case normalize4
// N, 64, F(4 * N), O(4 * N)
kernel void normalize4(global const float4 *p, global float4 *o)
{
    int i = get_global_id(0);
    o[i] = normalize(p[i]);
}

// case cross_dot
// N, 64, F(3 * N), F(3 * N), O(3 * N)
kernel void cross_dot(global const float *p, global const float *q, global float *o)
{
    int i = get_global_id(0);
    float3 a = vload3(i, p), b = vload3(i, q);
    vstore3(cross(a, b) * dot(a, b), i, o);
}

// case dgemm_naive
// (192, 192), (16, 4), D(192 * 192), D(192 * 192), O(192 * 192, np.float64), S(192)
kernel void dgemm_naive(global const double *a, global const double *b, global double *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[y * n + i] * b[i * n + x];
    c[y * n + x] = s;
}

// case gemm_nt
// (192, 192), (16, 16), F(192 * 192), F(192 * 192), O(192 * 192), S(192)
kernel void gemm_nt(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[y * n + i] * b[x * n + i];
    c[y * n + x] = s;
}

// case gemv_rows
// 1024, 64, F(1 << 20), F(1024), O(1024), S(1024)
kernel void gemv_rows(global const float *a, global const float *x, global float *o, int n)
{
    int r = get_global_id(0);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[r * n + i] * x[i];
    o[r] = s;
}

// case gemv_cols
// 1024, 64, F(1 << 20), F(1024), O(1024), S(1024), S(1024)
kernel void gemv_cols(global const float *a, global const float *x, global float *o, int n, int m)
{
    int r = get_global_id(0);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i * m + r] * x[i];
    o[r] = s;
}

// case gemm_local
// (192, 192), (16, 16), F(192 * 192), F(192 * 192), O(192 * 192), S(192)
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
// (256, 256), (16, 16), I(1 << 16, 127, np.int8), I(1 << 16, 127, np.int8), O(1 << 16, np.int32), S(256)
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
// 512, 64, F(512 * 128), O(512 * 128), S(128)
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
// 512 * 64, 64, F(512 * 512), O(512 * 512), S(512), '-cl-std=CL3.0'
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
// N, 64, I(N, 256, np.uint8), O(N)
constant float T[16] = {0.1f, 0.5f, 0.9f, 1.2f, 3.f,  4.f,  5.f,  6.f,
                        7.f,  8.f,  9.f,  10.f, 11.f, 12.f, 13.f, 14.f};
kernel void lut_const(global const uchar *p, global float *o)
{
    int i = get_global_id(0);
    o[i] = T[p[i] & 15] + T[p[i] >> 4];
}

// case lut_global
// N, 64, I(N, 256, np.uint8), F(256), O(N)
kernel void lut_global(global const uchar *p, global const float *t, global float *o)
{
    int i = get_global_id(0);
    o[i] = t[p[i]];
}

// case hist_local
// 4096, 256, I(N, 256, np.uint8), O(256, np.uint32), S(N)
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
// N, 64, I(N), O(1, np.int32), O(1024, np.int32), '-cl-std=CL1.2 unordered'
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
// 1 << 15, 64, F(16 << 15), I(16 << 15, 1 << 15), F(1 << 15), O(1 << 15), S(1 << 15)
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
// 1 << 15, 64, I(1 << 15), I(1 << 15), O(1 << 15, np.uint32)
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
// 1 << 14, 64, I(1 << 14, 1 << 30, np.uint64), O(1 << 14, np.uint64), S(2147483647, np.uint64)
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
// 1 << 15, 64, O(1 << 15, np.uint32)
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
// 1 << 15, 64, O(1 << 15, np.uint32)
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
// N, 64, I(N), O(N, np.uint32)
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
// 1 << 13, 64, I(16 << 13), O(16 << 13, np.int32)
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
// 1 << 15, 64, I(8 << 15), O(8 << 15, np.int32)
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
// 1 << 15, 64, I(1 << 16, 1000000000), F(1 << 15), O(1 << 15, np.int32), S(1 << 16)
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
// 1 << 13, 64, F(1 << 10), F(1 << 13), O(1 << 13, np.int32), S(1 << 10)
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
// (512, 256), None, I(256, 256), O(512 * 256), S(512)
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
// (256, 256), (16, 16), O(1 << 16, np.int32), S(256)
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
// 1 << 14, 64, O(1 << 14, np.uint32)
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
// 1 << 15, 64, O(1 << 15, np.uint64)
kernel void lcg64(global ulong *o)
{
    ulong s = get_global_id(0) + 1;
    for (int i = 0; i < 100; i++)
        s = s * 6364136223846793005UL + 1442695040888963407UL;
    o[get_global_id(0)] = s >> 11;
}

// case fnv_bytes
// 1 << 13, 64, I(64 << 13, 256, np.uint8), O(1 << 13, np.uint32)
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
// N, 64, I(3 * N, 256, np.uint8), O(4 * N, np.int8)
constant char T[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void base64(global const uchar *p, global char4 *o)
{
    int i = get_global_id(0);
    uint v = p[3 * i] << 16 | p[3 * i + 1] << 8 | p[3 * i + 2];
    o[i] = (char4)(T[v >> 18], T[(v >> 12) & 63], T[(v >> 6) & 63], T[v & 63]);
}

// case transp_naive
// (512, 512), (16, 16), F(1 << 18), O(1 << 18), S(512)
kernel void transp_naive(global const float *a, global float *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * n + y] = a[y * n + x];
}

// case fp16conv
// N, 64, F(N), O(N, np.float16)
kernel void fp16conv(global const float *a, global half *o)
{
    int i = get_global_id(0);
    vstore_half(a[i], i, o);
}

// case half_poly
// N, 64, H(N), O(N, np.float16)
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
// 1 << 20, None, I(1 << 20, 30000, np.int16), I(1 << 20, 30000, np.int16), O(1 << 20, np.int16)
kernel void short_sat(global const short *a, global const short *b, global short *o)
{
    int i = get_global_id(0);
    o[i] = sub_sat(add_sat(a[i], b[i]), (short)100);
}

// case uchar_blend
// 1 << 19, None, I(4 << 19, 256, np.uint8), I(4 << 19, 256, np.uint8), O(4 << 19, np.uint8)
kernel void uchar_blend(global const uchar4 *a, global const uchar4 *b, global uchar4 *o)
{
    int i = get_global_id(0);
    uchar4 p = a[i], q = b[i];
    uint4 x = convert_uint4(p) * (uint)q.w + convert_uint4(q) * (uint)(255 - q.w);
    o[i] = convert_uchar4(x >> 8);
}

// case conv_sat
// N, None, F(4 * N), O(4 * N, np.uint8)
kernel void conv_sat(global const float4 *a, global uchar4 *o)
{
    int i = get_global_id(0);
    o[i] = convert_uchar4_sat_rte(a[i] * 300.f - 20.f);
}

// case yuv
// (1024, 512), None, I(1 << 19, 256, np.uint8), I(1 << 17, 256, np.uint8), I(1 << 17, 256, np.uint8), O(4 << 19, np.uint8), S(1024)
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
// 1 << 16, 64, F(9 << 16), O(9 << 16), S(1 << 16)
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
// 4096, 64, F(2 * 1024), F(2 * 4096), O(4096, np.int32), S(1024)
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
// 1 << 13, 64, I(16 << 13, 4, np.uint8), I(16 << 13, 4, np.uint8), O(1 << 13, np.int32)
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
// N, 64, I(N, 1000), O(N, np.int32), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_scan(global const int *a, global int *o)
{
    int i = get_global_id(0);
    o[i] = sub_group_scan_inclusive_add(a[i]) + sub_group_reduce_max(a[i]);
}

// case wg_reduce_tree
// N, 256, F(N), O(N // 256)
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
// 1 << 16, 64, F(8 << 16), S(1 << 16)
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
// (256, 256), None, O(1 << 16, np.int32), S(256)
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
// 1 << 16, 64, I(1 << 16), O(1 << 16, np.int32)
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
// N, 64, F(8 * N), O(N)
kernel void strided_sum(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < 8; j++)
        s += a[i * 8 + j];
    o[i] = s;
}

// case gather2d
// (512, 256), None, F(512 * 256), O(512 * 256), S(512), S(256), S(0.8, np.float32), S(0.6, np.float32)
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
// N, None, D(N), D(N), S(0.3, np.float64)
kernel void axpby_d(global const double *a, global double *o, double s)
{
    int i = get_global_id(0);
    o[i] = fma(s, a[i], o[i]);
}

// case div_int
// N, None, I(N), I(N, 1000), O(N, np.int32)
kernel void div_int(global const int *a, global const int *b, global int *o)
{
    int i = get_global_id(0);
    o[i] = a[i] / (b[i] | 1) + a[i] % 10;
}

// case long_arith
// N, None, I(N, 1 << 62, np.int64), I(N, 1 << 62, np.int64), O(N, np.int64)
kernel void long_arith(global const long *a, global const long *b, global long *o)
{
    int i = get_global_id(0);
    o[i] = mul_hi(a[i], b[i]) + (a[i] * b[i] >> 7) + max(a[i], b[i]) + abs(a[i] - b[i]);
}

// case conv_const
// (512, 256), (16, 8), F(512 * 256), F(25), O(512 * 256), S(512), S(256)
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
// (1024, 256), None, I(1 << 18, 256, np.uint8), O(1 << 18, np.uint8), S(1024), S(256)
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
// 512, 64, F(512 * 256), O(512 * 256), S(256)
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
// 512, 64, F(512 * 256), O(512 * 256), S(512), S(256)
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
// N, 256, I(N), S(64), S(1024)
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
// 1 << 15, 64, F(9 << 15), O(9 << 15)
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
// 1 << 14, 64, F(16 << 14), O(16 << 14)
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
// 1 << 17, 64, D(1 << 17), O(1 << 17, np.float64)
kernel void horner_d(global const double *a, global double *o)
{
    int i = get_global_id(0);
    double x = a[i], r = 1;
    for (int j = 0; j < 32; j++)
        r = r * x + j;
    o[i] = r;
}

// case newton
// 1 << 16, 64, F(1 << 16), O(1 << 16)
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
// 1 << 13, 64, F(1 << 13), O(1 << 13)
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
// 1 << 17, None, F(1 << 18), O(1 << 18)
kernel void boxmuller(global const float *a, global float *o)
{
    int i = get_global_id(0);
    float u = a[2 * i] + 1e-7f, v = a[2 * i + 1];
    float r = sqrt(-2 * log(u));
    o[2 * i] = r * cos(6.2831853f * v);
    o[2 * i + 1] = r * sin(6.2831853f * v);
}

// case bs_double
// 1 << 15, 64, D(1 << 15), O(1 << 15, np.float64)
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
// 1 << 14, 64, row_starts(1 << 14, 32), I(32 << 14, 1 << 14), F(32 << 14), F(1 << 14), O(1 << 14)
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
// 1 << 13, 64, I(64 << 13, 256, np.uint8), O(1 << 13, np.int32)
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
// 1 << 19, None, I(1 << 19, 256, np.uint8), O(2 << 19, np.uint8)
kernel void hexenc(global const uchar *p, global uchar2 *o)
{
    int i = get_global_id(0);
    uchar c = p[i];
    uchar a = c >> 4, b = c & 15;
    o[i] = (uchar2)(a < 10 ? '0' + a : 'a' + a - 10, b < 10 ? '0' + b : 'a' + b - 10);
}

// case crctab
// 1 << 14, 64, I(32 << 14, 256, np.uint8), I(256, 1 << 32, np.uint32), O(1 << 14, np.uint32)
kernel void crctab(global const uchar *p, constant uint *t, global uint *o)
{
    int i = get_global_id(0);
    uint c = ~0u;
    for (int j = 0; j < 32; j++)
        c = t[(c ^ p[i * 32 + j]) & 255] ^ (c >> 8);
    o[i] = ~c;
}

// case xx64
// 1 << 15, 64, I(8 << 15, 1 << 62, np.uint64), O(1 << 15, np.uint64)
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
// 1 << 13, 64, I(16 << 13), O(1 << 13, np.uint32)
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
// 1 << 14, 64, O(16 << 14, np.uint32)
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
// 1 << 11, 64, I(256, 256, np.uint8), O(16 << 11, np.uint8)
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
// 1024, 64, F(4096), O(4096), S(1024)
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
// 1 << 12, 64, F(4 << 12), I(32 << 12, 1 << 12), O(4 << 12)
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
// (256, 256), (16, 16), F(4 * 32), O(1 << 16), S(256), S(32)
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
// (512, 256), None, I(4 * 512 * 256, 256, np.uint8), O(4 * 512 * 256, np.uint8), S(512), S(256), S(0.8, np.float32), S(0.6, np.float32)
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
// 1 << 16, None, F(4 << 16), O(4 << 16, np.uint8)
kernel void tonemap(global const float4 *a, global uchar4 *o)
{
    int i = get_global_id(0);
    float4 c = a[i] * 4.f;
    c = c / (1.f + c);
    c = pow(c, (float4)(0.4545f));
    o[i] = convert_uchar4_sat(c * 255.f);
}

// case hsv
// 1 << 17, None, F(4 << 17), O(4 << 17)
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
// 1 << 16, 64, F(4 << 16), S(64), S(1 << 17)
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
// (256, 256), (8, 8), F(1 << 16), F(64), O(1 << 16), S(256)
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
// (255, 254), None, F(1 << 17), S(512), S(0)
kernel void redblack(global float *a, int w, int c)
{
    int x = get_global_id(0), y = get_global_id(1);
    int i = (y + 1) * w + 2 * x + 1 + ((y + c) & 1);
    a[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);
}

// case life_bits
// N-2048, None, I(N), O(N, np.uint32), S(1024)
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
// (256, 256), (16, 16), I(256 * 64, 1 << 32, np.uint32), I(256 * 64, 1 << 32, np.uint32), O(1 << 16, np.int32), S(64)
kernel void bnn(global const uint *a, global const uint *b, global int *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += popcount(a[y * n + i] ^ b[i * 256 + x]);
    o[y * 256 + x] = s;
}

// case reverse
// N, None, F(N), O(N), S(N)
kernel void reverse(global const float *a, global float *o, int n)
{
    int i = get_global_id(0);
    o[n - 1 - i] = a[i];
}

// case deint
// 1 << 19, None, I(1 << 20, 30000, np.int16), O(1 << 19, np.int16), O(1 << 19, np.int16)
kernel void deint(global const short *a, global short *l, global short *r)
{
    int i = get_global_id(0);
    l[i] = a[2 * i];
    r[i] = a[2 * i + 1];
}

// case gather_f4
// 1 << 16, None, F(4 << 16), I(1 << 16, 1 << 16), O(4 << 16)
kernel void gather_f4(global const float4 *a, global const int *x, global float4 *o)
{
    int i = get_global_id(0);
    o[i] = a[x[i]] * 2.f;
}

// case atomic_fmax
// N, 64, F(N), O(1, np.uint32)
kernel void atomic_fmax(global const float *a, global volatile uint *o)
{
    int i = get_global_id(0);
    uint v = as_uint(a[i]);
    if (v > o[0])
        atomic_max(&o[0], v);
}

// case bigadd
// 1 << 15, 64, I(8 << 15, 1 << 62, np.uint64), I(8 << 15, 1 << 62, np.uint64), O(8 << 15, np.uint64)
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
// 4096, 64, H(1 << 16), H(1 << 16), O(4096)
kernel void half_dot(global const half *a, global const half *b, global float *o)
{
    int g = get_global_id(0);
    float s = 0;
    for (int i = 0; i < 16; i++)
        s += vload_half(i * 4096 + g, a) * vload_half(i * 4096 + g, b);
    o[g] = s;
}

// case async_tile
// N, 256, F(N), O(N)
kernel void async_tile(global const float *a, global float *o)
{
    local float t[256];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 256, 256, 0);
    wait_group_events(1, &e);
    int l = get_local_id(0);
    o[get_global_id(0)] = t[l] + t[255 - l];
}

// case blelloch
// N // 2, 256, I(N, 1000), O(N, np.int32)
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
// 1 << 14, 64, I(1 << 14)
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
// 1 << 12, 64, O(1 << 12, np.uint64)
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
// 1 << 12, 64, F(64 << 12), O(8 << 12)
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
// 1 << 16, None, D(1 << 16), O(1 << 16, np.float64)
kernel void sincos_d(global const double *a, global double *o)
{
    int i = get_global_id(0);
    double c;
    double s = sincos(a[i] * 10, &c);
    o[i] = s * c;
}

// case logsumexp
// 4096, 64, F(64 * 4096), O(4096), S(64)
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
// N, None, F(N), F(512), O(N), S(512)
kernel void relu_bias(global const float *a, global const float *b, global float *o, int n)
{
    int i = get_global_id(0);
    o[i] = fmax(a[i] + b[i % n], 0.f);
}

// case maxpool
// (256, 256), None, F(1 << 18), O(1 << 16), S(512)
kernel void maxpool(global const float *a, global float *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const float *p = a + 2 * y * w + 2 * x;
    o[y * (w / 2) + x] = fmax(fmax(p[0], p[1]), fmax(p[w], p[w + 1]));
}

// case im2col
// (256, 128, 9), None, F(1 << 15), O(9 << 15), S(256), S(128)
kernel void im2col(global const float *a, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    int i = c % 3 - 1 + x, j = c / 3 - 1 + y;
    o[(c * h + y) * w + x] = (i >= 0 && j >= 0 && i < w && j < h) ? a[j * w + i] : 0;
}

// case argmax_wg
// N, 256, F(N), O(N // 256, np.int32)
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
// 1 << 16, None, I(8 << 16, 100, np.int16), I(8 << 16, 100, np.int16), O(8 << 16, np.int16)
kernel void shorts8(global const short8 *a, global const short8 *b, global short8 *o)
{
    int i = get_global_id(0);
    o[i] = a[i] * b[i] + (short8)(3);
}

// case int16_min
// 1 << 14, None, I(16 << 14), O(1 << 14, np.int32)
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
// 1 << 15, None, I(16 << 15, 256, np.uint8), O(16 << 15, np.uint8)
kernel void shuffle_v(global const uchar16 *a, global uchar16 *o)
{
    int i = get_global_id(0);
    uchar16 v = a[i];
    o[i] = v.sfedcba9876543210;
}

// case mirror
// (1024, 256), None, I(4 << 18, 256, np.uint8), O(4 << 18, np.uint8), S(1024)
kernel void mirror(global const uchar4 *p, global uchar4 *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * w + x] = p[y * w + (w - 1 - x)];
}

// case rot90
// (512, 512), (16, 16), I(1 << 18), O(1 << 18, np.uint32), S(512), S(512)
kernel void rot90(global const uint *p, global uint *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * h + (h - 1 - y)] = p[y * w + x];
}

// case bfs_level
// 1 << 14, 64, row_starts((1 << 14) + 1, 16), I(16 << 14, 1 << 14), I(1 << 14, 3, np.int32), S(1)
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
// 1 << 14, 64, row_starts((1 << 14) + 1, 16), I(16 << 14, 1 << 14), F(1 << 14), ('buffer', RANDOM.integers(1, 16, 1 << 14).astype(np.int32)), O(1 << 14), S(0.85, np.float32)
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
// 1 << 14, 128, I(1 << 18, 1 << 32, np.uint32), O(16 * 128, np.uint32), S(8), S(16)
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
// 100 * 64, 100, F(1 << 18), O(64), S(1 << 18)
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
// 1 << 18, 64, I((1 << 18) + 16, 3, np.int8), I(16, 2, np.int8), O(1, np.int32), S(1 << 18), S(8)
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
// 1 << 14, 64, I(32 << 14, 256, np.uint8), O(1 << 14, np.int32)
kernel void utf8_len(global const uchar *s, global int *o)
{
    int i = get_global_id(0);
    int c = 0;
    for (int j = 0; j < 32; j++)
        c += (s[i * 32 + j] & 0xc0) != 0x80;
    o[i] = c;
}

// case tea
// 1 << 16, 64, I(2 << 16, 1 << 32, np.uint32), I(4, 1 << 32, np.uint32)
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
// 1 << 15, 64, I(4 << 15, 1 << 62, np.uint64), O(1 << 15, np.uint64), S(7, np.uint64), S(9, np.uint64)
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
// N, None, I(2 * N, 1 << 16, np.uint16), O(N, np.uint32)
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
// N, None, I(N, 1 << 32, np.uint32), S(0)
kernel void gray_code(global uint *a, int n)
{
    int i = get_global_id(0);
    uint x = a[i];
    for (int s = 1; s < 32; s <<= 1)
        x ^= x >> s;
    a[i] = x;
}

// case sobel_u8
// (1022, 510), None, I(1 << 19, 256, np.uint8), O(1 << 19, np.uint8), S(1024)
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
// (512, 256), None, F(4 * 512 * 256), O(4 * 512 * 256), F(7), S(512)
kernel void gauss_row(global const float4 *p, global float4 *o, constant float *c, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 s = 0;
    for (int k = -3; k <= 3; k++)
        s += p[y * w + clamp(x + k, 0, w - 1)] * c[k + 3];
    o[y * w + x] = s;
}

// case bilinear
// (512, 256), None, F(512 * 256), O(512 * 256), S(512), S(256), S(0.63, np.float32)
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
// 1 << 20, None, I(1 << 20, 256, np.uint8), O(1 << 20, np.uint8), S(99, np.uint8)
kernel void threshold(global const uchar *p, global uchar *o, uchar t)
{
    size_t i = get_global_id(0);
    o[i] = p[i] > t ? 255 : 0;
}

// case local_hist3
// 4096, 128, I(4 * N, 256, np.uint8), O(192, np.uint32), S(N)
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
// (512, 512), (16, 16), F(1 << 18), O(1 << 18), S(512, np.uint64), S(512, np.uint64), S(0, np.uint64)
kernel void sycl_index(global const float *a, global float *o, ulong n0, ulong n1, ulong off)
{
    ulong i = get_global_id(1) + off, j = get_global_id(0);
    if (i >= n0 || j >= n1)
        return;
    ulong id = i * n1 + j;
    o[id] = a[id] * 2.f + a[((i + 1) % n0) * n1 + j];
}

// case linear_3d
// 64 * 64 * 64, 64, F(1 << 18), O(1 << 18), S(64), S(64), S(64)
kernel void linear_3d(global const float *a, global float *o, int nx, int ny, int nz)
{
    int id = get_global_id(0);
    int z = id / (nx * ny), y = (id / nx) % ny, x = id % nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        o[id] = a[id - 1] + a[id + 1] + a[id - nx] + a[id + nx] + a[id - nx * ny] +
                a[id + nx * ny] - 6 * a[id];
}

// case soa_aos
// N, 64, F(N), F(N), F(N), O(3 * N)
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
// N, 64, F(3 * N), F(3 * N), O(N)
typedef struct {
    float x, y, z;
} V3;
kernel void aos_dot3(global const V3 *a, global const V3 *b, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[i].x * b[i].x + a[i].y * b[i].y + a[i].z * b[i].z;
}

// case short_fir
// N, 64, I(N + 16, 30000, np.int16), I(16, 2000, np.int16), O(N, np.int16)
kernel void short_fir(global const short *x, constant short *c, global short *o)
{
    int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < 16; k++)
        s += x[i + k] * c[k];
    o[i] = s >> 15;
}

// case char_count
// 1 << 14, 64, I(32 << 14, 128, np.int8), O(1 << 14, np.uint32), S(32)
kernel void char_count(global const char *s, global uint *o, int n)
{
    int i = get_global_id(0), c = 0;
    for (int j = 0; j < n; j++)
        c += s[j * get_global_size(0) + i] == 'a';
    o[i] = c;
}

// case dmath
// 1 << 15, 64, D(1 << 15), O(1 << 15, np.float64)
kernel void dmath(global const double *x, global double *o)
{
    int i = get_global_id(0);
    double v = x[i];
    o[i] = sqrt(v * v + 1.0) * log(v + 1.0) - exp(-v) / (v + 0.5);
}

// case dquad
// 1 << 12, 64, O(1 << 12, np.float64), S(64)
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
// 1 << 17, 64, I(1 << 17, 1 << 62, np.uint64), I(1 << 17, 1 << 62, np.uint64), O(2 << 17, np.uint64)
kernel void mul128(global const ulong *a, global const ulong *b, global ulong2 *o)
{
    int i = get_global_id(0);
    o[i] = (ulong2)(a[i] * b[i], mul_hi(a[i], b[i]));
}

// case ldiv
// 1 << 15, 64, I(1 << 15, 1 << 62, np.int64), I(1 << 15, 1 << 20, np.int64), O(1 << 15, np.int64)
kernel void ldiv(global const long *a, global const long *b, global long *o)
{
    int i = get_global_id(0);
    o[i] = a[i] / (b[i] | 1) + a[i] % 1000;
}

// case isqrt64
// 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint32)
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
// N, 256, I(N, 100), O(N, np.int32)
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
// N, 256, F(N), O(N), S(N)
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
// (512, 512), (16, 16), F(1 << 18), O(1 << 18), S(512)
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
// 4096, 64, F(N), S(N), S(0.5, np.float32)
kernel void upsweep_gs(global float *a, int n, float f)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        a[i] = a[i] * f + 1.0f;
}

// case batchnorm
// N, 64, F(N), F(64), F(64), F(64), F(64), O(N), S(1024), S(64)
kernel void batchnorm(global const float *x, global const float *m, global const float *v,
                      global const float *g, global const float *b, global float *o, int hw, int c)
{
    int i = get_global_id(0);
    int k = (i / hw) % c;
    o[i] = (x[i] - m[k]) * rsqrt(v[k] + 1e-5f) * g[k] + b[k];
}

// case conv1x1
// (1024, 32), None, F(32 << 10), F(1024), O(32 << 10), S(1024), S(32)
kernel void conv1x1(global const float *x, global const float *w, global float *o, int hw, int ci)
{
    int i = get_global_id(0), k = get_global_id(1);
    float s = 0;
    for (int c = 0; c < ci; c++)
        s += x[c * hw + i] * w[k * ci + c];
    o[k * hw + i] = s;
}

// case conv3x3
// (64, 64, 8), (16, 4, 1), F(66 * 66 * 8), F(9 * 64), O(64 * 64 * 8), S(64), S(64), S(8)
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
// N, None, F(N), O(N)
kernel void gelu(global const float *x, global float *o)
{
    int i = get_global_id(0);
    float v = x[i];
    o[i] = 0.5f * v * (1.0f + tanh(0.7978845608f * (v + 0.044715f * v * v * v)));
}

// case embedding
// (128, 2048), None, I(2048, 1000), F(128 * 1000), O(128 * 2048), S(128)
kernel void embedding(global const int *ids, global const float *table, global float *o, int d)
{
    int i = get_global_id(1), j = get_global_id(0);
    o[i * d + j] = table[ids[i] * d + j];
}

// case quant8
// N, None, F(N), O(N, np.int8), S(100, np.float32)
kernel void quant8(global const float *x, global char *o, float s)
{
    int i = get_global_id(0);
    o[i] = convert_char_sat_rte(x[i] * s);
}

// case dequant4
// N, None, I(N // 2, 256, np.uint8), F(N // 32), O(N)
kernel void dequant4(global const uchar *q, global const float *scale, global float *o)
{
    int i = get_global_id(0);
    uchar b = q[i / 2];
    int v = (i & 1 ? b >> 4 : b & 15) - 8;
    o[i] = v * scale[i / 32];
}

// case wave2d
// (512, 512), None, F(N), F(N), O(N), S(512), S(512), S(0.2, np.float32)
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
// 1024, 64, F(4096), O(4096), S(1024)
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
// 1 << 14, 64, F(3 << 14), F(3 << 14), O(1 << 14), S(32), F(6 * 32)
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
// N, 64, F(N + 8), O(N)
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
// 1 << 15, 64, ('buffer', np.sort(RANDOM.integers(0, 1 << 30, 1 << 14)).astype(np.int32)), I(1 << 15), O(1 << 15, np.int32), S(1 << 14)
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
// 1 << 16, 64, I(1 << 14, 1 << 14, np.uint32), I(1 << 16, 1 << 14, np.uint32), O(1 << 16, np.uint32), S((1 << 14) - 1, np.uint32)
kernel void hash_probe(global const uint *table, global const uint *key, global uint *o, uint mask)
{
    int i = get_global_id(0);
    uint k = key[i], h = k * 2654435761u, n = 0;
    while (n < 16 && table[(h + n) & mask] != k)
        n++;
    o[i] = n;
}

// case group_any
// N, 128, I(N, 1010), O(N // 128, np.int32)
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
// 1 << 16, 64, F(1 << 16), O(64, np.uint32)
kernel void cas_max(global const float *a, volatile global uint *o)
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
// 1 << 14, None, F(16 << 14), O(16 << 14)
kernel void poly16(global const float16 *a, global float16 *o)
{
    int i = get_global_id(0);
    float16 x = a[i];
    o[i] = ((x * 0.3f + 0.5f) * x - 0.2f) * x + 1.0f;
}

// case lens
// (512, 512), None, F(N), O(N), S(512), S(512), S(0.3, np.float32)
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
// 512 * 64, 64, F(512 * 512), O(512), S(512), S(512)
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

// case unsharp3
// (512, 256), None, F(3 * 512 * 256), O(3 * 512 * 256), S(512), S(256)
kernel void unsharp3(global const float *a, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    float3 c = vload3(y * w + x, a), s = (float3)(0);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            s += vload3((y + j) * w + x + i, a);
    vstore3(clamp(c * 2.0f - s / 9.0f, 0.0f, 1.0f), y * w + x, o);
}

// case lut_local
// 1 << 14, 256, I(1 << 20, 256, np.uint8), I(256, 256, np.uint8), O(1 << 20, np.uint8), S(1 << 20)
kernel void lut_local(global const uchar *p, global const uchar *t, global uchar *o, int n)
{
    local uchar lut[256];
    int l = get_local_id(0);
    lut[l] = t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        o[i] = lut[p[i]];
}

// case xorwow
// 1 << 14, 64, I(6 << 14), O(1 << 14), S(64)
typedef struct { uint x, y, z, w, v, d; } Xorwow;
kernel void xorwow(global Xorwow *state, global float *o, int n)
{
    int i = get_global_id(0);
    Xorwow s = state[i];
    float sum = 0;
    for (int k = 0; k < n; k++) {
        uint t = s.x ^ (s.x >> 2);
        s.x = s.y; s.y = s.z; s.z = s.w; s.w = s.v;
        s.v = (s.v ^ (s.v << 4)) ^ (t ^ (t << 1));
        s.d += 362437;
        sum += (s.d + s.v) * 2.3283064e-10f;
    }
    state[i] = s;
    o[i] = sum;
}

// case pcg32
// 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint32), S(64)
kernel void pcg32(global ulong *state, global uint *o, int n)
{
    int i = get_global_id(0);
    ulong s = state[i];
    uint acc = 0;
    for (int k = 0; k < n; k++) {
        ulong old = s;
        s = old * 6364136223846793005UL + (2 * i + 1);
        uint x = ((old >> 18) ^ old) >> 27, r = old >> 59;
        acc ^= (x >> r) | (x << (-r & 31));
    }
    state[i] = s;
    o[i] = acc;
}

// case halton
// 1 << 16, None, O(2 << 16)
kernel void halton(global float2 *o)
{
    int i = get_global_id(0);
    float2 r = 0;
    float f = 1;
    for (int n = i + 1; n > 0; n /= 2) {
        f /= 2;
        r.x += f * (n % 2);
    }
    f = 1;
    for (int n = i + 1; n > 0; n /= 3) {
        f /= 3;
        r.y += f * (n % 3);
    }
    o[i] = r;
}

// case minmax_local
// 1 << 14, 128, F(1 << 20), O(256), S(1 << 20)
kernel void minmax_local(global const float *a, global float2 *o, int n)
{
    local float lo[128], hi[128];
    int l = get_local_id(0);
    float x = INFINITY, y = -INFINITY;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        x = fmin(x, a[i]);
        y = fmax(y, a[i]);
    }
    lo[l] = x;
    hi[l] = y;
    for (int s = 64; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) {
            lo[l] = fmin(lo[l], lo[l + s]);
            hi[l] = fmax(hi[l], hi[l + s]);
        }
    }
    if (l == 0)
        o[get_group_id(0)] = (float2)(lo[0], hi[0]);
}

// case sortnet16
// 1 << 14, 64, I(16 << 14)
#define CE(i, j) { int t = min(v[i], v[j]); v[j] = max(v[i], v[j]); v[i] = t; }
kernel void sortnet16(global int *a)
{
    int v[16], g = get_global_id(0) * 16;
    for (int i = 0; i < 16; i++)
        v[i] = a[g + i];
    for (int k = 2; k <= 16; k *= 2)
        for (int j = k / 2; j > 0; j /= 2)
            for (int i = 0; i < 16; i++) {
                int m = i ^ j;
                if (m > i) {
                    if ((i & k) == 0) CE(i, m) else CE(m, i)
                }
            }
    for (int i = 0; i < 16; i++)
        a[g + i] = v[i];
}

// case find_word
// N, 128, I(N + 16, 3, np.int8), I(16, 2, np.int8), O(N // 128, np.int32), S(N), S(6)
kernel void find_word(global const char *text, constant char *word, global int *first, int n, int m)
{
    local int best;
    int l = get_local_id(0);
    if (l == 0)
        best = INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if (i + m <= n) {
        int k = 0;
        while (k < m && text[i + k] == word[k])
            k++;
        if (k == m)
            atomic_min(&best, i);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        first[get_group_id(0)] = best;
}

// case md5
// 1 << 14, 64, I(16 << 14), O(4 << 14, np.uint32)
uint md5_rot(uint x, int n) { return (x << n) | (x >> (32 - n)); }
constant uint md5_k[64] = {
    0xd76aa478,0xe8c7b756,0x242070db,0xc1bdceee,0xf57c0faf,0x4787c62a,0xa8304613,0xfd469501,
    0x698098d8,0x8b44f7af,0xffff5bb1,0x895cd7be,0x6b901122,0xfd987193,0xa679438e,0x49b40821,
    0xf61e2562,0xc040b340,0x265e5a51,0xe9b6c7aa,0xd62f105d,0x02441453,0xd8a1e681,0xe7d3fbc8,
    0x21e1cde6,0xc33707d6,0xf4d50d87,0x455a14ed,0xa9e3e905,0xfcefa3f8,0x676f02d9,0x8d2a4c8a,
    0xfffa3942,0x8771f681,0x6d9d6122,0xfde5380c,0xa4beea44,0x4bdecfa9,0xf6bb4b60,0xbebfbc70,
    0x289b7ec6,0xeaa127fa,0xd4ef3085,0x04881d05,0xd9d4d039,0xe6db99e5,0x1fa27cf8,0xc4ac5665,
    0xf4292244,0x432aff97,0xab9423a7,0xfc93a039,0x655b59c3,0x8f0ccc92,0xffeff47d,0x85845dd1,
    0x6fa87e4f,0xfe2ce6e0,0xa3014314,0x4e0811a1,0xf7537e82,0xbd3af235,0x2ad7d2bb,0xeb86d391};
constant int md5_s[16] = {7,12,17,22,5,9,14,20,4,11,16,23,6,10,15,21};
kernel void md5(global const uint *m, global uint4 *o)
{
    int g = get_global_id(0);
    uint w[16];
    for (int i = 0; i < 16; i++)
        w[i] = m[g * 16 + i];
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int i = 0; i < 64; i++) {
        uint f;
        int k;
        if (i < 16) { f = (b & c) | (~b & d); k = i; }
        else if (i < 32) { f = (d & b) | (~d & c); k = (5 * i + 1) & 15; }
        else if (i < 48) { f = b ^ c ^ d; k = (3 * i + 5) & 15; }
        else { f = c ^ (b | ~d); k = (7 * i) & 15; }
        f += a + md5_k[i] + w[k];
        a = d; d = c; c = b;
        b += md5_rot(f, md5_s[(i / 16) * 4 + (i & 3)]);
    }
    o[g] = (uint4)(a, b, c, d);
}

// case keccak
// 1 << 12, 64, I(8 << 12, 1 << 62, np.uint64), O(4 << 12, np.uint64)
constant ulong kk_rc[24] = {1UL,0x8082UL,0x800000000000808aUL,0x8000000080008000UL,0x808bUL,0x80000001UL,
    0x8000000080008081UL,0x8000000000008009UL,0x8aUL,0x88UL,0x80008009UL,0x8000000aUL,0x8000808bUL,
    0x800000000000008bUL,0x8000000000008089UL,0x8000000000008003UL,0x8000000000008002UL,0x8000000000000080UL,
    0x800aUL,0x800000008000000aUL,0x8000000080008081UL,0x8000000000008080UL,0x80000001UL,0x8000000080008008UL};
constant int kk_rot[24] = {1,3,6,10,15,21,28,36,45,55,2,14,27,41,56,8,25,43,62,18,39,61,20,44};
constant int kk_pos[24] = {10,7,11,17,18,3,5,16,8,21,24,4,15,23,19,13,12,2,20,14,22,9,6,1};
kernel void keccak(global const ulong *in, global ulong *o)
{
    int g = get_global_id(0);
    ulong s[25], b[5];
    for (int i = 0; i < 25; i++)
        s[i] = i < 8 ? in[g * 8 + i] : 0;
    for (int r = 0; r < 24; r++) {
        for (int i = 0; i < 5; i++)
            b[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
        for (int i = 0; i < 5; i++) {
            ulong t = b[(i + 4) % 5] ^ rotate(b[(i + 1) % 5], 1UL);
            for (int j = 0; j < 25; j += 5)
                s[j + i] ^= t;
        }
        ulong t = s[1];
        for (int i = 0; i < 24; i++) {
            int j = kk_pos[i];
            ulong x = s[j];
            s[j] = rotate(t, (ulong)kk_rot[i]);
            t = x;
        }
        for (int j = 0; j < 25; j += 5) {
            for (int i = 0; i < 5; i++)
                b[i] = s[j + i];
            for (int i = 0; i < 5; i++)
                s[j + i] = b[i] ^ (~b[(i + 1) % 5] & b[(i + 2) % 5]);
        }
        s[0] ^= kk_rc[r];
    }
    for (int i = 0; i < 4; i++)
        o[g * 4 + i] = s[i];
}

// case slerp
// 1 << 16, None, F(4 << 16), F(4 << 16), O(4 << 16), S(0.3, np.float32)
kernel void slerp(global const float4 *a, global const float4 *b, global float4 *o, float t)
{
    int i = get_global_id(0);
    float4 p = normalize(a[i]), q = normalize(b[i]);
    float d = dot(p, q);
    if (d < 0) {
        q = -q;
        d = -d;
    }
    if (d > 0.9995f) {
        o[i] = normalize(p + t * (q - p));
        return;
    }
    float th = acos(d), s = sin(th);
    o[i] = (sin((1 - t) * th) * p + sin(t * th) * q) / s;
}

// case springs
// (256, 256), (16, 16), F(4 << 16), F(4 << 16), O(4 << 16), S(256), S(256), S(10, np.float32)
kernel void springs(global const float4 *p, global const float4 *old, global float4 *o, int w, int h, float k)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
    float4 me = p[i], f = (float4)(0, -9.81f, 0, 0);
    for (int j = -1; j <= 1; j++)
        for (int l = -1; l <= 1; l++) {
            int u = x + l, v = y + j;
            if ((j || l) && u >= 0 && v >= 0 && u < w && v < h) {
                float4 d = p[v * w + u] - me;
                float r = length(d.xyz) + 1e-6f, rest = j && l ? 1.41421356f : 1;
                f += d * (k * (r - rest) / r);
            }
        }
    o[i] = me + (me - old[i]) * 0.99f + f * 1e-4f;
}

// case brain
// (512, 256), None, I(512 * 256, 3, np.uint8), O(512 * 256, np.uint8), S(512), S(256)
kernel void brain(global const uchar *a, global uchar *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int n = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i || j)
                n += a[((y + j + h) % h) * w + (x + i + w) % w] == 1;
    uchar s = a[y * w + x];
    o[y * w + x] = s == 1 ? 2 : s == 2 ? 0 : n == 2 ? 1 : 0;
}

// case cfir
// 1 << 15, 64, F(2 * ((1 << 15) + 64)), F(128), O(2 << 15), S(64)
kernel void cfir(global const float2 *x, constant float2 *c, global float2 *o, int taps)
{
    int i = get_global_id(0);
    float2 s = 0;
    for (int k = 0; k < taps; k++) {
        float2 a = x[i + k], b = c[k];
        s += (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
    o[i] = s;
}

// case zmul
// 1 << 17, None, D(2 << 17), D(2 << 17), O(2 << 17, np.float64)
kernel void zmul(global const double2 *a, global const double2 *b, global double2 *o)
{
    int i = get_global_id(0);
    double2 x = a[i], y = b[i];
    o[i] = (double2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

// case half4scale
// 1 << 16, None, H(4 << 16), O(4 << 16, np.float16), S(0.5, np.float32)
kernel void half4scale(global const half *a, global half *o, float s)
{
    int i = get_global_id(0);
    float4 v = vload_half4(i, a);
    vstore_half4(v * s + 1.0f, i, o);
}

// case coo_atomic
// 1 << 16, 64, I(1 << 16, 1 << 12), I(1 << 16, 1 << 12), F(1 << 16), F(1 << 12), O(1 << 12)
void add_float(volatile global float *p, float v)
{
    union { uint u; float f; } old, now;
    do {
        old.f = *p;
        now.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, now.u) != old.u);
}
kernel void coo_atomic(global const int *row, global const int *col, global const float *v,
                       global const float *x, global float *y)
{
    int i = get_global_id(0);
    add_float(&y[row[i]], v[i] * x[col[i]]);
}

// case dia_spmv
// 1 << 16, 64, F(7 << 16), ('buffer', np.array([-256, -16, -1, 0, 1, 16, 256], np.int32)), F(1 << 16), O(1 << 16), S(1 << 16), S(7)
kernel void dia_spmv(global const float *v, constant int *off, global const float *x, global float *y, int n, int d)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < d; k++) {
        int c = i + off[k];
        if (c >= 0 && c < n)
            s += v[k * n + i] * x[c];
    }
    y[i] = s;
}

// case bsr4
// 1 << 13, 64, row_starts((1 << 13) + 1, 8), I(8 << 13, 1 << 13), F(16 * 8 << 13), F(4 << 13), O(4 << 13)
kernel void bsr4(global const int *start, global const int *col, global const float4 *v,
                 global const float4 *x, global float4 *y)
{
    int i = get_global_id(0);
    float4 s = 0;
    for (int k = start[i]; k < start[i + 1]; k++) {
        float4 b = x[col[k]];
        s += (float4)(dot(v[4 * k], b), dot(v[4 * k + 1], b), dot(v[4 * k + 2], b), dot(v[4 * k + 3], b));
    }
    y[i] = s;
}

// case subsets
// 1 << 10, 64, I(12 << 10, 100), O(1 << 10, np.int32), S(300)
kernel void subsets(global const int *a, global int *o, int target)
{
    int g = get_global_id(0), s[12], count = 0;
    for (int i = 0; i < 12; i++)
        s[i] = a[g * 12 + i];
    for (int m = 0; m < 4096; m++) {
        int t = 0;
        for (int i = 0; i < 12; i++)
            if (m >> i & 1)
                t += s[i];
        count += t == target;
    }
    o[g] = count;
}

// case heap_perm
// 1 << 12, 64, O(1 << 12, np.int32)
kernel void heap_perm(global int *o)
{
    int a[6], c[6], g = get_global_id(0), h = 0;
    for (int i = 0; i < 6; i++) {
        a[i] = (g >> i) & 7;
        c[i] = 0;
    }
    for (int i = 0; i < 6;) {
        if (c[i] < i) {
            int j = i & 1 ? c[i] : 0, t = a[j];
            a[j] = a[i];
            a[i] = t;
            h = h * 31 + a[0] + a[5];
            c[i]++;
            i = 0;
        } else
            c[i++] = 0;
    }
    o[g] = h;
}

// case uf_find
// 1 << 16, 64, ('buffer', (np.arange(1 << 16) * RANDOM.random(1 << 16)).astype(np.int32)), O(1 << 16, np.int32)
kernel void uf_find(global const int *parent, global int *root)
{
    int i = get_global_id(0), x = i;
    while (parent[x] != x)
        x = parent[parent[x]];
    root[i] = x;
}

// case box_local
// (512, 256), (16, 16), F(512 * 256), O(512 * 256), S(512), S(256)
#define R 3
kernel void box_local(global const float *a, global float *o, int w, int h)
{
    local float t[16 + 2 * R][16 + 2 * R];
    int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 16;
    for (int y = ly; y < 16 + 2 * R; y += 16)
        for (int x = lx; x < 16 + 2 * R; x += 16)
            t[y][x] = a[clamp(y0 + y - R, 0, h - 1) * w + clamp(x0 + x - R, 0, w - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int j = 0; j <= 2 * R; j++)
        for (int i = 0; i <= 2 * R; i++)
            s += t[ly + j][lx + i];
    o[(y0 + ly) * w + x0 + lx] = s / ((2 * R + 1) * (2 * R + 1));
}

// case stackvm
// 1 << 14, 64, I(64, 256, np.uint8), I(1 << 14), O(1 << 14, np.int32), S(64)
kernel void stackvm(constant uchar *code, global const int *in, global int *out, int n)
{
    int st[16], sp = 0, g = get_global_id(0);
    st[sp++] = in[g];
    for (int pc = 0; pc < n; pc++) {
        uchar c = code[pc];
        switch (c & 7) {
        case 0: if (sp < 15) { st[sp] = c >> 3; sp++; } break;
        case 1: if (sp > 1) { sp--; st[sp - 1] += st[sp]; } break;
        case 2: if (sp > 1) { sp--; st[sp - 1] *= st[sp]; } break;
        case 3: if (sp < 15) { st[sp] = st[sp - 1]; sp++; } break;
        case 4: if (sp > 1) { int t = st[sp - 1]; st[sp - 1] = st[sp - 2]; st[sp - 2] = t; } break;
        case 5: st[sp - 1] ^= in[g]; break;
        case 6: st[sp - 1] = -st[sp - 1]; break;
        default: if (st[sp - 1] & 1) pc++;
        }
    }
    out[g] = st[sp - 1];
}

// case colmajor
// 2048, 64, F(2048 * 512), F(512), O(2048), S(2048), S(512)
kernel void colmajor(global const float *a, global const float *x, global float *y, int m, int n)
{
    int r = get_global_id(0);
    float s = 0;
    for (int c = 0; c < n; c++)
        s = fma(a[c * m + r], x[c], s);
    y[r] = s;
}

// case transpose3d
// (64, 64, 64), (16, 4, 4), F(N), O(N), S(64), S(64), S(64)
kernel void transpose3d(global const float *a, global float *o, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    o[(x * ny + y) * nz + z] = a[(z * ny + y) * nx + x];
}

// case pcr
// 1 << 16, 128, F(1 << 16), F(1 << 16), F(1 << 16), F(1 << 16), O(1 << 16)
kernel void pcr(global const float *A, global const float *B, global const float *C, global const float *D,
                global float *X)
{
    local float a[128], b[128], c[128], d[128];
    int l = get_local_id(0), g = get_global_id(0);
    a[l] = l ? A[g] : 0;
    b[l] = B[g] + 4;
    c[l] = l < 127 ? C[g] : 0;
    d[l] = D[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 128; s *= 2) {
        float na = 0, nb = b[l], nc = 0, nd = d[l];
        if (l >= s) {
            float k = a[l] / b[l - s];
            nb -= c[l - s] * k;
            nd -= d[l - s] * k;
            na = -a[l - s] * k;
        }
        if (l + s < 128) {
            float k = c[l] / b[l + s];
            nb -= a[l + s] * k;
            nd -= d[l + s] * k;
            nc = -c[l + s] * k;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] = na; b[l] = nb; c[l] = nc; d[l] = nd;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    X[g] = d[l] / b[l];
}

// case lu_local
// (16 * 256, 16), (16, 16), F(256 * 256)
kernel void lu_local(global float *a)
{
    local float m[16][17];
    int x = get_local_id(0), y = get_local_id(1), g = get_group_id(0) * 256 + y * 16 + x;
    m[y][x] = a[g] + (x == y ? 16 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 15; k++) {
        if (x == k && y > k)
            m[y][k] /= m[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x > k && y > k)
            m[y][x] -= m[y][k] * m[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[g] = m[y][x];
}

// case median9_u8
// (1022, 510), None, I(1 << 19, 256, np.uint8), O(1 << 19, np.uint8), S(1024)
#define S2(a, b) { uchar t = min(a, b); b = max(a, b); a = t; }
kernel void median9_u8(global const uchar *p, global uchar *o, int w)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    uchar v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[j * 3 + i] = p[(y + j - 1) * w + x + i - 1];
    S2(v[1], v[2]) S2(v[4], v[5]) S2(v[7], v[8]) S2(v[0], v[1]) S2(v[3], v[4]) S2(v[6], v[7])
    S2(v[1], v[2]) S2(v[4], v[5]) S2(v[7], v[8]) S2(v[0], v[3]) S2(v[5], v[8]) S2(v[4], v[7])
    S2(v[3], v[6]) S2(v[1], v[4]) S2(v[2], v[5]) S2(v[4], v[7]) S2(v[4], v[2]) S2(v[6], v[4])
    S2(v[4], v[2])
    o[y * w + x] = v[4];
}

// case sad8
// (126, 64), None, I(1 << 19, 256, np.uint8), I((1 << 19) + 16, 256, np.uint8), O(126 * 64, np.uint32), S(1024)
kernel void sad8(global const uchar *a, global const uchar *b, global uint *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint best = 0xffffffff;
    for (int d = 0; d < 8; d++) {
        uint s = 0;
        for (int j = 0; j < 8; j++)
            for (int i = 0; i < 8; i++)
                s += abs_diff(a[(y * 8 + j) * w + x * 8 + i], b[(y * 8 + j) * w + x * 8 + i + d]);
        best = min(best, s << 8 | d);
    }
    o[y * get_global_size(0) + x] = best;
}

// case hough
// (512, 256), None, I(512 * 256, 256, np.uint8), O(32 * 2048, np.uint32), S(512), S(2048)
kernel void hough(global const uchar *edge, global uint *acc, int w, int rho)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (edge[y * w + x] < 250)
        return;
    for (int t = 0; t < 32; t++) {
        float a = t * 0.09817477f;
        int r = convert_int_rte(x * cos(a) + y * sin(a)) + rho / 2;
        atomic_inc(&acc[t * rho + r]);
    }
}

// case in_polygon
// 1 << 15, 64, F(2 << 15), F(64), O(1 << 15, np.int32), S(32)
kernel void in_polygon(global const float2 *p, constant float2 *v, global int *o, int n)
{
    int i = get_global_id(0);
    float2 q = p[i];
    bool in = false;
    for (int a = 0, b = n - 1; a < n; b = a++)
        if ((v[a].y > q.y) != (v[b].y > q.y) &&
            q.x < (v[b].x - v[a].x) * (q.y - v[a].y) / (v[b].y - v[a].y) + v[a].x)
            in = !in;
    o[i] = in;
}

// case bigmul
// 1 << 14, 64, I(8 << 14, 1 << 32, np.uint32), I(8 << 14, 1 << 32, np.uint32), O(16 << 14, np.uint32)
kernel void bigmul(global const uint *a, global const uint *b, global uint *o)
{
    int g = get_global_id(0);
    uint r[16];
    for (int i = 0; i < 16; i++)
        r[i] = 0;
    for (int i = 0; i < 8; i++) {
        ulong carry = 0;
        uint x = a[g * 8 + i];
        for (int j = 0; j < 8; j++) {
            carry += (ulong)x * b[g * 8 + j] + r[i + j];
            r[i + j] = (uint)carry;
            carry >>= 32;
        }
        r[i + 8] = (uint)carry;
    }
    for (int i = 0; i < 16; i++)
        o[g * 16 + i] = r[i];
}

// case montgomery
// 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint64), S((1 << 61) - 1, np.uint64), S(0x1fffffffffffffff, np.uint64), S(65537)
kernel void montgomery(global const ulong *a, global ulong *o, ulong m, ulong inv, int e)
{
    int i = get_global_id(0);
    ulong x = a[i] % m, r = 1;
    for (; e; e >>= 1) {
        ulong y = e & 1 ? x : 1;
        ulong lo = r * y, q = lo * inv;
        ulong t = mul_hi(r, y) + m - mul_hi(q, m);
        r = t >= m ? t - m : t;
        lo = x * x;
        q = lo * inv;
        t = mul_hi(x, x) + m - mul_hi(q, m);
        x = t >= m ? t - m : t;
    }
    o[i] = r;
}

// case crc64
// 1 << 13, 64, I(32 << 13, 256, np.uint8), O(1 << 13, np.uint64), S(32)
kernel void crc64(global const uchar *p, global ulong *o, int n)
{
    int g = get_global_id(0);
    ulong c = ~0UL;
    for (int i = 0; i < n; i++) {
        c ^= p[g * n + i];
        for (int k = 0; k < 8; k++)
            c = c & 1 ? (c >> 1) ^ 0xc96c5795d7870f42UL : c >> 1;
    }
    o[g] = ~c;
}

// case adler
// 1 << 13, 64, I(64 << 13, 256, np.uint8), O(1 << 13, np.uint32), S(64)
kernel void adler(global const uchar *p, global uint *o, int n)
{
    int g = get_global_id(0);
    uint a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + p[g * n + i]) % 65521;
        b = (b + a) % 65521;
    }
    o[g] = b << 16 | a;
}

// case itoa
// 1 << 15, 64, I(1 << 15), O(12 << 15, np.int8)
kernel void itoa(global const int *a, global char *o)
{
    int g = get_global_id(0), n = 0;
    char t[12];
    uint v = abs(a[g]);
    do {
        t[n++] = '0' + v % 10;
        v /= 10;
    } while (v);
    if (a[g] < 0)
        t[n++] = '-';
    for (int i = 0; i < 12; i++)
        o[g * 12 + i] = i < n ? t[n - 1 - i] : ' ';
}

// case atoi
// 1 << 15, 64, ('buffer', RANDOM.integers(46, 58, 12 << 15).astype(np.int8)), O(1 << 15, np.int32)
kernel void atoi(global const char *s, global int *o)
{
    int g = get_global_id(0), v = 0, sign = 1, i = g * 12;
    if (s[i] == '-') {
        sign = -1;
        i++;
    }
    while (s[i] >= '0' && s[i] <= '9' && i < g * 12 + 12)
        v = v * 10 + s[i++] - '0';
    o[g] = sign * v;
}

// case bitunpack
// N, None, I(N // 2, 1 << 32, np.uint32), O(N, np.uint32), S(11)
kernel void bitunpack(global const uint *p, global uint *o, int bits)
{
    int i = get_global_id(0);
    int at = i * bits, w = at >> 5, s = at & 31;
    ulong v = p[w] | (ulong)p[w + 1] << 32;
    o[i] = (uint)(v >> s) & ((1u << bits) - 1);
}

// case varint
// 1 << 14, 64, I(41 << 14, 256, np.uint8), O(1 << 14, np.uint32)
kernel void varint(global const uchar *p, global uint *o)
{
    int g = get_global_id(0), at = g * 40;
    uint sum = 0;
    for (int k = 0; k < 8; k++) {
        uint v = 0;
        int s = 0;
        uchar c;
        do {
            c = p[at++];
            v |= (uint)(c & 127) << s;
            s += 7;
        } while (c & 128 && s < 35);
        sum = sum * 17 + v;
    }
    o[g] = sum;
}

// case lstm_gate
// 1 << 16, None, F(4 << 16), F(1 << 16), O(1 << 16), S(1 << 16)
float sig(float x) { return 1 / (1 + exp(-x)); }
kernel void lstm_gate(global const float *g, global float *c, global float *h, int n)
{
    int i = get_global_id(0);
    float in = sig(g[i]), f = sig(g[i + n]), u = tanh(g[i + 2 * n]), o = sig(g[i + 3 * n]);
    float cell = f * c[i] + in * u;
    c[i] = cell;
    h[i] = o * tanh(cell);
}

// case attention
// 1 << 10, 64, F(16 << 10), F(16 << 10), F(16 << 10), O(16 << 10), S(256)
kernel void attention(global const float *q, global const float *k, global const float *v, global float *o, int n)
{
    int i = get_global_id(0);
    float acc[16], qq[16], m = -INFINITY, sum = 0;
    for (int d = 0; d < 16; d++) {
        qq[d] = q[i * 16 + d];
        acc[d] = 0;
    }
    for (int j = 0; j < n; j++) {
        float s = 0;
        for (int d = 0; d < 16; d++)
            s += qq[d] * k[j * 16 + d];
        float m2 = fmax(m, s), e = exp(s - m2), r = exp(m - m2);
        sum = sum * r + e;
        for (int d = 0; d < 16; d++)
            acc[d] = acc[d] * r + e * v[j * 16 + d];
        m = m2;
    }
    for (int d = 0; d < 16; d++)
        o[i * 16 + d] = acc[d] / sum;
}

// case topk
// 1 << 12, 64, F(64 << 12), O(4 << 12), S(64)
kernel void topk(global const float *a, global float *o, int n)
{
    int g = get_global_id(0);
    float b[4] = {-1, -1, -1, -1};
    for (int i = 0; i < n; i++) {
        float x = a[g * n + i];
        for (int k = 0; k < 4; k++)
            if (x > b[k]) {
                float t = b[k];
                b[k] = x;
                x = t;
            }
    }
    for (int k = 0; k < 4; k++)
        o[g * 4 + k] = b[k];
}

// case depthwise
// (64, 64, 32), None, F(1 << 17), F(9 * 32), O(1 << 17), S(64), S(64)
kernel void depthwise(global const float *x, constant float *f, global float *o, int w, int h)
{
    int i = get_global_id(0), j = get_global_id(1), c = get_global_id(2);
    float s = 0;
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++) {
            int a = i + u, b = j + v;
            if (a >= 0 && a < w && b >= 0 && b < h)
                s += x[(c * h + b) * w + a] * f[c * 9 + (v + 1) * 3 + u + 1];
        }
    o[(c * h + j) * w + i] = fmax(s, 0.0f);
}

// case binomial
// 128 * 256, 128, F(256), O(256), S(120), S(1.02, np.float32), S(0.5, np.float32)
kernel void binomial(global const float *s, global float *o, int steps, float u, float p)
{
    local float v[2][129];
    int l = get_local_id(0), g = get_group_id(0), in = 0;
    float s0 = s[g] * 100, d = 1 / u;
    v[0][l] = fmax(s0 * pown(u, 2 * l - steps) - 50, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = steps; t > 0; t--) {
        if (l < t)
            v[1 - in][l] = (p * v[in][l + 1] + (1 - p) * v[in][l]) * 0.9999f;
        in = 1 - in;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        o[g] = v[in][0] + d * 0;
}

// case asian_mc
// 1 << 12, 64, O(1 << 12), S(0.0001, np.float32), S(0.01, np.float32), S(64)
uint wang(uint s)
{
    s = (s ^ 61) ^ (s >> 16);
    s *= 9;
    s ^= s >> 4;
    s *= 0x27d4eb2d;
    return s ^ (s >> 15);
}
kernel void asian_mc(global float *o, float drift, float vol, int steps)
{
    uint g = get_global_id(0), r = wang(g);
    float x = 0, sum = 0;
    for (int i = 0; i < steps; i += 2) {
        r = wang(r);
        float u = (r + 1.0f) * 2.3283064e-10f;
        r = wang(r);
        float t = r * 1.4629181e-9f, m = sqrt(-2 * log(u)), c, s = sincos(t, &c);
        x += drift + vol * m * c;
        sum += exp(x);
        x += drift + vol * m * s;
        sum += exp(x);
    }
    o[g] = fmax(sum / steps - 1, 0.0f);
}

// case rgb565
// 1 << 19, None, I(4 << 19, 256, np.uint8), O(1 << 19, np.uint16)
kernel void rgb565(global const uchar4 *p, global ushort *o)
{
    int i = get_global_id(0);
    uchar4 c = p[i];
    o[i] = (c.x >> 3) << 11 | (c.y >> 2) << 5 | c.z >> 3;
}

// case yuyv
// 1 << 18, None, I(4 << 18, 256, np.uint8), O(8 << 18, np.uint8)
kernel void yuyv(global const uchar4 *p, global uchar4 *o)
{
    int i = get_global_id(0);
    int4 v = convert_int4(p[i]);
    int u = v.y - 128, w = v.w - 128;
    int r = 359 * w >> 8, g = (88 * u + 183 * w) >> 8, b = 454 * u >> 8;
    o[2 * i] = convert_uchar4_sat((int4)(v.x + r, v.x - g, v.x + b, 255));
    o[2 * i + 1] = convert_uchar4_sat((int4)(v.z + r, v.z - g, v.z + b, 255));
}

// case demosaic
// (1022, 510), None, I(1 << 19, 1 << 14, np.uint16), O(3 << 19, np.uint16), S(1024)
kernel void demosaic(global const ushort *p, global ushort *o, int w)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, i = y * w + x;
    int c = p[i], h = (p[i - 1] + p[i + 1]) / 2, v = (p[i - w] + p[i + w]) / 2;
    int q = (p[i - 1] + p[i + 1] + p[i - w] + p[i + w]) / 4;
    int d = (p[i - w - 1] + p[i - w + 1] + p[i + w - 1] + p[i + w + 1]) / 4;
    int r, g, b;
    if (y & 1) {
        if (x & 1) { r = d; g = q; b = c; } else { r = v; g = c; b = h; }
    } else {
        if (x & 1) { r = h; g = c; b = v; } else { r = c; g = q; b = d; }
    }
    o[3 * i] = r;
    o[3 * i + 1] = g;
    o[3 * i + 2] = b;
}

// case bezier
// 1 << 17, None, F(8 << 10), O(2 << 17), S(128)
kernel void bezier(global const float2 *c, global float2 *o, int n)
{
    int i = get_global_id(0);
    float t = (float)(i % n) / n, s = 1 - t;
    global const float2 *p = c + 4 * (i / n);
    o[i] = s * s * s * p[0] + 3 * s * s * t * p[1] + 3 * s * t * t * p[2] + t * t * t * p[3];
}

// case haar
// (512, 256), None, F(N), O(N), S(1024)
kernel void haar(global const float *a, global float *o, int n)
{
    int i = get_global_id(0), y = get_global_id(1);
    float2 v = ((global const float2 *)(a + y * n))[i];
    o[y * n + i] = (v.x + v.y) * 0.70710678f;
    o[y * n + n / 2 + i] = (v.x - v.y) * 0.70710678f;
}

// case lift53
// 1 << 17, None, I(N), O(N, np.int32), S(N)
kernel void lift53(global const int *a, global int *o, int n)
{
    int i = get_global_id(0), l = max(2 * i - 1, 0), m = 2 * i, r = 2 * i + 1, s = min(2 * i + 2, n - 2), t = min(2 * i + 3, n - 1);
    int d0 = a[l] - ((a[max(m - 2, 0)] + a[m]) >> 1), d1 = a[r] - ((a[m] + a[s]) >> 1);
    o[i] = a[m] + ((d0 + d1 + 2) >> 2);
    o[n / 2 + i] = d1 + (t & 0);
}

// case ray_tri
// 1 << 13, 64, F(3 << 13), F(3 << 13), F(9 * 64), O(1 << 13), S(64)
kernel void ray_tri(global const float *org, global const float *dir, constant float *tri, global float *o, int n)
{
    int i = get_global_id(0);
    float3 p = vload3(i, org), d = vload3(i, dir);
    float best = 1e30f;
    for (int k = 0; k < n; k++) {
        float3 a = vload3(3 * k, tri), e = vload3(3 * k + 1, tri), f = vload3(3 * k + 2, tri);
        float3 h = cross(d, f);
        float det = dot(e, h);
        if (fabs(det) < 1e-6f)
            continue;
        float inv = 1 / det;
        float3 s = p - a;
        float u = dot(s, h) * inv;
        if (u < 0 || u > 1)
            continue;
        float3 q = cross(s, e);
        float v = dot(d, q) * inv;
        if (v < 0 || u + v > 1)
            continue;
        float t = dot(f, q) * inv;
        if (t > 0 && t < best)
            best = t;
    }
    o[i] = best;
}

// case sdf_march
// (256, 256), None, O(1 << 16), S(256), S(256)
float sd_box(float3 p, float3 b)
{
    float3 q = fabs(p) - b;
    return length(fmax(q, 0.0f)) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0f);
}
float scene(float3 p)
{
    float3 q = p - 4.0f * rint(p / 4.0f);
    return fmax(sd_box(q, (float3)(1)), 1.2f - length(q));
}
kernel void sdf_march(global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 d = normalize((float3)((float)x / w - 0.5f, (float)y / h - 0.5f, 1)), p = (float3)(2, 2, -1);
    float t = 0;
    for (int i = 0; i < 48; i++) {
        float s = scene(p + t * d);
        if (s < 1e-3f || t > 50)
            break;
        t += s;
    }
    o[y * w + x] = t;
}

// case eigen3
// 1 << 14, 64, F(9 << 14), O(3 << 14)
kernel void eigen3(global const float *a, global float *o)
{
    int g = get_global_id(0);
    float m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = (a[g * 9 + i * 3 + j] + a[g * 9 + j * 3 + i]) * 0.5f;
    for (int sweep = 0; sweep < 4; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (fabs(m[p][q]) < 1e-9f)
                    continue;
                float th = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                float t = (th >= 0 ? 1 : -1) / (fabs(th) + sqrt(th * th + 1)), c = rsqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    float u = m[k][p], v = m[k][q];
                    m[k][p] = c * u - s * v;
                    m[k][q] = s * u + c * v;
                }
                for (int k = 0; k < 3; k++) {
                    float u = m[p][k], v = m[q][k];
                    m[p][k] = c * u - s * v;
                    m[q][k] = s * u + c * v;
                }
            }
    o[g * 3] = m[0][0];
    o[g * 3 + 1] = m[1][1];
    o[g * 3 + 2] = m[2][2];
}

// case gauss6
// 1 << 13, 64, D(42 << 13), O(6 << 13, np.float64)
kernel void gauss6(global const double *a, global double *x)
{
    int g = get_global_id(0);
    double m[6][7];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 7; j++)
            m[i][j] = a[g * 42 + i * 7 + j] + (i == j ? 8 : 0);
    for (int k = 0; k < 6; k++)
        for (int i = k + 1; i < 6; i++) {
            double f = m[i][k] / m[k][k];
            for (int j = k; j < 7; j++)
                m[i][j] -= f * m[k][j];
        }
    for (int i = 5; i >= 0; i--) {
        double s = m[i][6];
        for (int j = i + 1; j < 6; j++)
            s -= m[i][j] * m[j][6];
        m[i][6] = s / m[i][i];
        x[g * 6 + i] = m[i][6];
    }
}

// case bitrev_perm
// 1 << 17, 64, F(2 << 17), O(2 << 17), S(17)
kernel void bitrev_perm(global const float2 *a, global float2 *o, int bits)
{
    uint i = get_global_id(0), r = i;
    r = (r >> 1 & 0x55555555) | (r & 0x55555555) << 1;
    r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
    r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4;
    r = (r >> 8 & 0x00ff00ff) | (r & 0x00ff00ff) << 8;
    r = (r >> 16 | r << 16) >> (32 - bits);
    o[r] = a[i];
}

// case bittrans32
// 1 << 13, 64, I(32 << 13, 1 << 32, np.uint32)
kernel void bittrans32(global uint *a)
{
    uint v[32], g = get_global_id(0) * 32;
    for (int i = 0; i < 32; i++)
        v[i] = a[g + i];
    uint m = 0x0000ffff;
    for (int j = 16; j; j >>= 1, m ^= m << j)
        for (int k = 0; k < 32; k = ((k | j) + 1) & ~j) {
            uint t = (v[k] ^ (v[k | j] >> j)) & m;
            v[k] ^= t;
            v[k | j] ^= t << j;
        }
    for (int i = 0; i < 32; i++)
        a[g + i] = v[i];
}

// case sobol
// N, None, I(32, 1 << 32, np.uint32), O(N)
kernel void sobol(constant uint *dir, global float *o)
{
    uint i = get_global_id(0), g = i ^ (i >> 1), x = 0;
    for (int k = 0; k < 20; k++)
        if (g >> k & 1)
            x ^= dir[k];
    o[i] = x * 2.3283064e-10f;
}

// case miller
// 1 << 13, 64, I(1 << 13), O(1 << 13, np.uint8)
uint mulmod(uint a, uint b, uint m) { return (ulong)a * b % m; }
kernel void miller(global const uint *a, global uchar *o)
{
    int i = get_global_id(0);
    uint n = a[i] | 1, d = n - 1;
    int s = 0;
    while (!(d & 1)) {
        d >>= 1;
        s++;
    }
    uint x = 1, b = 2;
    for (uint e = d; e; e >>= 1) {
        if (e & 1)
            x = mulmod(x, b, n);
        b = mulmod(b, b, n);
    }
    bool prime = x == 1 || x == n - 1;
    for (int r = 1; r < s && !prime; r++) {
        x = mulmod(x, x, n);
        prime = x == n - 1;
    }
    o[i] = prime;
}

// case knapsack
// 256 * 128, 256, I(128 * 32, 64), I(128 * 32, 100), O(256 * 128, np.int32), S(32)
kernel void knapsack(global const int *weight, global const int *value, global int *o, int n)
{
    local int best[2][256];
    int l = get_local_id(0), g = get_group_id(0), in = 0;
    best[0][l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        int w = weight[g * n + i], v = best[in][l];
        if (l >= w)
            v = max(v, best[in][l - w] + value[g * n + i]);
        best[1 - in][l] = v;
        in = 1 - in;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g * 256 + l] = best[in][l];
}

// case wavefront
// 64 * 256, 64, I(64 * 256, 4, np.int8), I(64 * 256, 4, np.int8), O(64 * 256, np.int32)
kernel void wavefront(global const char *a, global const char *b, global int *o)
{
    local int d[3][65];
    local char s[64], t[64];
    int l = get_local_id(0), g = get_group_id(0), best = 0;
    s[l] = a[g * 64 + l];
    t[l] = b[g * 64 + l];
    for (int k = 0; k < 3; k++)
        d[k][l] = 0;
    if (l == 0)
        d[0][64] = d[1][64] = d[2][64] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 127; k++) {
        int j = k - l;
        if (j >= 0 && j < 64) {
            int up = d[(k + 2) % 3][l], left = d[(k + 2) % 3][l + 1], diag = d[(k + 1) % 3][l];
            int v = max(max(diag + (s[l] == t[j] ? 2 : -1), 0), max(up, left) - 1);
            d[k % 3][l + 1] = v;
            best = max(best, v);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g * 64 + l] = best;
}

// case sg_reduce
// N, 256, F(N), O(N // 256), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_reduce(global const float *a, global float *o)
{
    local float t[64];
    float s = sub_group_reduce_add(a[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        t[get_sub_group_id()] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        s = 0;
        for (uint i = 0; i < get_num_sub_groups(); i++)
            s += t[i];
        o[get_group_id(0)] = s;
    }
}

// case sg_bcast
// 1 << 13, 64, F(1024), F(64 << 10), O(1 << 13), S(256), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_bcast(global const float *a, global const float *b, global float *o, int n)
{
    int i = get_global_id(0), l = get_sub_group_local_id(), w = get_sub_group_size();
    float s = 0;
    for (int k = 0; k < n; k += w) {
        float v = a[k + l];
        for (int j = 0; j < w; j++)
            s += sub_group_broadcast(v, j) * b[(k + j) * 64 + (i & 63)];
    }
    o[i] = s;
}

// case wg_scan
// N, 256, I(N, 1000), O(N, np.int32), '-cl-std=CL3.0'
kernel void wg_scan(global const int *a, global int *o)
{
    int i = get_global_id(0);
    o[i] = work_group_scan_exclusive_add(a[i]) + work_group_reduce_max(a[i]);
}

// case rle
// 1 << 13, 64, I(64 << 13, 2, np.uint8), O(1 << 13, np.int32), S(64)
kernel void rle(global const uchar *a, global int *o, int n)
{
    int g = get_global_id(0), i = g * n, end = i + n, runs = 0;
    while (i < end) {
        uchar c = a[i];
        int k = 1;
        while (i + k < end && a[i + k] == c && k < 255)
            k++;
        i += k;
        runs++;
    }
    o[g] = runs;
}

// case particles_grid
// 1 << 13, 64, F(2 << 13), even_starts(32 * 32, 1 << 13), I(1 << 13, 1 << 13), O(1 << 13), S(32)
kernel void particles_grid(global const float2 *p, global const int *start, global const int *items,
                           global float *o, int w)
{
    int i = get_global_id(0);
    float2 me = p[i];
    int cx = (int)(me.x * w), cy = (int)(me.y * w);
    float rho = 0;
    for (int y = max(cy - 1, 0); y <= min(cy + 1, w - 1); y++)
        for (int x = max(cx - 1, 0); x <= min(cx + 1, w - 1); x++)
            for (int k = start[y * w + x]; k < start[y * w + x + 1]; k++) {
                float2 d = p[items[k]] - me;
                float q = 0.01f - dot(d, d);
                if (q > 0)
                    rho += q * q * q;
            }
    o[i] = rho;
}

// case triad_f16
// 1 << 14, None, F(16 << 14), F(16 << 14), O(16 << 14), S(0.5, np.float32)
kernel void triad_f16(global const float16 *a, global const float16 *b, global float16 *o, float s)
{
    int i = get_global_id(0);
    o[i] = fma(b[i], (float16)(s), a[i]);
}

// case dither
// (1024, 512), None, I(1 << 19, 256, np.uint8), I(64, 256, np.uint8), O(1 << 19, np.uint8), S(1024)
kernel void dither(global const uchar *a, constant uchar *m, global uchar *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * w + x] = a[y * w + x] > m[(y & 7) * 8 + (x & 7)] ? 255 : 0;
}

// case pack_rgba
// N, None, F(N), F(N), F(N), O(N, np.uint32)
kernel void pack_rgba(global const float *r, global const float *g, global const float *b, global uint *o)
{
    int i = get_global_id(0);
    uint R = convert_uint_sat_rte(r[i] * 255), G = convert_uint_sat_rte(g[i] * 255), B = convert_uint_sat_rte(b[i] * 255);
    o[i] = R | G << 8 | B << 16 | 0xff000000;
}

// case blowfish
// 1 << 14, 64, I(2 << 14, 1 << 32, np.uint32), I(18, 1 << 32, np.uint32), I(1024, 1 << 32, np.uint32)
kernel void blowfish(global uint2 *v, constant uint *p, global const uint *s)
{
    uint2 x = v[get_global_id(0)];
    for (int i = 0; i < 16; i += 2) {
        x.x ^= p[i];
        x.y ^= ((s[x.x >> 24] + s[256 + (x.x >> 16 & 255)]) ^ s[512 + (x.x >> 8 & 255)]) + s[768 + (x.x & 255)];
        x.y ^= p[i + 1];
        x.x ^= ((s[x.y >> 24] + s[256 + (x.y >> 16 & 255)]) ^ s[512 + (x.y >> 8 & 255)]) + s[768 + (x.y & 255)];
    }
    v[get_global_id(0)] = (uint2)(x.y ^ p[17], x.x ^ p[16]);
}

// case sha512r
// 1 << 12, 64, I(16 << 12, 1 << 62, np.uint64), O(8 << 12, np.uint64)
ulong rr(ulong x, int n) { return (x >> n) | (x << (64 - n)); }
kernel void sha512r(global const ulong *m, global ulong *o)
{
    int g = get_global_id(0);
    ulong w[16], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = m[g * 16 + i];
    for (int i = 0; i < 8; i++)
        s[i] = 0x6a09e667f3bcc908UL * (i + 1);
    for (int t = 0; t < 80; t++) {
        ulong x = w[t & 15];
        if (t >= 16) {
            ulong a = w[(t + 1) & 15], b = w[(t + 14) & 15];
            x = w[t & 15] += (rr(a, 1) ^ rr(a, 8) ^ (a >> 7)) + w[(t + 9) & 15] + (rr(b, 19) ^ rr(b, 61) ^ (b >> 6));
        }
        ulong t1 = s[7] + (rr(s[4], 14) ^ rr(s[4], 18) ^ rr(s[4], 41)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + x + t * 0x428a2f98d728ae22UL;
        ulong t2 = (rr(s[0], 28) ^ rr(s[0], 34) ^ rr(s[0], 39)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int i = 7; i > 0; i--)
            s[i] = s[i - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        o[g * 8 + i] = s[i];
}

// case fft8
// 1 << 15, 64, F(16 << 15), O(16 << 15), S(1 << 15)
float2 cm(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
kernel void fft8(global const float2 *in, global float2 *out, int n)
{
    int i = get_global_id(0);
    float2 v[8];
    for (int k = 0; k < 8; k++)
        v[k] = in[i + k * n];
    for (int h = 4; h >= 1; h /= 2)
        for (int k = 0; k < 8; k++)
            if (!(k & h)) {
                float2 a = v[k], b = v[k + h];
                float t = -3.14159265f * (k & (h - 1)) / h;
                v[k] = a + b;
                v[k + h] = cm(a - b, (float2)(cos(t), sin(t)));
            }
    for (int k = 0; k < 8; k++)
        out[i + k * n] = v[((k & 1) << 2) | (k & 2) | (k >> 2)];
}

// case mandel4
// (64, 256), None, O(4 * 64 * 256, np.uint8), S(256)
kernel void mandel4(global uchar4 *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 cr = ((float4)(0, 1, 2, 3) + 4 * x) * (3.0f / w) - 2.0f, ci = (float4)(y * (2.0f / w) - 1.0f);
    float4 r = 0, i = 0;
    int4 n = 0;
    for (int k = 0; k < 100; k++) {
        float4 t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        int4 in = r * r + i * i < 4.0f;
        if (!any(in))
            break;
        n -= in;
    }
    o[y * (w / 4) + x] = convert_uchar4(n);
}

// case heat3d_local
// (128, 128), (16, 8), F(17 * 128 * 128), O(17 * 128 * 128), S(128)
kernel void heat3d_local(global const float *a, global float *o, int n)
{
    local float t[10][18];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    float back = 0, mid = a[y * n + x];
    for (int z = 0; z < 16; z++) {
        float front = a[((z + 1) * n + y) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[ly][lx] = mid;
        if (lx == 1) t[ly][0] = x ? a[(z * n + y) * n + x - 1] : 0;
        if (lx == 16) t[ly][17] = x < n - 1 ? a[(z * n + y) * n + x + 1] : 0;
        if (ly == 1) t[0][lx] = y ? a[(z * n + y - 1) * n + x] : 0;
        if (ly == 8) t[9][lx] = y < n - 1 ? a[(z * n + y + 1) * n + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        o[(z * n + y) * n + x] = 0.4f * mid + 0.1f * (back + front + t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx]);
        back = mid;
        mid = front;
    }
}

// case sum_rows_wg
// 512 * 128, 128, F(512 * 512), O(512), S(512), '-cl-std=CL3.0'
kernel void sum_rows_wg(global const float *a, global float *o, int n)
{
    float s = 0;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        s += a[get_group_id(0) * n + i];
    s = work_group_reduce_add(s);
    if (get_local_id(0) == 0)
        o[get_group_id(0)] = s;
}

// case insert_hash
// 1 << 14, 64, I(1 << 14, 1 << 32, np.uint32), O(1 << 16, np.uint32), S((1 << 16) - 1, np.uint32), '-cl-std=CL1.2 unordered'
kernel void insert_hash(global const uint *key, volatile global uint *table, uint mask)
{
    uint k = key[get_global_id(0)] | 1, h = k * 2654435761u & mask;
    for (;;) {
        uint old = atomic_cmpxchg(&table[h], 0u, k);
        if (old == 0 || old == k)
            break;
        h = (h + 1) & mask;
    }
}

// case trapezoid
// 1 << 12, 64, O(1 << 12), S(0, np.float32), S(20, np.float32), S(128)
float fn(float x) { return sin(x) * exp(-x * 0.1f) + sqrt(x); }
kernel void trapezoid(global float *o, float a, float b, int n)
{
    int g = get_global_id(0);
    float w = (b - a) / get_global_size(0), h = w / n, x = a + g * w, s = 0.5f * (fn(x) + fn(x + w));
    for (int i = 1; i < n; i++)
        s += fn(x + i * h);
    o[g] = s * h;
}

// case kalman
// 1 << 12, 64, F(64 << 12), O(1 << 12), S(64)
kernel void kalman(global const float *z, global float *o, int n)
{
    int g = get_global_id(0);
    float x = 0, v = 0, p00 = 1, p01 = 0, p11 = 1;
    for (int i = 0; i < n; i++) {
        x += v * 0.1f;
        p00 += 0.1f * (2 * p01 + 0.1f * p11) + 1e-4f;
        p01 += 0.1f * p11;
        p11 += 1e-4f;
        float s = p00 + 0.01f, k0 = p00 / s, k1 = p01 / s, y = z[i * get_global_size(0) + g] - x;
        x += k0 * y;
        v += k1 * y;
        p11 -= k1 * p01;
        p01 *= 1 - k0;
        p00 *= 1 - k0;
    }
    o[g] = x;
}

// case iir_rows
// 1 << 12, 64, F(64 << 12), O(64 << 12), S(64)
kernel void iir_rows(global const float *a, global float *o, int n)
{
    int r = get_global_id(0);
    float y1 = 0, y2 = 0, x1 = 0, x2 = 0;
    for (int i = 0; i < n; i++) {
        float x = a[r * n + i], y = 0.2f * x + 0.3f * x1 + 0.2f * x2 + 0.4f * y1 - 0.1f * y2;
        x2 = x1; x1 = x; y2 = y1; y1 = y;
        o[r * n + i] = y;
    }
}

// case bilinear_u8
// (512, 256), None, I(4 << 17, 256, np.uint8), O(4 << 17, np.uint8), S(512), S(256), S(0.7, np.float32), S(0.9, np.float32)
kernel void bilinear_u8(global const uchar4 *a, global uchar4 *o, int w, int h, float sx, float sy)
{
    int x = get_global_id(0), y = get_global_id(1);
    float u = x * sx, v = y * sy;
    int i = (int)u, j = (int)v, i1 = min(i + 1, w - 1), j1 = min(j + 1, h - 1);
    float4 p = convert_float4(a[j * w + i]), q = convert_float4(a[j * w + i1]);
    float4 r = convert_float4(a[j1 * w + i]), s = convert_float4(a[j1 * w + i1]);
    o[y * get_global_size(0) + x] = convert_uchar4_sat_rte(mix(mix(p, q, u - i), mix(r, s, u - i), v - j));
}

// case alpha_premul
// 1 << 18, None, I(4 << 18, 256, np.uint8)
kernel void alpha_premul(global uchar4 *p)
{
    int i = get_global_id(0);
    uchar4 c = p[i];
    ushort3 v = convert_ushort3(c.xyz) * (ushort3)(c.w) + (ushort3)(128);
    p[i].xyz = convert_uchar3((v + (v >> (ushort3)(8))) >> (ushort3)(8));
}

// case hist16_private
// 1 << 13, 64, I(1 << 19, 256, np.uint8), O(16, np.uint32), S(1 << 19)
kernel void hist16_private(global const uchar *a, global uint *o, int n)
{
    int g = get_global_id(0);
    uint h[16];
    for (int i = 0; i < 16; i++)
        h[i] = 0;
    for (int i = g; i < n; i += get_global_size(0))
        h[a[i] >> 4]++;
    for (int i = 0; i < 16; i++)
        atomic_add(&o[i], h[i]);
}

// case radix_scatter
// 1 << 17, 64, I(1 << 17, 1 << 32, np.uint32), O(1 << 18, np.uint32), ('buffer', (np.arange(256) * 1024).astype(np.uint32)), S(8), '-cl-std=CL1.2 unordered'
kernel void radix_scatter(global const uint *a, global uint *o, global uint *at, int shift)
{
    int i = get_global_id(0);
    uint v = a[i], d = v >> shift & 255;
    o[atomic_inc(&at[d]) & 0x3ffff] = v;
}

// case long_sum
// 1 << 13, 64, I(1 << 19, 1 << 20), O(128, np.int64), S(1 << 19)
kernel void long_sum(global const int *a, global long *o, int n)
{
    local long t[64];
    int l = get_local_id(0);
    long s = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        s += (long)a[i] * a[i];
    t[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d; d >>= 1) {
        if (l < d)
            t[l] += t[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l)
        o[get_group_id(0)] = t[0];
}
