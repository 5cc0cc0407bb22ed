// Types that are rarer, sizes without divisors, and ways of writing that the other files do not have.

// case short_mat_vec
// 515, None, I(515 * 96, 200, np.int16), I(96, 200, np.int16), O(515, np.int64), S(96)
kernel void short_mat_vec(global const short *a, global const short *x, global long *y, int n)
{
    long s = 0;
    for (int k = 0; k < n; k++)
        s += (int)a[get_global_id(0) * n + k] * x[k];
    y[get_global_id(0)] = s;
}

// case char_stencil3d
// (37, 41, 13), None, I(39 * 43 * 15, 100, np.int8), O(37 * 41 * 13, np.int8)
kernel void char_stencil3d(global const char *in, global char *out)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int s = 0;
    for (size_t k = z; k < z + 3; k++)
        for (size_t j = y; j < y + 3; j++)
            for (size_t i = x; i < x + 3; i++)
                s += in[(k * 43 + j) * 39 + i];
    out[(z * 41 + y) * 37 + x] = convert_char_sat(s / 9 - 100);
}

// case half_layer_norm
// 200, None, H(200 * 96), H(96), H(96), H(200 * 96), S(96)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_layer_norm(global const half *x, global const half *g, global const half *b, global half *y, int n)
{
    size_t r = get_global_id(0) * n;
    float s = 0, q = 0;
    for (int k = 0; k < n; k++)
        s += x[r + k];
    s /= n;
    for (int k = 0; k < n; k++) {
        float d = x[r + k] - s;
        q += d * d;
    }
    q = rsqrt(q / n + 1e-5f);
    for (int k = 0; k < n; k++)
        y[r + k] = (half)((x[r + k] - s) * q) * g[k] + b[k];
}

// case half_poly_step
// 20003, None, H(20003), H(20003)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_poly_step(global const half *x, global half *y)
{
    half v = x[get_global_id(0)], r = 0.01h;
    for (int k = 0; k < 12; k++)
        r = r * v + (half)(0.5h - 0.03h * k);
    y[get_global_id(0)] = v > 0.5h ? sqrt(fabs(r)) : r / (v + 1.0h);
}

// case long_digits
// 9999, None, I(9999, 1 << 62, np.int64), O(9999, np.int32)
kernel void long_digits(global const long *in, global int *out)
{
    long v = in[get_global_id(0)];
    int s = 0;
    while (v) {
        s += v % 10;
        v /= 10;
    }
    out[get_global_id(0)] = s;
}

// case ulong_gcd
// 3001, None, I(3001, 1 << 60, np.uint64), I(3001, 1 << 60, np.uint64), O(3001, np.uint64)
kernel void ulong_gcd(global const ulong *a, global const ulong *b, global ulong *out)
{
    ulong x = a[get_global_id(0)] | 1, y = b[get_global_id(0)] | 1;
    while (x != y) {
        if (x < y) {
            ulong t = x;
            x = y;
            y = t;
        }
        x -= y;
        x >>= popcount((x & -x) - 1);
    }
    out[get_global_id(0)] = x;
}

// case double_lu4
// 1500, None, D(16 * 1500), D(4 * 1500), O(4 * 1500, np.float64)
kernel void double_lu4(global const double *a, global const double4 *b, global double4 *x)
{
    double m[4][5];
    int g = get_global_id(0);
    double4 v = b[g];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = a[g * 16 + i * 4 + j] + (i == j ? 4 : 0);
    m[0][4] = v.x;
    m[1][4] = v.y;
    m[2][4] = v.z;
    m[3][4] = v.w;
    for (int k = 0; k < 4; k++)
        for (int i = k + 1; i < 4; i++) {
            double f = m[i][k] / m[k][k];
            for (int j = k; j < 5; j++)
                m[i][j] -= f * m[k][j];
        }
    double r[4];
    for (int i = 3; i >= 0; i--) {
        double s = m[i][4];
        for (int j = i + 1; j < 4; j++)
            s -= m[i][j] * r[j];
        r[i] = s / m[i][i];
    }
    x[g] = (double4)(r[0], r[1], r[2], r[3]);
}

// case ushort3_levels
// 7777, None, I(3 * 7777, 65536, np.uint16), O(3 * 7777, np.uint16), S(300), S(60000)
kernel void ushort3_levels(global const ushort *in, global ushort *out, int black, int white)
{
    uint3 v = convert_uint3(vload3(get_global_id(0), in));
    v = max(v, (uint3)black) - (uint)black;
    v = min(v * 65535u / (uint)(white - black), (uint3)65535);
    vstore3(convert_ushort3(v), get_global_id(0), out);
}

// case int3_lattice
// (19, 23, 17), None, F(19 * 23 * 17), O(19 * 23 * 17)
kernel void int3_lattice(global const float *in, global float *out)
{
    int3 n = (int3)(get_global_size(0), get_global_size(1), get_global_size(2)), p = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    float s = 0;
    for (int d = 0; d < 7; d++) {
        int3 q = p;
        switch (d) {
        case 1: q.x++; break;
        case 2: q.x--; break;
        case 3: q.y++; break;
        case 4: q.y--; break;
        case 5: q.z++; break;
        case 6: q.z--; break;
        }
        q = (q + n) % n;
        s += in[(q.z * n.y + q.y) * n.x + q.x] * (d ? 1 : -6);
    }
    out[(p.z * n.y + p.y) * n.x + p.x] = s;
}

