// Kernels in the manner of applications and their libraries: longer than those of most other files, and with the work-group sizes,
// guards and vector types that such kernels have. bench/kinds.py runs them.
//
// SPDX-License-Identifier: MIT

// ---- Linear algebra and transforms: products by register tiles of vectors, reductions in two stages, Fourier transforms in local memory.

// case xgemm_vw4
// (64, 64), (8, 8), F(512 * 128), F(512 * 128), O(512 * 512), S(512), S(512), S(128)
#define MWG 64
#define NWG 64
#define KWG 16
#define MWI 8
#define NWI 8
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void
xgemm_vw4(global const float4 *restrict agm, global const float4 *restrict bgm, global float4 *cgm, int m, int n, int k)
{
    local float4 alm[KWG * MWG / 4], blm[KWG * NWG / 4];
    const int tx = get_local_id(0), ty = get_local_id(1), tid = ty * 8 + tx;
    float4 cpm[NWI][MWI / 4];
#pragma unroll
    for (int ni = 0; ni < NWI; ni++)
#pragma unroll
        for (int mi = 0; mi < MWI / 4; mi++)
            cpm[ni][mi] = (float4)(0);
    for (int kwg = 0; kwg < k; kwg += KWG) {
#pragma unroll
        for (int i = 0; i < KWG * MWG / 4 / 64; i++) {
            int id = i * 64 + tid, row = id / (MWG / 4), col = id % (MWG / 4);
            alm[id] = agm[(kwg + row) * (m / 4) + get_group_id(0) * (MWG / 4) + col];
            blm[id] = bgm[(kwg + row) * (n / 4) + get_group_id(1) * (NWG / 4) + col];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int kk = 0; kk < KWG; kk++) {
            float4 a[MWI / 4], b[NWI / 4];
#pragma unroll
            for (int mi = 0; mi < MWI / 4; mi++)
                a[mi] = alm[kk * (MWG / 4) + tx + mi * 8];
#pragma unroll
            for (int ni = 0; ni < NWI / 4; ni++)
                b[ni] = blm[kk * (NWG / 4) + ty + ni * 8];
#pragma unroll
            for (int ni = 0; ni < NWI / 4; ni++)
#pragma unroll
                for (int mi = 0; mi < MWI / 4; mi++) {
                    cpm[ni * 4 + 0][mi] += a[mi] * b[ni].x;
                    cpm[ni * 4 + 1][mi] += a[mi] * b[ni].y;
                    cpm[ni * 4 + 2][mi] += a[mi] * b[ni].z;
                    cpm[ni * 4 + 3][mi] += a[mi] * b[ni].w;
                }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int ni = 0; ni < NWI; ni++)
        for (int mi = 0; mi < MWI / 4; mi++) {
            int row = get_group_id(1) * NWG + (ni / 4 * 8 + ty) * 4 + ni % 4;
            cgm[row * (m / 4) + get_group_id(0) * (MWG / 4) + tx + mi * 8] = cpm[ni][mi];
        }
}

// case xgemv_wpt
// 512, 64, F(1024 * 512), F(512), O(1024), S(1024), S(512), S(1.5, np.float32)
#define WGS 64
#define WPT 2
kernel void xgemv_wpt(global const float *restrict a, global const float *restrict x, global float *y, int m, int n,
                      float alpha)
{
    local float xlm[WGS];
    float acc[WPT] = {0};
    int gid = get_global_id(0), lid = get_local_id(0);
    for (int kwg = 0; kwg < n; kwg += WGS) {
        xlm[lid] = x[kwg + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int w = 0; w < WPT; w++) {
            int row = w * get_global_size(0) + gid;
            if (row < m)
                for (int k = 0; k < WGS; k++)
                    acc[w] += xlm[k] * a[m * (k + kwg) + row];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < WPT; w++) {
        int row = w * get_global_size(0) + gid;
        if (row < m)
            y[row] = alpha * acc[w];
    }
}

// case xdot_stage
// 64 * 64, 64, F(1 << 18), F(1 << 18), O(64), S(1 << 18)
kernel void xdot_stage(global const float *x, global const float *y, global float *out, int n)
{
    local float lm[64];
    int lid = get_local_id(0), id = get_group_id(0) * 64 + lid;
    float acc = 0;
    while (id < n) {
        acc += x[id] * y[id];
        id += 64 * get_num_groups(0);
    }
    lm[lid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (lid < s)
            lm[lid] += lm[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[get_group_id(0)] = lm[0];
}

// case matmul_float4x4
// (64, 64), (8, 8), F(256 * 256), F(256 * 256), O(256 * 256), S(256)
kernel void matmul_float4x4(global const float4 *a, global const float4 *b, global float4 *c, uint wa)
{
    int2 pos = (int2)(get_global_id(0), get_global_id(1));
    float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    uint w4 = wa / 4;
    for (int i = 0; i < wa; i += 4) {
        float4 a0 = a[i / 4 + (pos.y * 4) * w4], a1 = a[i / 4 + (pos.y * 4 + 1) * w4], a2 = a[i / 4 + (pos.y * 4 + 2) * w4],
               a3 = a[i / 4 + (pos.y * 4 + 3) * w4];
        float4 b0 = b[pos.x + i * w4], b1 = b[pos.x + (i + 1) * w4], b2 = b[pos.x + (i + 2) * w4], b3 = b[pos.x + (i + 3) * w4];
        s0 += a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3;
        s1 += a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3;
        s2 += a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3;
        s3 += a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3;
    }
    c[pos.x + (pos.y * 4) * w4] = s0;
    c[pos.x + (pos.y * 4 + 1) * w4] = s1;
    c[pos.x + (pos.y * 4 + 2) * w4] = s2;
    c[pos.x + (pos.y * 4 + 3) * w4] = s3;
}

// case fft256_r4
// 64 * 256, 64, F(256 * 256 * 2), O(256 * 256 * 2)
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
#define FFT4(a, b, c, d)                                   \
    {                                                      \
        float2 s = a + c, t = a - c, u = b + d, v = b - d; \
        v = (float2)(v.y, -v.x);                           \
        a = s + u;                                         \
        b = t + v;                                         \
        c = s - u;                                         \
        d = t - v;                                         \
    }
void twid(float2 *r, int k, float n)
{
    float ang = -2 * M_PI_F * k / n, c, s;
    s = sincos(ang, &c);
    float2 w = (float2)(c, s), w2 = cmul(w, w);
    r[1] = cmul(r[1], w);
    r[2] = cmul(r[2], w2);
    r[3] = cmul(r[3], cmul(w, w2));
}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void fft256_r4(global const float2 *in, global float2 *out)
{
    local float lx[256], ly[256];
    int me = get_local_id(0);
    float2 r[4];
    global const float2 *p = in + get_group_id(0) * 256;
    global float2 *q = out + get_group_id(0) * 256;
    for (int i = 0; i < 4; i++)
        r[i] = p[me + i * 64];
    FFT4(r[0], r[1], r[2], r[3]);
    twid(r, me, 256);
    int step = 64;
    for (int pass = 0; pass < 3; pass++) {
        int base = me / step * step * 4 + me % step, sub = step / 4;
        for (int i = 0; i < 4; i++) {
            lx[base + i * step] = r[i].x;
            ly[base + i * step] = r[i].y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int k = me % sub, b2 = me / sub * sub * 4 + k;
        for (int i = 0; i < 4; i++)
            r[i] = (float2)(lx[b2 + i * sub], ly[b2 + i * sub]);
        barrier(CLK_LOCAL_MEM_FENCE);
        FFT4(r[0], r[1], r[2], r[3]);
        if (pass < 2)
            twid(r, k, 4 * sub);
        step = sub;
    }
    for (int i = 0; i < 4; i++)
        q[me * 4 + i] = r[i];
}

// case fastwalsh_step
// 1 << 16, 256, F(1 << 17), S(64)
kernel void fastwalsh_step(global float *a, int step)
{
    int tid = get_global_id(0), g = tid % step, pair = 2 * step * (tid / step) + g, m = pair + step;
    float t1 = a[pair], t2 = a[m];
    a[pair] = t1 + t2;
    a[m] = t1 - t2;
}

// case haar_1d
// 512 * 64, 256, F(1 << 16), O(1 << 16), O(1 << 16), L(512), S(8)
kernel void haar_1d(global const float *in, global float *co, global float *approx, local float *sh, uint levels)
{
    uint lid = get_local_id(0), g = get_group_id(0), ls = get_local_size(0);
    float t0 = in[g * ls * 2 + lid], t1 = in[g * ls * 2 + ls + lid], r = 0.70710678f;
    sh[lid] = t0;
    sh[ls + lid] = t1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint active = ls, mid = ls;
    float a = sh[2 * lid], b = sh[2 * lid + 1];
    for (uint i = 0; i < levels; i++) {
        if (lid < active) {
            a = sh[2 * lid];
            b = sh[2 * lid + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < active) {
            sh[lid] = (a + b) * r;
            co[g * ls * 2 + mid + lid] = (a - b) * r;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        active >>= 1;
        mid >>= 1;
    }
    if (lid == 0)
        approx[g] = sh[0];
}

// case tridiag_pcr
// 128 * 64, 128, F(128 * 64), F(128 * 64), F(128 * 64), F(128 * 64), O(128 * 64), L(5 * 128)
kernel void tridiag_pcr(global const float *a, global const float *b, global const float *c, global const float *d,
                        global float *x, local float *sh)
{
    int t = get_local_id(0), n = 128, base = get_group_id(0) * n, delta = 1;
    local float *la = sh, *lb = sh + n, *lc = sh + 2 * n, *ld = sh + 3 * n;
    la[t] = t ? a[base + t] : 0;
    lb[t] = b[base + t] + 3;
    lc[t] = t < n - 1 ? c[base + t] : 0;
    ld[t] = d[base + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 6; j++) {
        int r = min(t + delta, n - 1), l = max(t - delta, 0);
        float t1 = la[t] / lb[l], t2 = lc[t] / lb[r];
        float nb = lb[t] - lc[l] * t1 - la[r] * t2, nd = ld[t] - ld[l] * t1 - ld[r] * t2, na = -la[l] * t1, nc = -lc[r] * t2;
        barrier(CLK_LOCAL_MEM_FENCE);
        lb[t] = nb;
        ld[t] = nd;
        la[t] = na;
        lc[t] = nc;
        delta *= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < delta) {
        int o = min(t + delta, n - 1);
        float det = lb[o] * lb[t] - lc[t] * la[o];
        x[base + t] = (lb[o] * ld[t] - lc[t] * ld[o]) / det;
        x[base + o] = (ld[o] * lb[t] - ld[t] * la[o]) / det;
    }
}

// case csr_adaptive
// 64 * 64, 64, row_starts(1024, 12), I(12 * 1024, 1024), F(12 * 1024), F(1024), O(1024), L(512)
kernel void csr_adaptive(global const int *ptr, global const int *col, global const float *val, global const float *x,
                         global float *y, local float *sh)
{
    int lid = get_local_id(0), r0 = get_group_id(0) * 16, start = ptr[r0], end = ptr[r0 + 16];
    for (int i = start + lid; i < end && i < start + 512; i += 64)
        sh[i - start] = val[i] * x[col[i]];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 16) {
        float s = 0;
        for (int i = ptr[r0 + lid]; i < ptr[r0 + lid + 1]; i++)
            s += sh[min(i - start, 511)];
        y[r0 + lid] = s;
    }
}

// case fe25519_mul
// 2048, 64, I(2048 * 10, 1 << 25), I(2048 * 10, 1 << 25), O(2048 * 10, np.int32)
kernel void fe25519_mul(global const int *a, global const int *b, global int *o)
{
    int g = get_global_id(0);
    long h[10];
    int f[10], e[10];
    for (int i = 0; i < 10; i++) {
        f[i] = a[g * 10 + i];
        e[i] = b[g * 10 + i];
        h[i] = 0;
    }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            long p = (long)f[i] * e[j] * ((i & 1) && (j & 1) ? 2 : 1);
            if (i + j >= 10)
                h[i + j - 10] += 19 * p;
            else
                h[i + j] += p;
        }
    for (int i = 0; i < 10; i++) {
        long c = h[i] >> (i & 1 ? 25 : 26);
        h[(i + 1) % 10] += i == 9 ? 19 * c : c;
        h[i] -= c << (i & 1 ? 25 : 26);
    }
    for (int i = 0; i < 10; i++)
        o[g * 10 + i] = h[i];
}

// case rank3_pivot
// 4096, 64, F(4096 * 12), O(4096 * 3)
kernel void rank3_pivot(global const float *ab, global float *x)
{
    int g = get_global_id(0);
    float a[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = ab[(i * 4 + j) * 4096 + g];
    for (int c = 0; c < 3; c++) {
        int p = c;
        for (int r = c + 1; r < 3; r++)
            if (fabs(a[r][c]) > fabs(a[p][c]))
                p = r;
        for (int j = 0; j < 4; j++) {
            float t = a[c][j];
            a[c][j] = a[p][j];
            a[p][j] = t;
        }
        for (int r = 0; r < 3; r++)
            if (r != c) {
                float f = a[r][c] / a[c][c];
                for (int j = c; j < 4; j++)
                    a[r][j] -= f * a[c][j];
            }
    }
    for (int i = 0; i < 3; i++)
        x[i * 4096 + g] = a[i][3] / a[i][i];
}

// ---- Language models and neural networks: quantised products, sums over sub-groups, layers.

// case lm_q4_0_mv
// 64 * 256, 64, I(512 * 32 * 18, 250, np.uint8), F(32 * 32), O(512), S(1024), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
struct block_q4_0 {
    ushort d;
    uchar qs[16];
};
float block_dot(global struct block_q4_0 *qb, float sumy, float16 y, int il)
{
    float d = qb->d * 1e-6f;
    float4 acc = 0;
    global ushort *qs = (global ushort *)qb + 1 + il / 2;
    acc.s0 += y.s0 * (qs[0] & 0x000F);
    acc.s0 += y.s1 * (qs[0] & 0x0F00);
    acc.s0 += y.s8 * (qs[0] & 0x00F0);
    acc.s3 += y.s9 * (qs[0] & 0xF000);
    acc.s0 += y.s2 * (qs[1] & 0x000F);
    acc.s1 += y.s3 * (qs[1] & 0x0F00);
    acc.s2 += y.sa * (qs[1] & 0x00F0);
    acc.s3 += y.sb * (qs[1] & 0xF000);
    acc.s0 += y.s4 * (qs[2] & 0x000F);
    acc.s1 += y.s5 * (qs[2] & 0x0F00);
    acc.s2 += y.sc * (qs[2] & 0x00F0);
    acc.s3 += y.sd * (qs[2] & 0xF000);
    acc.s0 += y.s6 * (qs[3] & 0x000F);
    acc.s1 += y.s7 * (qs[3] & 0x0F00);
    acc.s2 += y.se * (qs[3] & 0x00F0);
    acc.s3 += y.sf * (qs[3] & 0xF000);
    return d * (sumy * -8.f + acc.s0 + acc.s1 + acc.s2 + acc.s3);
}
kernel void lm_q4_0_mv(global void *src0, global float *src1, global float *dst, int ne00)
{
    int nb = ne00 / 32, r0 = get_group_id(0);
    int first_row = (r0 * (get_local_size(0) / get_sub_group_size()) + get_sub_group_id());
    int rows = get_global_size(0) / get_sub_group_size();
    for (; first_row < 512; first_row += rows) {
        global struct block_q4_0 *x = (global struct block_q4_0 *)src0 + first_row * nb;
        float sumf = 0;
        int lane = get_sub_group_local_id(), ix = lane / 2, il = 8 * (lane % 2);
        global float *yb = src1 + ix * 32 + il;
        for (int ib = ix; ib < nb; ib += get_sub_group_size() / 2) {
            float sumy = 0;
            for (int i = 0; i < 8; i++)
                sumy += yb[i] + yb[i + 16];
            float16 yl = (float16)(yb[0], yb[1] / 256.f, yb[2], yb[3] / 256.f, yb[4], yb[5] / 256.f, yb[6], yb[7] / 256.f,
                                   yb[16] / 16.f, yb[17] / 4096.f, yb[18] / 16.f, yb[19] / 4096.f, yb[20] / 16.f,
                                   yb[21] / 4096.f, yb[22] / 16.f, yb[23] / 4096.f);
            sumf += block_dot(x + ib, sumy, yl, il);
            yb += 32 * (get_sub_group_size() / 2);
        }
        float tot = sub_group_reduce_add(sumf);
        if (get_sub_group_local_id() == 0)
            dst[first_row] = tot;
    }
}

// case lm_f16_mv
// (64, 256), (64, 1), H(1024 * 512), F(512), O(1024), S(512), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void lm_f16_mv(global const half *src0, global const float *src1, global float *dst, int n)
{
    int rb = get_global_id(1) * 4;
    for (int row = 0; row < 4; row++) {
        global const half4 *x4 = (global const half4 *)(src0 + (rb + row) * n);
        global const float4 *y4 = (global const float4 *)src1;
        float sumf = 0;
        for (int i = get_local_id(0); i < n / 4; i += get_local_size(0)) {
            sumf += convert_float(x4[i].s0) * y4[i].s0;
            sumf += convert_float(x4[i].s1) * y4[i].s1;
            sumf += convert_float(x4[i].s2) * y4[i].s2;
            sumf += convert_float(x4[i].s3) * y4[i].s3;
        }
        float all = work_group_reduce_add(sumf);
        if (get_local_id(0) == 0)
            dst[rb + row] = all;
    }
}

// case lm_soft_max4
// (64, 256), (64, 1), F(256 * 512), F(256 * 512), O(256 * 512), S(512), '-cl-std=CL3.0'
kernel void lm_soft_max4(global const float *src, global const float *mask, global float *dst, int n)
{
    int row = get_group_id(1), lid = get_local_id(0);
    global const float4 *s4 = (global const float4 *)(src + row * n), *m4 = (global const float4 *)(mask + row * n);
    global float4 *d4 = (global float4 *)(dst + row * n);
    float4 lmax4 = -INFINITY;
    for (int i = lid; i < n / 4; i += get_local_size(0))
        lmax4 = fmax(lmax4, s4[i] * 0.125f + m4[i]);
    float lmax = fmax(fmax(lmax4.s0, lmax4.s1), fmax(lmax4.s2, lmax4.s3));
    float most = work_group_reduce_max(lmax);
    float4 lsum4 = 0;
    for (int i = lid; i < n / 4; i += get_local_size(0)) {
        float4 e = exp(s4[i] * 0.125f + m4[i] - most);
        lsum4 += e;
        d4[i] = e;
    }
    float sum = work_group_reduce_add(lsum4.s0 + lsum4.s1 + lsum4.s2 + lsum4.s3);
    for (int i = lid; i < n / 4; i += get_local_size(0))
        d4[i] /= sum;
}

// case lm_rope_neox
// (32, 32, 16), (32, 1, 1), F(32 * 16 * 128), I(16, 4096), O(32 * 16 * 128)
float ramp(float low, float high, int i0)
{
    float y = (i0 / 2 - low) / max(0.001f, high - low);
    return 1.0f - min(1.0f, max(0.0f, y));
}
float2 rope_yarn(float theta, float freq_scale, float low, float high, int i0, float ext, float mscale)
{
    float interp = freq_scale * theta, t = interp;
    if (ext != 0.0f) {
        float mix = ramp(low, high, i0) * ext;
        t = interp * (1 - mix) + theta * mix;
        mscale *= 1.0f + 0.1f * log(1.0f / freq_scale);
    }
    return (float2)(cos(t) * mscale, sin(t) * mscale);
}
kernel void lm_rope_neox(global const float *src, global const int *pos, global float *dst)
{
    int i1 = get_group_id(1), i2 = get_group_id(2), n_dims = 128;
    float base = pos[i2], inv = -1.f / n_dims;
    for (int i0 = 2 * get_local_id(0); i0 < 128; i0 += 2 * get_local_size(0)) {
        int ic = i0 / 2;
        float theta = base * pow(10000.0f, inv * i0);
        float2 cs = rope_yarn(theta, 0.5f, 10, 40, i0, 1.0f, 1.0f);
        global const float *s = src + (i2 * 32 + i1) * 128 + ic;
        global float *d = dst + (i2 * 32 + i1) * 128 + ic;
        float x0 = s[0], x1 = s[64];
        d[0] = x0 * cs.x - x1 * cs.y;
        d[64] = x0 * cs.y + x1 * cs.x;
    }
}

// case lm_norm_sg
// 64 * 512, 64, F(512 * 1024), O(512 * 1024), S(1024), L(64), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void lm_norm_sg(global const float *src, global float *dst, int n, local float *sum)
{
    global const float4 *x = (global const float4 *)(src + get_group_id(0) * n);
    global float *xs = src + get_group_id(0) * n;
    float4 s = 0;
    for (int i = get_local_id(0); i < n / 4; i += get_local_size(0))
        s += x[i] * x[i];
    float all = s.x + s.y + s.z + s.w;
    all = sub_group_reduce_add(all);
    if (get_sub_group_local_id() == 0)
        sum[get_sub_group_id()] = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_num_sub_groups() / 2; i > 0; i /= 2)
        if (get_local_id(0) < i)
            sum[get_local_id(0)] += sum[get_local_id(0) + i];
    if (get_local_id(0) == 0)
        sum[0] /= n;
    barrier(CLK_LOCAL_MEM_FENCE);
    float scale = 1 / sqrt(sum[0] + 1e-6f);
    global float4 *y = (global float4 *)(dst + get_group_id(0) * n);
    for (int i = get_local_id(0); i < n / 4; i += get_local_size(0))
        y[i] = x[i] * scale;
}

// case lm_q8_0_mv
// 64 * 128, 64, I(512 * 16 * 34, 100, np.int8), F(512), O(512), S(512)
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void lm_q8_0_mv(global const char *q, global const float *y,
                                                                       global float *dst, int n)
{
    local float part[64];
    int lid = get_local_id(0), nb = n / 32;
    for (int r = 0; r < 4; r++) {
        int row = get_group_id(0) * 4 + r;
        global const char *x = q + row * nb * 34;
        float sum = 0;
        for (int ib = lid / 4; ib < nb; ib += 16) {
            global const char *b = x + ib * 34;
            float d = vload_half(0, (global const half *)b);
            int il = (lid & 3) * 8;
            float s = 0;
            for (int i = 0; i < 8; i++)
                s += b[2 + il + i] * y[ib * 32 + il + i];
            sum += s * d;
        }
        part[lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 32; s > 0; s >>= 1) {
            if (lid < s)
                part[lid] += part[lid + s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lid == 0)
            dst[row] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case conv_vec4_nhwc
// (28, 28, 8), (4, 4, 4), F(30 * 30 * 32), F(32 * 32 * 9), O(28 * 28 * 32)
kernel void conv_vec4_nhwc(global const float4 *in, global const float4 *w, global float4 *out)
{
    int x = get_global_id(0), y = get_global_id(1), oc = get_global_id(2);
    float4 acc = 0;
    for (int ky = 0; ky < 3; ky++)
        for (int kx = 0; kx < 3; kx++)
            for (int ic = 0; ic < 8; ic++) {
                float4 v = in[((y + ky) * 30 + x + kx) * 8 + ic];
                global const float4 *k = w + (((ky * 3 + kx) * 8 + ic) * 8 + oc) * 4;
                acc += v.x * k[0] + v.y * k[1] + v.z * k[2] + v.w * k[3];
            }
    out[(y * 28 + x) * 8 + oc] = acc;
}

// case conv_implicit_gemm
// (64, 49), (16, 1), F(64 * 9 * 9 * 9), F(64 * 64 * 9), O(64 * 49)
kernel void conv_implicit_gemm(global const float *in, global const float *w, global float *out)
{
    int oc = get_global_id(0), p = get_global_id(1), oy = p / 7, ox = p % 7;
    float acc = 0;
    for (int ic = 0; ic < 64; ic++)
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++)
                acc = mad(in[(ic * 9 + oy + ky) * 9 + ox + kx], w[((ic * 3 + ky) * 3 + kx) * 64 + oc], acc);
    out[oc * 49 + p] = fmax(acc, 0);
}

// case yolo_decode
// (13 * 13, 5), None, F(5 * 13 * 13 * 25), O(5 * 13 * 13 * 6)
kernel void yolo_decode(global const float *p, global float *out)
{
    int cell = get_global_id(0), a = get_global_id(1), row = cell / 13, col = cell % 13;
    global const float *q = p + (a * 169 + cell) * 25;
    float bx = (col + 1 / (1 + exp(-q[0]))) / 13, by = (row + 1 / (1 + exp(-q[1]))) / 13, bw = exp(q[2]), bh = exp(q[3]),
          obj = 1 / (1 + exp(-q[4])), best = 0, sum = 0;
    int cls = 0;
    for (int i = 5; i < 25; i++) {
        float e = exp(q[i]);
        sum += e;
        if (e > best) {
            best = e;
            cls = i - 5;
        }
    }
    global float *o = out + (a * 169 + cell) * 6;
    o[0] = bx;
    o[1] = by;
    o[2] = bw;
    o[3] = bh;
    o[4] = obj * best / sum;
    o[5] = cls;
}

// case lm_route_top2
// 4096, 64, F(4096 * 8), O(4096 * 2, np.int32), O(4096 * 2)
kernel void lm_route_top2(global const float *logit, global int *id, global float *w)
{
    int t = get_global_id(0);
    float l[8];
    for (int e = 0; e < 8; e++)
        l[e] = logit[t * 8 + e];
    int a = 0;
    for (int e = 1; e < 8; e++)
        if (l[e] > l[a])
            a = e;
    float top = l[a];
    l[a] = -INFINITY;
    int b = 0;
    for (int e = 1; e < 8; e++)
        if (l[e] > l[b])
            b = e;
    float wa = 1 / (1 + exp(l[b] - top));
    id[t * 2] = a;
    id[t * 2 + 1] = b;
    w[t * 2] = wa;
    w[t * 2 + 1] = 1 - wa;
}

// ---- Vision and photographs.

// case vision_resize_ln
// (320, 240), None, I(640 * 480 * 3, 255, np.uint8), O(320 * 240 * 3, np.uint8), S(640), S(480), S(320), S(240), S(1.9, np.float32), S(1.95, np.float32)
kernel void vision_resize_ln(global const uchar *src, global uchar *dst, int sw, int sh, int dw, int dh, float ifx, float ify)
{
    int dx = get_global_id(0), dy = get_global_id(1);
    if (dx < dw && dy < dh) {
        float sx = (dx + 0.5f) * ifx - 0.5f, sy = (dy + 0.5f) * ify - 0.5f;
        int x = floor(sx), y = floor(sy);
        float u = sx - x, v = sy - y;
        if (x < 0)
            x = 0, u = 0;
        if (x >= sw)
            x = sw - 1, u = 0;
        if (y < 0)
            y = 0, v = 0;
        if (y >= sh)
            y = sh - 1, v = 0;
        int y_ = min(y + 1, sh - 1), x_ = min(x + 1, sw - 1);
        int U = rint(u * 2048), V = rint(v * 2048), U1 = 2048 - U, V1 = 2048 - V;
        int3 d0 = convert_int3(vload3(0, src + (y * sw + x) * 3)), d1 = convert_int3(vload3(0, src + (y * sw + x_) * 3));
        int3 d2 = convert_int3(vload3(0, src + (y_ * sw + x) * 3)), d3 = convert_int3(vload3(0, src + (y_ * sw + x_) * 3));
        int3 val = U1 * V1 * d0 + U * V1 * d1 + U1 * V * d2 + U * V * d3;
        vstore3(convert_uchar3_sat((val + (1 << 21)) >> 22), 0, dst + (dy * dw + dx) * 3);
    }
}

// case vision_warp_affine
// (320, 240), None, I(320 * 240 * 4, 255, np.uint8), O(320 * 240 * 4, np.uint8), F(6)
kernel void vision_warp_affine(global const uchar4 *src, global uchar4 *dst, constant float *M)
{
    int dx = get_global_id(0), dy = get_global_id(1);
    if (dx >= 320 || dy >= 240)
        return;
    int X0 = rint(fma(0.9f + 0.1f * M[0], dx, fma(-0.2f * M[1], dy, M[2])) * 32),
        Y0 = rint(fma(0.2f * M[3], dx, fma(0.9f + 0.1f * M[4], dy, M[5])) * 32);
    short sx = convert_short_sat(X0 >> 5), sy = convert_short_sat(Y0 >> 5);
    short ax = X0 & 31, ay = Y0 & 31;
    int4 v0 = 0, v1 = 0, v2 = 0, v3 = 0;
    if (sx >= 0 && sx < 320 && sy >= 0 && sy < 240)
        v0 = convert_int4(src[sy * 320 + sx]);
    if (sx + 1 >= 0 && sx + 1 < 320 && sy >= 0 && sy < 240)
        v1 = convert_int4(src[sy * 320 + sx + 1]);
    if (sx >= 0 && sx < 320 && sy + 1 >= 0 && sy + 1 < 240)
        v2 = convert_int4(src[(sy + 1) * 320 + sx]);
    if (sx + 1 >= 0 && sx + 1 < 320 && sy + 1 >= 0 && sy + 1 < 240)
        v3 = convert_int4(src[(sy + 1) * 320 + sx + 1]);
    float tx = ax / 32.f, ty = ay / 32.f;
    int i0 = convert_short_sat_rte((1 - ty) * (1 - tx) * 32768), i1 = convert_short_sat_rte((1 - ty) * tx * 32768);
    int i2 = convert_short_sat_rte(ty * (1 - tx) * 32768), i3 = convert_short_sat_rte(ty * tx * 32768);
    int4 val = v0 * i0 + v1 * i1 + v2 * i2 + v3 * i3;
    dst[dy * 320 + dx] = convert_uchar4_sat((val + (1 << 14)) >> 15);
}

// case vision_hog_hist
// (96, 64), (12, 4), F(256 * 128 * 2), I(256 * 128 * 2, 9, np.uint8), O(31 * 15 * 36), F(256)
kernel void vision_hog_hist(global const float *grad, global const uchar *qangle, global float *hist, global const float *gw)
{
    local float smem[4 * 36 * 4 + 64];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * 4 + ly % 4, gy = get_group_id(1);
    int cell_x = lx / 6, cell_th = lx % 6;
    if (gx < 31 && gy < 15) {
        float h[9];
        for (int b = 0; b < 9; b++)
            h[b] = 0;
        int ox = gx * 8 + cell_th, oy = gy * 8;
        for (int j = 0; j < 8; j++) {
            int p = ((oy + j) * 256 + ox + cell_x * 4) * 2;
            float2 vote = vload2(0, grad + p);
            uchar2 bin = vload2(0, qangle + p);
            float w = gw[j * 16 + lx];
            h[bin.x] += w * vote.x;
            h[bin.y] += w * vote.y;
        }
        for (int b = 0; b < 9; b++)
            smem[(ly * 12 + lx) * 9 + b] = h[b];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gx < 31 && gy < 15 && lx < 9) {
        float s = 0;
        for (int t = 0; t < 12; t++)
            s += smem[(ly * 12 + t) * 9 + lx];
        hist[(gy * 31 + gx) * 36 + lx] = s;
    }
}

// case vision_mog2
// (320, 240), None, I(320 * 240, 255, np.uint8), F(320 * 240 * 5), F(320 * 240 * 5), F(320 * 240 * 5), O(320 * 240, np.uint8), I(320 * 240, 5, np.uint8)
kernel void vision_mog2(global const uchar *frame, global float *weight, global float *mean, global float *variance,
                        global uchar *mask, global uchar *modes)
{
    int x = get_global_id(0), y = get_global_id(1), rows = 240, cols = 320;
    if (x < cols && y < rows) {
        float pix = frame[y * cols + x] * (1 / 255.f), alphaT = 0.01f, alpha1 = 1 - alphaT, prune = -0.0005f, Tb = 0.06f,
              Tg = 0.04f, TB = 0.9f;
        int bg = 0, fits = 0, idx = y * cols + x, nmodes = modes[idx];
        float total = 0;
        for (int m = 0; m < nmodes; m++) {
            int im = mad24(m, rows * cols, idx);
            float cw = mad(alpha1, weight[im], prune);
            int swaps = 0;
            if (!fits) {
                float var = variance[im], diff = mean[im] - pix, d2 = diff * diff;
                if (total < TB && d2 < Tb * var)
                    bg = 1;
                if (d2 < Tg * var) {
                    fits = 1;
                    cw += alphaT;
                    float k = alphaT / cw;
                    mean[im] -= k * diff;
                    variance[im] = clamp(mad(k, d2 - var, var), 0.01f, 5.f);
                    for (int i = m; i > 0; i--) {
                        int a = i * rows * cols + idx, b = a - rows * cols;
                        if (cw < weight[b])
                            break;
                        swaps++;
                        float t = weight[a];
                        weight[a] = weight[b];
                        weight[b] = t;
                        t = variance[a];
                        variance[a] = variance[b];
                        variance[b] = t;
                        t = mean[a];
                        mean[a] = mean[b];
                        mean[b] = t;
                    }
                }
            }
            if (cw < -prune) {
                cw = 0;
                nmodes--;
            }
            weight[(m - swaps) * rows * cols + idx] = cw;
            total += cw;
        }
        if (total > 0)
            for (int m = 0; m < nmodes; m++)
                weight[m * rows * cols + idx] /= total;
        mask[idx] = bg ? 0 : 255;
        modes[idx] = nmodes;
    }
}

// case vision_pyrdown
// (256, 128), (256, 1), I(512 * 256, 255, np.uint8), O(256 * 128, np.uint8), S(512), S(256)
kernel void vision_pyrdown(global const uchar *src, global uchar *dst, int cols, int rows)
{
    local float smem[2 * 256 + 4];
    int x = get_global_id(0), y = get_group_id(1), lid = get_local_id(0), sy = y * 2;
    for (int part = 0; part < 3; part++) {
        int k = part * 256 + lid;
        if (k < 516) {
            int col = clamp((int)get_group_id(0) * 512 + k - 2, 0, cols - 1);
            float s = 0.375f * src[sy * cols + col];
            s += 0.25f * src[max(sy - 1, 0) * cols + col] + 0.25f * src[min(sy + 1, rows - 1) * cols + col];
            s += 0.0625f * src[max(sy - 2, 0) * cols + col] + 0.0625f * src[min(sy + 2, rows - 1) * cols + col];
            smem[k] = s;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = 2 * lid;
    float s = 0.0625f * smem[t] + 0.25f * smem[t + 1] + 0.375f * smem[t + 2] + 0.25f * smem[t + 3] + 0.0625f * smem[t + 4];
    dst[y * (cols / 2) + x] = convert_uchar_sat_rte(s);
}

// case vision_minmaxloc
// 256 * 16, 256, F(1 << 18), O(16), O(16), O(16, np.int32), O(16, np.int32), S(1 << 18)
kernel void vision_minmaxloc(global const float *src, global float *mins, global float *maxs, global int *minl,
                             global int *maxl, int total)
{
    local float lmin[128], lmax[128];
    local uint lminloc[128], lmaxloc[128];
    int lid = get_local_id(0), id = get_global_id(0);
    float mn = FLT_MAX, mx = -FLT_MAX;
    uint ml = 0xffffffff, xl = 0xffffffff;
    for (int g = get_num_groups(0) * 256; id < total; id += g) {
        float t = src[id];
        if (t < mn) {
            mn = t;
            ml = id;
        }
        if (t > mx) {
            mx = t;
            xl = id;
        }
    }
    if (lid < 128) {
        lmin[lid] = mn;
        lmax[lid] = mx;
        lminloc[lid] = ml;
        lmaxloc[lid] = xl;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid >= 128) {
        int l2 = lid - 128;
        if (lmin[l2] >= mn) {
            if (lmin[l2] == mn)
                lminloc[l2] = min(ml, lminloc[l2]);
            else
                lminloc[l2] = ml, lmin[l2] = mn;
        }
        if (lmax[l2] <= mx) {
            if (lmax[l2] == mx)
                lmaxloc[l2] = min(xl, lmaxloc[l2]);
            else
                lmaxloc[l2] = xl, lmax[l2] = mx;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int ls = 64; ls > 0; ls >>= 1) {
        if (lid < ls) {
            int l2 = ls + lid;
            if (lmin[lid] >= lmin[l2]) {
                if (lmin[lid] == lmin[l2])
                    lminloc[lid] = min(lminloc[l2], lminloc[lid]);
                else
                    lminloc[lid] = lminloc[l2], lmin[lid] = lmin[l2];
            }
            if (lmax[lid] <= lmax[l2]) {
                if (lmax[lid] == lmax[l2])
                    lmaxloc[lid] = min(lmaxloc[l2], lmaxloc[lid]);
                else
                    lmaxloc[lid] = lmaxloc[l2], lmax[lid] = lmax[l2];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        int g = get_group_id(0);
        mins[g] = lmin[0];
        maxs[g] = lmax[0];
        minl[g] = lminloc[0];
        maxl[g] = lmaxloc[0];
    }
}

// case vision_match_ccorr
// (248, 120), None, I(256 * 128, 255, np.uint8), I(8 * 8, 255, np.uint8), O(248 * 120)
kernel void vision_match_ccorr(global const uchar *src, global const uchar *tmpl, global float *dst)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 248 && y < 120) {
        float sum = 0;
        for (int i = 0; i < 8; i++) {
            global const uchar *s = src + mad24(y + i, 256, x), *t = tmpl + i * 8;
            int j = 0;
            for (; j <= 8 - 4; j += 4) {
                float4 a = convert_float4(vload4(0, s)), b = convert_float4(vload4(0, t));
                sum += dot(a, b);
                s += 4, t += 4;
            }
        }
        dst[y * 248 + x] = sum;
    }
}

// case vision_cvt_lab
// (512, 128), None, I(512 * 128 * 3, 255, np.uint8), O(512 * 128 * 3, np.uint8), F(256), I(3072, 30000, np.uint16), I(9, 1000)
kernel void vision_cvt_lab(global const uchar *src, global uchar *dst, global const float *gamma, global const ushort *cbrt_tab,
                           constant int *coeffs)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 512) {
        global const uchar *s = src + (y * 512 + x) * 3;
        global uchar *d = dst + (y * 512 + x) * 3;
        int R = gamma[s[0]] * 2040, G = gamma[s[1]] * 2040, B = gamma[s[2]] * 2040;
        int fX = cbrt_tab[((R * coeffs[0] + G * coeffs[1] + B * coeffs[2]) + 2048) >> 12 & 2047];
        int fY = cbrt_tab[((R * coeffs[3] + G * coeffs[4] + B * coeffs[5]) + 2048) >> 12 & 2047];
        int fZ = cbrt_tab[((R * coeffs[6] + G * coeffs[7] + B * coeffs[8]) + 2048) >> 12 & 2047];
        d[0] = convert_uchar_sat(((296 * fY) - 1336935 + 16384) >> 15);
        d[1] = convert_uchar_sat((500 * (fX - fY) + (128 << 15) + 16384) >> 15);
        d[2] = convert_uchar_sat((200 * (fY - fZ) + (128 << 15) + 16384) >> 15);
    }
}

// case vision_hist_pack
// 256 * 16, 256, I(1 << 18, 256, np.uint8), O(16 * 256, np.int32), S(1 << 18)
kernel void vision_hist_pack(global const uchar *src, global int *out, int total)
{
    local int h[256];
    int lid = get_local_id(0), id = get_global_id(0) * 16, step = get_global_size(0) * 16;
    h[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (; id < total; id += step) {
        uint4 v = vload4(0, (global const uint *)(src + id));
        uint w[4] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4; k++) {
            atomic_inc(h + (w[k] & 255));
            atomic_inc(h + (w[k] >> 8 & 255));
            atomic_inc(h + (w[k] >> 16 & 255));
            atomic_inc(h + (w[k] >> 24));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 256 + lid] = h[lid];
}

// case unsharp_window
// (250, 190), None, I(250 * 190 * 4, 255, np.uint8), O(250 * 190 * 4, np.uint8), S(250), S(190)
kernel void unsharp_window(global const uchar4 *in, global uchar4 *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 s = 0;
    for (int j = max(y - 1, 0); j <= min(y + 1, h - 1); j++)
        for (int i = max(x - 1, 0); i <= min(x + 1, w - 1); i++)
            s += convert_int4(in[j * w + i]);
    int4 c = convert_int4(in[y * w + x]);
    out[y * w + x] = convert_uchar4_sat(c * 2 - s / 9);
}

// case box_u8c3_clamp
// (200, 150), None, I(200 * 150 * 3, 255, np.uint8), O(200 * 150 * 3, np.uint8), S(200), S(150), S(2)
kernel void box_u8c3_clamp(global const uchar *in, global uchar *out, int w, int h, int r)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int s0 = 0, s1 = 0, s2 = 0, n = 0;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++) {
            int xx = x + dx, yy = y + dy;
            if (xx >= 0 && xx < w && yy >= 0 && yy < h) {
                int p = (yy * w + xx) * 3;
                s0 += in[p];
                s1 += in[p + 1];
                s2 += in[p + 2];
                n++;
            }
        }
    int q = (y * w + x) * 3;
    out[q] = s0 / n;
    out[q + 1] = s1 / n;
    out[q + 2] = s2 / n;
}

// case remap_u8_bilinear
// (256, 128), None, I(256 * 128, 255, np.uint8), F(256 * 128), F(256 * 128), O(256 * 128, np.uint8)
kernel void remap_u8_bilinear(global const uchar *in, global const float *mx, global const float *my, global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 256 + x;
    float fx = x + mx[i] * 4, fy = y + my[i] * 4;
    int ix = floor(fx), iy = floor(fy);
    if (ix < 0 || iy < 0 || ix >= 255 || iy >= 127) {
        out[i] = 0;
        return;
    }
    float a = fx - ix, b = fy - iy;
    global const uchar *p = in + iy * 256 + ix;
    float v = (p[0] * (1 - a) + p[1] * a) * (1 - b) + (p[256] * (1 - a) + p[257] * a) * b;
    out[i] = convert_uchar_sat_rte(v);
}

// case hog_cell8
// (64, 32), None, I(520 * 264, 255, np.uint8), O(64 * 32 * 9)
kernel void hog_cell8(global const uchar *img, global float *out)
{
    int cx = get_global_id(0), cy = get_global_id(1);
    float h[9] = {0};
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++) {
            int x = cx * 8 + i + 1, y = cy * 8 + j + 1;
            float gx = img[y * 520 + x + 1] - img[y * 520 + x - 1], gy = img[(y + 1) * 520 + x] - img[(y - 1) * 520 + x];
            float m = native_sqrt(gx * gx + gy * gy), a = atan2pi(gy, gx);
            a = a < 0 ? a + 1 : a;
            int b = min((int)(a * 9), 8);
            h[b] += m;
        }
    for (int b = 0; b < 9; b++)
        out[(cy * 64 + cx) * 9 + b] = h[b];
}

// case lbp_hist
// (32, 16), None, I(260 * 132, 255, np.uint8), O(32 * 16 * 10, np.uint32)
kernel void lbp_hist(global const uchar *img, global uint *out)
{
    int cx = get_global_id(0), cy = get_global_id(1);
    uint h[10];
    for (int b = 0; b < 10; b++)
        h[b] = 0;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++) {
            global const uchar *p = img + (cy * 8 + j + 1) * 260 + cx * 8 + i + 1;
            uchar c = *p;
            uint code = (p[-261] >= c) | (p[-260] >= c) << 1 | (p[-259] >= c) << 2 | (p[1] >= c) << 3 | (p[261] >= c) << 4 |
                        (p[260] >= c) << 5 | (p[259] >= c) << 6 | (p[-1] >= c) << 7;
            uint t = popcount(code ^ (code << 1 | code >> 7));
            h[t > 2 ? 9 : popcount(code)]++;
        }
    for (int b = 0; b < 10; b++)
        out[(cy * 32 + cx) * 10 + b] = h[b];
}

// case sift_orient
// 512, 64, F(128 * 128), I(512, 100), I(512, 100), O(512)
kernel void sift_orient(global const float *img, global const int *kx, global const int *ky, global float *ori)
{
    int i = get_global_id(0), x = kx[i] + 12, y = ky[i] + 12;
    float hist[36];
    for (int b = 0; b < 36; b++)
        hist[b] = 0;
    for (int j = -4; j <= 4; j++)
        for (int k = -4; k <= 4; k++) {
            float gx = img[(y + j) * 128 + x + k + 1] - img[(y + j) * 128 + x + k - 1],
                  gy = img[(y + j + 1) * 128 + x + k] - img[(y + j - 1) * 128 + x + k];
            float m = sqrt(gx * gx + gy * gy), a = atan2(gy, gx);
            int b = (int)(18 * (a + M_PI_F) / M_PI_F);
            hist[clamp(b, 0, 35)] += m * exp(-(j * j + k * k) / 18.f);
        }
    int best = 0;
    for (int b = 1; b < 36; b++)
        if (hist[b] > hist[best])
            best = b;
    ori[i] = best + hist[best];
}

// case photo_bilateral_grid
// (320, 240), None, F(320 * 240 * 4), O(40 * 30 * 16), S(320), S(240)
void atomic_addf(volatile global float *v, float d)
{
    union {
        float f;
        int i;
    } o, n;
    do {
        o.f = *v;
        n.f = o.f + d;
    } while (atomic_cmpxchg((volatile global int *)v, o.i, n.i) != o.i);
}
kernel void photo_bilateral_grid(global const float4 *in, global float *grid, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float L = in[y * w + x].x;
    float gx = x / 8.2f, gy = y / 8.2f, gz = L * 14;
    int xi = min((int)gx, 38), yi = min((int)gy, 28), zi = min((int)gz, 14);
    float fx = gx - xi, fy = gy - yi, fz = gz - zi;
    for (int i = 0; i < 8; i++) {
        int ii = xi + (i & 1), jj = yi + (i >> 1 & 1), kk = zi + (i >> 2);
        float c = ((i & 1) ? fx : 1 - fx) * ((i & 2) ? fy : 1 - fy) * ((i & 4) ? fz : 1 - fz);
        atomic_addf(grid + (kk * 30 + jj) * 40 + ii, c);
    }
}

// case photo_nlmeans_acc
// (320, 240), None, F(320 * 240 * 4), F(320 * 240), O(320 * 240 * 4), S(320), S(240), S(3), S(-2)
float gh(float f) { return exp2(-f * 3); }
kernel void photo_nlmeans_acc(global const float4 *in, global const float *u4, global float4 *acc, int w, int h, int qx, int qy)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    int at = y * w + x;
    float4 u1p = x + qx >= 0 && x + qx < w && y + qy >= 0 && y + qy < h ? in[at + qy * w + qx] : (float4)0;
    float4 u1m = x - qx >= 0 && x - qx < w && y - qy >= 0 && y - qy < h ? in[at - qy * w - qx] : (float4)0;
    float a = u4[at], b = x - qx >= 0 && x - qx < w && y - qy >= 0 && y - qy < h ? u4[at - qy * w - qx] : 0;
    float4 s = u1p * gh(a) + u1m * gh(b);
    s.w = gh(a) + gh(b);
    acc[at] += s;
}

// case photo_tonecurve_lab
// (320, 240), None, F(320 * 240 * 4), O(320 * 240 * 4), F(65536), F(3), S(320), S(240)
float lookup_unbounded(global const float *lut, float x, global const float *a)
{
    if (x < 1.0f) {
        int xi = clamp((int)(x * 0x10000u), 0, 0xffff);
        return lut[xi];
    }
    return a[1] * native_powr(x * a[0], a[2]);
}
float4 lab_xyz(float4 lab)
{
    float fy = (lab.x + 16) / 116, fx = lab.y / 500 + fy, fz = fy - lab.z / 200;
    float4 f = (float4)(fx, fy, fz, 0);
    return (float4)(0.9642f, 1, 0.8249f, 0) * (f > 0.20689655f ? f * f * f : (116 * f - 16) / 903.2962962f);
}
kernel void photo_tonecurve_lab(global const float4 *in, global float4 *out, global const float *table,
                                global const float *coeffs, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float4 p = in[y * w + x];
    float L_in = p.x * 1.1f, L = lookup_unbounded(table, L_in, coeffs);
    if (L_in > 0.01f) {
        p.y *= L / L_in;
        p.z *= L / L_in;
    } else {
        p.y *= L / 0.01f;
        p.z *= L / 0.01f;
    }
    p.x = L;
    float4 xyz = lab_xyz(p * 100);
    xyz.w = p.w;
    out[y * w + x] = xyz;
}

// case denoise_atrous
// (160, 120), None, F(160 * 120 * 4), F(160 * 120 * 4), O(160 * 120 * 4), S(2)
kernel void denoise_atrous(global const float4 *col, global const float4 *nrm, global float4 *out, int step)
{
    int x = get_global_id(0), y = get_global_id(1);
    const float k[3] = {0.375f, 0.25f, 0.0625f};
    float4 c = col[y * 160 + x], n = nrm[y * 160 + x], s = 0;
    float w = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int u = clamp(x + i * step, 0, 159), v = clamp(y + j * step, 0, 119);
            float4 cc = col[v * 160 + u], dn = nrm[v * 160 + u] - n, dc = cc - c;
            float ww = k[abs(i)] * k[abs(j)] * exp(-dot(dc, dc) * 4) * exp(-dot(dn, dn) * 8);
            s += cc * ww;
            w += ww;
        }
    out[y * 160 + x] = s / w;
}

// case dxt_blocks
// 4096, 64, I(4096 * 16 * 4, 255, np.uint8), O(4096 * 2, np.uint32)
kernel void dxt_blocks(global const uchar4 *in, global uint2 *out)
{
    int b = get_global_id(0);
    float3 c[16], lo = 255, hi = 0;
    for (int i = 0; i < 16; i++) {
        uchar4 p = in[b * 16 + i];
        c[i] = (float3)(p.x, p.y, p.z);
        lo = fmin(lo, c[i]);
        hi = fmax(hi, c[i]);
    }
    float3 axis = hi - lo;
    float inv = 3.0f / (dot(axis, axis) + 1e-6f);
    uint bits = 0;
    for (int i = 0; i < 16; i++) {
        int q = clamp((int)(dot(c[i] - lo, axis) * inv + 0.5f), 0, 3);
        bits |= (uint)(q == 0 ? 1 : q == 3 ? 0 : q == 1 ? 3 : 2) << (2 * i);
    }
    int3 h = convert_int3(hi), l = convert_int3(lo);
    out[b] = (uint2)(((h.x >> 3) << 11 | (h.y >> 2) << 5 | (h.z >> 3)) << 0 | ((l.x >> 3) << 11 | (l.y >> 2) << 5 | (l.z >> 3))
                                                                                  << 16,
                     bits);
}

// case lut_rgb_u8
// 1 << 15, 256, I(3 << 15, 255, np.uint8), I(768, 255, np.uint8), O(3 << 15, np.uint8)
kernel void lut_rgb_u8(global const uchar *in, constant uchar *lut, global uchar *out)
{
    int i = get_global_id(0);
    uchar3 p = vload3(i, in);
    vstore3((uchar3)(lut[p.x], lut[256 + p.y], lut[512 + p.z]), i, out);
}

// ---- Passwords, codes and random numbers.

// case crack_md5_u4
// 4096, 64, I(4096 * 4, 1 << 30, np.uint32), O(4096, np.uint32), I(4 * 256, 1 << 30, np.uint32), I(1 << 12, 1 << 30, np.uint32)
#define MD5S(f, a, b, c, d, x, K, s) \
    {                                \
        a += f(b, c, d) + x + K;     \
        a = rotate(a, (uint4)(s));   \
        a += b;                      \
    }
#define MF(x, y, z) (bitselect((z), (y), (x)))
#define MG(x, y, z) (bitselect((y), (x), (z)))
#define MH(x, y, z) ((x) ^ (y) ^ (z))
kernel void crack_md5_u4(global const uint4 *pws, global uint *found, constant uint4 *words, global const uint *bitmap)
{
    uint gid = get_global_id(0);
    uint4 w0 = pws[gid].x, w1 = pws[gid].y, w2 = pws[gid].z, hits = 0;
    for (uint il = 0; il < 256; il++) {
        uint4 x0 = w0 | words[il];
        uint4 a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
        MD5S(MF, a, b, c, d, x0, 0xd76aa478u, 7);
        MD5S(MF, d, a, b, c, w1, 0xe8c7b756u, 12);
        MD5S(MF, c, d, a, b, w2, 0x242070dbu, 17);
        MD5S(MF, b, c, d, a, 0x80u, 0xc1bdceeeu, 22);
        MD5S(MG, a, b, c, d, w1, 0xf61e2562u, 5);
        MD5S(MG, d, a, b, c, 0u, 0xc040b340u, 9);
        MD5S(MG, c, d, a, b, w2, 0x265e5a51u, 14);
        MD5S(MG, b, c, d, a, x0, 0xe9b6c7aau, 20);
        MD5S(MH, a, b, c, d, w1, 0xfffa3942u, 4);
        MD5S(MH, d, a, b, c, w2, 0x8771f681u, 11);
        MD5S(MH, c, d, a, b, 0u, 0x6d9d6122u, 16);
        MD5S(MH, b, c, d, a, x0, 0xfde5380cu, 23);
        uint hx[4] = {a.x, a.y, a.z, a.w}, hy[4] = {d.x, d.y, d.z, d.w};
        for (int i = 0; i < 4; i++) {
            if (!(bitmap[hx[i] & 1023] >> (hx[i] >> 27) & 1))
                continue;
            if (!(bitmap[1024 + (hy[i] & 1023)] >> (hy[i] >> 27) & 1))
                continue;
            hits.x++;
        }
    }
    found[gid] = hits.x;
}

// case crack_bcrypt
// 512, 8, I(1024, 1 << 30, np.uint32), I(512, 1 << 30, np.uint32), O(512, np.uint32)
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void crack_bcrypt(global const uint *sbox, global const uint *key,
                                                                        global uint *out)
{
    local uint S_all[8][1024];
    int lid = get_local_id(0), gid = get_global_id(0);
    local uint *S = S_all[lid];
    for (int i = 0; i < 1024; i++)
        S[i] = sbox[i];
    uint L = key[gid], R = gid, P[18];
    for (int i = 0; i < 18; i++)
        P[i] = sbox[i * 3] ^ key[gid];
    for (int i = 0; i < 128; i += 2) {
        L ^= P[0];
        for (int j = 1; j < 17; j += 2) {
            R ^= ((S[L >> 24] + S[256 + (L >> 16 & 255)]) ^ S[512 + (L >> 8 & 255)]) + S[768 + (L & 255)];
            R ^= P[j];
            L ^= ((S[R >> 24] + S[256 + (R >> 16 & 255)]) ^ S[512 + (R >> 8 & 255)]) + S[768 + (R & 255)];
            L ^= P[j + 1];
        }
        uint t = R ^ P[17];
        R = L;
        L = t;
        S[i] = L;
        S[i + 1] = R;
    }
    out[gid] = L ^ R;
}

// case crack_sha512_loop
// 2048, 64, I(2048 * 8, 1 << 62, np.uint64), O(2048 * 8, np.uint64), S(4)
constant ulong k_sha512[80] = {0x428a2f98d728ae22UL, 0x7137449123ef65cdUL, 0xb5c0fbcfec4d3b2fUL, 0xe9b5dba58189dbbcUL,
                               0x3956c25bf348b538UL, 0x59f111f1b605d019UL, 0x923f82a4af194f9bUL, 0xab1c5ed5da6d8118UL};
#define S0(x) (rotate(x, 63UL) ^ rotate(x, 56UL) ^ (x >> 7))
#define S1(x) (rotate(x, 45UL) ^ rotate(x, 3UL) ^ (x >> 6))
#define S2(x) (rotate(x, 36UL) ^ rotate(x, 30UL) ^ rotate(x, 25UL))
#define S3(x) (rotate(x, 50UL) ^ rotate(x, 46UL) ^ rotate(x, 23UL))
#define STEP(a, b, c, d, e, f, g, h, x, K)       \
    {                                            \
        h += K + x + S3(e) + bitselect(g, f, e); \
        d += h;                                  \
        h += S2(a) + ((a & b) | (c & (a ^ b)));  \
    }
void sha512_block(ulong *w, ulong *dg)
{
    ulong a = dg[0], b = dg[1], c = dg[2], d = dg[3], e = dg[4], f = dg[5], g = dg[6], h = dg[7];
    for (int i = 0; i < 80; i += 16) {
        if (i)
            for (int j = 0; j < 16; j++)
                w[j] += S1(w[(j + 14) & 15]) + w[(j + 9) & 15] + S0(w[(j + 1) & 15]);
        for (int j = 0; j < 16; j += 8) {
            STEP(a, b, c, d, e, f, g, h, w[j], k_sha512[i + j]);
            STEP(h, a, b, c, d, e, f, g, w[j + 1], k_sha512[i + j + 1]);
            STEP(g, h, a, b, c, d, e, f, w[j + 2], k_sha512[i + j + 2]);
            STEP(f, g, h, a, b, c, d, e, w[j + 3], k_sha512[i + j + 3]);
            STEP(e, f, g, h, a, b, c, d, w[j + 4], k_sha512[i + j + 4]);
            STEP(d, e, f, g, h, a, b, c, w[j + 5], k_sha512[i + j + 5]);
            STEP(c, d, e, f, g, h, a, b, w[j + 6], k_sha512[i + j + 6]);
            STEP(b, c, d, e, f, g, h, a, w[j + 7], k_sha512[i + j + 7]);
        }
    }
    dg[0] += a;
    dg[1] += b;
    dg[2] += c;
    dg[3] += d;
    dg[4] += e;
    dg[5] += f;
    dg[6] += g;
    dg[7] += h;
}
kernel void crack_sha512_loop(global const ulong *in, global ulong *out, uint loops)
{
    int gid = get_global_id(0);
    ulong dg[8], res[8];
    for (int i = 0; i < 8; i++)
        res[i] = dg[i] = in[gid * 8 + i];
    for (uint l = 0; l < loops; l++) {
        ulong w[16];
        for (int i = 0; i < 8; i++)
            w[i] = dg[i];
        w[8] = 0x8000000000000000UL;
        for (int i = 9; i < 15; i++)
            w[i] = 0;
        w[15] = 1536;
        sha512_block(w, dg);
        for (int i = 0; i < 8; i++)
            res[i] ^= dg[i];
    }
    for (int i = 0; i < 8; i++)
        out[gid * 8 + i] = res[i];
}

// case crack_des_bits
// 4096, 64, I(64 * 4096, 1 << 30), O(64 * 4096, np.int32)
#define SB(a, b, c, d, e, f, o1, o2, o3, o4)                                     \
    {                                                                            \
        int t = (a ^ e) | ~d, u = t & (b ^ f), v = c ^ u, w = (t | v) ^ (e & b); \
        o1 ^= v ^ (w & a);                                                       \
        o2 ^= (u | d) ^ w;                                                       \
        o3 ^= (t & v) ^ ~b;                                                      \
        o4 ^= (w | e) ^ (c & v);                                                 \
    }
kernel void crack_des_bits(global const int *in, global int *out)
{
    int gid = get_global_id(0), n = get_global_size(0);
    int D[64];
    for (int i = 0; i < 64; i++)
        D[i] = in[i * n + gid];
    for (int r = 0; r < 16; r++) {
        SB(D[63], D[32], D[33], D[34], D[35], D[36], D[8], D[16], D[22], D[30]);
        SB(D[35], D[36], D[37], D[38], D[39], D[40], D[12], D[27], D[1], D[17]);
        SB(D[39], D[40], D[41], D[42], D[43], D[44], D[23], D[15], D[29], D[5]);
        SB(D[43], D[44], D[45], D[46], D[47], D[48], D[25], D[19], D[9], D[0]);
        SB(D[47], D[48], D[49], D[50], D[51], D[52], D[7], D[13], D[24], D[2]);
        SB(D[51], D[52], D[53], D[54], D[55], D[56], D[3], D[28], D[10], D[18]);
        SB(D[55], D[56], D[57], D[58], D[59], D[60], D[31], D[11], D[21], D[6]);
        SB(D[59], D[60], D[61], D[62], D[63], D[32], D[4], D[26], D[14], D[20]);
        for (int i = 0; i < 32; i++) {
            int t = D[i];
            D[i] = D[i + 32];
            D[i + 32] = t;
        }
    }
    for (int i = 0; i < 64; i++)
        out[i * n + gid] = D[i];
}

// case crack_rules_swap
// 4096, 64, I(4096 * 16, 26, np.uint8), I(64, 16, np.uint8), O(4096, np.uint32)
kernel void crack_rules_swap(global const uchar *words, constant uchar *rules, global uint *out)
{
    int g = get_global_id(0);
    uchar w[16];
    for (int i = 0; i < 16; i++)
        w[i] = words[g * 16 + i] + 97;
    for (int r = 0; r < 16; r++) {
        uchar op = rules[r * 4] & 3, a = rules[r * 4 + 1] & 15, b = rules[r * 4 + 2] & 15;
        if (op == 0) {
            uchar t = w[a];
            w[a] = w[b];
            w[b] = t;
        } else if (op == 1)
            w[a] ^= 32;
        else if (op == 2)
            w[a] = b + 48;
        else {
            uchar t = w[15];
            for (int i = 15; i > 0; i--)
                w[i] = w[i - 1];
            w[0] = t;
        }
    }
    uint h = 0;
    for (int i = 0; i < 16; i++)
        h = h * 31 + w[i];
    out[g] = h;
}

// case mt19937_block
// 64, 1, O(64 * 624, np.uint32), I(64, 1 << 30, np.uint32)
kernel void mt19937_block(global uint *state, global const uint *seed)
{
    int g = get_global_id(0);
    global uint *mt = state + g * 624;
    mt[0] = seed[g];
    for (int i = 1; i < 624; i++)
        mt[i] = 1812433253u * (mt[i - 1] ^ (mt[i - 1] >> 30)) + i;
    for (int i = 0; i < 624; i++) {
        uint y = (mt[i] & 0x80000000u) | (mt[(i + 1) % 624] & 0x7fffffffu);
        mt[i] = mt[(i + 397) % 624] ^ (y >> 1) ^ ((y & 1) ? 0x9908b0dfu : 0);
    }
}

// case asian_float4
// (64, 16), None, F(64 * 16 * 4), O(64 * 16 * 4), S(12)
void lshift128(uint4 in, uint s, uint4 *o)
{
    uint inv = 32 - s;
    uint4 t;
    t.w = (in.w << s) | (in.z >> inv);
    t.z = (in.z << s) | (in.y >> inv);
    t.y = (in.y << s) | (in.x >> inv);
    t.x = in.x << s;
    *o = t;
}
void rshift128(uint4 in, uint s, uint4 *o)
{
    uint inv = 32 - s;
    uint4 t;
    t.x = (in.x >> s) | (in.y << inv);
    t.y = (in.y >> s) | (in.z << inv);
    t.z = (in.z >> s) | (in.w << inv);
    t.w = in.w >> s;
    *o = t;
}
kernel void asian_float4(global const float4 *seed, global float4 *out, int steps)
{
    int i = get_global_id(1) * 64 + get_global_id(0);
    uint4 r1 = convert_uint4(seed[i] * 4e9f), r2 = r1 * 1812433253u + 1u, r3 = r2 * 1812433253u + 1u,
          r4 = r3 * 1812433253u + 1u, e, f;
    float4 price = 100, sum = 0;
    for (int s = 0; s < steps; s++) {
        lshift128(r1, 8, &e);
        rshift128(r3, 8, &f);
        uint4 t = r1 ^ e ^ ((r2 >> 11) & (uint4)(0xdfffffef, 0xddfecb7f, 0xbffaffff, 0xbffffff6)) ^ f ^ (r4 << 18);
        r1 = r2;
        r2 = r3;
        r3 = r4;
        r4 = t;
        float4 u = convert_float4(t) * 2.3283064e-10f, rr = sqrt(-2 * log(u + 1e-10f)),
               phi = 6.2831853f * convert_float4(r3) * 2.3283064e-10f;
        float4 g = rr * cos(phi);
        price *= exp(0.001f + 0.05f * g);
        sum += price;
    }
    out[i] = sum / steps;
}

// ---- Simulation, rendering, searching and sorting.

// case hist64_bytes
// 64 * 64, 64, I(64 * 64 * 64, 1 << 30, np.uint32), O(64 * 64, np.uint32)
#define inc(p, d) ((local uchar *)bytes)[(p) + (d)*64]++
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void hist64_bytes(global const uint4 *data, global uint *partial)
{
    local uint bytes[64 * 16];
    int lid = get_local_id(0);
    for (int i = 0; i < 16; i++)
        bytes[lid + i * 64] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = get_group_id(0) * 64 * 16 + lid, i = 0; i < 16; i++, p += 64) {
        uint4 d = data[p];
        inc(lid, d.x >> 2 & 63);
        inc(lid, d.x >> 10 & 63);
        inc(lid, d.x >> 18 & 63);
        inc(lid, d.y >> 2 & 63);
        inc(lid, d.y >> 10 & 63);
        inc(lid, d.y >> 18 & 63);
        inc(lid, d.z >> 2 & 63);
        inc(lid, d.z >> 10 & 63);
        inc(lid, d.z >> 18 & 63);
        inc(lid, d.w >> 2 & 63);
        inc(lid, d.w >> 10 & 63);
        inc(lid, d.w >> 18 & 63);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint s = 0;
    for (int i = 0; i < 64; i++)
        s += ((local uchar *)bytes)[lid * 64 + (i + lid) % 64];
    partial[get_group_id(0) * 64 + lid] = s;
}

// case radix_split4
// 256 * 16, 256, I(256 * 16 * 4, 1 << 30, np.uint32), O(256 * 16 * 4, np.uint32), S(0), L(1024 + 64, np.uint32)
uint scan_lsb(uint v, local uint *s, int lid)
{
    s[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int o = 1; o < 256; o <<= 1) {
        uint t = lid >= o ? s[lid - o] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[lid] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return s[lid] - v;
}
kernel void radix_split4(global const uint4 *in, global uint4 *out, uint shift0, local uint *sm)
{
    int lid = get_local_id(0);
    uint4 key = in[get_global_id(0)];
    for (uint shift = shift0; shift < shift0 + 4; shift++) {
        uint4 lsb = (uint4)(!(key.x >> shift & 1), !(key.y >> shift & 1), !(key.z >> shift & 1), !(key.w >> shift & 1));
        uint sum = lsb.x + lsb.y + lsb.z + lsb.w;
        uint base = scan_lsb(sum, sm, lid);
        uint total = sm[255];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint4 r;
        r.x = base;
        r.y = r.x + lsb.x;
        r.z = r.y + lsb.y;
        r.w = r.z + lsb.z;
        uint4 idx = (uint4)(lid * 4, lid * 4 + 1, lid * 4 + 2, lid * 4 + 3);
        r.x = lsb.x ? r.x : total + idx.x - r.x;
        r.y = lsb.y ? r.y : total + idx.y - r.y;
        r.z = lsb.z ? r.z : total + idx.z - r.z;
        r.w = lsb.w ? r.w : total + idx.w - r.w;
        sm[(r.x & 3) * 256 + (r.x >> 2)] = key.x;
        sm[(r.y & 3) * 256 + (r.y >> 2)] = key.y;
        sm[(r.z & 3) * 256 + (r.z >> 2)] = key.z;
        sm[(r.w & 3) * 256 + (r.w >> 2)] = key.w;
        barrier(CLK_LOCAL_MEM_FENCE);
        key.x = sm[lid];
        key.y = sm[lid + 256];
        key.z = sm[lid + 512];
        key.w = sm[lid + 768];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = key;
}

// case fdtd3d_tiles
// (128, 64), (32, 8), F(136 * 72 * 32), O(136 * 72 * 32), F(5), S(24)
kernel void fdtd3d_tiles(global const float *in, global float *out, constant float *k, int dimz)
{
    local float tile[8 + 8][32 + 8];
    int lx = get_local_id(0), ly = get_local_id(1), sy = 136, sz = 136 * 72;
    int at = (get_global_id(1) + 4) * sy + get_global_id(0) + 4, tx = lx + 4, ty = ly + 4;
    float front[4], behind[4], cur;
    for (int i = 2; i >= 0; i--) {
        behind[i] = in[at];
        at += sz;
    }
    cur = in[at];
    int o = at;
    at += sz;
    for (int i = 0; i < 4; i++) {
        front[i] = in[at];
        at += sz;
    }
    for (int iz = 0; iz < dimz; iz++) {
        for (int i = 3; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = cur;
        cur = front[0];
        for (int i = 0; i < 3; i++)
            front[i] = front[i + 1];
        front[3] = in[at];
        at += sz;
        o += sz;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ly < 4) {
            tile[ly][tx] = in[o - 4 * sy];
            tile[ly + 12][tx] = in[o + 8 * sy];
        }
        if (lx < 4) {
            tile[ty][lx] = in[o - 4];
            tile[ty][lx + 36] = in[o + 32];
        }
        tile[ty][tx] = cur;
        barrier(CLK_LOCAL_MEM_FENCE);
        float v = k[0] * cur;
        for (int i = 1; i <= 4; i++)
            v += k[i] *
                 (front[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
        out[o] = v;
    }
}

// case lbm_soa19
// (64, 16, 8), (64, 1, 1), F(20 * 64 * 16 * 10), O(20 * 64 * 16 * 10), I(64 * 16 * 10, 4)
#define SZ (64 * 16 * 10)
kernel void lbm_soa19(global const float *src, global float *dst, global const int *flags)
{
    int at = get_global_id(0) + 64 * (get_global_id(1) + 16 * (get_global_id(2) + 1));
    float f[19], rho = 0, ux = 0, uy = 0, uz = 0;
    const int off[19] = {0, 64, -64, 1, -1, 1024, -1024, 65, 63, -63, -65, 1088, -960, 960, -1088, 1025, -1023, 1023, -1025};
    for (int k = 0; k < 19; k++)
        f[k] = src[k * SZ + at];
    if (flags[at] == 0) {
        for (int k = 1; k < 19; k++) {
            int o = at + off[k];
            dst[k * SZ + clamp(o, 0, SZ - 1)] = f[k ^ 1 ? (k & 1 ? k + 1 : k - 1) % 19 : 0];
        }
        return;
    }
    for (int k = 0; k < 19; k++)
        rho += f[k];
    ux = f[3] - f[4] + f[7] - f[8] + f[9] - f[10] + f[15] - f[16] + f[17] - f[18];
    uy = f[1] - f[2] + f[7] + f[8] - f[9] - f[10] + f[11] - f[12] + f[13] - f[14];
    uz = f[5] - f[6] + f[11] + f[12] - f[13] - f[14] + f[15] + f[16] - f[17] - f[18];
    ux /= rho;
    uy /= rho;
    uz /= rho;
    float u2 = 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int k = 0; k < 19; k++) {
        float w = k == 0 ? 1.f / 3 : k < 7 ? 1.f / 18 : 1.f / 36, eu = (k & 1) * ux + (k >> 1 & 1) * uy - (k >> 2 & 1) * uz;
        int o = at + off[k];
        dst[k * SZ + clamp(o, 0, SZ - 1)] = f[k] - 1.95f * (f[k] - w * rho * (1 + 3 * eu + 4.5f * eu * eu - u2));
    }
}

// case streamcluster_gain
// 8192, 256, F(8192 * 32), F(8192 * 2), I(8192, 64), O(8192 * 8), I(8192, 8), O(8192, np.uint8), L(32), S(8192), S(32), S(77, np.int64), S(8)
struct pt {
    float weight, cost;
};
kernel void streamcluster_gain(global const float *coord, global const struct pt *p, global const int *assign,
                               global float *work, global const int *table, global uchar *sw, local float *cs, int num, int dim,
                               long x, int K)
{
    int tid = get_global_id(0), lid = get_local_id(0);
    if (lid == 0)
        for (int i = 0; i < dim; i++)
            cs[i] = coord[i * num + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < num) {
        float cost = 0;
        for (int i = 0; i < dim; i++)
            cost += (coord[i * num + tid] - cs[i]) * (coord[i * num + tid] - cs[i]);
        cost *= p[tid].weight;
        global float *lower = work + tid * K;
        if (cost < p[tid].cost * 3) {
            sw[tid] = 1;
            lower[K - 1] += cost - p[tid].cost;
        } else
            lower[table[assign[tid]]] += p[tid].cost - cost;
    }
}

// case myocyte_like
// 256, 64, F(256 * 16), O(256 * 16), S(20)
kernel void myocyte_like(global const float *init, global float *out, int steps)
{
    int i = get_global_id(0);
    float y[16], dy[16];
    for (int k = 0; k < 16; k++)
        y[k] = init[i * 16 + k];
    for (int s = 0; s < steps; s++) {
        float v = y[0] * 100 - 80;
        dy[0] = 0;
        for (int k = 1; k < 15; k++) {
            float inf = 1 / (1 + exp(-(v + 40 + k) / (5 + k))), tau = 0.1f + 1 / (exp((v + 30) / 8) + exp(-(v + 50) / 12));
            dy[k] = (inf - y[k]) / tau;
            dy[0] += y[k] * (v - 50 + k * 8) * 1e-4f;
        }
        dy[15] = log(1 + y[15] * y[0]) - 0.1f * y[15];
        for (int k = 0; k < 16; k++)
            y[k] += 0.01f * dy[k];
    }
    for (int k = 0; k < 16; k++)
        out[i * 16 + k] = y[k];
}

// case findk_btree
// 256 * 128, 256, I(512 * 260, 30000), I(128, 30000), O(128, np.int32), L(4, np.int32)
kernel void findk_btree(global const int *keys, global const int *query, global int *ans, local int *cur)
{
    int lid = get_local_id(0), b = get_group_id(0);
    if (lid == 0)
        cur[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = 0; level < 4; level++) {
        global const int *node = keys + cur[0] * 260;
        int lo = node[lid], hi = node[lid + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lo <= query[b] && hi > query[b])
            cur[1] = (lid * 2 + level) & 511;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            cur[0] = cur[1] & 511;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (keys[cur[0] * 260 + lid] > query[b])
        ans[b] = 1;
}

// case volume_render
// (128, 96), (16, 16), I(64 * 64 * 64, 255, np.uint8), F(256 * 4), O(128 * 96, np.uint32), F(12)
int box_hit(float4 o, float4 d, float *tn, float *tf)
{
    float4 inv = (float4)(1) / d, b = inv * (-1.f - o), t = inv * (1.f - o);
    float4 mn = fmin(t, b), mx = fmax(t, b);
    *tn = fmax(fmax(mn.x, mn.y), mn.z);
    *tf = fmin(fmin(mx.x, mx.y), mx.z);
    return *tf > *tn;
}
kernel void volume_render(global const uchar *vol, global const float4 *transfer, global uint *out, constant float *view)
{
    int x = get_global_id(0), y = get_global_id(1);
    float u = x / 64.f - 1, v = y / 48.f - 1, tn, tf;
    float4 o = (float4)(0.1f * view[0], 0.2f * view[1], 3, 0), d = normalize((float4)(u * 0.6f, v * 0.6f, -2, 0.001f));
    if (!box_hit(o, d, &tn, &tf)) {
        out[y * 128 + x] = 0;
        return;
    }
    if (tn < 0)
        tn = 0;
    float4 sum = 0;
    for (float t = tf; t > tn; t -= 0.02f) {
        float4 p = (o + d * t) * 0.5f + 0.5f;
        int ix = clamp((int)(p.x * 64), 0, 63), iy = clamp((int)(p.y * 64), 0, 63), iz = clamp((int)(p.z * 64), 0, 63);
        float s = vol[(iz * 64 + iy) * 64 + ix] / 255.f;
        float4 col = transfer[(int)(s * 255)];
        float a = col.w * 0.05f;
        sum = mix(sum, col, (float4)(a, a, a, a));
    }
    uchar4 r = convert_uchar4_sat(sum * 255);
    out[y * 128 + x] = (uint)r.w << 24 | (uint)r.z << 16 | (uint)r.y << 8 | r.x;
}

// case bvh4_stack
// (64, 48), (8, 8), F(341 * 32), I(341 * 4, 1024), O(64 * 48)
struct node4 {
    float4 lox, loy, loz, hix, hiy, hiz;
    int4 child;
    int4 pad;
};
kernel void bvh4_stack(global const float *boxes, global const int *child, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), stack[24], sp = 0;
    float3 o = (float3)(x / 64.f, y / 48.f, -1), inv = 1 / (float3)(0.01f * x - 0.3f, 0.013f * y - 0.3f, 1);
    float best = 1e30f;
    stack[sp++] = 0;
    int steps = 0;
    while (sp > 0 && steps++ < 64) {
        int n = stack[--sp];
        global const float *b = boxes + n * 32;
        float4 x0 = (vload4(0, b) - o.x) * inv.x, x1 = (vload4(1, b) - o.x) * inv.x, y0 = (vload4(2, b) - o.y) * inv.y,
               y1 = (vload4(3, b) - o.y) * inv.y, z0 = (vload4(4, b) - o.z) * inv.z, z1 = (vload4(5, b) - o.z) * inv.z;
        float4 tn = fmax(fmax(fmin(x0, x1), fmin(y0, y1)), fmin(z0, z1)),
               tf = fmin(fmin(fmax(x0, x1), fmax(y0, y1)), fmax(z0, z1));
        int4 hit = tn <= tf && tf > 0 && tn < best;
        int base = n * 4 + 1;
        if (base < 341) {
            if (hit.x && sp < 24)
                stack[sp++] = base;
            if (hit.y && sp < 24)
                stack[sp++] = base + 1;
            if (hit.z && sp < 24)
                stack[sp++] = base + 2;
            if (hit.w && sp < 24)
                stack[sp++] = min(base + 3, 340);
        } else {
            best = min(best, hit.x ? tn.x : best);
            best = min(best, hit.y ? tn.y : best);
            best = min(best, hit.z ? tn.z : best);
        }
    }
    out[y * 64 + x] = best < 1e29f ? best : child[x] * 1e-9f;
}

// case simplex_noise3
// (256, 128), None, I(512, 256, np.uint8), O(256 * 128), S(0.37, np.float32)
float grad3(int h, float x, float y, float z)
{
    h &= 15;
    float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return ((h & 1) ? -u : u) + ((h & 2) ? -v : v);
}
kernel void simplex_noise3(global const uchar *perm, global float *out, float z0)
{
    int px = get_global_id(0), py = get_global_id(1);
    float sum = 0, amp = 1, fr = 0.03f;
    for (int o = 0; o < 4; o++) {
        float x = px * fr, y = py * fr, z = z0, s = (x + y + z) / 3;
        int i = floor(x + s), j = floor(y + s), k = floor(z + s);
        float t = (i + j + k) / 6.0f, x0 = x - (i - t), y0 = y - (j - t), z00 = z - (k - t);
        int i1, j1, k1, i2, j2, k2;
        if (x0 >= y0) {
            if (y0 >= z00) {
                i1 = 1;
                j1 = 0;
                k1 = 0;
                i2 = 1;
                j2 = 1;
                k2 = 0;
            } else if (x0 >= z00) {
                i1 = 1;
                j1 = 0;
                k1 = 0;
                i2 = 1;
                j2 = 0;
                k2 = 1;
            } else {
                i1 = 0;
                j1 = 0;
                k1 = 1;
                i2 = 1;
                j2 = 0;
                k2 = 1;
            }
        } else {
            if (y0 < z00) {
                i1 = 0;
                j1 = 0;
                k1 = 1;
                i2 = 0;
                j2 = 1;
                k2 = 1;
            } else if (x0 < z00) {
                i1 = 0;
                j1 = 1;
                k1 = 0;
                i2 = 0;
                j2 = 1;
                k2 = 1;
            } else {
                i1 = 0;
                j1 = 1;
                k1 = 0;
                i2 = 1;
                j2 = 1;
                k2 = 0;
            }
        }
        float g6 = 1 / 6.0f, x1 = x0 - i1 + g6, y1 = y0 - j1 + g6, z1 = z00 - k1 + g6, x2 = x0 - i2 + 2 * g6,
              y2 = y0 - j2 + 2 * g6, z2 = z00 - k2 + 2 * g6, x3 = x0 - 0.5f, y3 = y0 - 0.5f, z3 = z00 - 0.5f;
        int ii = i & 255, jj = j & 255, kk = k & 255;
        float n = 0, tt = 0.6f - x0 * x0 - y0 * y0 - z00 * z00;
        if (tt > 0) {
            tt *= tt;
            n += tt * tt * grad3(perm[ii + perm[jj + perm[kk]]], x0, y0, z00);
        }
        tt = 0.6f - x1 * x1 - y1 * y1 - z1 * z1;
        if (tt > 0) {
            tt *= tt;
            n += tt * tt * grad3(perm[ii + i1 + perm[jj + j1 + perm[kk + k1]]], x1, y1, z1);
        }
        tt = 0.6f - x2 * x2 - y2 * y2 - z2 * z2;
        if (tt > 0) {
            tt *= tt;
            n += tt * tt * grad3(perm[ii + i2 + perm[jj + j2 + perm[kk + k2]]], x2, y2, z2);
        }
        tt = 0.6f - x3 * x3 - y3 * y3 - z3 * z3;
        if (tt > 0) {
            tt *= tt;
            n += tt * tt * grad3(perm[ii + 1 + perm[jj + 1 + perm[kk + 1]]], x3, y3, z3);
        }
        sum += amp * 32 * n;
        amp *= 0.5f;
        fr *= 2;
    }
    out[py * 256 + px] = sum;
}

// case event_struct
// 8192, 64, I(8192 * 6, 1000), O(8192 * 3, np.int32), S(8192)
struct ev {
    int type, x, y;
    short a, b;
    int z, t;
};
kernel void event_struct(global const struct ev *e, global int *out, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    struct ev v = e[i];
    int r;
    switch (v.type & 3) {
    case 0: r = v.x + v.y; break;
    case 1: r = v.a * v.b; break;
    case 2: r = v.z - v.t; break;
    default: r = v.x ^ v.t;
    }
    out[i * 3] = r;
    out[i * 3 + 1] = v.type;
    out[i * 3 + 2] = v.z;
}

// case dir_switch2
// 1 << 15, 256, I(1 << 15, 1 << 20), F(1 << 15), O(1 << 15)
kernel void dir_switch2(global const int *d, global const float *v, global float *o)
{
    int i = get_global_id(0);
    float r;
    switch (d[i] & 1) {
    case 0: r = v[i] * 2; break;
    case 1: r = exp(v[i]); break;
    }
    switch (d[i] >> 1 & 3) {
    case 0: r += 1; break;
    case 1: r -= v[(i + 7) & 32767]; break;
    case 2: r *= v[(i + 9) & 32767]; break;
    case 3: r = -r; break;
    }
    o[i] = r;
}

// case state_machine4
// 2048, 64, I(2048 * 64, 256, np.uint8), O(2048, np.int32), S(64)
kernel void state_machine4(global const uchar *in, global int *o, int n)
{
    int g = get_global_id(0), st = 0, words = 0, nums = 0;
    for (int i = 0; i < n; i++) {
        uchar c = in[i * 2048 + g] & 127;
        switch (st) {
        case 0:
            if (c >= 'a' && c <= 'z') {
                st = 1;
                words++;
            } else if (c >= '0' && c <= '9') {
                st = 2;
                nums++;
            }
            break;
        case 1:
            if (c < 'a' || c > 'z')
                st = c == '_' ? 3 : 0;
            break;
        case 2:
            if (c < '0' || c > '9')
                st = c == '.' ? 3 : 0;
            break;
        case 3: st = c & 1 ? 0 : 1; break;
        }
    }
    o[g] = words * 1000 + nums;
}

// case topk_insert8
// 2048, 64, F(2048 * 100), O(2048 * 8), O(2048 * 8, np.int32), S(100)
kernel void topk_insert8(global const float *x, global float *val, global int *idx, int n)
{
    int g = get_global_id(0), bi[8];
    float bv[8];
    for (int k = 0; k < 8; k++) {
        bv[k] = -1;
        bi[k] = -1;
    }
    for (int i = 0; i < n; i++) {
        float v = x[i * 2048 + g];
        int m = 0;
        for (int k = 1; k < 8; k++)
            if (bv[k] < bv[m])
                m = k;
        if (v > bv[m]) {
            bv[m] = v;
            bi[m] = i;
        }
    }
    for (int k = 0; k < 8; k++) {
        val[g * 8 + k] = bv[k];
        idx[g * 8 + k] = bi[k];
    }
}

// case spgemm_count
// 1024, 64, row_starts(1024, 10), I(10240, 1024), O(1024, np.int32)
kernel void spgemm_count(global const int *ptr, global const int *col, global int *out)
{
    int r = get_global_id(0), n = 0;
    uint seen[8] = {0};
    for (int i = ptr[r]; i < ptr[r + 1]; i++) {
        int k = col[i];
        for (int j = ptr[k]; j < ptr[k + 1]; j++) {
            uint c = col[j] & 255, bit = 1u << (c & 31);
            if (!(seen[c >> 5] & bit)) {
                seen[c >> 5] |= bit;
                n++;
            }
        }
    }
    out[r] = n;
}

// case cell_lj_local
// 64 * 64, 64, F(64 * 64 * 4), O(64 * 64 * 4)
kernel void cell_lj_local(global const float4 *pos, global float4 *force)
{
    local float4 sh[64];
    int c = get_group_id(0), l = get_local_id(0);
    float4 me = pos[c * 64 + l], f = 0;
    for (int d = -1; d <= 1; d++) {
        int o = (c + d + 64) & 63;
        barrier(CLK_LOCAL_MEM_FENCE);
        sh[l] = pos[o * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; j++) {
            float4 r = me - sh[j];
            float r2 = r.x * r.x + r.y * r.y + r.z * r.z;
            if (r2 < 0.3f && r2 > 0) {
                float i2 = 1 / r2, i6 = i2 * i2 * i2;
                f += r * (48 * i6 * i2 * (i6 - 0.5f) * 1e-6f);
            }
        }
    }
    f.w = 0;
    force[c * 64 + l] = f;
}
