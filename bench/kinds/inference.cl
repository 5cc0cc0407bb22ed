// Language, picture and speech models: products of quantised weights, attention, normalisation, convolutions.

// case q4_0_split_mv
// (64, 256), (64, 1), I(256 * 32 * 16, 256, np.uint8), H(256 * 32), F(1024), O(256), S(32), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void q4_0_split_mv(global const uchar *quants, global const half *scales, global const float *x, global float *y, int blocks)
{
    local float part[64];
    int row = get_group_id(1), l = get_local_id(0);
    float sum = 0;
    for (int b = l / 2; b < blocks; b += 32) {
        global const uchar *q = quants + (row * blocks + b) * 16 + (l & 1) * 8;
        global const float *v = x + b * 32 + (l & 1) * 8;
        float s = 0, all = 0;
        for (int k = 0; k < 8; k++) {
            s += v[k] * (q[k] & 15) + v[k + 16] * (q[k] >> 4);
            all += v[k] + v[k + 16];
        }
        sum += (float)scales[row * blocks + b] * (s - 8 * all);
    }
    sum = sub_group_reduce_add(sum);
    if (get_sub_group_local_id() == 0)
        part[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int k = 1; k < get_num_sub_groups(); k++)
            sum += part[k];
        y[row] = sum;
    }
}

// case q6_rows_half
// 512, 64, I(512 * 2 * 192, 256, np.uint8), H(512 * 2), H(512), O(512), S(2)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void q6_rows_half(global const uchar *quants, global const half *scale, global const half *x, global float *y, int blocks)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int b = 0; b < blocks; b++) {
        global const uchar *low = quants + (row * blocks + b) * 192, *high = low + 128;
        float s = 0;
        for (int h = 0; h < 2; h++, low += 64, high += 32)
            for (int k = 0; k < 32; k++) {
                int a = (low[k] & 15) | ((high[k] & 3) << 4), c = (low[k + 32] & 15) | (((high[k] >> 2) & 3) << 4);
                int d = (low[k] >> 4) | (((high[k] >> 4) & 3) << 4), e = (low[k + 32] >> 4) | ((high[k] >> 6) << 4);
                int at = b * 256 + h * 128 + k;
                s += vload_half(at, x) * (a - 32) + vload_half(at + 32, x) * (c - 32) + vload_half(at + 64, x) * (d - 32) + vload_half(at + 96, x) * (e - 32);
            }
        sum += s * vload_half(row * blocks + b, scale);
    }
    y[row] = sum;
}