// case bits_transpose8
// 1 << 13, 64, I(1 << 13, 1 << 62, np.uint64), O(1 << 13, np.uint64)
kernel void bits_transpose8(global const uchar8 *in, global uchar8 *out)
{
    ulong x = as_ulong(in[get_global_id(0)]), t;
    t = (x ^ x >> 7) & 0x00aa00aa00aa00aaUL;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccUL;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0UL;
    x ^= t ^ t << 28;
    out[get_global_id(0)] = as_uchar8(x);
}

// case shuffle_reduce_rows
// (32, 512), (32, 1), F(512 * 96), O(512), S(96), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
kernel void shuffle_reduce_rows(global const float *in, global float *out, int n)
{
    local float part[32];
    int row = get_global_id(1), l = get_local_id(0);
    float s = 0;
    for (int k = l; k < n; k += 32)
        s += in[row * n + k];
    for (int d = get_sub_group_size() / 2; d; d /= 2)
        s += sub_group_shuffle_down(s, d);
    if (get_sub_group_local_id() == 0)
        part[get_sub_group_id()] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int k = 1; k < get_num_sub_groups(); k++)
            s += part[k];
        out[row] = s;
    }
}

// case ballot_rank
// 1 << 15, 64, I(1 << 15, 4), O(1 << 15, np.int32), '-cl-std=CL3.0 unordered'
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void ballot_rank(global const int *digit, global int *rank)
{
    int i = get_global_id(0), r = 0;
    for (int d = 0; d < 4; d++) {
        uint4 all = sub_group_ballot(digit[i] == d);
        if (digit[i] == d)
            r = sub_group_ballot_bit_count(all) > 0 ? d : -1;
    }
    rank[i] = r;
}

// case wg_reduce_all
// 1 << 15, 256, F(1 << 15), O(128), O(128), '-cl-std=CL3.0'
kernel void wg_reduce_all(global const float *x, global float *sum, global float *most)
{
    float v = x[get_global_id(0)], s = work_group_reduce_add(v), m = work_group_reduce_max(v);
    if (get_local_id(0) == 0) {
        sum[get_group_id(0)] = s;
        most[get_group_id(0)] = m;
    }
}

// case macro_tiles
// (60, 60), (10, 10), F(60 * 60), F(60 * 60), O(60 * 60)
#define T 10
#define LOAD(m, s, r, c) s[ly][lx] = m[(r) * 60 + (c)]
kernel __attribute__((reqd_work_group_size(T, T, 1))) void macro_tiles(global const float *a, global const float *b, global float *c)
{
    local float s[T][T], t[T][T];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float acc = 0;
    for (int k = 0; k < 60; k += T) {
        LOAD(a, s, y, k + lx);
        LOAD(b, t, k + ly, x);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int j = 0; j < T; j++)
            acc = fma(s[ly][j], t[j][lx], acc);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * 60 + x] = acc;
}

// case union_views
// 1 << 14, 64, I(4 << 14, 1 << 31, np.uint32), O(1 << 14, np.int32)
typedef union { uint4 v; uint w[4]; uchar b[16]; ushort h[8]; } View;
kernel void union_views(global const uint4 *in, global int *out)
{
    View u;
    u.v = in[get_global_id(0)];
    int s = 0;
    for (int k = 0; k < 16; k++)
        s += u.b[k] * (k + 1);
    for (int k = 0; k < 8; k++)
        s ^= u.h[k] << k;
    u.b[s & 15] ^= 0x5a;
    out[get_global_id(0)] = s + u.w[0] + u.w[3];
}

// case offset_grid
// (130, 66), None, D(132 * 68), O(132 * 68, np.float64), S(132), S(68)
kernel void offset_grid(global const double *restrict in, global double *restrict out, const uint w, const uint h)
{
    const uint x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x >= w - 1 || y >= h - 1)
        return;
    const uint i = mad24(y, w, x);
    out[i] = 0.25 * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]) - in[i];
}

// case flat_stencil
// 300 * 200, None, F(302 * 202), F(300), F(200), O(300 * 200)
#define W 300
kernel void flat_stencil(global const float *in, global const float *gain, global const float *bias, global float *out)
{
    int i = get_global_id(0), x = i % W, y = i / W;
    global const float *p = in + (y + 1) * (W + 2) + x + 1;
    out[i] = gain[x] * (p[-1] + p[1] + p[-W - 2] + p[W + 2] - 4 * p[0]) + bias[y];
}

// case flat_volume
// 48 * 50 * 30, 64, F(50 * 52 * 32), O(48 * 50 * 30)
kernel void flat_volume(global const float *in, global float *out)
{
    unsigned i = get_global_id(0), x = i % 48, y = i / 48 % 50, z = i / 2400;
    float s = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            s += in[((z + k) * 52 + y + j) * 50 + x + 1];
    out[i] = s;
}

// case bias_channels
// 196 * 320, 64, F(196 * 320), F(320), O(196 * 320)
kernel void bias_channels(global const float *in, global const float *bias, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = fmax(in[i] + bias[i / 196], 0.0f);
}
