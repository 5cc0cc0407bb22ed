// memory.cl -- kinds of kernels: how data lie in memory. Structures of mixed members, blocks of quantised weights,
// formats of sparse matrices, channels side by side, vectors of every length, tiles, counters that all work-items share.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case q8_0_matvec
// 1024, 64, I(1024 * 16 * 34, 100, np.uint8), F(512), O(1024), S(16)
typedef struct __attribute__((packed)) {
    half d;
    char qs[32];
} block_q8_0;
kernel void q8_0_matvec(global const block_q8_0 *w, global const float *x, global float *y, int blocks)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int b = 0; b < blocks; b++) {
        global const block_q8_0 *k = w + row * blocks + b;
        float part = 0;
        for (int j = 0; j < 32; j++)
            part += k->qs[j] * x[b * 32 + j];
        sum += part * vload_half(0, &k->d);
    }
    y[row] = sum;
}

// case q4_0_unpack
// 1 << 14, 64, I((1 << 14) * 18, 100, np.uint8), O(32 << 14)
typedef struct __attribute__((packed)) {
    half d;
    uchar qs[16];
} block_q4_0;
kernel void q4_0_unpack(global const block_q4_0 *w, global float *y)
{
    int b = get_global_id(0);
    float d = vload_half(0, &w[b].d);
    for (int j = 0; j < 16; j++) {
        y[b * 32 + j] = ((w[b].qs[j] & 15) - 8) * d;
        y[b * 32 + j + 16] = ((w[b].qs[j] >> 4) - 8) * d;
    }
}

// case q4_1_dot
// 4096, 64, I(4096 * 8 * 20, 60, np.uint8), I(8 * 32, 256, np.int8), O(4096), S(8)
typedef struct {
    half d, m;
    uint qs[4];
} block_q4_1;
kernel void q4_1_dot(global const block_q4_1 *w, global const char *x, global float *y, int blocks)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int b = 0; b < blocks; b++) {
        int dot = 0, all = 0;
        for (int k = 0; k < 4; k++) {
            uint q = w[row * blocks + b].qs[k];
            for (int j = 0; j < 4; j++) {
                char lo = x[b * 32 + k * 4 + j], hi = x[b * 32 + 16 + k * 4 + j];
                dot += (int)(q >> (8 * j) & 15) * lo + (int)(q >> (8 * j + 4) & 15) * hi;
                all += lo + hi;
            }
        }
        sum += vload_half(0, &w[row * blocks + b].d) * dot + vload_half(0, &w[row * blocks + b].m) * all;
    }
    y[row] = sum;
}