// case flash_f16_rows
// (64, 8), (64, 1), H(8 * 64 * 64), H(8 * 128 * 64), H(8 * 128 * 64), O(8 * 64 * 64), S(128), S(0.125, np.float32)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void flash_f16_rows(global const half4 *q, global const half4 *k, global const half4 *v, global float4 *o, int n, float scale)
{
    local half4 kt[16][16], vt[16][16];
    int row = get_global_id(0), head = get_global_id(1), l = get_local_id(0);
    float4 mine[16], acc[16];
    for (int d = 0; d < 16; d++) {
        mine[d] = convert_float4(q[(head * 64 + row) * 16 + d]) * scale;
        acc[d] = 0;
    }
    float most = -INFINITY, sum = 0;
    for (int t = 0; t < n; t += 16) {
        for (int i = l; i < 256; i += 64) {
            kt[i / 16][i % 16] = k[(head * n + t) * 16 + i];
            vt[i / 16][i % 16] = v[(head * n + t) * 16 + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++) {
            float4 dots = 0;
            for (int d = 0; d < 16; d++)
                dots = mad(mine[d], convert_float4(kt[j][d]), dots);
            float s = dots.x + dots.y + dots.z + dots.w, m = fmax(most, s), f = exp(most - m), p = exp(s - m);
            for (int d = 0; d < 16; d++)
                acc[d] = mad(p, convert_float4(vt[j][d]), acc[d] * f);
            sum = sum * f + p;
            most = m;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int d = 0; d < 16; d++)
        o[(head * 64 + row) * 16 + d] = acc[d] / sum;
}

// case rope_half_pairs
// (64, 32, 16), None, H(64 * 32 * 16 * 2), I(16, 4096), H(64 * 32 * 16 * 2), S(10000, np.float32)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void rope_half_pairs(global const half *in, global const int *position, global half *out, float base)
{
    int p = get_global_id(0), head = get_global_id(1), t = get_global_id(2);
    float theta = position[t] * pow(base, -p / 64.0f), c, s = sincos(theta, &c);
    int at = ((t * 32 + head) * 64 + p) * 2;
    float a = in[at], b = in[at + 1];
    out[at] = a * c - b * s;
    out[at + 1] = a * s + b * c;
}

// case alibi_softmax
// (128, 64), (128, 1), F(64 * 300), O(64 * 300), S(300), L(128)
kernel void alibi_softmax(global const float *x, global float *y, int n, local float *w)
{
    int l = get_local_id(0), row = get_group_id(1), size = get_local_size(0);
    float slope = exp2(-0.5f * (row & 7)), most = -INFINITY, sum = 0;
    for (int i = l; i < n; i += size)
        most = fmax(most, x[row * n + i] + slope * (i - n));
    w[l] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = size / 2; d; d /= 2) {
        if (l < d)
            w[l] = fmax(w[l], w[l + d]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = w[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < n; i += size) {
        float e = exp(x[row * n + i] + slope * (i - n) - most);
        y[row * n + i] = e;
        sum += e;
    }
    w[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = size / 2; d; d /= 2) {
        if (l < d)
            w[l] += w[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = l; i < n; i += size)
        y[row * n + i] /= w[0];
}

// case conv_time_emb
// (32, 32, 32), (8, 8, 1), F(32 * 34 * 34), F(32 * 32 * 9), F(32), F(32), O(32 * 32 * 32), S(32)
kernel void conv_time_emb(global const float *in, global const float *w, global const float *bias, global const float *emb, global float *out, int channels)
{
    int x = get_global_id(0), y = get_global_id(1), o = get_global_id(2);
    float acc = bias[o];
    for (int c = 0; c < channels; c++) {
        global const float *p = in + (c * 34 + y) * 34 + x, *f = w + (o * channels + c) * 9;
        acc += p[0] * f[0] + p[1] * f[1] + p[2] * f[2];
        acc += p[34] * f[3] + p[35] * f[4] + p[36] * f[5];
        acc += p[68] * f[6] + p[69] * f[7] + p[70] * f[8];
    }
    acc += emb[o];
    out[(o * 32 + y) * 32 + x] = acc / (1 + exp(-acc));
}

// case group_norm_silu
// 32 * 256, 256, F(32 * 4 * 1024), F(128), F(128), O(32 * 4 * 1024), S(4), S(1024)
kernel void group_norm_silu(global const float *x, global const float *gamma, global const float *beta, global float *y, int channels, int plane)
{
    local float2 part[256];
    int g = get_group_id(0), l = get_local_id(0), n = channels * plane;
    float2 s = 0;
    for (int i = l; i < n; i += 256) {
        float v = x[g * n + i];
        s += (float2)(v, v * v);
    }
    part[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d > 0; d >>= 1) {
        if (l < d)
            part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float mean = part[0].x / n, inv = rsqrt(part[0].y / n - mean * mean + 1e-5f);
    for (int i = l; i < n; i += 256) {
        int c = g * channels + i / plane;
        float v = (x[g * n + i] - mean) * inv * gamma[c] + beta[c];
        y[g * n + i] = v / (1 + native_exp(-v));
    }
}

// case conv1d_gelu
// (300, 64), None, F(302 * 80), F(64 * 80 * 3), F(64), O(300 * 64), S(80), S(300)
kernel void conv1d_gelu(global const float *in, global const float *w, global const float *bias, global float *out, int channels, int n)
{
    int t = get_global_id(0), o = get_global_id(1);
    if (t >= n)
        return;
    float acc = bias[o];
    for (int c = 0; c < channels; c++)
        for (int k = 0; k < 3; k++)
            acc += in[c * (n + 2) + t + k] * w[(o * channels + c) * 3 + k];
    out[o * n + t] = 0.5f * acc * (1 + erf(acc * 0.70710678f));
}

// case conv_char4_requant
// (28, 28, 16), (7, 7, 1), I(30 * 30 * 32, 256, np.int8), I(64 * 9 * 32, 256, np.int8), I(64, 1000), F(64), I(28 * 28 * 64, 1, np.int8)
kernel void conv_char4_requant(global const char4 *in, global const char4 *w, global const int *bias, global const float *scale, global char4 *out)
{
    int x = get_global_id(0), y = get_global_id(1), o = get_global_id(2);
    int4 acc = vload4(o, bias);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 8; c++) {
                int4 v = convert_int4(in[((y + j) * 30 + x + i) * 8 + c]);
                global const char4 *f = w + ((o * 9 + j * 3 + i) * 8 + c) * 4;
                int4 p0 = v * convert_int4(f[0]), p1 = v * convert_int4(f[1]), p2 = v * convert_int4(f[2]), p3 = v * convert_int4(f[3]);
                acc += (int4)(p0.x + p0.y + p0.z + p0.w, p1.x + p1.y + p1.z + p1.w, p2.x + p2.y + p2.z + p2.w, p3.x + p3.y + p3.z + p3.w);
            }
    out[(y * 28 + x) * 16 + o] = convert_char4_sat_rte(convert_float4(acc) * vload4(o, scale) * 0.001f);
}

// case lstm_cell_half
// 512, 64, H(512 * 4 * 128), H(128), F(512 * 4), F(512), O(512), O(512), S(128)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void lstm_cell_half(global const half *w, global const half *x, global const float *bias, global const float *c0, global float *c1, global float *h, int n)
{
    int i = get_global_id(0), units = get_global_size(0);
    float gate[4];
    for (int g = 0; g < 4; g++) {
        float s = bias[g * units + i];
        for (int k = 0; k < n; k++)
            s += (float)w[(g * n + k) * units + i] * (float)x[k] * 0.1f;
        gate[g] = s;
    }
    float c = c0[i] / (1 + exp(-gate[1])) + tanh(gate[2]) / (1 + exp(-gate[0]));
    c1[i] = c;
    h[i] = tanh(c) / (1 + exp(-gate[3]));
}

// case gru_steps
// 64 * 32, 64, F(32 * 20 * 64), F(3 * 64 * 64), O(32 * 64), S(20)
kernel void gru_steps(global const float *x, global const float *u, global float *out, int steps)
{
    local float h[64], rh[64];
    int l = get_local_id(0), b = get_group_id(0);
    h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < steps; t++) {
        float z = x[(b * steps + t) * 64 + l], r = z * 0.5f, n = z - 0.5f, mine = h[l];
        for (int k = 0; k < 64; k++) {
            z += 0.1f * u[k * 64 + l] * h[k];
            r += 0.1f * u[(64 + k) * 64 + l] * h[k];
        }
        z = 1 / (1 + exp(-z));
        rh[l] = mine / (1 + exp(-r));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++)
            n += 0.1f * u[(128 + k) * 64 + l] * rh[k];
        h[l] = (1 - z) * tanh(n) + z * mine;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[b * 64 + l] = h[l];
}

// case bag_offsets
// (64, 256), (64, 1), F(64 * 5000), row_starts(256, 40), I(256 * 40, 5000), F(256 * 40), O(64 * 256)
kernel void bag_offsets(global const float *table, global const int *offset, global const int *index, global const float *weight, global float *out)
{
    int c = get_global_id(0), bag = get_global_id(1);
    float s = 0;
    for (int k = offset[bag]; k < offset[bag + 1]; k++)
        s = fma(weight[k], table[index[k] * 64 + c], s);
    out[bag * 64 + c] = s;
}

// case deform_conv
// (40, 40, 8), None, F(16 * 40 * 40), F(18 * 40 * 40), F(8 * 16 * 9), O(8 * 40 * 40)
float tap(global const float *p, float y, float x)
{
    if (y <= -1 || y >= 40 || x <= -1 || x >= 40)
        return 0;
    int y0 = (int)floor(y), x0 = (int)floor(x);
    float fy = y - y0, fx = x - x0, v = 0;
    if (y0 >= 0 && x0 >= 0)
        v += (1 - fy) * (1 - fx) * p[y0 * 40 + x0];
    if (y0 >= 0 && x0 < 39)
        v += (1 - fy) * fx * p[y0 * 40 + x0 + 1];
    if (y0 < 39 && x0 >= 0)
        v += fy * (1 - fx) * p[(y0 + 1) * 40 + x0];
    if (y0 < 39 && x0 < 39)
        v += fy * fx * p[(y0 + 1) * 40 + x0 + 1];
    return v;
}
kernel void deform_conv(global const float *in, global const float *offset, global const float *w, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), o = get_global_id(2);
    float s = 0;
    for (int k = 0; k < 9; k++) {
        float dy = offset[(2 * k * 40 + y) * 40 + x] * 4 - 2, dx = offset[((2 * k + 1) * 40 + y) * 40 + x] * 4 - 2;
        for (int c = 0; c < 16; c++)
            s += w[(o * 16 + c) * 9 + k] * tap(in + c * 1600, y + k / 3 - 1 + dy, x + k % 3 - 1 + dx);
    }
    out[(o * 40 + y) * 40 + x] = s;
}

// case sample_top_p
// 64 * 128, 128, F(64 * 512), F(64), I(64, 1), S(512), S(0.9, np.float32)
kernel void sample_top_p(global const float *logit, global const float *coin, global int *token, int n, float top)
{
    local float p[512], part[128];
    local int id[512];
    int l = get_local_id(0), row = get_group_id(0);
    float s = 0;
    for (int i = l; i < n; i += 128) {
        p[i] = exp(8 * logit[row * n + i]);
        id[i] = i;
        s += p[i];
    }
    part[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 64; d; d >>= 1) {
        if (l < d)
            part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            for (int i = l; i < n; i += 128) {
                int other = i ^ j;
                if (other > i && (p[i] < p[other]) == ((i & k) == 0)) {
                    float v = p[i];
                    int t = id[i];
                    p[i] = p[other];
                    p[other] = v;
                    id[i] = id[other];
                    id[other] = t;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    if (l == 0) {
        float all = 0, limit = part[0] * top;
        int most = 0;
        while (most < n && all < limit)
            all += p[most++];
        float at = coin[row] * all;
        int k = 0;
        while (k < most - 1 && (at -= p[k]) > 0)
            k++;
        token[row] = id[k];
    }
}

// case mha_head_block
// (32, 32, 8), (32, 4, 1), H(8 * 32 * 64), H(8 * 32 * 64), O(8 * 32 * 32), S(64)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void mha_head_block(global const half *q, global const half *k, global float *s, int d)
{
    int j = get_global_id(0), i = get_global_id(1), h = get_global_id(2);
    half8 acc = 0;
    for (int c = 0; c < d / 8; c++)
        acc = fma(vload8((h * 32 + i) * d / 8 + c, q), vload8((h * 32 + j) * d / 8 + c, k), acc);
    half4 a = acc.lo + acc.hi;
    half2 b = a.lo + a.hi;
    s[(h * 32 + i) * 32 + j] = j <= i ? (float)(b.x + b.y) * 0.125f : -1000.0f;
}
