// neural.cl -- kinds of kernels: networks, matrices of small types, rows that groups and sub-groups share.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case q4_matvec
// 512 * 16, 16, I(512 * 16 * 18, 120, np.uint8), F(512), O(512), S(512), L(16)
typedef struct {
    half d;
    uchar qs[16];
} Block;
kernel void q4_matvec(global const Block *x, global const float *y, global float *dst, int n, local float *sum)
{
    int row = get_group_id(0), tid = get_local_id(0), blocks = n / 32;
    float partial = 0;
    for (int b = tid; b < blocks; b += 16) {
        global const Block *block = x + row * blocks + b;
        float d = vload_half(0, &block->d), s = 0;
        for (int j = 0; j < 16; j++) {
            uchar q = block->qs[j];
            s += ((q & 15) - 8) * y[b * 32 + j] + ((q >> 4) - 8) * y[b * 32 + j + 16];
        }
        partial += d * s;
    }
    sum[tid] = partial;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s >>= 1) {
        if (tid < s)
            sum[tid] += sum[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        dst[row] = sum[0];
}

// case rms_norm
// 256 * 128, 128, F(256 * 512), O(256 * 512), F(512), S(512), S(1e-5, np.float32), L(128)
kernel void rms_norm(global const float4 *x, global float4 *y, global const float4 *w, int n, float eps, local float *sum)
{
    int row = get_group_id(0), lid = get_local_id(0), ls = get_local_size(0);
    float4 part = 0;
    for (int i = lid; i < n / 4; i += ls)
        part += x[row * n / 4 + i] * x[row * n / 4 + i];
    sum[lid] = part.x + part.y + part.z + part.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = ls / 2; s > 0; s /= 2) {
        if (lid < s)
            sum[lid] += sum[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = rsqrt(sum[0] / n + eps);
    for (int i = lid; i < n / 4; i += ls)
        y[row * n / 4 + i] = x[row * n / 4 + i] * scale * w[i];
}

// case rope
// (32, 32, 128), (32, 1, 1), F(64 * 32 * 128), O(64 * 32 * 128), I(128, 4000), S(64), S(32)
kernel void rope(global const float *src, global float *dst, global const int *positions, int head, int heads)
{
    int i = get_global_id(0) * 2, h = get_global_id(1), t = get_global_id(2);
    float theta = positions[t] * pow(10000.0f, -(float)i / head);
    float c = cos(theta), s = sin(theta);
    int at = (t * heads + h) * head + i / 2;
    float x0 = src[at], x1 = src[at + head / 2];
    dst[at] = x0 * c - x1 * s;
    dst[at + head / 2] = x0 * s + x1 * c;
}

// case softmax_sg
// 1024 * 16, 16, F(1024 * 200), O(1024 * 200), S(200), S(0.125, np.float32), '-cl-std=CL3.0'
kernel void softmax_sg(global const float *x, global float *y, int n, float scale)
{
    int row = get_group_id(0);
    float most = -INFINITY, sum = 0;
    for (int i = get_sub_group_local_id(); i < n; i += get_sub_group_size())
        most = max(most, x[row * n + i] * scale);
    most = sub_group_reduce_max(most);
    most = work_group_reduce_max(most);
    for (int i = get_local_id(0); i < n; i += get_local_size(0)) {
        float e = exp(x[row * n + i] * scale - most);
        sum += e;
        y[row * n + i] = e;
    }
    sum = work_group_reduce_add(sum);
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        y[row * n + i] /= sum;
}

// case flash_row
// 512, 64, F(32 * 512), F(32 * 256), F(32 * 256), O(32 * 512), S(256)
kernel void flash_row(global const float *q, global const float *k, global const float *v, global float *o, int n)
{
    local float kt[16][32], vt[16][32];
    int id = get_global_id(0), lid = get_local_id(0);
    float qr[32], acc[32];
    for (int d = 0; d < 32; d++) {
        qr[d] = q[id * 32 + d] * 0.177f;
        acc[d] = 0;
    }
    float m = -INFINITY, l = 0;
    for (int t = 0; t < n; t += 16) {
        for (int e = lid; e < 512; e += 64) {
            kt[e / 32][e % 32] = k[t * 32 + e];
            vt[e / 32][e % 32] = v[t * 32 + e];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++) {
            float s = 0;
            for (int d = 0; d < 32; d++)
                s += qr[d] * kt[j][d];
            float was = m;
            m = fmax(m, s);
            float alpha = native_exp(was - m), p = native_exp(s - m);
            l = l * alpha + p;
            for (int d = 0; d < 32; d++)
                acc[d] = acc[d] * alpha + p * vt[j][d];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int d = 0; d < 32; d++)
        o[id * 32 + d] = acc[d] / l;
}

// case gru_cell
// 256 * 8, 64, F(3 * 256 * 128), F(128), F(256 * 8), F(3 * 256), O(256 * 8), S(128), S(256)
float sigmoid(float x)
{
    return 1.0f / (1.0f + exp(-x));
}
kernel void gru_cell(global const float *w, global const float *x, global const float *h, global const float *bias,
                     global float *out, int n, int units)
{
    int id = get_global_id(0), u = id % units;
    float r = bias[u], z = bias[u + units], c = bias[u + 2 * units];
    for (int k = 0; k < n; k++) {
        r += w[u * n + k] * x[k];
        z += w[(u + units) * n + k] * x[k];
        c += w[(u + 2 * units) * n + k] * x[k];
    }
    r = sigmoid(r * 0.01f);
    z = sigmoid(z * 0.01f);
    float candidate = tanh(c * 0.01f + r * h[id]);
    out[id] = (1 - z) * candidate + z * h[id];
}

// case winograd
// (32, 32, 8), (32, 2, 1), F(66 * 66 * 8), F(16 * 8 * 8), O(64 * 64 * 8), S(8)
kernel void winograd(global const float *in, global const float *u, global float *out, int channels)
{
    int tx = get_global_id(0), ty = get_global_id(1), f = get_global_id(2);
    float m[4][4] = {{0}};
    for (int c = 0; c < channels; c++) {
        float d[4][4], t[4][4];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                d[i][j] = in[(c * 66 + ty * 2 + i) * 66 + tx * 2 + j];
        for (int j = 0; j < 4; j++) {
            t[0][j] = d[0][j] - d[2][j];
            t[1][j] = d[1][j] + d[2][j];
            t[2][j] = d[2][j] - d[1][j];
            t[3][j] = d[1][j] - d[3][j];
        }
        for (int i = 0; i < 4; i++) {
            global const float *g = u + (f * channels + c) * 16 + i * 4;
            m[i][0] += (t[i][0] - t[i][2]) * g[0];
            m[i][1] += (t[i][1] + t[i][2]) * g[1];
            m[i][2] += (t[i][2] - t[i][1]) * g[2];
            m[i][3] += (t[i][1] - t[i][3]) * g[3];
        }
    }
    float s[2][4];
    for (int j = 0; j < 4; j++) {
        s[0][j] = m[0][j] + m[1][j] + m[2][j];
        s[1][j] = m[1][j] - m[2][j] - m[3][j];
    }
    for (int i = 0; i < 2; i++) {
        out[(f * 64 + ty * 2 + i) * 64 + tx * 2] = s[i][0] + s[i][1] + s[i][2];
        out[(f * 64 + ty * 2 + i) * 64 + tx * 2 + 1] = s[i][1] - s[i][2] - s[i][3];
    }
}

// case avgpool_pad
// (64, 64, 16), None, F(128 * 128 * 16), O(64 * 64 * 16), S(128), S(128)
kernel void avgpool_pad(global const float *in, global float *out, int h, int w)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    int y0 = max(y * 2 - 1, 0), y1 = min(y * 2 + 2, h), x0 = max(x * 2 - 1, 0), x1 = min(x * 2 + 2, w);
    float sum = 0;
    for (int i = y0; i < y1; i++)
        for (int j = x0; j < x1; j++)
            sum += in[(c * h + i) * w + j];
    out[(c * (h / 2) + y) * (w / 2) + x] = sum / ((y1 - y0) * (x1 - x0));
}

// case gemm_half
// (128, 128), (16, 16), H(1 << 14), H(1 << 14), O(1 << 14, np.float16), S(128)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void gemm_half(global const half *a, global const half *b, global half *c, int n)
{
    local float ta[16][17], tb[16][17];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[ly][lx] = vload_half(y * n + t + lx, a);
        tb[ly][lx] = vload_half((t + ly) * n + x, b);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum = mad(ta[ly][k], tb[k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    vstore_half(sum, y * n + x, c);
}

// case dgemm_regs
// (48, 48), (8, 8), D(192 * 192), D(192 * 192), O(192 * 192, np.float64), S(192)
kernel void dgemm_regs(global const double *a, global const double *b, global double *c, int n)
{
    int x = get_global_id(0) * 4, y = get_global_id(1) * 4;
    double4 c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (int k = 0; k < n; k++) {
        double4 row = vload4(0, b + k * n + x);
        c0 += a[y * n + k] * row;
        c1 += a[(y + 1) * n + k] * row;
        c2 += a[(y + 2) * n + k] * row;
        c3 += a[(y + 3) * n + k] * row;
    }
    vstore4(c0, 0, c + y * n + x);
    vstore4(c1, 0, c + (y + 1) * n + x);
    vstore4(c2, 0, c + (y + 2) * n + x);
    vstore4(c3, 0, c + (y + 3) * n + x);
}

// case adam
// 1 << 17, None, F(1 << 17), F(1 << 17), F(1 << 17), F(1 << 17), S(1e-6, np.float32), S(0.9, np.float32), S(0.999, np.float32), S(3)
kernel void adam(global float *w, global const float *g, global float *m, global float *v, float rate, float b1,
                 float b2, int t)
{
    int i = get_global_id(0);
    float mi = m[i] = b1 * m[i] + (1 - b1) * g[i];
    float vi = v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
    float mh = mi / (1 - pow(b1, (float)t)), vh = vi / (1 - pow(b2, (float)t));
    w[i] -= rate * mh / (sqrt(vh) + 1e-8f);
}

// case cross_entropy
// 2048, 64, F(2048 * 50), I(2048, 50), O(2048), O(2048 * 50), S(50)
kernel void cross_entropy(global const float *logits, global const int *labels, global float *loss, global float *grad,
                          int classes)
{
    int i = get_global_id(0);
    global const float *row = logits + i * classes;
    float most = row[0];
    for (int c = 1; c < classes; c++)
        most = fmax(most, row[c]);
    float sum = 0;
    for (int c = 0; c < classes; c++)
        sum += exp(row[c] - most);
    loss[i] = log(sum) + most - row[labels[i]];
    for (int c = 0; c < classes; c++)
        grad[i * classes + c] = exp(row[c] - most) / sum - (c == labels[i] ? 1.0f : 0.0f);
}

// case deconv
// (128, 128, 4), (32, 4, 1), F(64 * 64 * 8), F(16 * 8 * 4), O(128 * 128 * 4), S(8)
kernel void deconv(global const float *in, global const float *w, global float *out, int channels)
{
    int x = get_global_id(0), y = get_global_id(1), f = get_global_id(2);
    float sum = 0;
    for (int ky = 0; ky < 4; ky++) {
        int iy = y + 1 - ky;
        if (iy < 0 || iy % 2 != 0 || iy / 2 >= 64)
            continue;
        for (int kx = 0; kx < 4; kx++) {
            int ix = x + 1 - kx;
            if (ix < 0 || ix % 2 != 0 || ix / 2 >= 64)
                continue;
            for (int c = 0; c < channels; c++)
                sum += in[(c * 64 + iy / 2) * 64 + ix / 2] * w[((f * channels + c) * 4 + ky) * 4 + kx];
        }
    }
    out[(f * 128 + y) * 128 + x] = sum;
}

// case int8_dot_rows
// (128, 64), (32, 4), I(128 * 256, 127, np.int8), I(64 * 256, 127, np.int8), F(128), O(128 * 64), S(256)
kernel void int8_dot_rows(global const char4 *w, global const char4 *x, global const float *scales, global float *o, int n)
{
    int r = get_global_id(0), t = get_global_id(1);
    int acc = 0;
    for (int k = 0; k < n / 4; k++) {
        int4 p = convert_int4(w[r * (n / 4) + k]) * convert_int4(x[t * (n / 4) + k]);
        acc += p.s0 + p.s1 + p.s2 + p.s3;
    }
    o[t * 128 + r] = acc * scales[r];
}

// case half8_swish
// 1 << 15, None, H(8 << 15), H(8 << 15), O(8 << 15, np.float16)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half8_swish(global const half8 *gate, global const half8 *up, global half8 *o)
{
    int i = get_global_id(0);
    float8 g = convert_float8(gate[i]);
    float8 s = g / (1.0f + exp(-g));
    o[i] = convert_half8(s) * up[i];
}

// case topk_heap
// 1 << 11, 64, F(128 << 11), O(8 << 11), O(8 << 11, np.int32), S(128)
kernel void topk_heap(global const float *scores, global float *values, global int *indices, int n)
{
    int id = get_global_id(0), at[8];
    float heap[8];
    for (int k = 0; k < 8; k++) {
        heap[k] = -INFINITY;
        at[k] = -1;
    }
    for (int i = 0; i < n; i++) {
        float s = scores[id * n + i];
        if (s > heap[0]) {
            int hole = 0;
            while (2 * hole + 1 < 8) {
                int child = 2 * hole + 1;
                if (child + 1 < 8 && heap[child + 1] < heap[child])
                    child++;
                if (heap[child] >= s)
                    break;
                heap[hole] = heap[child];
                at[hole] = at[child];
                hole = child;
            }
            heap[hole] = s;
            at[hole] = i;
        }
    }
    for (int k = 0; k < 8; k++) {
        values[id * 8 + k] = heap[k];
        indices[id * 8 + k] = at[k];
    }
}
