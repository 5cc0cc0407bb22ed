// Kernels in the manner of inference engines and of libraries for matrices, transforms and sparse systems: blocks of quantised weights
// with scales of their own, channels by fours, tuned triangular and symmetric products, transforms in registers.
//
// SPDX-License-Identifier: MIT

// ---- Quantised products.

// case q6k_matvec
// 256 * 32, 32, I(256 * 4 * 210, 90, np.uint8), F(1024), O(256), S(4), '-cl-std=CL3.0'
typedef struct __attribute__((packed)) {
    uchar low[128];
    uchar high[64];
    char scales[16];
    half d;
} Super;
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void q6k_matvec(global const Super *w, global const float *y, global float *dst, int blocks)
{
    local float part[32];
    int row = get_group_id(0), t = get_local_id(0);
    int half_id = t / 16, in = t % 16, l0 = 4 * (in % 8), is = 8 * half_id + l0 / 16;
    global const Super *x = w + row * blocks;
    float sum = 0;
    for (int i = in / 8; i < blocks; i += 2) {
        global const float *v = y + i * 256 + 128 * half_id + l0;
        global const uchar *q1 = x[i].low + 64 * half_id + l0, *q2 = q1 + 32, *qh = x[i].high + 32 * half_id + l0;
        global const char *sc = x[i].scales + is;
        float4 sums = 0;
        for (int l = 0; l < 4; l++) {
            sums.s0 += v[l] * ((char)((q1[l] & 15) | ((qh[l] & 3) << 4)) - 32);
            sums.s1 += v[l + 32] * ((char)((q2[l] & 15) | ((qh[l] & 12) << 2)) - 32);
            sums.s2 += v[l + 64] * ((char)((q1[l] >> 4) | (qh[l] & 48)) - 32);
            sums.s3 += v[l + 96] * ((char)((q2[l] >> 4) | ((qh[l] & 192) >> 2)) - 32);
        }
        sum += vload_half(0, &x[i].d) * (sums.s0 * sc[0] + sums.s1 * sc[2] + sums.s2 * sc[4] + sums.s3 * sc[6]);
    }
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 16; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        dst[row] = part[0];
}

