// Fourier transforms of several sizes, wavelets, other transforms, and dense and sparse linear algebra.

// case fft64_r8
// 512 * 8, 8, F(2 * 512 * 64), O(2 * 512 * 64)
float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
#define TWO(a, b) { float2 t = a - b; a += b; b = t; }
#define QUARTER(a) a = (float2)(a.y, -a.x)
void eight(float2 *v)
{
    const float h = 0.70710678f;
    TWO(v[0], v[4]) TWO(v[1], v[5]) TWO(v[2], v[6]) TWO(v[3], v[7])
    v[5] = (float2)(v[5].x + v[5].y, v[5].y - v[5].x) * h;
    QUARTER(v[6]);
    v[7] = (float2)(v[7].y - v[7].x, -v[7].x - v[7].y) * h;
    TWO(v[0], v[2]) TWO(v[1], v[3]) TWO(v[4], v[6]) TWO(v[5], v[7])
    QUARTER(v[3]);
    QUARTER(v[7]);
    TWO(v[0], v[1]) TWO(v[2], v[3]) TWO(v[4], v[5]) TWO(v[6], v[7])
}
constant int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};
kernel void fft64_r8(global const float2 *in, global float2 *out)
{
    local float2 t[72];
    int l = get_local_id(0), g = get_group_id(0) * 64;
    float2 v[8];
    for (int k = 0; k < 8; k++)
        v[k] = in[g + k * 8 + l];
    eight(v);
    for (int k = 0; k < 8; k++) {
        float a = -6.2831853f / 64 * order[k] * l;
        t[order[k] * 9 + l] = times(v[k], (float2)(native_cos(a), native_sin(a)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        v[k] = t[l * 9 + k];
    eight(v);
    for (int k = 0; k < 8; k++)
        out[g + order[k] * 8 + l] = v[k];
}

// case fft1024_stockham
// 32 * 256, 256, F(2 * 32 * 1024), O(2 * 32 * 1024), L(2 * 1024)
kernel void fft1024_stockham(global const float2 *in, global float2 *out, local float2 *s)
{
    int l = get_local_id(0), base = get_group_id(0) * 1024;
    float2 a[4];
    for (int k = 0; k < 4; k++)
        a[k] = in[base + l + k * 256];
    for (int m = 1; m < 1024; m *= 4) {
        int j = l % m;
        float2 w1, w2, w3;
        float cosine, sine = sincos(-6.2831853f * j / (4 * m), &cosine);
        w1 = (float2)(cosine, sine);
        w2 = (float2)(w1.x * w1.x - w1.y * w1.y, 2 * w1.x * w1.y);
        w3 = (float2)(w1.x * w2.x - w1.y * w2.y, w1.x * w2.y + w1.y * w2.x);
        float2 b1 = (float2)(a[1].x * w1.x - a[1].y * w1.y, a[1].x * w1.y + a[1].y * w1.x);
        float2 b2 = (float2)(a[2].x * w2.x - a[2].y * w2.y, a[2].x * w2.y + a[2].y * w2.x);
        float2 b3 = (float2)(a[3].x * w3.x - a[3].y * w3.y, a[3].x * w3.y + a[3].y * w3.x);
        float2 c0 = a[0] + b2, c1 = a[0] - b2, c2 = b1 + b3, c3 = b1 - b3;
        c3 = (float2)(c3.y, -c3.x);
        int at = (l - j) * 4 + j;
        s[at] = c0 + c2;
        s[at + m] = c1 + c3;
        s[at + 2 * m] = c0 - c2;
        s[at + 3 * m] = c1 - c3;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 4; k++)
            a[k] = s[l + k * 256];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < 4; k++)
        out[base + l + k * 256] = a[k];
}

// case fft4096_double
// 4 * 256, 256, D(2 * 4 * 4096), O(2 * 4 * 4096, np.float64)
kernel void fft4096_double(global const double2 *in, global double2 *out)
{
    local double re[4096];
    local double im[4096];
    int l = get_local_id(0), base = get_group_id(0) * 4096;
    for (int i = l; i < 4096; i += 256) {
        int r = 0;
        for (int b = 0; b < 12; b++)
            r |= ((i >> b) & 1) << (11 - b);
        double2 v = in[base + i];
        re[r] = v.x;
        im[r] = v.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 1; h < 4096; h *= 2) {
        for (int i = l; i < 2048; i += 256) {
            int j = i & (h - 1), a = 2 * (i - j) + j, b = a + h;
            double c, s = sincos(-3.141592653589793 * j / h, &c);
            double x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
            re[b] = re[a] - x;
            im[b] = im[a] - y;
            re[a] += x;
            im[a] += y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = l; i < 4096; i += 256)
        out[base + i] = (double2)(re[i], im[i]);
}

// case rader7
// 9001, None, F(14 * 9001), O(14 * 9001), S(9001)
constant float c7[3] = {0.6234898f, -0.22252093f, -0.90096887f}, s7[3] = {0.7818315f, 0.9749279f, 0.43388374f};
kernel void rader7(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float re[7], im[7];
    for (int k = 0; k < 7; k++) {
        re[k] = in[2 * (k * n + i)];
        im[k] = in[2 * (k * n + i) + 1];
    }
    float sr = re[0], si = im[0];
    for (int k = 1; k < 7; k++) {
        sr += re[k];
        si += im[k];
    }
    out[2 * i] = sr;
    out[2 * i + 1] = si;
    for (int f = 1; f <= 3; f++) {
        float ar = re[0], ai = im[0], br = 0, bi = 0;
        for (int k = 1; k <= 3; k++) {
            int m = f * k % 7, z = m <= 3 ? m - 1 : 6 - m;
            float s = m <= 3 ? s7[z] : -s7[z];
            ar += c7[z] * (re[k] + re[7 - k]);
            ai += c7[z] * (im[k] + im[7 - k]);
            br += s * (im[k] - im[7 - k]);
            bi += s * (re[k] - re[7 - k]);
        }
        out[2 * (f * n + i)] = ar + br;
        out[2 * (f * n + i) + 1] = ai - bi;
        out[2 * ((7 - f) * n + i)] = ar - br;
        out[2 * ((7 - f) * n + i) + 1] = ai + bi;
    }
}

// case dwt97_rows
// (64, 128), (64, 1), F(128 * 512), O(128 * 512), S(512)
void lift(local float *t, int n, int first, float k)
{
    for (int i = first + 2 * get_local_id(0); i < n; i += 2 * get_local_size(0))
        t[i] += k * (t[i > 0 ? i - 1 : 1] + t[i + 1 < n ? i + 1 : n - 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void dwt97_rows(global const float *in, global float *out, int n)
{
    local float t[512];
    int row = get_group_id(1);
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        t[i] = in[row * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    lift(t, n, 1, -1.5861343f);
    lift(t, n, 0, -0.05298012f);
    lift(t, n, 1, 0.8829111f);
    lift(t, n, 0, 0.44350687f);
    for (int i = get_local_id(0); i < n / 2; i += get_local_size(0)) {
        out[row * n + i] = t[2 * i] * 0.8128931f;
        out[row * n + n / 2 + i] = t[2 * i + 1] * 1.2301741f;
    }
}

// case zeta_subsets
// 64 * 128, 128, I(64 * 1024, 1000), O(64 * 1024, np.int32)
kernel void zeta_subsets(global const int *in, global int *out)
{
    local int f[1024];
    int l = get_local_id(0), base = get_group_id(0) * 1024;
    for (int i = l; i < 1024; i += 128)
        f[i] = in[base + i];
    for (int b = 0; b < 10; b++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = l; i < 512; i += 128) {
            int low = i & ((1 << b) - 1), at = ((i >> b) << (b + 1)) | low;
            f[at | 1 << b] += f[at];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < 1024; i += 128)
        out[base + i] = f[i];
}

// case gemver_rank2
// (513, 257), None, F(513 * 257), F(257), F(513), F(257), F(513), O(513 * 257), S(513), S(257)
kernel void gemver_rank2(global const float *a, global const float *u1, global const float *v1, global const float *u2, global const float *v2, global float *b, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < m && j < n)
        b[i * n + j] = a[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
}

// case mvt_both
// 512, 64, D(512 * 512), D(512), D(512), D(512), D(512), O(512, np.float64), O(512, np.float64), S(512)
kernel void mvt_both(global const double *a, global const double *y1, global const double *y2, global const double *x1, global const double *x2, global double *z1, global double *z2, int n)
{
    int i = get_global_id(0);
    double s = x1[i], t = x2[i];
    for (int j = 0; j < n; j++)
        s += a[i * n + j] * y1[j];
    for (int j = 0; j < n; j++)
        t += a[j * n + i] * y2[j];
    z1[i] = s;
    z2[i] = t;
}

// case symm_lower
// (128, 128), (32, 8), F(128 * 128), F(128 * 128), O(128 * 128), S(128)
kernel void symm_lower(global const float *a, global const float *b, global float *c, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    float acc = 0;
    for (int k = 0; k < n; k++)
        acc += (k <= i ? a[i * n + k] : a[k * n + i]) * b[k * n + j];
    c[i * n + j] = 1.5f * acc;
}

// case trisolv_group
// 16 * 128, 128, F(16 * 128 * 128), F(16 * 128), O(16 * 128)
kernel void trisolv_group(global const float *lower, global const float *b, global float *x)
{
    local float pivot;
    int l = get_local_id(0), g = get_group_id(0);
    lower += g * 128 * 128;
    float mine = b[g * 128 + l];
    for (int k = 0; k < 128; k++) {
        if (l == k)
            pivot = mine = mine / (lower[k * 128 + k] + 20);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k)
            mine -= lower[l * 128 + k] * pivot;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[g * 128 + l] = mine;
}

// case seidel_tile
// (16 * 16, 16), (16, 1), F(256 * 256), O(256 * 256)
kernel void seidel_tile(global const float *in, global float *out)
{
    local float t[18][18];
    int l = get_local_id(0), x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 16;
    for (int i = l; i < 18 * 18; i += 16) {
        int y = clamp(y0 + i / 18 - 1, 0, 255), x = clamp(x0 + i % 18 - 1, 0, 255);
        t[i / 18][i % 18] = in[y * 256 + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 46; d++) {
        int y = l + 1, x = d - 2 * l + 1;
        if (x >= 1 && x <= 16)
            t[y][x] = (t[y - 1][x - 1] + t[y - 1][x] + t[y - 1][x + 1] + t[y][x - 1] + t[y][x] + t[y][x + 1] + t[y + 1][x - 1] + t[y + 1][x] + t[y + 1][x + 1]) / 9;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < 16; y++)
        out[(y0 + y) * 256 + x0 + l] = t[y + 1][l + 1];
}

// case jacobi1d_blocked
// 128 * 128, 128, F(128 * 112 + 16), O(128 * 112), S(8)
kernel void jacobi1d_blocked(global const float *in, global float *out, int steps)
{
    local float a[2][130];
    int l = get_local_id(0), g = get_group_id(0);
    a[0][l + 1] = in[g * 112 + l];
    if (l == 0)
        a[0][0] = a[1][0] = a[0][129] = a[1][129] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int now = 0;
    for (int s = 0; s < steps; s++) {
        a[now ^ 1][l + 1] = (a[now][l] + a[now][l + 1] + a[now][l + 2]) * 0.33333f;
        now ^= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l >= 8 && l < 120)
        out[g * 112 + l - 8] = a[now][l + 1];
}

// case coo_segments
// 1 << 14, 128, F(1 << 14), even_starts((1 << 14) - 1, 3000), I(1 << 14, 3000), F(3000), O(3001), 'unordered'
void add_to(volatile global float *p, float v)
{
    uint old = as_uint(*p), seen;
    while ((seen = atomic_cmpxchg((volatile global uint *)p, old, as_uint(as_float(old) + v))) != old)
        old = seen;
}
kernel void coo_segments(global const float *value, global const int *row, global const int *column, global const float *x, volatile global float *y)
{
    local float sum[128];
    local int at[128];
    int i = get_global_id(0), l = get_local_id(0);
    at[l] = row[i];
    sum[l] = value[i] * x[column[i]];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 128; d <<= 1) {
        float left = l >= d && at[l - d] == at[l] ? sum[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum[l] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 127 || at[l] != at[l + 1])
        add_to(&y[at[l]], sum[l]);
}

// case hyb_mv
// 4096, 128, F(8 * 4096), I(8 * 4096, 4096), I(4096, 9), row_starts(4096, 4), F(4 * 4096), I(4 * 4096, 4096), F(4096), O(4096)
kernel void hyb_mv(global const float *ell, global const int *ell_column, global const int *used, global const int *start, global const float *rest, global const int *rest_column, global const float *x, global float *y)
{
    int i = get_global_id(0), n = get_global_size(0);
    float s = 0;
    for (int k = 0; k < used[i]; k++)
        s += ell[k * n + i] * x[ell_column[k * n + i]];
    for (int k = start[i]; k < start[i + 1]; k++)
        s += rest[k] * x[rest_column[k]];
    y[i] = s;
}

// case gram_schmidt16
// 128 * 16, 16, F(128 * 256), O(128 * 256)
kernel void gram_schmidt16(global const float *in, global float *out)
{
    local float a[16][17], norm[16];
    int l = get_local_id(0), base = get_group_id(0) * 256;
    for (int k = 0; k < 16; k++)
        a[k][l] = in[base + k * 16 + l] + (k == l);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) {
        float s = 0;
        for (int r = 0; r < 16; r++)
            s += a[r][k] * a[r][l];
        norm[l] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
        float f = l > k ? norm[l] / norm[k] : 0;
        for (int r = 0; r < 16; r++)
            if (l > k)
                a[r][l] -= f * a[r][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float s = 0;
    for (int r = 0; r < 16; r++)
        s += a[r][l] * a[r][l];
    for (int r = 0; r < 16; r++)
        out[base + r * 16 + l] = a[r][l] * rsqrt(s);
}

// case expm3
// 1 << 13, None, F(9 << 13), O(9 << 13)
typedef struct { float m[3][3]; } Mat3;
Mat3 product(Mat3 a, Mat3 b)
{
    Mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}
kernel void expm3(global const Mat3 *in, global Mat3 *out)
{
    Mat3 a = in[get_global_id(0)], sum, term;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            a.m[i][j] *= 0.125f;
            sum.m[i][j] = term.m[i][j] = i == j;
        }
    for (int k = 1; k < 8; k++) {
        term = product(term, a);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum.m[i][j] += term.m[i][j] /= k;
    }
    for (int k = 0; k < 3; k++)
        sum = product(sum, sum);
    out[get_global_id(0)] = sum;
}

// case gemm_float8_rows
// (16, 32), (16, 4), F(128 * 128), F(128 * 128), O(128 * 128), S(128)
kernel void gemm_float8_rows(global const float *a, global const float8 *b, global float8 *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1) * 4;
    float8 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 0; k < n; k++) {
        float8 v = b[k * 16 + x];
        s0 += a[y * n + k] * v;
        s1 += a[(y + 1) * n + k] * v;
        s2 += a[(y + 2) * n + k] * v;
        s3 += a[(y + 3) * n + k] * v;
    }
    c[y * 16 + x] = s0;
    c[(y + 1) * 16 + x] = s1;
    c[(y + 2) * 16 + x] = s2;
    c[(y + 3) * 16 + x] = s3;
}
