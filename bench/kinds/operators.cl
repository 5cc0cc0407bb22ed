// operators.cl -- kinds of kernels: operators of networks, matrices that are sparse or small, filters, sums, long vectors.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case layernorm_rows
// 512 * 64, 64, F(512 * 512), F(512), F(512), O(512 * 512), S(512), L(64)
kernel void layernorm_rows(global const float *x, global const float *gamma, global const float *beta, global float *y,
                           int n, local float *part)
{
    int row = get_group_id(0), t = get_local_id(0);
    float s = 0, q = 0;
    for (int i = t; i < n; i += 64) {
        float v = x[row * n + i];
        s += v;
        q += v * v;
    }
    part[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float mean = part[0] / n;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[t] = q;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d)
            part[t] += part[t + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = rsqrt(part[0] / n - mean * mean + 1e-5f);
    for (int i = t; i < n; i += 64)
        y[row * n + i] = (x[row * n + i] - mean) * scale * gamma[i] + beta[i];
}

// case conv_nchw
// (30, 30, 16), None, F(8 * 32 * 32), F(16 * 8 * 9), F(16), O(16 * 30 * 30), S(8), S(32), S(32)
kernel void conv_nchw(global const float *in, global const float *w, global const float *bias, global float *out,
                      int channels, int height, int width)
{
    int x = get_global_id(0), y = get_global_id(1), k = get_global_id(2);
    float sum = bias[k];
    for (int c = 0; c < channels; c++)
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++)
                sum += in[(c * height + y + dy) * width + x + dx] * w[((k * channels + c) * 3 + dy) * 3 + dx];
    out[(k * (height - 2) + y) * (width - 2) + x] = fmax(sum, 0.f);
}

// case attention_scores
// (128, 128), (16, 16), F(128 * 64), F(128 * 64), O(128 * 128), S(64)
kernel void attention_scores(global const float *q, global const float *k, global float *s, int d)
{
    local float a[16][17], b[16][17];
    int x = get_local_id(0), y = get_local_id(1), col = get_group_id(0) * 16, row = get_global_id(1);
    float sum = 0;
    for (int at = 0; at < d; at += 16) {
        a[y][x] = q[row * d + at + x];
        b[y][x] = k[(col + y) * d + at + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += a[y][i] * b[x][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    s[row * get_global_size(0) + col + x] = sum * rsqrt((float)d);
}

// case gemm_u8s8
// (96, 80), (16, 4), I(80 * 256, 256, np.uint8), I(96 * 256, 120, np.int8), O(96 * 80, np.int32), S(256), S(128)
kernel void gemm_u8s8(global const uchar *a, global const char *b, global int *c, int k, int zero)
{
    int col = get_global_id(0), row = get_global_id(1), sum = 0;
    for (int i = 0; i < k; i++)
        sum += ((int)a[row * k + i] - zero) * (int)b[i * get_global_size(0) + col];
    c[row * get_global_size(0) + col] = sum;
}

// case embedding_bag
// (64, 512), (64, 1), F(4096 * 64), I(512 * 12, 4096), I(513, 12), F(512 * 12), O(512 * 64)
kernel void embedding_bag(global const float *table, global const int *index, global const int *length,
                          global const float *weight, global float *out)
{
    int d = get_global_id(0), bag = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < length[bag]; i++)
        sum += weight[bag * 12 + i] * table[index[bag * 12 + i] * 64 + d];
    out[bag * 64 + d] = length[bag] ? sum / length[bag] : 0;
}

// case embedding_f4
// 512, 64, F(4096 * 32), I(512 * 8, 4096), O(512 * 32)
kernel void embedding_f4(global const float4 *table, global const int *index, global float4 *out)
{
    int bag = get_global_id(0);
    for (int d = 0; d < 8; d++) {
        float4 sum = 0;
        for (int i = 0; i < 8; i++)
            sum += table[index[bag * 8 + i] * 8 + d];
        out[bag * 8 + d] = sum * 0.125f;
    }
}

// case argmax_rows
// 1 << 10, 64, F(200 << 10), O(1 << 10, np.int32), O(1 << 10), S(200)
kernel void argmax_rows(global const float *x, global int *best, global float *value, int n)
{
    int row = get_global_id(0), at = 0;
    float most = -INFINITY;
    for (int i = 0; i < n; i++) {
        float v = x[row * n + i];
        if (v > most) {
            most = v;
            at = i;
        }
    }
    best[row] = at;
    value[row] = most;
}

// case maxpool_index
// (111, 63, 4), None, F(224 * 128 * 4), O(111 * 63 * 4), O(111 * 63 * 4, np.int32), S(224), S(128)
kernel void maxpool_index(global const float *in, global float *out, global int *index, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float most = -FLT_MAX;
    int at = -1;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) {
            int i = (z * h + 2 * y + dy) * w + 2 * x + dx;
            if (in[i] > most) {
                most = in[i];
                at = i;
            }
        }
    int o = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[o] = most;
    index[o] = at;
}

// case group_norm_reduce
// 64 * 128, 128, F(64 * 4096), O(64 * 4096), S(4096), '-cl-std=CL2.0'
kernel void group_norm_reduce(global const float *x, global float *y, int n)
{
    global const float *in = x + get_group_id(0) * n;
    float s = 0, q = 0;
    for (int i = get_local_id(0); i < n; i += get_local_size(0)) {
        s += in[i];
        q = fma(in[i], in[i], q);
    }
    s = work_group_reduce_add(s) / n;
    q = work_group_reduce_add(q) / n - s * s;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        y[get_group_id(0) * n + i] = (in[i] - s) * rsqrt(q + 1e-6f);
}

// case top2_gate
// 1 << 13, 64, F(16 << 13), O(2 << 13), O(2 << 13, np.int32)
kernel void top2_gate(global const float *logits, global float *weight, global int *expert)
{
    int i = get_global_id(0), a = 0, b = -1;
    float p[16], first, second = -INFINITY, sum;
    for (int k = 0; k < 16; k++)
        p[k] = logits[i * 16 + k];
    first = p[0];
    for (int k = 1; k < 16; k++) {
        if (p[k] > first) {
            second = first;
            b = a;
            first = p[k];
            a = k;
        } else if (p[k] > second) {
            second = p[k];
            b = k;
        }
    }
    sum = 1 + exp(second - first);
    weight[2 * i] = 1 / sum;
    weight[2 * i + 1] = 1 - 1 / sum;
    expert[2 * i] = a;
    expert[2 * i + 1] = b;
}

// case ell_columns
// 1 << 13, 128, F(12 << 13), I(12 << 13, 1 << 13), F(1 << 13), O(1 << 13), S(1 << 13)
kernel void ell_columns(global const float *value, global const int *column, global const float *x, global float *y,
                        int rows)
{
    int r = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 12; k++) {
        int c = column[k * rows + r];
        if (c >= 0)
            sum += value[k * rows + r] * x[c];
    }
    y[r] = sum;
}