// case iq4nl_matvec
// 512 * 16, 16, I(512 * 32 * 18, 100, np.uint8), F(1024), O(512), S(32), '-cl-std=CL3.0'
constant char codebook[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
typedef struct {
    half d;
    uchar qs[16];
} Block;
kernel void iq4nl_matvec(global const Block *x, global const float *y, global float *dst, int blocks)
{
    int row = get_group_id(0), t = get_local_id(0);
    float sum = 0;
    for (int b = t / 2; b < blocks; b += 8) {
        global const Block *q = x + row * blocks + b;
        global const float *v = y + b * 32 + 8 * (t & 1);
        float s = 0;
        for (int j = 0; j < 8; j++) {
            uchar c = q->qs[8 * (t & 1) + j];
            s += v[j] * codebook[c & 15] + v[j + 16] * codebook[c >> 4];
        }
        sum += s * vload_half(0, &q->d);
    }
    sum = work_group_reduce_add(sum);
    if (t == 0)
        dst[row] = sum;
}

// case q5_0_rows
// 1024, 32, I(1024 * 16 * 22, 100, np.uint8), F(512), O(1024), S(16)
kernel void q5_0_rows(global const uchar *weights, global const float *x, global float *y, const int blocks)
{
    const int row = get_global_id(0);
    float acc = 0.0f;
    global const uchar *p = weights + (size_t)row * blocks * 22;
    for (int b = 0; b < blocks; ++b, p += 22) {
        const float d = vload_half(0, (global const half *)p);
        const uint bits = p[2] | p[3] << 8 | p[4] << 16 | (uint)p[5] << 24;
        float part = 0.0f;
        for (int j = 0; j < 16; ++j) {
            const uchar h0 = ((bits >> j) << 4) & 0x10, h1 = (bits >> (j + 12)) & 0x10;
            part += x[b * 32 + j] * (((p[6 + j] & 15) | h0) - 16) + x[b * 32 + 16 + j] * (((p[6 + j] >> 4) | h1) - 16);
        }
        acc += d * part;
    }
    y[row] = acc;
}

// case q4k_dequant
// 1 << 13, 64, I(256 * 144, 110, np.uint8), O(1 << 16)
kernel void q4k_dequant(global const uchar *w, global float *out)
{
    int id = get_global_id(0), block = id / 32, t = id % 32, il = t / 8, ir = t % 8;
    global const uchar *b = w + block * 144, *scales = b + 4, *q = b + 16 + 32 * il + 4 * ir;
    float d = vload_half(0, (global const half *)b), m = vload_half(1, (global const half *)b);
    uchar sc[2], mn[2];
    for (int k = 0; k < 2; k++) {
        int j = 2 * il + k;
        if (j < 4) {
            sc[k] = scales[j] & 63;
            mn[k] = scales[j + 4] & 63;
        } else {
            sc[k] = (scales[j + 4] & 15) | ((scales[j - 4] >> 6) << 4);
            mn[k] = (scales[j + 4] >> 4) | ((scales[j] >> 6) << 4);
        }
    }
    global float *o = out + block * 256 + 64 * il + 4 * ir;
    for (int l = 0; l < 4; l++) {
        o[l] = d * sc[0] * (q[l] & 15) - m * mn[0];
        o[l + 32] = d * sc[1] * (q[l] >> 4) - m * mn[1];
    }
}

// case kv_quant_q8
// 1 << 13, 64, F(32 << 13), O(34 << 13, np.uint8)
kernel void kv_quant_q8(global const float *x, global uchar *out)
{
    int b = get_global_id(0);
    global const float *v = x + b * 32;
    float most = 0;
    for (int i = 0; i < 32; i++)
        most = fmax(most, fabs(v[i]));
    float d = most / 127, id = d != 0 ? 1 / d : 0;
    vstore_half(d, 0, (global half *)(out + b * 34));
    for (int i = 0; i < 32; i++)
        out[b * 34 + 2 + i] = (uchar)(char)round(v[i] * id);
}

// case gqa_decode
// (64, 16), (64, 1), F(16 * 64), H(4 * 256 * 64), H(4 * 256 * 64), O(16 * 64), S(256)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void gqa_decode(global const float *q, global const half *k, global const half *v, global float *out, int length)
{
    local float scores[256], part[64];
    int head = get_group_id(1), t = get_local_id(0);
    global const half *keys = k + head / 4 * length * 64, *values = v + head / 4 * length * 64;
    float most = -INFINITY;
    for (int p = t; p < length; p += 64) {
        float s = 0;
        for (int c = 0; c < 64; c += 4) {
            float4 a = vload4(0, q + head * 64 + c), b = vload_half4(0, keys + p * 64 + c);
            s += dot(a, b);
        }
        scores[p] = s * 0.125f;
        most = fmax(most, scores[p]);
    }
    part[t] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
        if (t < s)
            part[t] = fmax(part[t], part[t + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int p = t; p < length; p += 64) {
        scores[p] = native_exp(scores[p] - most);
        sum += scores[p];
    }
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float o = 0;
    for (int p = 0; p < length; p++)
        o += scores[p] * vload_half(p * 64 + t, values);
    out[head * 64 + t] = o / part[0];
}

// ---- Operators with channels by fours.

// case hwc4_conv1x1
// (64, 16, 8), (8, 4, 1), F(4 * 64 * 32 * 8), F(16 * 8 * 8), F(32), O(4 * 64 * 32 * 8), ('value', np.array([64, 32, 8, 8], np.int32))
kernel void hwc4_conv1x1(global const float4 *src, global const float16 *weights, global const float4 *bias, global float4 *dst, int4 size)
{
    int X = get_global_id(0), Y = get_global_id(1) * 2, Z = get_global_id(2);
    if (X >= size.x || Y >= size.y || Z >= size.w)
        return;
    float4 r0 = (float4)(0.0f), r1 = (float4)(0.0f);
    global const float16 *w = weights + Z * size.z;
    int y1 = min(Y + 1, size.y - 1);
    for (int s = 0; s < size.z; s++) {
        float4 s0 = src[(s * size.y + Y) * size.x + X], s1 = src[(s * size.y + y1) * size.x + X];
        float16 f = w[s];
        r0 += f.s0123 * s0.x + f.s4567 * s0.y + f.s89ab * s0.z + f.scdef * s0.w;
        r1 += f.s0123 * s1.x + f.s4567 * s1.y + f.s89ab * s1.z + f.scdef * s1.w;
    }
    float4 b = bias[Z];
    dst[(Z * size.y + Y) * size.x + X] = clamp(r0 + b, (float4)(0.0f), (float4)(6.0f));
    if (Y + 1 < size.y)
        dst[(Z * size.y + Y + 1) * size.x + X] = clamp(r1 + b, (float4)(0.0f), (float4)(6.0f));
}

// case nc4_depthwise
// (8 * 16, 56), None, F(4 * 8 * 58 * 58), F(4 * 8 * 9), F(32), O(4 * 8 * 56 * 56), S(128), S(56), S(56), S(58), S(58), S(1)
#define SKIP(a, b) if (get_global_id(0) >= a || get_global_id(1) >= b) return
kernel void nc4_depthwise(global const float *in, global const float *filter, global const float *bias, global float *out, int g0,
                          int g1, int width, int in_w, int in_h, int stride)
{
    SKIP(g0, g1);
    int cw = get_global_id(0), y = get_global_id(1), c = cw / 16, x4 = (cw % 16) * 4;
    if (x4 >= width)
        return;
    float4 o0 = vload4(c, bias), o1 = o0, o2 = o0, o3 = o0;
    for (int ky = 0; ky < 3; ky++) {
        int base = (c * in_h + y * stride + ky) * in_w + x4 * stride;
        for (int kx = 0; kx < 3; kx++) {
            float4 w = vload4(c * 9 + ky * 3 + kx, filter);
            o0 = mad(vload4(base + kx, in), w, o0);
            o1 = mad(vload4(base + kx + stride, in), w, o1);
            o2 = mad(vload4(base + kx + 2 * stride, in), w, o2);
            o3 = mad(vload4(base + kx + 3 * stride, in), w, o3);
        }
    }
    int o = (c * g1 + y) * width + x4;
    vstore4(fmax(o0, 0), o, out);
    if (x4 + 1 < width) vstore4(fmax(o1, 0), o + 1, out);
    if (x4 + 2 < width) vstore4(fmax(o2, 0), o + 2, out);
    if (x4 + 3 < width) vstore4(fmax(o3, 0), o + 3, out);
}

// case reorg_layer
// 1 << 17, 512, F(1 << 17), S(32), S(32), S(64), S(2), S(2), S(1), O(1 << 17)
kernel void reorg_layer(global const float *x, int w, int h, int c, int batch, int stride, int forward, global float *out)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= w * h * c * batch)
        return;
    int in_index = i, in_w = i % w;
    i = i / w;
    int in_h = i % h;
    i = i / h;
    int in_c = i % c;
    i = i / c;
    int b = i % batch, out_c = c / (stride * stride), c2 = in_c % out_c, offset = in_c / out_c;
    int w2 = in_w * stride + offset % stride, h2 = in_h * stride + offset / stride;
    int out_index = w2 + w * stride * (h2 + h * stride * (c2 + out_c * b));
    if (forward)
        out[out_index] = x[in_index];
    else
        out[in_index] = x[out_index];
}

