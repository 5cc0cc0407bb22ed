// Kernels of networks, pictures, tables, ciphers, graphs and sorting, in more forms of data and of launches than the other files have.

// case flash_tile
// (16, 256), (16, 16), F(256 * 16), F(256 * 16), F(256 * 16), O(256 * 16), S(256)
kernel void flash_tile(global const float *Q, global const float *K, global const float *V, global float *O, int n)
{
    local float qs[16][17], ks[16][17], vs[16][17], ps[16][17];
    local float most[16], sum[16], scale[16];
    int c = get_local_id(0), r = get_local_id(1), row = get_group_id(1) * 16 + r;
    qs[r][c] = Q[row * 16 + c];
    if (c == 0) {
        most[r] = -INFINITY;
        sum[r] = 0;
    }
    float acc = 0;
    for (int t = 0; t < n; t += 16) {
        ks[r][c] = K[(t + r) * 16 + c];
        vs[r][c] = V[(t + r) * 16 + c];
        barrier(CLK_LOCAL_MEM_FENCE);
        float s = 0;
        for (int d = 0; d < 16; d++)
            s += qs[r][d] * ks[c][d];
        ps[r][c] = s * 0.25f;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c == 0) {
            float m = most[r];
            for (int k = 0; k < 16; k++)
                m = fmax(m, ps[r][k]);
            scale[r] = exp(most[r] - m);
            float l = sum[r] * scale[r];
            for (int k = 0; k < 16; k++) {
                ps[r][k] = exp(ps[r][k] - m);
                l += ps[r][k];
            }
            most[r] = m;
            sum[r] = l;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        acc *= scale[r];
        for (int k = 0; k < 16; k++)
            acc += ps[r][k] * vs[k][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    O[row * 16 + c] = acc / sum[r];
}

// case depthwise_nhwc4
// (16, 56, 56), (16, 4, 1), F(58 * 58 * 64), F(9 * 64), F(64), O(56 * 56 * 64)
kernel void depthwise_nhwc4(global const float4 *in, global const float4 *weights, global const float4 *bias, global float4 *out)
{
    int c = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
    float4 acc = bias[c];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            acc = mad(in[((y + j) * 58 + x + i) * 16 + c], weights[(j * 3 + i) * 16 + c], acc);
    out[(y * 56 + x) * 16 + c] = clamp(acc, 0.0f, 6.0f);
}

// case winograd_out
// (32, 32, 16), None, F(16 * 16 * 32 * 32), F(16), O(16 * 64 * 64)
kernel void winograd_out(global const float *m, global const float *bias, global float *out)
{
    int tx = get_global_id(0), ty = get_global_id(1), c = get_global_id(2);
    float t[4][4], h[2][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            t[i][j] = m[((i * 4 + j) * 16 + c) * 1024 + ty * 32 + tx];
    for (int j = 0; j < 4; j++) {
        h[0][j] = t[0][j] + t[1][j] + t[2][j];
        h[1][j] = t[1][j] - t[2][j] - t[3][j];
    }
    for (int i = 0; i < 2; i++) {
        out[(c * 64 + ty * 2 + i) * 64 + tx * 2] = fmax(h[i][0] + h[i][1] + h[i][2] + bias[c], 0.0f);
        out[(c * 64 + ty * 2 + i) * 64 + tx * 2 + 1] = fmax(h[i][1] - h[i][2] - h[i][3] + bias[c], 0.0f);
    }
}

// case bn_backward
// 64 * 128, 128, F(8 * 64 * 196), F(8 * 64 * 196), F(64), F(64), O(64), O(64)
kernel void bn_backward(global const float *x, global const float *dy, global const float *mean, global const float *rstd,
                        global float *dgamma, global float *dbeta)
{
    local float sg[128], sb[128];
    int c = get_group_id(0), l = get_local_id(0);
    float g = 0, b = 0;
    for (int n = 0; n < 8; n++)
        for (int i = l; i < 196; i += 128) {
            float d = dy[(n * 64 + c) * 196 + i];
            g += d * (x[(n * 64 + c) * 196 + i] - mean[c]) * rstd[c];
            b += d;
        }
    sg[l] = g;
    sb[l] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 64; s > 0; s /= 2) {
        if (l < s) {
            sg[l] += sg[l + s];
            sb[l] += sb[l + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        dgamma[c] = sg[0];
        dbeta[c] = sb[0];
    }
}

// case gemm_char4_tile
// (128, 128), (16, 16), I(128 * 128, 255, np.int8), I(128 * 128, 255, np.int8), O(128 * 128, np.int32), S(32)
kernel void gemm_char4_tile(global const char4 *a, global const char4 *b, global int *c, int k4)
{
    local char4 as[16][16], bs[16][16];
    int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1), sum = 0;
    for (int t = 0; t < k4; t += 16) {
        as[y][x] = a[row * k4 + t + x];
        bs[y][x] = b[(get_group_id(0) * 16 + y) * k4 + t + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) {
            int4 p = convert_int4(as[y][k]), q = convert_int4(bs[x][k]);
            sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * 128 + col] = sum;
}

// case gemm_half_tile
// (128, 128), (16, 16), H(128 * 128), H(128 * 128), O(128 * 128, np.float16), S(128)
kernel void gemm_half_tile(global const half *a, global const half *b, global half *c, int n)
{
    local float as[16][16], bs[16][16];
    int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        as[y][x] = vload_half(row * n + t + x, a);
        bs[y][x] = vload_half((t + y) * n + col, b);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < 16; k++)
            sum = mad(as[y][k], bs[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    vstore_half(sum, row * n + col, c);
}

// case topk_wg
// 64 * 128, 128, F(64 * 1024), O(64 * 8), O(64 * 8, np.int32)
kernel void topk_wg(global const float *x, global float *values, global int *indices)
{
    local float best[128];
    local int where[128];
    int row = get_group_id(0), l = get_local_id(0);
    float mine[8];
    for (int i = 0; i < 8; i++)
        mine[i] = x[row * 1024 + i * 128 + l];
    uint taken = 0;
    for (int k = 0; k < 8; k++) {
        float m = -1;
        int at = 0;
        for (int i = 0; i < 8; i++)
            if (!(taken >> i & 1) && mine[i] > m) {
                m = mine[i];
                at = i;
            }
        best[l] = m;
        where[l] = at * 128 + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 64; s > 0; s >>= 1) {
            if (l < s && (best[l + s] > best[l] || (best[l + s] == best[l] && where[l + s] < where[l]))) {
                best[l] = best[l + s];
                where[l] = where[l + s];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (where[0] % 128 == l)
            taken |= 1u << (where[0] / 128);
        if (l == 0) {
            values[row * 8 + k] = best[0];
            indices[row * 8 + k] = where[0];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case conv1d_causal
// (512, 16), None, F(16 * 512), F(16 * 8), F(16), O(16 * 512), S(512)
kernel void conv1d_causal(global const float *x, global const float *w, global const float *bias, global float *y, int length)
{
    int t = get_global_id(0), c = get_global_id(1);
    float s = bias[c];
    for (int k = 0; k < 8; k++) {
        int at = t - 7 + k;
        if (at >= 0)
            s += x[c * length + at] * w[c * 8 + k];
    }
    y[c * length + t] = s / (1 + exp(-s));
}

// case embed_grad
// (32, 512), (32, 2), I(512, 100), F(512 * 32), O(100 * 32)
void accumulate(volatile global float *p, float v)
{
    union {
        uint u;
        float f;
    } old, next;
    do {
        old.f = *p;
        next.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, next.u) != old.u);
}
kernel void embed_grad(global const int *tokens, global const float *grad, global float *table)
{
    int d = get_global_id(0), t = get_global_id(1);
    accumulate(&table[tokens[t] * 32 + d], grad[t * 32 + d] * 1e-3f);
}

// case nms_mask
// (512, 8), (64, 1), F(512 * 4), O(512 * 8, np.uint64), S(512)
kernel void nms_mask(global const float4 *boxes, global ulong *mask, int n)
{
    local float4 tile[64];
    int i = get_global_id(0), block = get_group_id(1), l = get_local_id(0);
    float4 b = boxes[block * 64 + l];
    tile[l] = (float4)(b.xy, b.xy + 0.3f * b.zw + 0.05f);
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 a = boxes[i];
    a = (float4)(a.xy, a.xy + 0.3f * a.zw + 0.05f);
    ulong bits = 0;
    for (int k = 0; k < 64; k++) {
        if (block * 64 + k <= i)
            continue;
        float4 q = tile[k];
        float w = fmax(fmin(a.z, q.z) - fmax(a.x, q.x), 0.0f), h = fmax(fmin(a.w, q.w) - fmax(a.y, q.y), 0.0f);
        float inter = w * h, all = (a.z - a.x) * (a.w - a.y) + (q.z - q.x) * (q.w - q.y) - inter;
        if (inter > 0.3f * all)
            bits |= 1ul << k;
    }
    mask[i * 8 + block] = bits & 0xffff;
}

// case roi_align
// (7, 7, 256), None, F(8 * 32 * 32), F(32 * 4), O(256 * 49)
float sample_at(global const float *f, float y, float x)
{
    if (y < -1.0f || y > 32.0f || x < -1.0f || x > 32.0f)
        return 0;
    y = fmax(y, 0.0f), x = fmax(x, 0.0f);
    int yl = min((int)y, 31), xl = min((int)x, 31), yh = min(yl + 1, 31), xh = min(xl + 1, 31);
    float ly = y - yl, lx = x - xl;
    return (1 - ly) * ((1 - lx) * f[yl * 32 + xl] + lx * f[yl * 32 + xh]) + ly * ((1 - lx) * f[yh * 32 + xl] + lx * f[yh * 32 + xh]);
}
kernel void roi_align(global const float *features, global const float4 *rois, global float *out)
{
    int px = get_global_id(0), py = get_global_id(1), r = get_global_id(2) / 8, c = get_global_id(2) % 8;
    float4 roi = rois[r];
    float x0 = roi.x * 20, y0 = roi.y * 20, w = (roi.z * 12 + 1) / 7, h = (roi.w * 12 + 1) / 7, s = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            s += sample_at(features + c * 1024, y0 + (py + (j + 0.5f) / 2) * h, x0 + (px + (i + 0.5f) / 2) * w);
    out[(r * 8 + c) * 49 + py * 7 + px] = s / 4;
}

// case grid_sample
// (64, 64), (64, 1), F(64 * 64 * 2), F(4 * 64 * 64), O(4 * 64 * 64)
kernel void grid_sample(global const float2 *grid, global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    float2 g = grid[y * 64 + x] * 66.0f - 1.5f;
    int ix = (int)floor(g.x), iy = (int)floor(g.y);
    float fx = g.x - ix, fy = g.y - iy;
    for (int c = 0; c < 4; c++) {
        float s = 0;
        for (int k = 0; k < 4; k++) {
            int cx = ix + (k & 1), cy = iy + (k >> 1);
            float w = ((k & 1) ? fx : 1 - fx) * ((k >> 1) ? fy : 1 - fy);
            if (cx >= 0 && cx < 64 && cy >= 0 && cy < 64)
                s += w * in[(c * 64 + cy) * 64 + cx];
        }
        out[(c * 64 + y) * 64 + x] = s;
    }
}

// case pixel_shuffle
// (128, 128, 4), None, F(16 * 64 * 64), O(4 * 128 * 128), S(64), S(2)
kernel void pixel_shuffle(global const float *in, global float *out, int w, int r)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    int ch = c * r * r + (y % r) * r + x % r;
    out[(c * w * r + y) * w * r + x] = in[(ch * w + y / r) * w + x / r];
}

// case quant_rows
// 256 * 64, 64, F(256 * 512), O(256 * 512, np.int8), O(256)
kernel void quant_rows(global const float *x, global char *q, global float *scales)
{
    local float most[64];
    int row = get_group_id(0), l = get_local_id(0);
    float m = 0;
    for (int i = l; i < 512; i += 64)
        m = fmax(m, fabs(x[row * 512 + i] - 0.5f));
    most[l] = m;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s)
            most[l] = fmax(most[l], most[l + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float scale = most[0] / 127.0f;
    for (int i = l; i < 512; i += 64)
        q[row * 512 + i] = convert_char_sat_rte((x[row * 512 + i] - 0.5f) / scale);
    if (l == 0)
        scales[row] = scale;
}

// case causal_softmax
// 256 * 32, 32, F(256 * 256), O(256 * 256), S(256)
kernel void causal_softmax(global const float *scores, global float *out, int n)
{
    int row = get_group_id(0), l = get_local_id(0);
    local float part[32];
    global const float *s = scores + row * n;
    float most = -INFINITY, sum = 0;
    for (int j = l; j <= row; j += 32)
        most = max(most, s[j] - 0.01f * (row - j));
    part[l] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 16; d; d >>= 1) {
        if (l < d)
            part[l] = max(part[l], part[l + d]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = l; j <= row; j += 32)
        sum += exp(s[j] - 0.01f * (row - j) - most);
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 16; d; d >>= 1) {
        if (l < d)
            part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = part[0];
    for (int j = l; j < n; j += 32)
        out[row * n + j] = j <= row ? exp(s[j] - 0.01f * (row - j) - most) / sum : 0;
}

// case ssm_scan
// 512, 64, F(64 * 512), F(64 * 512), F(64 * 16), F(64 * 16), O(64 * 512)
kernel void ssm_scan(global const float *x, global const float *delta, global const float *B, global const float *C, global float *y)
{
    int d = get_global_id(0);
    float h[16];
    for (int n = 0; n < 16; n++)
        h[n] = 0;
    for (int t = 0; t < 64; t++) {
        float dt = log1p(exp(delta[t * 512 + d])), in = x[t * 512 + d], out = 0;
        for (int n = 0; n < 16; n++) {
            h[n] = exp(-dt * (n + 1)) * h[n] + dt * B[t * 16 + n] * in;
            out += h[n] * C[t * 16 + n];
        }
        y[t * 512 + d] = out;
    }
}

// case q6_k_unpack
// 256 * 64, 64, I(256 * 210, 255, np.uint8), O(256 * 256)
kernel void q6_k_unpack(global const uchar *x, global float *y)
{
    int block = get_group_id(0), tid = get_local_id(0), ip = tid / 32, il = tid - 32 * ip, is = 8 * ip + il / 16;
    global const uchar *b = x + block * 210;
    global const uchar *ql = b + 64 * ip + il;
    uchar qh = b[128 + 32 * ip + il];
    global const char *sc = (global const char *)b + 192 + is;
    float d = 0.01f;
    global float *out = y + block * 256 + 128 * ip + il;
    out[0] = d * sc[0] * ((char)((ql[0] & 0xF) | (((qh >> 0) & 3) << 4)) - 32);
    out[32] = d * sc[2] * ((char)((ql[32] & 0xF) | (((qh >> 2) & 3) << 4)) - 32);
    out[64] = d * sc[4] * ((char)((ql[0] >> 4) | (((qh >> 4) & 3) << 4)) - 32);
    out[96] = d * sc[6] * ((char)((ql[32] >> 4) | (((qh >> 6) & 3) << 4)) - 32);
}

// case fp8_gemv
// 512, 64, I(512 * 128, 120, np.uint8), F(128), O(512), S(128)
float e4m3(uchar v)
{
    uint s = v >> 7, e = v >> 3 & 15, m = v & 7;
    if (e == 0)
        return (s ? -1.0f : 1.0f) * m * 0.001953125f;
    return as_float(s << 31 | (e + 120) << 23 | m << 20);
}
kernel void fp8_gemv(global const uchar *w, global const float *x, global float *y, int n)
{
    int row = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += e4m3(w[row * n + k]) * x[k];
    y[row] = s;
}

// case moe_count
// 4096, 256, F(4096 * 8), O(8, np.int32), O(4096 * 2, np.int32)
kernel void moe_count(global const float *logits, global int *counts, global int *chosen)
{
    local int mine[8];
    int t = get_global_id(0), l = get_local_id(0);
    if (l < 8)
        mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float8 v = vload8(t, logits);
    float a[8];
    vstore8(v, 0, a);
    int first = 0, second = -1;
    for (int e = 1; e < 8; e++)
        if (a[e] > a[first])
            first = e;
    for (int e = 0; e < 8; e++)
        if (e != first && (second < 0 || a[e] > a[second]))
            second = e;
    atomic_inc(&mine[first]);
    atomic_inc(&mine[second]);
    chosen[2 * t] = first;
    chosen[2 * t + 1] = second;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        atomic_add(&counts[l], mine[l]);
}

// case dropout_mask
// 1 << 16, None, F(1 << 16), O(1 << 16), O(1 << 16, np.uint8), S(42, np.uint32)
kernel void dropout_mask(global const float *x, global float *y, global uchar *mask, uint seed)
{
    uint i = get_global_id(0), s = i ^ seed;
    s = (s ^ 61u) ^ (s >> 16);
    s *= 9u;
    s ^= s >> 4;
    s *= 0x27d4eb2du;
    s ^= s >> 15;
    uchar keep = s > 0x33333333u;
    mask[i] = keep;
    y[i] = keep ? x[i] * 1.25f : 0.0f;
}

// case erode_local
// (256, 128), (32, 8), I(256 * 128, 255, np.uint8), O(256 * 128, np.uint8), S(256), S(128)
kernel void erode_local(global const uchar *src, global uchar *dst, int w, int h)
{
    local uchar tile[12][36], rows[12][32];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    for (int y = ly; y < 12; y += 8)
        for (int x = lx; x < 36; x += 32) {
            int sx = clamp((int)get_group_id(0) * 32 + x - 2, 0, w - 1), sy = clamp((int)get_group_id(1) * 8 + y - 2, 0, h - 1);
            tile[y][x] = src[sy * w + sx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = ly; y < 12; y += 8) {
        uchar m = 255;
        for (int k = 0; k < 5; k++)
            m = min(m, tile[y][lx + k]);
        rows[y][lx] = m;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar m = 255;
    for (int k = 0; k < 5; k++)
        m = min(m, rows[ly + k][lx]);
    dst[gy * w + gx] = m;
}

// case clahe_map
// (256, 256), (16, 16), I(256 * 256, 255, np.uint8), I(8 * 8 * 256, 255, np.uint8), O(256 * 256, np.uint8), S(256)
kernel void clahe_map(global const uchar *src, global const uchar *lut, global uchar *dst, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    float txf = x / 32.0f - 0.5f, tyf = y / 32.0f - 0.5f;
    int tx1 = convert_int_rtn(txf), ty1 = convert_int_rtn(tyf), tx2 = min(tx1 + 1, 7), ty2 = min(ty1 + 1, 7);
    float xa = txf - tx1, ya = tyf - ty1;
    tx1 = max(tx1, 0), ty1 = max(ty1, 0);
    int v = src[y * w + x];
    float r = lut[(ty1 * 8 + tx1) * 256 + v] * (1 - xa) * (1 - ya) + lut[(ty1 * 8 + tx2) * 256 + v] * xa * (1 - ya) +
              lut[(ty2 * 8 + tx1) * 256 + v] * (1 - xa) * ya + lut[(ty2 * 8 + tx2) * 256 + v] * xa * ya;
    dst[y * w + x] = convert_uchar_sat_rte(r);
}

// case integral_columns
// 512, 64, I(512 * 256, 255, np.uint8), O(512 * 256, np.uint32), S(512), S(256)
kernel void integral_columns(global const uchar *src, global uint *sum, int w, int h)
{
    int x = get_global_id(0);
    uint acc = 0;
    for (int y = 0; y < h; y++) {
        acc += src[y * w + x];
        sum[y * w + x] = acc;
    }
}

// case bilateral_image
// (128, 128), (16, 16), image(128, 128, 'FLOAT'), target(128, 128, 'FLOAT')
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void bilateral_image(read_only image2d_t in, write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 c = read_imagef(in, nearest, p), sum = 0;
    float w = 0;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            float4 q = read_imagef(in, nearest, p + (int2)(x, y));
            float d = dot(q.xyz - c.xyz, q.xyz - c.xyz);
            float k = exp(-0.1f * (x * x + y * y) - 4 * d);
            sum += k * q;
            w += k;
        }
    write_imagef(out, p, sum / w);
}

// case image_pyramid
// (64, 64), (8, 8), image(128, 128), target(64, 64)
const sampler_t half_way = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void image_pyramid(read_only image2d_t in, write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float2 size = convert_float2(get_image_dim(out)), t = (convert_float2(p) + 0.5f) / size, d = 0.5f / size;
    float4 s = read_imagef(in, half_way, t) * 4;
    s += read_imagef(in, half_way, t + (float2)(-d.x, -d.y)) + read_imagef(in, half_way, t + (float2)(d.x, -d.y));
    s += read_imagef(in, half_way, t + (float2)(-d.x, d.y)) + read_imagef(in, half_way, t + d);
    write_imagef(out, p, s / 8);
}

// case image_sobel
// (256, 128), (16, 16), image(256, 128), target(256, 128)
const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
float luma(read_only image2d_t i, int x, int y)
{
    return dot(read_imagef(i, border, (int2)(x, y)).xyz, (float3)(0.299f, 0.587f, 0.114f));
}
kernel void image_sobel(read_only image2d_t in, write_only image2d_t out)
{
    int x = get_global_id(0), y = get_global_id(1);
    float gx = luma(in, x + 1, y - 1) + 2 * luma(in, x + 1, y) + luma(in, x + 1, y + 1) - luma(in, x - 1, y - 1) -
               2 * luma(in, x - 1, y) - luma(in, x - 1, y + 1);
    float gy = luma(in, x - 1, y + 1) + 2 * luma(in, x, y + 1) + luma(in, x + 1, y + 1) - luma(in, x - 1, y - 1) -
               2 * luma(in, x, y - 1) - luma(in, x + 1, y - 1);
    write_imagef(out, (int2)(x, y), (float4)(clamp(sqrt(gx * gx + gy * gy), 0.0f, 1.0f)));
}

// case nv12_to_image
// (128, 64), None, I(256 * 128, 255, np.uint8), I(256 * 64, 255, np.uint8), target(256, 128), S(256)
kernel void nv12_to_image(global const uchar *luma, global const uchar *chroma, write_only image2d_t out, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float u = chroma[y * pitch + 2 * x] / 255.0f - 0.5f, v = chroma[y * pitch + 2 * x + 1] / 255.0f - 0.5f;
    for (int k = 0; k < 4; k++) {
        int px = 2 * x + (k & 1), py = 2 * y + (k >> 1);
        float l = luma[py * pitch + px] / 255.0f;
        write_imagef(out, (int2)(px, py), (float4)(l + 1.402f * v, l - 0.344f * u - 0.714f * v, l + 1.772f * u, 1));
    }
}

// case demosaic_mhc
// (254, 126), None, I(264 * 136, 1023, np.uint16), O(264 * 136 * 3, np.uint16), S(264)
kernel void demosaic_mhc(global const ushort *raw, global ushort *rgb, int pitch)
{
    int x = get_global_id(0) + 4, y = get_global_id(1) + 4;
    global const ushort *p = raw + y * pitch + x;
    int c = p[0], cross = p[-1] + p[1] + p[-pitch] + p[pitch], far = p[-2] + p[2] + p[-2 * pitch] + p[2 * pitch];
    int diag = p[-pitch - 1] + p[-pitch + 1] + p[pitch - 1] + p[pitch + 1];
    int h = p[-1] + p[1], v = p[-pitch] + p[pitch], h2 = p[-2] + p[2], v2 = p[-2 * pitch] + p[2 * pitch];
    int green = (4 * c + 2 * cross - far) / 8, other = (12 * c + 4 * diag - 3 * far) / 16;
    int along = (10 * c + 8 * h - 2 * diag - 2 * h2 + v2) / 16, across = (10 * c + 8 * v - 2 * diag - 2 * v2 + h2) / 16;
    int r, g, b;
    switch ((y & 1) << 1 | (x & 1)) {
    case 0: r = c, g = green, b = other; break;
    case 1: r = along, g = c, b = across; break;
    case 2: r = across, g = c, b = along; break;
    default: r = other, g = green, b = c; break;
    }
    vstore3(convert_ushort3_sat((int3)(r, g, b)), y * pitch + x, rgb);
}

// case motion_diamond
// (24, 16), None, I(512 * 320, 255, np.uint8), I(512 * 320, 255, np.uint8), O(24 * 16 * 4, np.int32), S(512)
int sad_of(global const uchar *a, global const uchar *b, int pitch)
{
    int s = 0;
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x += 4) {
            uchar4 d = abs_diff(vload4(0, a + y * pitch + x), vload4(0, b + y * pitch + x));
            s += d.x + d.y + d.z + d.w;
        }
    return s;
}
kernel void motion_diamond(global const uchar *cur, global const uchar *ref, global int4 *best, int pitch)
{
    int bx = get_global_id(0), by = get_global_id(1), x0 = bx * 16 + 64, y0 = by * 16 + 32;
    global const uchar *block = cur + y0 * pitch + x0;
    int mx = 0, my = 0, cost = sad_of(block, ref + y0 * pitch + x0, pitch), step = 4;
    while (step > 0) {
        int bestk = -1;
        for (int k = 0; k < 4; k++) {
            int dx = k == 0 ? step : k == 1 ? -step : 0, dy = k == 2 ? step : k == 3 ? -step : 0;
            if (abs(mx + dx) > 12 || abs(my + dy) > 12)
                continue;
            int c = sad_of(block, ref + (y0 + my + dy) * pitch + x0 + mx + dx, pitch);
            if (c < cost) {
                cost = c;
                bestk = k;
            }
        }
        if (bestk < 0)
            step /= 2;
        else {
            mx += bestk == 0 ? step : bestk == 1 ? -step : 0;
            my += bestk == 2 ? step : bestk == 3 ? -step : 0;
        }
    }
    best[by * 24 + bx] = (int4)(mx, my, cost, 0);
}

// case jpeg_fdct
// (256, 32), (32, 1), I(256 * 256, 255, np.uint8), I(64, 60, np.uint8), O(256 * 256, np.int16)
void fdct8(int *d, int s)
{
    int t0 = d[0] + d[7 * s], t7 = d[0] - d[7 * s], t1 = d[s] + d[6 * s], t6 = d[s] - d[6 * s];
    int t2 = d[2 * s] + d[5 * s], t5 = d[2 * s] - d[5 * s], t3 = d[3 * s] + d[4 * s], t4 = d[3 * s] - d[4 * s];
    int a = t0 + t3, b = t0 - t3, c = t1 + t2, e = t1 - t2;
    d[0] = a + c;
    d[4 * s] = a - c;
    int z = (e + b) * 181 >> 8;
    d[2 * s] = b + z;
    d[6 * s] = b - z;
    int p = t4 + t5, q = t5 + t6, r = t6 + t7, z5 = (p - r) * 98 >> 8;
    int z2 = (139 * p >> 8) + z5, z4 = (334 * r >> 8) + z5, z3 = q * 181 >> 8, z11 = t7 + z3, z13 = t7 - z3;
    d[5 * s] = z13 + z2;
    d[3 * s] = z13 - z2;
    d[s] = z11 + z4;
    d[7 * s] = z11 - z4;
}
kernel void jpeg_fdct(global const uchar *in, constant uchar *quant, global short *out)
{
    local int block[4 * 64];
    int l = get_local_id(0), b = l / 8, k = l % 8, x = get_group_id(0) * 32 + b * 8, y = get_group_id(1) * 8;
    for (int i = 0; i < 8; i++)
        block[b * 64 + i * 8 + k] = in[(y + i) * 256 + x + k] - 128;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v[8];
    for (int i = 0; i < 8; i++)
        v[i] = block[b * 64 + k * 8 + i];
    fdct8(v, 1);
    for (int i = 0; i < 8; i++)
        block[b * 64 + k * 8 + i] = v[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++)
        v[i] = block[b * 64 + i * 8 + k];
    fdct8(v, 1);
    for (int i = 0; i < 8; i++) {
        int q = quant[i * 8 + k] + 1;
        out[(y + i) * 256 + x + k] = (v[i] + (v[i] < 0 ? -q / 2 : q / 2)) / q;
    }
}

// case warp_affine_u8
// (256, 128), (32, 4), I(256 * 256, 255, np.uint8), O(256 * 128, np.uint8), V(0.9, 0.2, 3.5, -0.15, 0.95, 8)
typedef struct {
    float m[6];
} Affine;
kernel void warp_affine_u8(global const uchar *src, global uchar *dst, Affine t)
{
    int dx = get_global_id(0), dy = get_global_id(1);
    int x = rint((t.m[0] * dx + t.m[1] * dy + t.m[2]) * 32), y = rint((t.m[3] * dx + t.m[4] * dy + t.m[5]) * 32);
    int sx = convert_short_sat(x >> 5), sy = convert_short_sat(y >> 5), ax = x & 31, ay = y & 31;
    int v0 = sx >= 0 && sx < 256 && sy >= 0 && sy < 256 ? src[sy * 256 + sx] : 0;
    int v1 = sx + 1 >= 0 && sx + 1 < 256 && sy >= 0 && sy < 256 ? src[sy * 256 + sx + 1] : 0;
    int v2 = sx >= 0 && sx < 256 && sy + 1 >= 0 && sy + 1 < 256 ? src[(sy + 1) * 256 + sx] : 0;
    int v3 = sx + 1 >= 0 && sx + 1 < 256 && sy + 1 >= 0 && sy + 1 < 256 ? src[(sy + 1) * 256 + sx + 1] : 0;
    int v = v0 * (32 - ay) * (32 - ax) + v1 * (32 - ay) * ax + v2 * ay * (32 - ax) + v3 * ay * ax;
    dst[dy * 256 + dx] = (v + 512) >> 10;
}

// case fast9
// (240, 120), None, I(256 * 128, 255, np.uint8), O(256 * 128, np.uint8), S(256), S(20)
constant int ring_x[16] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1};
constant int ring_y[16] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
kernel void fast9(global const uchar *img, global uchar *corner, int pitch, int threshold)
{
    int x = get_global_id(0) + 4, y = get_global_id(1) + 4, c = img[y * pitch + x];
    uint bright = 0, dark = 0;
    for (int k = 0; k < 16; k++) {
        int v = img[(y + ring_y[k]) * pitch + x + ring_x[k]];
        bright |= (uint)(v > c + threshold) << k;
        dark |= (uint)(v < c - threshold) << k;
    }
    bright |= bright << 16;
    dark |= dark << 16;
    bool found = false;
    for (int k = 0; k < 16; k++)
        found |= ((bright >> k) & 0x1ff) == 0x1ff || ((dark >> k) & 0x1ff) == 0x1ff;
    corner[y * pitch + x] = found ? 255 : 0;
}

// case harris
// (240, 120), (16, 8), F(256 * 128), O(256 * 128), S(256)
kernel void harris(global const float *img, global float *response, int pitch)
{
    int x = get_global_id(0) + 4, y = get_global_id(1) + 4;
    float xx = 0, yy = 0, xy = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            global const float *p = img + (y + j) * pitch + x + i;
            float gx = p[1] - p[-1], gy = p[pitch] - p[-pitch];
            xx += gx * gx;
            yy += gy * gy;
            xy += gx * gy;
        }
    response[y * pitch + x] = xx * yy - xy * xy - 0.04f * (xx + yy) * (xx + yy);
}

// case lanczos_rows
// (200, 64), None, I(512 * 64 * 4, 255, np.uint8), O(200 * 64 * 4, np.uint8), S(2.56, np.float32)
float lanczos3(float x)
{
    if (x == 0)
        return 1;
    if (fabs(x) >= 3)
        return 0;
    return 3 * sinpi(x) * sinpi(x / 3) / (9.8696044f * x * x);
}
kernel void lanczos_rows(global const uchar4 *in, global uchar4 *out, float step)
{
    int x = get_global_id(0), y = get_global_id(1);
    float centre = (x + 0.5f) * step - 0.5f, weights = 0;
    int from = max((int)ceil(centre - 3 * step), 0), to = min((int)floor(centre + 3 * step), 511);
    float4 sum = 0;
    for (int i = from; i <= to; i++) {
        float w = lanczos3((i - centre) / step);
        sum += w * convert_float4(in[y * 512 + i]);
        weights += w;
    }
    out[y * 200 + x] = convert_uchar4_sat_rte(sum / weights);
}

// case join_build
// 1 << 14, 256, I(1 << 14, 1 << 29, np.uint32), O(1 << 16, np.uint32), O(1 << 16, np.uint32), S(65535, np.uint32), 'unordered'
kernel void join_build(global const uint *keys, global uint *table, global uint *rows, uint mask)
{
    uint i = get_global_id(0), key = keys[i] + 1, slot = (key * 2654435761u) >> 16 & mask;
    while (1) {
        uint old = atomic_cmpxchg(&table[slot], 0u, key);
        if (old == 0 || old == key)
            break;
        slot = (slot + 1) & mask;
    }
    rows[slot] = key;
}

// case join_probe
// 1 << 15, 256, I(1 << 15, 4096, np.uint32), I(8192, 4096, np.uint32), I(8192, 1 << 20), O(1 << 15, np.int32), O(1, np.int32)
kernel void join_probe(global const uint *keys, global const uint *table, global const int *payload, global int *out, global int *matches)
{
    uint i = get_global_id(0), key = keys[i], slot = (key * 0x9E3779B1u) >> 19;
    int found = -1;
    for (int step = 0; step < 16; step++) {
        uint k = table[slot];
        if (k == key) {
            found = payload[slot];
            break;
        }
        if ((k & 7) == 0)
            break;
        slot = (slot + 1) & 8191;
    }
    out[i] = found;
    if (found >= 0)
        atomic_inc(matches);
}

// case radix_split
// 1 << 15, 256, I(1 << 15, 1 << 30, np.uint32), O(128 * 4096, np.uint32), S(8, np.uint32), 'unordered'
kernel void radix_split(global const uint *in, global uint *out, uint shift)
{
    local uint next[16];
    uint l = get_local_id(0), g = get_group_id(0);
    if (l < 16)
        next[l] = (g * 16 + l) * 256;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint key = in[get_global_id(0)], digit = key >> shift & 15;
    out[atomic_inc(&next[digit])] = key;
}

// case bloom_build
// 1 << 14, 256, I(1 << 14, 1 << 30, np.uint32), O(8192, np.uint32)
kernel void bloom_build(global const uint *keys, global uint *filter)
{
    uint k = keys[get_global_id(0)];
    uint h = k * 0x85ebca6bu, g = (k ^ k >> 15) * 0xc2b2ae35u;
    for (int i = 0; i < 4; i++) {
        uint bit = (h + i * g) >> 14;
        atomic_or(&filter[bit >> 5], 1u << (bit & 31));
    }
}

// case group_sums
// 1 << 16, 256, I(1 << 16, 32), I(1 << 16, 1000), O(32, np.int32), O(32, np.int32), O(32, np.int32)
kernel void group_sums(global const int *group_of, global const int *value, global int *sum, global int *count, global int *most)
{
    local int s[32], c[32], m[32];
    int l = get_local_id(0), i = get_global_id(0);
    if (l < 32)
        s[l] = c[l] = m[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int k = group_of[i], v = value[i];
    atomic_add(&s[k], v);
    atomic_inc(&c[k]);
    atomic_max(&m[k], v);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32) {
        atomic_add(&sum[l], s[l]);
        atomic_add(&count[l], c[l]);
        atomic_max(&most[l], m[l]);
    }
}

// case like_match
// 8192, 64, I(8192 * 24, 3, np.uint8), I(8, 3, np.uint8), O(8192, np.uint8)
kernel void like_match(global const uchar *text, constant uchar *pattern, global uchar *hit)
{
    int i = get_global_id(0);
    global const uchar *t = text + i * 24;
    int n = 0, p = 0, star = -1, mark = 0;
    while (n < 24) {
        if (p < 6 && p == 2) {
            star = p++;
            mark = n;
        } else if (p < 6 && pattern[p] == t[n]) {
            n++;
            p++;
        } else if (star >= 0) {
            p = star + 1;
            n = ++mark;
        } else
            break;
    }
    hit[i] = n == 24 && p >= 6 ? 1 : 0;
}

// case tpch_q1
// 1 << 15, 128, I(1 << 15, 4, np.uint8), D(1 << 15), D(1 << 15), I(1 << 15, 2600), O(256 * 4, np.float64)
kernel void tpch_q1(global const uchar *flags, global const double *price, global const double *discount, global const int *date, global double *out)
{
    local double part[128];
    int l = get_local_id(0), i = get_global_id(0);
    for (int f = 0; f < 4; f++) {
        part[l] = flags[i] == f && date[i] <= 2400 ? price[i] * (1 - discount[i]) : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 64; s > 0; s >>= 1) {
            if (l < s)
                part[l] += part[l + s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0)
            out[get_group_id(0) * 4 + f] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case dict_decode
// 1 << 15, None, I(6400, 1 << 31, np.uint32), ascending(64), O(1 << 15)
kernel void dict_decode(global const uint *packed, global const float *dict, global float *out)
{
    uint i = get_global_id(0), bit = i * 6, word = bit >> 5, at = bit & 31;
    ulong two = packed[word] | (ulong)packed[word + 1] << 32;
    out[i] = dict[two >> at & 63];
}

// case string_order
// 4096, 64, I(4096 * 16, 4, np.uint8), I(4096, 4096), O(4096, np.int32)
kernel void string_order(global const uchar *text, global const int *other, global int *order)
{
    int i = get_global_id(0), r = 0;
    global const uchar *a = text + i * 16, *b = text + other[i] * 16;
    for (int k = 0; k < 16; k++) {
        if (a[k] != b[k]) {
            r = a[k] < b[k] ? -1 : 1;
            break;
        }
        if (a[k] == 0)
            break;
    }
    order[i] = r;
}

// case speck_ctr
// 1 << 14, 64, I(64, 1 << 31, np.uint32), I((1 << 14) * 4, 1 << 31, np.uint32), O((1 << 14) * 4, np.uint32)
kernel void speck_ctr(constant ulong *keys, global const ulong2 *in, global ulong2 *out)
{
    size_t i = get_global_id(0);
    ulong x = 0x6c61766975716520ul, y = i;
    for (int r = 0; r < 32; r++) {
        x = (rotate(x, 56ul) + y) ^ keys[r];
        y = rotate(y, 3ul) ^ x;
    }
    out[i] = (in[i] ^ (ulong2)(y, x)) & 0xffffffff0000fffful;
}

// case sm4
// 4096, 64, I(4096 * 4, 1 << 31, np.uint32), I(32, 1 << 31, np.uint32), I(256, 256, np.uint8), O(4096 * 4, np.uint32)
kernel void sm4(global const uint4 *in, constant uint *rk, constant uchar *sbox, global uint4 *out)
{
    int i = get_global_id(0);
    uint4 v = in[i];
    uint x[4] = {v.x, v.y, v.z, v.w};
    for (int r = 0; r < 32; r++) {
        uint t = x[1] ^ x[2] ^ x[3] ^ rk[r];
        t = sbox[t >> 24] << 24 | sbox[t >> 16 & 255] << 16 | sbox[t >> 8 & 255] << 8 | sbox[t & 255];
        t ^= rotate(t, 2u) ^ rotate(t, 10u) ^ rotate(t, 18u) ^ rotate(t, 24u);
        t ^= x[0];
        x[0] = x[1], x[1] = x[2], x[2] = x[3], x[3] = t;
    }
    out[i] = (uint4)(x[3], x[2], x[1], x[0]);
}

// case blake2s_vec
// 4096, 64, I(4096 * 16, 1 << 31, np.uint32), O(4096 * 8, np.uint32)
constant uchar sigma[160] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
    11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
    9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
    12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
    6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0};
#define M(k) m[sigma[r * 16 + (k)]]
#define G(p, q) \
    a += b + (p); d = rotate(d ^ a, (uint4)16); c += d; b = rotate(b ^ c, (uint4)20); \
    a += b + (q); d = rotate(d ^ a, (uint4)24); c += d; b = rotate(b ^ c, (uint4)25);
kernel void blake2s_vec(global const uint *in, global uint *out)
{
    int i = get_global_id(0);
    uint m[16];
    for (int k = 0; k < 16; k++)
        m[k] = in[i * 16 + k];
    uint4 h0 = (uint4)(0x6B08E647, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A), h1 = (uint4)(0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19);
    uint4 a = h0, b = h1, c = h0 ^ 0x0C000000, d = h1 ^ (uint4)(64, 0, 0xffffffff, 0);
    for (int r = 0; r < 10; r++) {
        G((uint4)(M(0), M(2), M(4), M(6)), (uint4)(M(1), M(3), M(5), M(7)))
        b = b.yzwx, c = c.zwxy, d = d.wxyz;
        G((uint4)(M(8), M(10), M(12), M(14)), (uint4)(M(9), M(11), M(13), M(15)))
        b = b.wxyz, c = c.zwxy, d = d.yzwx;
    }
    vstore4(h0 ^ a ^ c, 2 * i, out);
    vstore4(h1 ^ b ^ d, 2 * i + 1, out);
}

// case blamka
// 1024 * 32, 32, I(1024 * 256, 1 << 31, np.uint32), O(1024 * 256, np.uint32)
#define BLAMKA(x, y) ((x) + (y) + 2 * (ulong)(uint)(x) * (ulong)(uint)(y))
void mix(local ulong *v, int i0, int i1, int i2, int i3)
{
    ulong a = v[i0], b = v[i1], c = v[i2], d = v[i3];
    a = BLAMKA(a, b), d = rotate(d ^ a, 32ul), c = BLAMKA(c, d), b = rotate(b ^ c, 40ul);
    a = BLAMKA(a, b), d = rotate(d ^ a, 48ul), c = BLAMKA(c, d), b = rotate(b ^ c, 1ul);
    v[i0] = a, v[i1] = b, v[i2] = c, v[i3] = d;
}
kernel void blamka(global const ulong *in, global ulong *out)
{
    local ulong v[128];
    int l = get_local_id(0), g = get_group_id(0), row = l / 4, k = l % 4;
    for (int i = 0; i < 4; i++)
        v[i * 32 + l] = in[g * 128 + i * 32 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    mix(v, row * 16 + k, row * 16 + 4 + k, row * 16 + 8 + k, row * 16 + 12 + k);
    barrier(CLK_LOCAL_MEM_FENCE);
    mix(v, row * 16 + k, row * 16 + 4 + (k + 1) % 4, row * 16 + 8 + (k + 2) % 4, row * 16 + 12 + (k + 3) % 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    mix(v, row * 2 + (k & 1) + 16 * (k >> 1), row * 2 + (k & 1) + 32 + 16 * (k >> 1), row * 2 + (k & 1) + 64 + 16 * (k >> 1),
        row * 2 + (k & 1) + 96 + 16 * (k >> 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++)
        out[g * 128 + i * 32 + l] = (v[i * 32 + l] ^ in[g * 128 + i * 32 + l]) & 0xffffffff00fffffful;
}

// case xxh32_rows
// 4096, 64, I(4096 * 32, 1 << 31, np.uint32), O(4096, np.uint32)
kernel void xxh32_rows(global const uint *data, global uint *hash)
{
    size_t i = get_global_id(0);
    global const uint4 *p = (global const uint4 *)(data + i * 32);
    uint4 v = (uint4)(606290984u, 2246822519u, 0u, 1640531535u);
    for (int k = 0; k < 8; k++)
        v = rotate(v + p[k] * 2246822519u, (uint4)13) * 2654435761u;
    uint h = rotate(v.x, 1u) + rotate(v.y, 7u) + rotate(v.z, 12u) + rotate(v.w, 18u) + 128;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    hash[i] = h ^ h >> 16;
}

// case lzss_find
// 4096, 128, I(4096 + 256, 3, np.uint8), O(4096 * 2, np.uint8)
kernel void lzss_find(global const uchar *in, global uchar *out)
{
    local uchar window[128 + 128 + 16];
    int l = get_local_id(0), g = get_group_id(0) * 128;
    for (int i = l; i < 272; i += 128)
        window[i] = in[g + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int best = 0, where = 0;
    for (int start = l; start < 128 + l; start++) {
        int n = 0;
        while (n < 16 && window[start + n] == window[128 + l + n])
            n++;
        if (n > best) {
            best = n;
            where = 128 + l - start;
        }
        if (best == 16)
            break;
    }
    out[(g + l) * 2] = best;
    out[(g + l) * 2 + 1] = where;
}

// case delta_decode_wg
// 128 * 256, 256, I(128 * 256, 255, np.int8), I(128, 1 << 20), O(128 * 256, np.int32), '-cl-std=CL2.0'
kernel void delta_decode_wg(global const char *deltas, global const int *bases, global int *out)
{
    int i = get_global_id(0);
    int sum = work_group_scan_inclusive_add((int)deltas[i]);
    out[i] = bases[get_group_id(0)] + sum;
}

// case rle_flags
// 1 << 15, 256, I(1 << 15, 2, np.uint8), O(1 << 15, np.int32), O(128, np.int32)
kernel void rle_flags(global const uchar *in, global int *starts, global int *counts)
{
    local int scan[2][256];
    int l = get_local_id(0), i = get_global_id(0), cur = 0;
    int head = l == 0 || in[i] != in[i - 1];
    scan[0][l] = head;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d <<= 1) {
        scan[1 - cur][l] = l >= d ? scan[cur][l] + scan[cur][l - d] : scan[cur][l];
        cur = 1 - cur;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (head)
        starts[get_group_id(0) * 256 + scan[cur][l] - 1] = l;
    if (l == 255)
        counts[get_group_id(0)] = scan[cur][255];
}

// case sssp_delta
// 4096, 128, row_starts(4096, 12), I(4096 * 12, 4096), I(4096 * 12, 50), I(4096, 500), I(4096, 400), S(200)
kernel void sssp_delta(global const int *rows, global const int *to, global const int *weights, global const int *dist,
                       global int *next, int limit)
{
    int v = get_global_id(0), d = dist[v];
    if (d >= limit)
        return;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int n = d + weights[e];
        if (n < next[to[e]])
            atomic_min(&next[to[e]], n);
    }
}

// case pr_push
// 2048, 64, row_starts(2048, 12), I(2048 * 12, 2048), F(2048), O(2048, np.uint32)
kernel void pr_push(global const int *rows, global const int *to, global const float *rank, global uint *next)
{
    int v = get_global_id(0), from = rows[v], end = rows[v + 1];
    if (from == end)
        return;
    uint share = (uint)(rank[v] * 65536 / (end - from));
    for (int e = from; e < end; e++)
        atomic_add(next + to[e], share);
}

// case cc_shortcut
// 1 << 14, 128, near(1 << 14, -1), O(1 << 14, np.int32), S(24)
kernel void cc_shortcut(global const int *parent, global int *out, int most)
{
    int v = get_global_id(0), p = parent[v], steps = 0;
    while (p != parent[p] && steps < most) {
        p = parent[p];
        steps++;
    }
    out[v] = p;
}

// case kcore_peel
// 8192, 128, row_starts(8192, 8), I(8192 * 8, 8192), I(8192, 8), O(8192, np.int32), O(1, np.int32), S(3)
kernel void kcore_peel(global const int *rows, global const int *to, global const int *degree, global int *lost, global int *removed, int k)
{
    int v = get_global_id(0);
    if (degree[v] > k)
        return;
    atomic_inc(removed);
    for (int e = rows[v]; e < rows[v + 1]; e++)
        if (degree[to[e]] > k)
            atomic_inc(&lost[to[e]]);
}

// case label_mode
// 4096, 64, even_starts(4096, 4096 * 8), I(4096 * 8, 4096), I(4096, 6), O(4096, np.int32)
kernel void label_mode(global const int *rows, global const int *to, global const int *label, global int *out)
{
    int v = get_global_id(0), from = rows[v], end = rows[v + 1], best = label[v], most = 0;
    for (int e = from; e < end; e++) {
        int l = label[to[e]], count = 0;
        for (int f = from; f < end; f++)
            count += label[to[f]] == l;
        if (count > most || (count == most && l < best)) {
            most = count;
            best = l;
        }
    }
    out[v] = best;
}

// case mis_luby
// 8192, None, row_starts(8192, 8), I(8192 * 8, 8192), I(8192, 1 << 30), I(8192, 3), O(8192, np.int32)
kernel void mis_luby(global const int *rows, global const int *to, global const int *priority, global const int *state, global int *out)
{
    int v = get_global_id(0);
    int s = state[v];
    if (s == 0) {
        s = 1;
        for (int e = rows[v]; e < rows[v + 1]; e++) {
            int u = to[e];
            if (u == v)
                continue;
            if (state[u] == 1) {
                s = 2;
                break;
            }
            if (state[u] == 0 && (priority[u] > priority[v] || (priority[u] == priority[v] && u > v))) {
                s = 0;
                break;
            }
        }
    }
    out[v] = s;
}

// case lsd_scatter
// 128 * 128, 128, I(128 * 512, 1 << 30, np.uint32), O(128 * 512, np.uint32), S(4, np.uint32)
kernel void lsd_scatter(global const uint *in, global uint *out, uint shift)
{
    local uint counts[16][128], totals[16];
    uint l = get_local_id(0), g = get_group_id(0), keys[4];
    for (int d = 0; d < 16; d++)
        counts[d][l] = 0;
    for (int k = 0; k < 4; k++) {
        keys[k] = in[g * 512 + l * 4 + k];
        counts[keys[k] >> shift & 15][l]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) {
        uint sum = 0;
        for (int t = 0; t < 128; t++) {
            uint c = counts[l][t];
            counts[l][t] = sum;
            sum += c;
        }
        totals[l] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        uint sum = 0;
        for (int d = 0; d < 16; d++) {
            uint c = totals[d];
            totals[d] = sum;
            sum += c;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) {
        uint d = keys[k] >> shift & 15;
        out[g * 512 + totals[d] + counts[d][l]++] = keys[k];
    }
}

// case oddeven_merge
// 1 << 15, 128, I(1 << 16, 1 << 30), O(1 << 16, np.int32), S(64), S(16)
kernel void oddeven_merge(global const int *in, global int *out, int size, int stride)
{
    int t = get_global_id(0), pos = 2 * t - (t & (stride - 1)), offset = t & (size / 2 - 1);
    if (offset < stride)
        pos = pos < 32 ? pos : pos - 32;
    int a = in[pos], b = in[pos + stride];
    out[2 * t] = min(a, b);
    out[2 * t + 1] = max(a, b);
}

// case bitonic_pairs
// 64 * 128, 128, F(64 * 256 * 2), O(64 * 256 * 2)
kernel void bitonic_pairs(global const float2 *in, global float2 *out)
{
    local float2 s[256];
    uint l = get_local_id(0), g = get_group_id(0) * 256;
    s[l] = in[g + l];
    s[l + 128] = in[g + l + 128];
    for (uint size = 2; size <= 256; size <<= 1) {
        uint dir = (l & (size / 2)) != 0;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint pos = 2 * l - (l & (stride - 1));
            if ((s[pos].x > s[pos + stride].x) != dir) {
                float2 t = s[pos];
                s[pos] = s[pos + stride];
                s[pos + stride] = t;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g + l] = s[l];
    out[g + l + 128] = s[l + 128];
}

// case merge_ranks
// 1 << 14, 128, ascending(1 << 14), O(1 << 15), S(64)
kernel void merge_ranks(global const float *in, global float *out, int n)
{
    int i = get_global_id(0), block = i / n, other = (block ^ 1) * n, lo = 0, hi = n;
    float v = in[i];
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        bool less = (block & 1) ? in[other + mid] <= v : in[other + mid] < v;
        if (less)
            lo = mid + 1;
        else
            hi = mid;
    }
    out[(block & ~1) * n + i % n + lo] = v;
}

// case segmented_sort
// 1024, 64, I(1024 * 24, 1 << 20), O(1024 * 24, np.int32)
kernel void segmented_sort(global const int *in, global int *out)
{
    int s = get_global_id(0), v[24];
    for (int k = 0; k < 24; k++)
        v[k] = in[s * 24 + k];
    for (int gap = 12; gap > 0; gap /= 2)
        for (int i = gap; i < 24; i++) {
            int t = v[i], j = i;
            for (; j >= gap && v[j - gap] > t; j -= gap)
                v[j] = v[j - gap];
            v[j] = t;
        }
    for (int k = 0; k < 24; k++)
        out[s * 24 + k] = v[k];
}

// case work_queue
// 512, 64, I(4096, 64), O(4096, np.int32), O(1, np.int32)
kernel void work_queue(global const int *work, global int *done, global int *next)
{
    while (1) {
        int task = atomic_inc(next);
        if (task >= 4096)
            return;
        uint x = task + 1;
        for (int k = 0; k < work[task]; k++)
            x = x * 1664525u + 1013904223u;
        done[task] = x >> 8;
    }
}

// case tile_queue
// 8 * 256, 256, F(256 * 256), O(256), O(1, np.int32)
kernel void tile_queue(global const float *in, global float *out, global int *next)
{
    local int tile;
    local float part[256];
    int l = get_local_id(0);
    while (1) {
        if (l == 0)
            tile = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        int t = tile;
        if (t >= 256)
            break;
        part[l] = in[t * 256 + l] * in[t * 256 + l];
        for (int s = 128; s > 0; s >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l < s)
                part[l] += part[l + s];
        }
        if (l == 0)
            out[t] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case stride_float4
// 4096, 64, F(1 << 18), O(1 << 18), S(1 << 16), S(1.5, np.float32)
kernel void stride_float4(global const float4 *x, global float4 *y, int n, float a)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        float4 v = x[i];
        y[i] = select(a * v, -v, isgreater(v, (float4)0.5f));
    }
}

// case odd_box3d
// (30, 21, 10), None, F(32 * 23 * 12), O(30 * 21 * 10)
kernel void odd_box3d(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float s = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                s += in[((z + k) * 23 + y + j) * 32 + x + i];
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] = s / 27;
}

// case lines_async
// 64 * 64, 64, F(64 * 512), O(64 * 512)
kernel void lines_async(global const float *in, global float *out)
{
    local float row[512];
    int l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_copy(row, in + g * 512, 512, 0);
    wait_group_events(1, &e);
    float v[8];
    for (int k = 0; k < 8; k++) {
        int i = k * 64 + l;
        v[k] = 0.5f * row[i] + 0.25f * (row[(i + 1) & 511] + row[(i + 511) & 511]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        row[k * 64 + l] = v[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + g * 512, row, 512, 0);
    wait_group_events(1, &e);
}

// case double3_verlet
// 1 << 13, 64, D(3 << 13), D(3 << 13), D(3 << 13), O(3 << 13, np.float64)
kernel void double3_verlet(global const double *pos, global const double *vel, global const double *force, global double *next)
{
    size_t i = get_global_id(0);
    double3 p = vload3(i, pos), v = vload3(i, vel), f = vload3(i, force);
    v += 0.5 * 0.001 * f;
    p += 0.001 * v;
    p -= floor(p);
    vstore3(p, i, next);
}

// case half_mix
// 1 << 14, None, H(1 << 16), H(1 << 16), O(1 << 16, np.float16), S(0.3, np.float32)
kernel void half_mix(global const half *a, global const half *b, global half *c, float t)
{
    size_t i = get_global_id(0);
    float4 x = vload_half4(i, a), y = vload_half4(i, b);
    vstore_half4_rte(mix(x, y, t), i, c);
}

// case short4_filter
// (128, 128), (16, 8), I(132 * 128 * 4, 1000, np.int16), O(128 * 128 * 4, np.int16)
kernel void short4_filter(global const short4 *in, global short4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const short4 *p = in + y * 132 + x;
    int4 s = convert_int4(p[0]) - 5 * convert_int4(p[1]) + 20 * convert_int4(p[2]) + 20 * convert_int4(p[3]) - 5 * convert_int4(p[4]);
    out[y * 128 + x] = convert_short4_sat((s + 16) >> 5);
}

// case char16_lookup
// 1 << 13, 64, I(1 << 17, 16, np.uint8), I(16, 255, np.uint8), O(1 << 17, np.uint8)
kernel void char16_lookup(global const uchar16 *in, constant uchar16 *table, global uchar16 *out)
{
    int i = get_global_id(0);
    uchar16 t = *table, v = in[i];
    out[i] = shuffle(t, v) ^ rotate(v, (uchar16)3);
}

// case sg_prefix_rows
// 256 * 64, 64, F(256 * 256), O(256 * 256), '-cl-std=CL2.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_prefix_rows(global const float *in, global float *out)
{
    int row = get_group_id(0), sg = get_sub_group_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();
    local float sums[64];
    float base = 0;
    for (int k = 0; k < 256; k += 64) {
        float v = in[row * 256 + k + sg * size + lane];
        float s = sub_group_scan_inclusive_add(v);
        if (lane == size - 1)
            sums[sg] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
        float before = base;
        for (int j = 0; j < get_num_sub_groups(); j++) {
            if (j < sg)
                before += sums[j];
            base += sums[j];
        }
        out[row * 256 + k + sg * size + lane] = before + s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case wg_broadcast_norm
// 256 * 128, 128, F(256 * 128), O(256 * 128), '-cl-std=CL2.0'
kernel void wg_broadcast_norm(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float v = in[i];
    float mean = work_group_reduce_add(v) / get_local_size(0);
    float var = work_group_reduce_add((v - mean) * (v - mean)) / get_local_size(0);
    float pivot = work_group_broadcast(v, 17);
    out[i] = (v - mean) * rsqrt(var + 1e-5f) + 0.1f * pivot;
}