// case csr_vector
// 32 << 11, 64, row_starts((1 << 11) + 1, 90), I(90 << 11, 1 << 11), F(90 << 11), F(1 << 11), O(1 << 11), S(1 << 11)
kernel void csr_vector(global const int *start, global const int *column, global const float *value,
                       global const float *x, global float *y, int rows)
{
    local float part[64];
    int t = get_local_id(0), lane = t & 31, row = get_global_id(0) >> 5;
    float sum = 0;
    if (row < rows)
        for (int e = start[row] + lane; e < start[row + 1]; e += 32)
            sum += value[e] * x[column[e]];
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 16; d > 0; d >>= 1) {
        if (lane < d)
            part[t] += part[t + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && row < rows)
        y[row] = part[t];
}

// case tridiag_rows
// 1 << 11, 64, F(32 << 11), F(32 << 11), F(32 << 11), F(32 << 11), O(32 << 11)
kernel void tridiag_rows(global const float *a, global const float *b, global const float *c, global const float *d,
                         global float *x)
{
    int r = get_global_id(0) * 32;
    float cp[32], dp[32];
    cp[0] = c[r] / (b[r] + 4);
    dp[0] = d[r] / (b[r] + 4);
    for (int i = 1; i < 32; i++) {
        float m = 1 / (b[r + i] + 4 - a[r + i] * cp[i - 1]);
        cp[i] = c[r + i] * m;
        dp[i] = (d[r + i] - a[r + i] * dp[i - 1]) * m;
    }
    x[r + 31] = dp[31];
    for (int i = 30; i >= 0; i--)
        x[r + i] = dp[i] - cp[i] * x[r + i + 1];
}