// case shortcut_add
// 1 << 16, 256, S(1 << 16), S(28), S(28), S(64), S(2), S(1), S(2), S(56), S(56), S(64), F(64 * 56 * 56 * 2), S(28), S(28), S(64), O(64 * 28 * 28 * 2)
kernel void shortcut_add(int size, int minw, int minh, int minc, int stride, int sample, int batch, int w1, int h1, int c1,
                         global const float *add, int w2, int h2, int c2, global float *out)
{
    int id = get_global_id(0);
    if (id >= size)
        return;
    int i = id % minw;
    id /= minw;
    int j = id % minh;
    id /= minh;
    int k = id % minc;
    id /= minc;
    int b = id % batch;
    int out_index = i * sample + w2 * (j * sample + h2 * (k + c2 * b));
    int add_index = i * stride + w1 * (j * stride + h1 * (k + c1 * b));
    out[out_index] += add[add_index];
}

// case softmax_c4
// (56, 56), (8, 8), F(56 * 56 * 32), O(56 * 56 * 32), S(56), S(56), S(30)
kernel void softmax_c4(global const float4 *in, global float4 *out, int w, int h, int channels)
{
    int x = get_global_id(0), y = get_global_id(1), slices = (channels + 3) / 4;
    if (x >= w || y >= h)
        return;
    float most = -FLT_MAX, sum = 0;
    for (int s = 0; s < slices; s++) {
        float4 v = in[(s * h + y) * w + x];
        int left = channels - s * 4;
        most = fmax(most, v.x);
        if (left > 1) most = fmax(most, v.y);
        if (left > 2) most = fmax(most, v.z);
        if (left > 3) most = fmax(most, v.w);
    }
    for (int s = 0; s < slices; s++) {
        float4 v = exp(in[(s * h + y) * w + x] - most);
        int left = channels - s * 4;
        sum += v.x + (left > 1 ? v.y : 0) + (left > 2 ? v.z : 0) + (left > 3 ? v.w : 0);
    }
    for (int s = 0; s < slices; s++)
        out[(s * h + y) * w + x] = exp(in[(s * h + y) * w + x] - most) / sum;
}