// case iq4_codebook
// N, 64, I(N, 256, np.uint8), F(N // 32), O(2 * N)
constant char kvalues[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
kernel void iq4_codebook(global const uchar *q, global const float *scale, global float *y)
{
    int i = get_global_id(0);
    float d = scale[i / 32];
    y[2 * i] = d * kvalues[q[i] & 15];
    y[2 * i + 1] = d * kvalues[q[i] >> 4];
}

// case nf4_dequant
// N, 64, I(N, 256, np.uint8), F(N // 32), O(2 * N)
constant float nf4[16] = {-1.0f, -0.6962f, -0.5251f, -0.3949f, -0.2844f, -0.1848f, -0.0911f, 0.0f,
                          0.0796f, 0.1609f, 0.2461f, 0.3379f, 0.4407f, 0.5626f, 0.7230f, 1.0f};
kernel void nf4_dequant(global const uchar *q, global const float *absmax, global float2 *y)
{
    int i = get_global_id(0);
    y[i] = (float2)(nf4[q[i] >> 4], nf4[q[i] & 15]) * absmax[i / 32];
}

// case int8_per_channel
// (256, 64), (64, 1), I(256 * 64, 256, np.int8), F(64), I(64, 9, np.int8), O(256 * 64)
kernel void int8_per_channel(global const char *q, global const float *scale, global const char *zero, global float *y)
{
    int x = get_global_id(0), c = get_global_id(1), i = c * get_global_size(0) + x;
    y[i] = (q[i] - zero[c]) * scale[c];
}

// case mixed_struct
// 1 << 16, 64, I(32 << 16, 200, np.uint8), O(1 << 16)
typedef struct {
    uint id;
    float mass;
    ushort kind, flags;
    char spin[4];
    double energy;
    float charge;
    uchar alive, pad[3];
} Entry;
kernel void mixed_struct(global const Entry *e, global float *o)
{
    int i = get_global_id(0);
    float v = e[i].mass * e[i].charge + e[i].kind * 2 - e[i].flags;
    v += e[i].spin[0] + e[i].spin[3] + (e[i].alive ? 1.0f : 2.0f) + (e[i].id & 7);
    o[i] = isfinite(v) ? v : 0;
}

// case struct_scatter
// 1 << 16, 64, F(1 << 16), F(1 << 16), O(6 << 16)
typedef struct {
    float pos[3];
    int cell;
    float weight;
    int next;
} Item;
kernel void struct_scatter(global const float *x, global const float *y, global Item *o)
{
    int i = get_global_id(0);
    o[i].pos[0] = x[i];
    o[i].pos[1] = y[i];
    o[i].pos[2] = x[i] * y[i];
    o[i].cell = i & 255;
    o[i].weight = 1.0f;
    o[i].next = i + 1;
}

// case indexed_particles
// 1 << 16, 64, F(8 << 16), I(1 << 16, 1 << 16), O(3 << 16)
typedef struct {
    float x, y, z, vx, vy, vz, m, q;
} Particle;
kernel void indexed_particles(global const Particle *p, global const int *order, global float *o)
{
    int i = get_global_id(0);
    Particle a = p[order[i]];
    o[3 * i] = a.x + a.vx * 0.1f / a.m;
    o[3 * i + 1] = a.y + a.vy * 0.1f / a.m;
    o[3 * i + 2] = a.z + a.vz * 0.1f * a.q;
}

// case gather_f3
// 1 << 16, 64, F(3 << 16), I(1 << 16, 1 << 16), O(3 << 16)
kernel void gather_f3(global const float *a, global const int *x, global float *o)
{
    int i = get_global_id(0);
    vstore3(vload3(x[i], a) * 0.5f, i, o);
}

// case gather_d2
// 1 << 16, 64, D(2 << 16), I(1 << 16, 1 << 16), O(2 << 16, np.float64)
kernel void gather_d2(global const double2 *a, global const int *x, global double2 *o)
{
    int i = get_global_id(0);
    double2 v = a[x[i]];
    o[i] = (double2)(v.x * v.x - v.y * v.y, 2 * v.x * v.y);
}

// case gather_uc16
// 1 << 15, 64, I(16 << 15, 256, np.uint8), I(1 << 15, 1 << 15), O(16 << 15, np.uint8)
kernel void gather_uc16(global const uchar16 *a, global const int *x, global uchar16 *o)
{
    int i = get_global_id(0);
    o[i] = a[x[i]] ^ (uchar16)(0x5a);
}

// case gather_d
// N, 64, D(N), I(N, N), O(N, np.float64)
kernel void gather_d(global const double *a, global const int *x, global double *o)
{
    int i = get_global_id(0);
    o[i] = a[x[i]] * 2;
}

// case scatter_f4
// 1 << 16, 64, F(4 << 16), I(1 << 16, 1 << 16), O(4 << 16), 'unordered'
kernel void scatter_f4(global const float4 *a, global const int *x, global float4 *o)
{
    int i = get_global_id(0);
    o[(i * 40503) & 65535] = a[i] + x[i];
}

// case deinterleave3
// N, 64, I(3 * N, 256, np.uint8), O(N, np.uint8), O(N, np.uint8), O(N, np.uint8)
kernel void deinterleave3(global const uchar *rgb, global uchar *r, global uchar *g, global uchar *b)
{
    int i = get_global_id(0);
    r[i] = rgb[3 * i];
    g[i] = rgb[3 * i + 1];
    b[i] = rgb[3 * i + 2];
}

// case interleave3
// N, 64, I(N, 256, np.uint8), I(N, 256, np.uint8), I(N, 256, np.uint8), O(3 * N, np.uint8)
kernel void interleave3(global const uchar *r, global const uchar *g, global const uchar *b, global uchar *rgb)
{
    int i = get_global_id(0);
    vstore3((uchar3)(r[i], g[i], b[i]), i, rgb);
}

// case stereo_mix
// N, 64, I(2 * N, 32768, np.int16), I(2 * N, 32768, np.int16), O(2 * N, np.int16)
kernel void stereo_mix(global const short2 *a, global const short2 *b, global short2 *o)
{
    int i = get_global_id(0);
    o[i] = convert_short2_sat((convert_int2(a[i]) * 3 + convert_int2(b[i]) * 5) >> 3);
}

// case planar_to_float
// N, 64, I(4 * N, 256, np.uint8), O(N), O(N), O(N)
kernel void planar_to_float(global const uchar4 *in, global float *r, global float *g, global float *b)
{
    int i = get_global_id(0);
    float4 v = convert_float4(in[i]) / 255.0f;
    r[i] = v.x;
    g[i] = v.y;
    b[i] = v.z;
}

// case pcm24
// N, 64, I(3 * N, 256, np.uint8), O(N)
kernel void pcm24(global const uchar *p, global float *o)
{
    int i = get_global_id(0);
    int v = p[3 * i] << 8 | p[3 * i + 1] << 16 | p[3 * i + 2] << 24;
    o[i] = v / 2147483648.0f;
}

// case be32
// N, 64, I(4 * N, 256, np.uint8), O(N, np.uint32)
kernel void be32(global const uchar *p, global uint *o)
{
    int i = get_global_id(0);
    o[i] = (uint)p[4 * i] << 24 | (uint)p[4 * i + 1] << 16 | (uint)p[4 * i + 2] << 8 | p[4 * i + 3];
}

// case bits12
// N, 64, I(3 * N // 2 + 4, 256, np.uint8), O(N, np.uint16)
kernel void bits12(global const uchar *p, global ushort *o)
{
    int i = get_global_id(0), at = i * 12;
    uint v = p[at >> 3] | p[(at >> 3) + 1] << 8;
    o[i] = v >> (at & 7) & 0xfff;
}

// case half_rows
// 4096, 64, H(4096 * 64), H(64), O(4096)
kernel void half_rows(global const half *a, global const half *x, global float *o)
{
    int row = get_global_id(0);
    float s = 0;
    for (int k = 0; k < 64; k++)
        s += vload_half(row * 64 + k, a) * vload_half(k, x);
    o[row] = s;
}

// case half8_axpy
// N // 8, 64, H(N), H(N), O(N, np.float16)
kernel void half8_axpy(global const half *a, global const half *b, global half *o)
{
    int i = get_global_id(0);
    vstore_half8(vload_half8(i, a) * 0.5f + vload_half8(i, b), i, o);
}

// case float16_rows
// N // 16, 64, F(N), F(16), O(N // 16)
kernel void float16_rows(global const float16 *a, constant float16 *w, global float *o)
{
    int i = get_global_id(0);
    float16 p = a[i] * w[0];
    float8 q = p.lo + p.hi;
    float4 r = q.lo + q.hi;
    o[i] = r.x + r.y + r.z + r.w;
}

// case short8_sum
// N // 8, 64, I(N, 1000, np.int16), O(N // 8, np.int32)
kernel void short8_sum(global const short8 *a, global int *o)
{
    int i = get_global_id(0);
    int8 v = convert_int8(a[i]);
    int4 w = v.lo + v.hi;
    o[i] = w.x + w.y + w.z + w.w;
}

// case uchar8_absdiff
// N // 8, 64, I(N, 256, np.uint8), I(N, 256, np.uint8), O(N // 8, np.uint32)
kernel void uchar8_absdiff(global const uchar *a, global const uchar *b, global uint *o)
{
    int i = get_global_id(0);
    ushort8 d = convert_ushort8(abs_diff(vload8(i, a), vload8(i, b)));
    ushort4 e = d.lo + d.hi;
    o[i] = e.x + e.y + e.z + e.w;
}

// case stride_even
// N // 2, 64, F(N), O(N // 2)
kernel void stride_even(global const float *a, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[2 * i] + a[2 * i + 1] * 0.5f;
}

// case downsample2
// (256, 256), (16, 16), F(512 * 512), O(256 * 256), S(512)
kernel void downsample2(global const float *a, global float *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const float *p = a + 2 * y * w + 2 * x;
    o[y * (w / 2) + x] = (p[0] + p[1] + p[w] + p[w + 1]) * 0.25f;
}

// case row_per_item
// 4096, 64, F(4096 * 60), O(4096)
kernel void row_per_item(global const float *a, global float *o)
{
    int r = get_global_id(0);
    float s = 0;
    for (int k = 0; k < 60; k++)
        s += a[r * 60 + k];
    o[r] = s;
}

// case row_per_item_d
// 4096, 64, D(4096 * 30), O(4096, np.float64)
kernel void row_per_item_d(global const double *a, global double *o)
{
    int r = get_global_id(0);
    double s = 0, m = 0;
    for (int k = 0; k < 30; k++) {
        s += a[r * 30 + k];
        m = fmax(m, a[r * 30 + k]);
    }
    o[r] = s * m;
}

// case csr_scalar_d
// 4096, 64, row_starts(4096, 20), I(4096 * 20, 4096), D(4096 * 20), D(4096), O(4096, np.float64)
kernel void csr_scalar_d(global const int *start, global const int *col, global const double *val, global const double *x,
                         global double *y)
{
    int r = get_global_id(0);
    double s = 0;
    for (int k = start[r]; k < start[r + 1]; k++)
        s += val[k] * x[col[k]];
    y[r] = s;
}

// case ell_rows
// 8192, 64, I(8192 * 12, 8192), F(8192 * 12), F(8192), O(8192), S(12)
kernel void ell_rows(global const int *col, global const float *val, global const float *x, global float *y, int most)
{
    int r = get_global_id(0);
    float s = 0;
    for (int k = 0; k < most; k++)
        s += val[r * most + k] * x[col[r * most + k]];
    y[r] = s;
}

// case sell_slices
// 8192, 32, even_starts(256, 256 * 32 * 10), I(256 * 320, 8192), F(256 * 320), F(8192), O(8192)
kernel void sell_slices(global const int *start, global const int *col, global const float *val, global const float *x,
                        global float *y)
{
    int r = get_global_id(0), slice = r / 32, lane = r % 32;
    float s = 0;
    for (int k = start[slice] + lane; k < start[slice + 1]; k += 32)
        s += val[k] * x[col[k]];
    y[r] = s;
}

// case coo_struct
// N, 64, I(3 * N, 4096), F(4096), O(N)
typedef struct {
    int row, col, value;
} Entry3;
kernel void coo_struct(global const Entry3 *e, global const float *x, global float *o)
{
    int i = get_global_id(0);
    o[i] = e[i].value * x[e[i].col] + e[i].row;
}

// case zdotc
// 1 << 16, 64, D(2 << 16), D(2 << 16), O(2 << 16, np.float64)
kernel void zdotc(global const double2 *a, global const double2 *b, global double2 *o)
{
    int i = get_global_id(0);
    double2 x = a[i], y = b[i];
    o[i] = (double2)(x.x * y.x + x.y * y.y, x.x * y.y - x.y * y.x);
}

// case zgemv_row
// 512, 64, D(2 * 512 * 64), D(2 * 64), O(2 * 512, np.float64)
kernel void zgemv_row(global const double2 *a, global const double2 *x, global double2 *y)
{
    int r = get_global_id(0);
    double2 s = 0;
    for (int k = 0; k < 64; k++) {
        double2 p = a[r * 64 + k], q = x[k];
        s += (double2)(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
    }
    y[r] = s;
}

// case tile_transpose_d
// (256, 256), (16, 16), D(256 * 256), O(256 * 256, np.float64)
kernel void tile_transpose_d(global const double *a, global double *o)
{
    local double t[16][17];
    int x = get_local_id(0), y = get_local_id(1), n = get_global_size(0);
    t[y][x] = a[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[(get_group_id(0) * 16 + y) * n + get_group_id(1) * 16 + x] = t[x][y];
}

// case tile_transpose_f4
// (64, 256), (8, 8), F(256 * 256), O(256 * 256)
kernel void tile_transpose_f4(global const float4 *a, global float4 *o)
{
    local float4 t[8][9];
    int x = get_local_id(0), y = get_local_id(1), w = get_global_size(0), h = get_global_size(1);
    t[y][x] = a[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[(get_group_id(0) * 8 + y) * h + get_group_id(1) * 8 + x] = t[x][y];
}

// case transp_uchar
// (512, 512), (16, 16), I(512 * 512, 256, np.uint8), O(512 * 512, np.uint8)
kernel void transp_uchar(global const uchar *a, global uchar *o)
{
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
    o[x * n + y] = a[y * n + x];
}

// case byte_shuffle
// N // 4, 64, I(N, 256, np.uint8), O(N, np.uint8)
kernel void byte_shuffle(global const uchar *in, global uchar *out)
{
    int i = get_global_id(0), n = get_global_size(0);
    for (int k = 0; k < 4; k++)
        out[k * n + i] = in[4 * i + k];
}

// case byte_unshuffle
// N // 4, 64, I(N, 256, np.uint8), O(N, np.uint8)
kernel void byte_unshuffle(global const uchar *in, global uchar *out)
{
    int i = get_global_id(0), n = get_global_size(0);
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = in[k * n + i];
}

// case sbox_bytes
// N, 64, I(N, 256, np.uint8), I(256, 256, np.uint8), O(N, np.uint8)
kernel void sbox_bytes(global const uchar *in, global const uchar *sbox, global uchar *out)
{
    int i = get_global_id(0);
    out[i] = sbox[in[i]] ^ 0x63;
}

// case hex_digits
// N, 64, I(N, 256, np.uint8), O(2 * N, np.uint8)
kernel void hex_digits(global const uchar *in, global uchar *out)
{
    int i = get_global_id(0);
    out[2 * i] = "0123456789abcdef"[in[i] >> 4];
    out[2 * i + 1] = "0123456789abcdef"[in[i] & 15];
}

// case neighbours8
// (512, 512), (16, 16), F(514 * 514), O(512 * 512)
constant int dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
kernel void neighbours8(global const float *a, global float *o)
{
    int x = get_global_id(0), y = get_global_id(1);
    int k = (x * 7 + y * 13) & 7;
    o[y * 512 + x] = a[(y + 1) * 514 + x + 1] - a[(y + 1 + dy[k]) * 514 + x + 1 + dx[k]];
}

// case hist_global
// N, 64, I(N, 256, np.uint8), O(256, np.uint32)
kernel void hist_global(global const uchar *in, global uint *bins)
{
    atomic_inc(&bins[in[get_global_id(0)]]);
}

// case degree_count
// N, 64, I(N, 1 << 15), O(1 << 15, np.uint32)
kernel void degree_count(global const int *to, global uint *degree)
{
    atomic_inc(&degree[to[get_global_id(0)]]);
}

// case count_if
// N, 64, F(N), O(4, np.uint32)
kernel void count_if(global const float *a, global uint *count)
{
    if (a[get_global_id(0)] > 0.75f)
        atomic_inc(count);
}

// case append
// N, 64, F(N), O(1, np.uint32), O(N * 64), 'unordered'
kernel void append(global const float *a, global uint *count, global float *o)
{
    float v = a[get_global_id(0)];
    if (v > 0.9f)
        o[atomic_inc(count) & 0xffffff] = v;
}

// case scan_2level
// N, 256, I(N, 100), O(N, np.int32), O(N // 256, np.int32)
kernel void scan_2level(global const int *in, global int *out, global int *sums)
{
    local int t[256 + 8];
    int i = get_global_id(0), l = get_local_id(0), at = l + (l >> 5);
    t[at] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d *= 2) {
        int k = l - d, v = k >= 0 ? t[k + (k >> 5)] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[at] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = t[at];
    if (l == 255)
        sums[get_group_id(0)] = t[at];
}

// case soa_to_aos4
// N, 64, F(N), F(N), F(N), F(N), O(4 * N)
kernel void soa_to_aos4(global const float *x, global const float *y, global const float *z, global const float *w,
                        global float4 *o)
{
    int i = get_global_id(0);
    o[i] = (float4)(x[i], y[i], z[i], w[i]);
}

// case long_strided
// 1 << 15, 64, I(5 << 15, 1 << 40, np.int64), O(1 << 15, np.int64)
typedef struct {
    long key, a, b, c, d;
} Record;
kernel void long_strided(global const Record *r, global long *o)
{
    int i = get_global_id(0);
    o[i] = r[i].key * 3 + r[i].c - r[i].d;
}

// case reverse_uc
// N, 64, I(N, 256, np.uint8), O(N, np.uint8)
kernel void reverse_uc(global const uchar *a, global uchar *o)
{
    int i = get_global_id(0), n = get_global_size(0);
    o[n - 1 - i] = a[i];
}

// case band_rows
// 4096, 64, F(4096 * 9), F(4096 + 8), O(4096)
kernel void band_rows(global const float *a, global const float *x, global float *y)
{
    int r = get_global_id(0);
    float s = 0;
    for (int k = 0; k < 9; k++)
        s = fma(a[r * 9 + k], x[r + k], s);
    y[r] = s;
}

// case count_64k
// N, 64, I(N, 1 << 16), O(1 << 16, np.uint32)
kernel void count_64k(global const int *to, global uint *count)
{
    atomic_inc(&count[to[get_global_id(0)]]);
}

// case count_few
// 1 << 14, 64, I(1 << 14, 1 << 13), O(1 << 13, np.uint32)
kernel void count_few(global const int *to, global uint *count)
{
    atomic_inc(&count[to[get_global_id(0)]]);
}