// case qr_givens
// 1 << 11, None, F(16 << 11), O(16 << 11), O(16 << 11)
kernel void qr_givens(global const float *a, global float *r, global float *q)
{
    int g = get_global_id(0);
    float m[4][4], p[4][4];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            m[i][k] = a[g * 16 + i * 4 + k];
            p[i][k] = i == k;
        }
    for (int k = 0; k < 4; k++)
        for (int i = 3; i > k; i--) {
            float x = m[i - 1][k], y = m[i][k], h = hypot(x, y), c = h > 0 ? x / h : 1, s = h > 0 ? y / h : 0;
            for (int j = 0; j < 4; j++) {
                float t = c * m[i - 1][j] + s * m[i][j];
                m[i][j] = c * m[i][j] - s * m[i - 1][j];
                m[i - 1][j] = t;
                t = c * p[i - 1][j] + s * p[i][j];
                p[i][j] = c * p[i][j] - s * p[i - 1][j];
                p[i - 1][j] = t;
            }
        }
    for (int i = 0; i < 16; i++) {
        r[g * 16 + i] = m[i / 4][i % 4];
        q[g * 16 + i] = p[i / 4][i % 4];
    }
}

// case banded_mv
// 1 << 15, 64, F(7 << 15), F(1 << 15), O(1 << 15), S(1 << 15)
kernel void banded_mv(global const float *band, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int k = -3; k <= 3; k++)
        if (i + k >= 0 && i + k < n)
            sum += band[(k + 3) * n + i] * x[i + k];
    y[i] = sum;
}

// case lu_batch
// 1 << 9, 32, F(36 << 9), O(36 << 9)
kernel void lu_batch(global const float *a, global float *out)
{
    int g = get_global_id(0);
    float m[36];
    for (int i = 0; i < 36; i++)
        m[i] = a[g * 36 + i];
    for (int k = 0; k < 6; k++) {
        int p = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(m[i * 6 + k]) > fabs(m[p * 6 + k]))
                p = i;
        for (int j = 0; j < 6; j++) {
            float t = m[k * 6 + j];
            m[k * 6 + j] = m[p * 6 + j];
            m[p * 6 + j] = t;
        }
        for (int i = k + 1; i < 6; i++) {
            m[i * 6 + k] /= m[k * 6 + k];
            for (int j = k + 1; j < 6; j++)
                m[i * 6 + j] -= m[i * 6 + k] * m[k * 6 + j];
        }
    }
    for (int i = 0; i < 36; i++)
        out[g * 36 + i] = m[i];
}

// case biquad_rows
// 1 << 9, 64, F(256 << 9), O(256 << 9), V(0.2, 0.3, 0.2, -0.5, 0.1, 0, 0, 0), S(256)
kernel void biquad_rows(global const float *in, global float *out, float8 k, int n)
{
    global const float *x = in + get_global_id(0) * n;
    global float *y = out + get_global_id(0) * n;
    float z1 = 0, z2 = 0;
    for (int i = 0; i < n; i++) {
        float v = k.s0 * x[i] + z1;
        z1 = k.s1 * x[i] - k.s3 * v + z2;
        z2 = k.s2 * x[i] - k.s4 * v;
        y[i] = v;
    }
}

// case polyphase
// 30000, None, F(20016), F(3 * 16), O(30000)
kernel void polyphase(global const float *x, constant float *taps, global float *y)
{
    int i = get_global_id(0), at = i * 2 / 3, phase = i * 2 % 3;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += x[at + k] * taps[phase * 16 + k];
    y[i] = sum;
}

// case goertzel
// 128, 32, F(2048), O(128), S(2048)
kernel void goertzel(global const float *x, global float *power, int n)
{
    int k = get_global_id(0);
    float c = 2 * cospi(2.0f * k / 256), a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        float t = x[i] + c * a - b;
        b = a;
        a = t;
    }
    power[k] = a * a + b * b - c * a * b;
}

// case median_window
// 1 << 14, 128, I((1 << 14) + 8, 4000, np.int16), O(1 << 14, np.int16)
kernel void median_window(global const short *x, global short *y)
{
    int i = get_global_id(0);
    short v[9];
    for (int k = 0; k < 9; k++)
        v[k] = x[i + k];
    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 9; b++) {
            short lo = min(v[a], v[b]), hi = max(v[a], v[b]);
            v[a] = lo;
            v[b] = hi;
        }
    y[i] = v[4];
}