// case winograd_in4
// (16, 16, 16), None, F(34 * 34 * 16 * 4), O(36 * 16 * 64 * 4), S(34), S(34), S(8), S(8)
kernel void winograd_in4(global const float4 *in, global float4 *out, int w, int h, int tiles_x, int tiles_y)
{
    int tx = get_global_id(0), ty = get_global_id(1), c = get_global_id(2);
    if (tx >= tiles_x || ty >= tiles_y)
        return;
    float4 m[6][6];
    for (int i = 0; i < 6; i++) {
        float4 d[6];
        for (int j = 0; j < 6; j++) {
            int x = tx * 4 + i, y = ty * 4 + j;
            d[j] = x < w && y < h ? in[(c * h + y) * w + x] : (float4)0;
        }
        m[0][i] = 4 * d[0] - 5 * d[2] + d[4];
        m[1][i] = -4 * (d[1] + d[2]) + d[3] + d[4];
        m[2][i] = 4 * (d[1] - d[2]) - d[3] + d[4];
        m[3][i] = 2 * (d[3] - d[1]) - d[2] + d[4];
        m[4][i] = 2 * (d[1] - d[3]) - d[2] + d[4];
        m[5][i] = 4 * d[1] - 5 * d[3] + d[5];
    }
    int tiles = tiles_x * tiles_y, o = c * tiles + ty * tiles_x + tx, step = 16 * tiles;
    for (int i = 0; i < 6; i++) {
        out[o] = 4 * m[i][0] - 5 * m[i][2] + m[i][4];
        out[o + step] = -4 * (m[i][1] + m[i][2]) + m[i][3] + m[i][4];
        out[o + 2 * step] = 4 * (m[i][1] - m[i][2]) - m[i][3] + m[i][4];
        out[o + 3 * step] = 2 * (m[i][3] - m[i][1]) - m[i][2] + m[i][4];
        out[o + 4 * step] = 2 * (m[i][1] - m[i][3]) - m[i][2] + m[i][4];
        out[o + 5 * step] = 4 * m[i][1] - 5 * m[i][3] + m[i][5];
        o += 6 * step;
    }
}

// case conv_pack8
// (32, 32, 4), None, I(34 * 34 * 4 * 8, 100, np.int8), I(4 * 4 * 9 * 64, 100, np.int8), O(32 * 32 * 4 * 8, np.int8), S(34), S(4), S(9)
kernel void conv_pack8(global const char8 *bottom, global const char8 *kernels, global char8 *top, int w, int groups, int shift)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int8 sum = 0;
    for (int q = 0; q < groups; q++)
        for (int k = 0; k < 9; k++) {
            int8 v = convert_int8(bottom[(q * w + y + k / 3) * w + x + k % 3]);
            global const char8 *f = kernels + ((z * groups + q) * 9 + k) * 8;
            sum += v.s0 * convert_int8(f[0]) + v.s1 * convert_int8(f[1]) + v.s2 * convert_int8(f[2]) + v.s3 * convert_int8(f[3]) +
                   v.s4 * convert_int8(f[4]) + v.s5 * convert_int8(f[5]) + v.s6 * convert_int8(f[6]) + v.s7 * convert_int8(f[7]);
        }
    top[(z * get_global_size(1) + y) * get_global_size(0) + x] = convert_char8_sat(sum >> shift);
}

// case beam_topk
// 64 * 32, 32, F(64 * 2000), O(64 * 5), O(64 * 5, np.int32), S(2000)
kernel void beam_topk(global const float *logits, global float *best, global int *which, int n)
{
    local float vals[32 * 5];
    local int ids[32 * 5];
    int row = get_group_id(0), t = get_local_id(0);
    float v[5];
    int at[5];
    for (int k = 0; k < 5; k++) {
        v[k] = -1e30f;
        at[k] = -1;
    }
    for (int i = t; i < n; i += 32) {
        float x = logits[row * n + i];
        if (x <= v[4])
            continue;
        int k = 4;
        while (k > 0 && v[k - 1] < x) {
            v[k] = v[k - 1];
            at[k] = at[k - 1];
            k--;
        }
        v[k] = x;
        at[k] = i;
    }
    for (int k = 0; k < 5; k++) {
        vals[t * 5 + k] = v[k];
        ids[t * 5 + k] = at[k];
    }
    for (int s = 16; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < s) {
            int a = t * 5, b = (t + s) * 5;
            float mv[5];
            int mi[5];
            for (int k = 0; k < 5; k++) {
                bool first = vals[a] >= vals[b];
                mv[k] = first ? vals[a] : vals[b];
                mi[k] = first ? ids[a] : ids[b];
                a += first;
                b += !first;
            }
            for (int k = 0; k < 5; k++) {
                vals[t * 5 + k] = mv[k];
                ids[t * 5 + k] = mi[k];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 5) {
        best[row * 5 + t] = vals[t];
        which[row * 5 + t] = ids[t];
    }
}

// ---- Matrices.

// case invert_diag16
// 256 * 16, 16, F(256 * 256), O(256 * 256), S(16)
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void invert_diag16(global const float *restrict a, global float *restrict out, int n)
{
    local float m[16][17];
    int t = get_local_id(0);
    size_t base = get_group_id(0) * 256;
    for (int j = 0; j < 16; j++)
        m[t][j] = j <= t ? a[base + j * n + t] + (j == t ? 4.0f : 0.0f) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float d = 1.0f / m[t][t];
    m[t][t] = d;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 1; j < 16; j++) {
        float sum = 0;
        if (t < j)
            for (int k = t; k < j; k++)
                sum += m[j][k] * m[k][t];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < j)
            m[j][t] = -m[j][j] * sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int j = 0; j < 16; j++)
        out[base + j * n + t] = m[t][j];
}