// case ulong_mix
// 1 << 15, None, I(1 << 15, 1 << 62, np.uint64), O(1 << 15, np.uint64)
kernel void ulong_mix(global const ulong *in, global ulong *out)
{
    size_t i = get_global_id(0);
    ulong h = in[i];
    for (int k = 0; k < 8; k++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdul;
        h = rotate(h, 27ul) + clz(h);
        h ^= mul_hi(h, 0x9e3779b97f4a7c15ul);
    }
    out[i] = h;
}

// case char8_sat
// 1 << 14, 64, I(8 << 14, 256, np.uint8), I(8 << 14, 256, np.uint8), O(8 << 14, np.uint8)
kernel void char8_sat(global const char8 *a, global const char8 *b, global char8 *o)
{
    int i = get_global_id(0);
    char8 s = add_sat(a[i], b[i]), d = sub_sat(a[i], b[i]);
    o[i] = select(rhadd(s, d), abs_diff(a[i], b[i]) > (uchar8)90 ? s : d, a[i] < b[i]);
}

// case half_soft
// 1 << 13, 64, H(16 << 13), O(16 << 13, np.float16), S(16)
kernel void half_soft(global const half *x, global half *y, int n)
{
    int row = get_global_id(0);
    float v[16], most = -INFINITY, sum = 0;
    for (int i = 0; i < 16; i++) {
        v[i] = vload_half(row * 16 + i, x);
        most = fmax(most, v[i]);
    }
    for (int i = 0; i < 16; i++)
        sum += v[i] = native_exp(v[i] - most);
    for (int i = 0; i < 16; i++)
        vstore_half(v[i] / sum, row * 16 + i, y);
}

// case double3_cross
// 1 << 13, 64, D(3 << 13), D(3 << 13), O(3 << 13, np.float64)
kernel void double3_cross(global const double *a, global const double *b, global double *o)
{
    int i = get_global_id(0);
    vstore3(normalize(cross(vload3(i, a), vload3(i, b))), i, o);
}

// case odd_3d
// (37, 29, 23), None, F(39 * 31 * 25), O(37 * 29 * 23)
kernel void odd_3d(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float s = 0;
    for (int k = 0; k < 27; k++)
        s += in[((z + k / 9) * 31 + y + k / 3 % 3) * 39 + x + k % 3] * (k == 13 ? 2.f : -0.05f);
    out[(z * 29 + y) * 37 + x] = s;
}

// case image_gather9
// (250, 190), None, image(256, 192), target(250, 190)
kernel void image_gather9(read_only image2d_t in, write_only image2d_t out)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += read_imagef(in, s, p + (int2)(dx, dy));
    write_imagef(out, p, sum / 9);
}

// case image_float_lin
// (200, 160), (8, 8), image(128, 128, 'FLOAT'), target(200, 160, 'FLOAT')
kernel void image_float_lin(read_only image2d_t in, write_only image2d_t out)
{
    const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    int x = get_global_id(0), y = get_global_id(1);
    float2 at = (float2)((x + 0.5f) / get_global_size(0), (y + 0.5f) / get_global_size(1));
    write_imagef(out, (int2)(x, y), read_imagef(in, s, at).zyxw);
}

// case sg_dot_rows
// 64 * 256, 64, F(256 * 320), F(320), O(256), S(320), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_dot_rows(global const float *a, global const float *x, global float *y, int n)
{
    local float part[64];
    int row = get_group_id(0);
    float s = 0;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        s += a[row * n + i] * x[i];
    s = sub_group_reduce_add(s);
    if (get_sub_group_local_id() == 0)
        part[get_sub_group_id()] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float sum = 0;
        for (uint i = 0; i < get_num_sub_groups(); i++)
            sum += part[i];
        y[row] = sum;
    }
}

// case scan_compact
// 1 << 15, 256, I(1 << 15, 1000), O(1 << 15, np.int32), O(128, np.int32), '-cl-std=CL2.0'
kernel void scan_compact(global const int *in, global int *out, global int *count)
{
    int i = get_global_id(0), keep = in[i] % 3 == 0;
    int at = work_group_scan_exclusive_add(keep);
    if (keep)
        out[get_group_id(0) * get_local_size(0) + at] = in[i];
    if (get_local_id(0) == get_local_size(0) - 1)
        count[get_group_id(0)] = at + keep;
}