// case trsm_left8
// 1 << 12, 64, F(32 * 32), F(32 << 12), O(32 << 12), S(1 << 12)
kernel void trsm_left8(global const float *l, global const float *b, global float *x, int n)
{
    int col = get_global_id(0);
    float v[32];
    for (int i = 0; i < 32; i++)
        v[i] = b[i * n + col];
    for (int i = 0; i < 32; i++) {
        float s = v[i];
        for (int k = 0; k < i; k++)
            s -= l[i * 32 + k] * v[k];
        v[i] = s / (l[i * 32 + i] + 2.0f);
    }
    for (int i = 0; i < 32; i++)
        x[i * n + col] = v[i];
}

// case spmv_packed
// 1024, 64, F(1024 * 1025 // 2), F(1024), O(1024), S(1024), S(1.5, np.float32), S(0.5, np.float32)
float packed(global const float *ap, int i, int j)
{
    return i <= j ? ap[(j + 1) * j / 2 + i] : ap[(i + 1) * i / 2 + j];
}
kernel void spmv_packed(global const float *ap, global const float *x, global float *y, int n, float alpha, float beta)
{
    int i = get_global_id(0);
    if (i < n) {
        float acc = 0;
        for (int j = 0; j < n; j++)
            acc += packed(ap, i, j) * x[j];
        y[i] = alpha * acc + beta * y[i];
    }
}

// case gbmv_lower
// 1 << 14, 128, F(17 << 14), F(1 << 14), O(1 << 14), S(1 << 14), S(8), S(8)
kernel void gbmv_lower(global const float *a, global const float *x, global float *y, int n, int kl, int ku)
{
    int row = get_global_id(0), lda = kl + ku + 1;
    float acc = 0;
    for (int j = max(0, row - kl); j < min(n, row + ku + 1); j++)
        acc += a[j * lda + ku + row - j] * x[j];
    y[row] = acc;
}

// case zgemm_tile8
// (64, 64), (8, 8), F(2 * 64 * 64), F(2 * 64 * 64), O(2 * 64 * 64), S(64), ('value', np.array([1, 0.5], np.float32))
float2 cmac(float2 a, float2 b, float2 c)
{
    return (float2)(fma(a.x, b.x, fma(-a.y, b.y, c.x)), fma(a.x, b.y, fma(a.y, b.x, c.y)));
}
kernel void zgemm_tile8(global const float2 *a, global const float2 *b, global float2 *c, int n, float2 alpha)
{
    local float2 as[8][8], bs[8][8];
    int lx = get_local_id(0), ly = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float2 acc = (float2)(0, 0);
    for (int k = 0; k < n; k += 8) {
        as[ly][lx] = a[row * n + k + lx];
        bs[ly][lx] = b[(k + ly) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 8; i++)
            acc = cmac(as[ly][i], bs[i][lx], acc);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = cmac(alpha, acc, (float2)(0, 0));
}

// case dgemm_4x4_tn
// (64, 64), (16, 4), D(256 * 128), D(256 * 128), O(256 * 256, np.float64), S(256), S(128)
kernel void dgemm_4x4_tn(global const double4 *a, global const double4 *b, global double4 *c, int n, int depth)
{
    int i = get_global_id(0), j = get_global_id(1), n4 = n / 4;
    double4 c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (int k = 0; k < depth; k++) {
        double4 x = a[k * n4 + i], y = b[k * n4 + j];
        c0 = fma(x, y.s0, c0);
        c1 = fma(x, y.s1, c1);
        c2 = fma(x, y.s2, c2);
        c3 = fma(x, y.s3, c3);
    }
    c[(4 * j) * n4 + i] = c0;
    c[(4 * j + 1) * n4 + i] = c1;
    c[(4 * j + 2) * n4 + i] = c2;
    c[(4 * j + 3) * n4 + i] = c3;
}

// case householder8
// 2048 * 8, 8, F(64 * 2048), O(64 * 2048)
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void householder8(global const float *in, global float *out)
{
    local float v[8];
    int t = get_local_id(0);
    size_t base = get_group_id(0) * 64;
    float col[8];
    for (int i = 0; i < 8; i++)
        col[i] = in[base + i * 8 + t];
    for (int k = 0; k < 7; k++) {
        if (t == k) {
            float norm = 0;
            for (int i = k; i < 8; i++)
                norm += col[i] * col[i];
            norm = sqrt(norm);
            float alpha = col[k] > 0 ? -norm : norm, r = sqrt(0.5f * alpha * (alpha - col[k]));
            for (int i = 0; i < 8; i++)
                v[i] = i < k ? 0 : i == k ? (col[k] - alpha) / (2 * r) : col[i] / (2 * r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        float s = 0;
        for (int i = 0; i < 8; i++)
            s += v[i] * col[i];
        for (int i = 0; i < 8; i++)
            col[i] -= 2 * s * v[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 8; i++)
        out[base + i * 8 + t] = col[i];
}

// case svd3_jacobi
// 1 << 13, 64, F(9 << 13), O(3 << 13)
typedef struct {
    float m[3][3];
} Mat3;
void turn(Mat3 *s, int p, int q)
{
    float a = s->m[p][p], b = s->m[q][q], c = s->m[p][q];
    if (fabs(c) < 1e-12f)
        return;
    float theta = (b - a) / (2 * c), t = copysign(1.0f, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    float cs = rsqrt(t * t + 1), sn = t * cs;
    for (int k = 0; k < 3; k++) {
        float x = s->m[k][p], y = s->m[k][q];
        s->m[k][p] = cs * x - sn * y;
        s->m[k][q] = sn * x + cs * y;
    }
    for (int k = 0; k < 3; k++) {
        float x = s->m[p][k], y = s->m[q][k];
        s->m[p][k] = cs * x - sn * y;
        s->m[q][k] = sn * x + cs * y;
    }
}
kernel void svd3_jacobi(global const Mat3 *in, global float *out)
{
    int id = get_global_id(0);
    Mat3 a = in[id], s;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s.m[i][j] = 0;
            for (int k = 0; k < 3; k++)
                s.m[i][j] += a.m[k][i] * a.m[k][j];
        }
    for (int sweep = 0; sweep < 5; sweep++) {
        turn(&s, 0, 1);
        turn(&s, 0, 2);
        turn(&s, 1, 2);
    }
    float x = s.m[0][0], y = s.m[1][1], z = s.m[2][2], h;
    if (x < y) { h = x; x = y; y = h; }
    if (y < z) { h = y; y = z; z = h; }
    if (x < y) { h = x; x = y; y = h; }
    out[id * 3] = sqrt(fmax(x, 0));
    out[id * 3 + 1] = sqrt(fmax(y, 0));
    out[id * 3 + 2] = sqrt(fmax(z, 0));
}

// ---- Transforms.

// case fft512_regs8
// 64 * 64, 64, F(2 * 512 * 64), O(2 * 512 * 64)
#define MUL(a, b) (float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x)
void radix8(float2 *t)
{
    for (int h = 4; h > 0; h >>= 1)
        for (int i = 0; i < 8; i++)
            if (!(i & h)) {
                float2 a = t[i], b = t[i + h], d = a - b;
                int k = (i & (h - 1)) * (4 / h);
                t[i] = a + b;
                t[i + h] = k == 0 ? d : k == 1 ? (float2)(d.x + d.y, d.y - d.x) * M_SQRT1_2_F
                         : k == 2 ? (float2)(d.y, -d.x) : (float2)(d.y - d.x, -d.x - d.y) * M_SQRT1_2_F;
            }
}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fft512_regs8(global const float2 *in, global float2 *out)
{
    local float sx[576], sy[576];
    float2 temp[8];
    uint t = get_local_id(0);
    size_t base = get_group_id(0) * 512;
    for (uint i = 0; i < 8; i++)
        temp[i] = in[base + t + 64 * i];
    for (uint stage = 1; stage <= 64; stage *= 8) {
        radix8(temp);
        if (stage == 64)
            break;
        float angle = -2 * M_PI_F * (t / stage) * stage / 512.0f;
        for (uint i = 0; i < 8; i++) {
            uint k = ((i & 1) << 2) | (i & 2) | (i >> 2);
            float c, s = sincos(angle * k, &c);
            float2 w = (float2)(c, s);
            temp[i] = MUL(temp[i], w);
        }
        for (uint i = 0; i < 8; i++) {
            uint k = ((i & 1) << 2) | (i & 2) | (i >> 2), at = (t / stage) * stage * 8 + k * stage + t % stage;
            sx[at + at / 8] = temp[i].x;
            sy[at + at / 8] = temp[i].y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 8; i++) {
            uint at = t + 64 * i;
            temp[i] = (float2)(sx[at + at / 8], sy[at + at / 8]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < 8; i++)
        out[base + t + 64 * (((i & 1) << 2) | (i & 2) | (i >> 2))] = temp[i];
}

// case fft15_mixed
// 1 << 13, 64, F(30 << 13), O(30 << 13)
float2 rotated(float2 a, float angle)
{
    float c = native_cos(angle), s = native_sin(angle);
    return (float2)(a.x * c - a.y * s, a.x * s + a.y * c);
}
kernel void fft15_mixed(global const float2 *in, global float2 *out)
{
    int id = get_global_id(0), n = get_global_size(0);
    float2 v[15], w[15];
    for (int i = 0; i < 15; i++)
        v[i] = in[i * n + id];
    for (int q = 0; q < 5; q++) {
        float2 a = v[q], s = v[q + 5] + v[q + 10], d = (v[q + 5] - v[q + 10]) * 0.8660254f, m = a - 0.5f * s;
        w[q * 3] = a + s;
        w[q * 3 + 1] = rotated((float2)(m.x + d.y, m.y - d.x), -2 * M_PI_F * q / 15);
        w[q * 3 + 2] = rotated((float2)(m.x - d.y, m.y + d.x), -4 * M_PI_F * q / 15);
    }
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 5; k++) {
            float2 s = w[p];
            for (int q = 1; q < 5; q++)
                s += rotated(w[q * 3 + p], -2 * M_PI_F * (q * k % 5) / 5);
            out[(p + 3 * k) * n + id] = s;
        }
}

// case rfft_split
// 1 << 16, 64, F(1 << 18), O((1 << 18) + 2), S(1 << 17)
kernel void rfft_split(global const float2 *z, global float2 *x, int n)
{
    int k = get_global_id(0);
    float2 a = z[k], b = z[k == 0 ? 0 : n - k];
    b.y = -b.y;
    float2 e = (a + b) * 0.5f, o = (a - b) * 0.5f;
    float c, s = sincos(-M_PI_F * k / n, &c);
    float2 t = (float2)(o.x * c - o.y * s, o.x * s + o.y * c);
    float2 r = (float2)(t.y, -t.x);
    x[k] = e + r;
    x[n - k] = (float2)(e.x - r.x, -(e.y - r.y));
}

// ---- Sparse systems.

// case bsr3_group
// 2048 * 16, 16, row_starts(2049, 12), I(12 * 2048, 2048), F(9 * 12 * 2048), F(3 * 2048), O(3 * 2048)
kernel void bsr3_group(global const int *rows, global const int *cols, global const float *vals, global const float *x, global float *y)
{
    local float part[16][3];
    int row = get_group_id(0), t = get_local_id(0), lane = t % 3, slot = t / 3;
    float s = 0;
    if (t < 15)
        for (int k = rows[row] + slot; k < rows[row + 1]; k += 5) {
            global const float *b = vals + 9 * k + 3 * lane;
            int c = cols[k] * 3;
            s += b[0] * x[c] + b[1] * x[c + 1] + b[2] * x[c + 2];
        }
    part[slot][lane] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 3)
        y[row * 3 + t] = part[0][t] + part[1][t] + part[2][t] + part[3][t] + part[4][t];
}

// case spmm_csr32
// (32, 1024), (32, 4), row_starts(1025, 24), I(24 * 1024, 1024), F(24 * 1024), F(32 * 1024), O(32 * 1024)
kernel void spmm_csr32(global const int *restrict rows, global const int *restrict cols, global const float *restrict vals,
                       global const float *restrict b, global float *restrict c)
{
    int col = get_global_id(0), row = get_global_id(1);
    float acc = 0;
    for (int k = rows[row]; k < rows[row + 1]; ++k)
        acc += vals[k] * b[cols[k] * 32 + col];
    c[row * 32 + col] = acc;
}

// case sddmm_coo
// 1 << 14, 64, I(1 << 14, 1024), I(1 << 14, 1024), F(1024 * 32), F(1024 * 32), O(1 << 14)
kernel void sddmm_coo(global const int *r, global const int *c, global const float4 *a, global const float4 *b, global float *out)
{
    int k = get_global_id(0);
    global const float4 *p = a + r[k] * 8, *q = b + c[k] * 8;
    float4 s = 0;
    for (int i = 0; i < 8; i++)
        s += p[i] * q[i];
    out[k] = s.x + s.y + s.z + s.w;
}

// case csc_transposed
// 1 << 12, 64, row_starts((1 << 12) + 1, 16), I(16 << 12, 1 << 12), F(16 << 12), F(1 << 12), O(1 << 12)
void add_float(volatile global float *at, float v)
{
    uint old, new;
    do {
        old = as_uint(*at);
        new = as_uint(as_float(old) + v);
    } while (atomic_cmpxchg((volatile global uint *)at, old, new) != old);
}
kernel void csc_transposed(global const int *starts, global const int *rows, global const float *vals, global const float *x, global float *y)
{
    int col = get_global_id(0);
    float v = x[col];
    for (int k = starts[col], end = starts[col + 1]; k < end; k++)
        add_float(y + rows[k], vals[k] * v);
}

// case spgemm_hash
// 1024 * 32, 32, row_starts(1025, 8), I(8 * 1024, 1024), row_starts(1025, 8), I(8 * 1024, 1024), F(8 * 1024), F(8 * 1024), O(1024, np.int32), O(1024)
kernel void spgemm_hash(global const int *ra, global const int *ca, global const int *rb, global const int *cb,
                        global const float *va, global const float *vb, global int *count, global float *sums)
{
    local int keys[128], used;
    local float vals[32];
    int row = get_group_id(0), t = get_local_id(0);
    for (int i = t; i < 128; i += 32)
        keys[i] = -1;
    if (t == 0)
        used = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = ra[row] + t / 4; k < ra[row + 1]; k += 8) {
        int c = ca[k];
        for (int j = rb[c] + t % 4; j < rb[c + 1]; j += 4) {
            int key = cb[j], h = key * 107 & 127;
            while (1) {
                int old = atomic_cmpxchg(&keys[h], -1, key);
                if (old == -1)
                    atomic_inc(&used);
                if (old == -1 || old == key)
                    break;
                h = (h + 1) & 127;
            }
            sum += va[k] * vb[j];
        }
    }
    vals[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        float s = 0;
        for (int i = 0; i < 32; i++)
            s += vals[i];
        count[row] = used;
        sums[row] = s;
    }
}

// case ilu_level
// 1 << 12, 64, I(1 << 12, 1 << 12), row_starts((1 << 12) + 1, 12), sorted_rows(1 << 12, 12), F(12 << 12), O(12 << 12)
kernel void ilu_level(global const int *level, global const int *rows, global const int *cols, global const float *a, global float *lu)
{
    int i = level[get_global_id(0)], begin = rows[i], end = rows[i + 1];
    for (int k = begin; k < end; k++) {
        int c = cols[k];
        float s = a[k];
        int p = begin, q = rows[c], qe = rows[c + 1];
        while (p < k && q < qe) {
            if (cols[p] == cols[q])
                s -= a[p++] * a[q++];
            else if (cols[p] < cols[q])
                p++;
            else
                q++;
        }
        lu[k] = c < i ? s / (1.5f + a[qe > rows[c] ? rows[c] : 0]) : s;
    }
}

// case pcr_double
// 64 * 256, 256, D(64 * 256), D(64 * 256), D(64 * 256), D(64 * 256), O(64 * 256, np.float64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void pcr_double(global const double *ga, global const double *gb,
    global const double *gc, global const double *gd, global double *gx)
{
    local double a[256], b[256], c[256], d[256];
    uint t = get_local_id(0), g = get_global_id(0);
    a[t] = t == 0 ? 0 : ga[g];
    b[t] = gb[g] + 3;
    c[t] = t == 255 ? 0 : gc[g];
    d[t] = gd[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint h = 1; h < 256; h *= 2) {
        uint l = t >= h ? t - h : 0, r = t + h < 256 ? t + h : 255;
        double k1 = t >= h ? a[t] / b[l] : 0, k2 = t + h < 256 ? c[t] / b[r] : 0;
        double na = -a[l] * k1, nb = b[t] - c[l] * k1 - a[r] * k2, nc = -c[r] * k2, nd = d[t] - d[l] * k1 - d[r] * k2;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[t] = na;
        b[t] = nb;
        c[t] = nc;
        d[t] = nd;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    gx[g] = d[t] / b[t];
}

// case gs_redblack3d
// (32, 64, 64), (32, 4, 1), F(64 * 64 * 64), F(64 * 64 * 64), S(64), S(0)
#define AT(x, y, z) (((z) * n + (y)) * n + (x))
kernel void gs_redblack3d(global float *u, global const float *f, int n, int color)
{
    int y = get_global_id(1), z = get_global_id(2), x = 2 * get_global_id(0) + ((y + z + color) & 1);
    if (x < 1 || y < 1 || z < 1 || x > n - 2 || y > n - 2 || z > n - 2)
        return;
    u[AT(x, y, z)] = (u[AT(x - 1, y, z)] + u[AT(x + 1, y, z)] + u[AT(x, y - 1, z)] + u[AT(x, y + 1, z)] + u[AT(x, y, z - 1)] +
                      u[AT(x, y, z + 1)] - f[AT(x, y, z)]) * (1.0f / 6);
}
