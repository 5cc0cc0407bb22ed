// usages.cl -- kinds of kernels: codecs, storage, columns of tables, sound, maps, particles, training.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case rans_four
// 1 << 9, 64, I(256, 16, np.uint8), I(16 * 2, 256, np.uint16), I(160 << 9, 256, np.uint8), O(128 << 9, np.uint8)
kernel void rans_four(constant uchar *slot, constant ushort *freq, global const uchar *packed, global uchar *plain)
{
    int g = get_global_id(0), at = 16;
    global const uchar *p = packed + g * 160;
    uint x[4];
    for (int k = 0; k < 4; k++)
        x[k] = as_uint(vload4(k, p)) | 0x800000;
    for (int i = 0; i < 128; i += 4) {
        for (int k = 0; k < 4; k++) {
            uchar s = slot[x[k] & 255];
            plain[g * 128 + i + k] = s;
            x[k] = (freq[s] & 127) * (x[k] >> 8) + (x[k] & 255) - (freq[s + 16] & 63);
            while (x[k] < 0x800000 && at < 160)
                x[k] = x[k] << 8 | p[at++];
        }
    }
}

// case simple8b
// 1 << 10, 64, I(16 << 10, 1 << 62, np.uint64), O(256 << 10, np.uint32), O(1 << 10, np.int32)
kernel void simple8b(global const ulong *words, global uint *out, global int *counts)
{
    int g = get_global_id(0), n = 0;
    for (int w = 0; w < 16; w++) {
        ulong x = words[g * 16 + w];
        int bits, count;
        switch (x >> 58 & 7) {
        case 0: bits = 4; count = 15; break;
        case 1: bits = 5; count = 12; break;
        case 2: bits = 6; count = 10; break;
        case 3: bits = 7; count = 8; break;
        case 4: bits = 10; count = 6; break;
        case 5: bits = 15; count = 4; break;
        case 6: bits = 20; count = 3; break;
        default: bits = 30; count = 2; break;
        }
        for (int i = 0; i < count && n < 256; i++, x >>= bits)
            out[g * 256 + n++] = (uint)(x & ((1ul << bits) - 1));
    }
    counts[g] = n;
}

// case stream_vbyte
// 1 << 10, 64, I(16 << 10, 256, np.uint8), I(256 << 10, 256, np.uint8), O(64 << 10, np.uint32)
kernel void stream_vbyte(global const uchar *control, global const uchar *data, global uint *out)
{
    int g = get_global_id(0), at = g * 256;
    uint before = 0;
    for (int i = 0; i < 64; i++) {
        int len = (control[g * 16 + i / 4] >> i % 4 * 2 & 3) + 1;
        uint v = data[at];
        if (len > 1)
            v |= (uint)data[at + 1] << 8;
        if (len > 2)
            v |= (uint)data[at + 2] << 16;
        if (len > 3)
            v |= (uint)data[at + 3] << 24;
        at += len;
        before += v;
        out[g * 64 + i] = before;
    }
}

// case bloom_block512
// 1 << 15, 128, I(1 << 15, 1 << 62, np.uint64), I(16 << 8, 1 << 31, np.uint32), O(1 << 15, np.uint8)
kernel void bloom_block512(global const ulong *keys, global const uint *filter, global uchar *hit)
{
    int g = get_global_id(0);
    ulong h = keys[g] * 0x9e3779b97f4a7c15ul;
    global const uint *block = filter + (h >> 56) * 16;
    uint a = (uint)h, b = (uint)(h >> 20) | 1;
    uchar found = 1;
    for (int k = 0; k < 6; k++) {
        uint bit = a & 511;
        if (!(block[bit >> 5] >> (bit & 31) & 1)) {
            found = 0;
            break;
        }
        a += b;
        b += k;
    }
    hit[g] = found;
}

// case zone_scan
// 1 << 9, 32, I(256 << 9, 1 << 16, np.uint16), I(1 << 9, 1 << 15, np.uint16), I(1 << 9, 1 << 15, np.uint16), O(1 << 9, np.int64), S(20000), S(30000)
kernel void zone_scan(global const ushort *column, global const ushort *least, global const ushort *most,
                      global long *sums, int low, int high)
{
    int zone = get_global_id(0);
    if (least[zone] > high || most[zone] + 12000 < low) {
        sums[zone] = 0;
        return;
    }
    long sum = 0;
    for (int i = 0; i < 256; i++) {
        int v = column[zone * 256 + i];
        if (v >= low && v < high)
            sum += v;
    }
    sums[zone] = sum;
}

// case local_group_by
// 1 << 14, 256, I(1 << 14, 50, np.uint32), F(1 << 14), O(64 * 64, np.int32), O(64 * 64, np.int32)
kernel void local_group_by(global const uint *keys, global const float *values, global int *counts, global int *sums)
{
    local uint slots[64];
    local int count[64], sum[64];
    int l = get_local_id(0), g = get_global_id(0), group = get_group_id(0);
    if (l < 64) {
        slots[l] = ~0u;
        count[l] = sum[l] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint key = keys[g], at = key * 2654435761u >> 26;
    for (;;) {
        uint old = atomic_cmpxchg((volatile local uint *)&slots[at], ~0u, key);
        if (old == ~0u || old == key)
            break;
        at = (at + 1) & 63;
    }
    atomic_inc(&count[at]);
    atomic_add(&sum[at], (int)(values[g] * 1000));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64 && slots[l] != ~0u) {
        counts[group * 64 + slots[l]] = count[l];
        sums[group * 64 + slots[l]] = sum[l];
    }
}

// case q3_k_rows
// 256, 64, I(256 * 64, 256, np.uint8), I(256 * 32, 256, np.uint8), I(256 * 16, 64, np.int8), F(256), O(256)
kernel void q3_k_rows(global const uchar *low, global const uchar *high, global const char *scales,
                      global const float *y, global float *out)
{
    int row = get_global_id(0);
    global const uchar *q = low + row * 64, *h = high + row * 32;
    float sum = 0;
    for (int half_ = 0; half_ < 2; half_++)
        for (int j = 0; j < 4; j++) {
            int s0 = scales[row * 16 + half_ * 8 + j * 2] - 32, s1 = scales[row * 16 + half_ * 8 + j * 2 + 1] - 32;
            for (int l = 0; l < 16; l++) {
                int a = (q[half_ * 32 + l] >> (2 * j) & 3) - (h[l] >> (half_ * 4 + j) & 1 ? 0 : 4);
                int b = (q[half_ * 32 + l + 16] >> (2 * j) & 3) - (h[l + 16] >> (half_ * 4 + j) & 1 ? 0 : 4);
                sum += s0 * a * y[half_ * 128 + j * 32 + l] + s1 * b * y[half_ * 128 + j * 32 + l + 16];
            }
        }
    out[row] = sum;
}

// case mxfp4_rows
// (64, 64), (64, 1), I(64 * 8 * 17, 128, np.uint8), F(256), O(64)
kernel void mxfp4_rows(global const uchar *blocks, global const float *x, global float *out)
{
    constant float values[16] = {0, .5f, 1, 1.5f, 2, 3, 4, 6, -0.f, -.5f, -1, -1.5f, -2, -3, -4, -6};
    local float part[64];
    int l = get_local_id(0), row = get_group_id(1), block = l / 8, chunk = l % 8;
    global const uchar *b = blocks + (row * 8 + block) * 17;
    float scale = as_float((uint)((b[0] & 15) + 120) << 23), sum = 0;
    for (int i = 0; i < 2; i++) {
        uchar q = b[1 + chunk * 2 + i];
        sum += values[q & 15] * x[block * 32 + chunk * 2 + i] + values[q >> 4] * x[block * 32 + chunk * 2 + i + 16];
    }
    part[l] = sum * scale;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[row] = part[0];
}

// case decode_heads_48
// (48, 32), (48, 1), F(48 * 32), H(48 * 96 * 8), H(48 * 96 * 8), O(48 * 32), S(96)
kernel void decode_heads_48(global const float *q, global const half *k, global const half *v, global float *out, int n)
{
    local float score[96], best[48];
    int l = get_local_id(0), head = get_global_id(1), kv = head / 4;
    float most = -INFINITY;
    for (int t = l; t < n; t += 48) {
        float s = 0;
        for (int d = 0; d < 48; d++)
            s += q[head * 48 + d] * vload_half((kv * n + t) * 48 + d, k);
        score[t] = s * 0.144f;
        most = fmax(most, score[t]);
    }
    best[l] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    most = best[0];
    for (int i = 1; i < 48; i++)
        most = fmax(most, best[i]);
    float total = 0, acc = 0;
    for (int t = 0; t < n; t++) {
        float w = native_exp(score[t] - most);
        total += w;
        acc += w * vload_half((kv * n + t) * 48 + l, v);
    }
    out[head * 48 + l] = acc / total;
}

// case adamw_mixed
// 1 << 15, None, F(1 << 15), H(1 << 15), F(1 << 15), F(1 << 15), H(1 << 15), V(0.001, 0.9, 0.999, 1e-8, 0.01, 0.1, 0.001, 0.5)
typedef struct { float lr, beta1, beta2, eps, decay, fix1, fix2, scale; } Adam;
kernel void adamw_mixed(global float *restrict master, global half *restrict weights, global float *restrict m,
                        global float *restrict v, global const half *restrict grad, Adam a)
{
    int i = get_global_id(0);
    float g = vload_half(i, grad) * a.scale;
    if (!isfinite(g))
        return;
    m[i] = a.beta1 * m[i] + (1 - a.beta1) * g;
    v[i] = a.beta2 * v[i] + (1 - a.beta2) * g * g;
    float w = master[i] * (1 - a.lr * a.decay) - a.lr * (m[i] / a.fix1) / (sqrt(v[i] / a.fix2) + a.eps);
    master[i] = w;
    vstore_half(w, i, weights);
}

// case layernorm_grad
// (64, 64), (64, 1), F(192 * 64), F(192 * 64), F(192), O(192 * 64), S(192)
kernel void layernorm_grad(global const float *x, global const float *dy, global const float *gamma,
                           global float *dx, int n)
{
    local float a[64], b[64], c[64], d[64];
    int l = get_local_id(0), row = get_group_id(1) * n;
    float s = 0, ss = 0, sg = 0, sgx = 0;
    for (int i = l; i < n; i += 64) {
        float v = x[row + i], g = dy[row + i] * gamma[i];
        s += v;
        ss += v * v;
        sg += g;
        sgx += g * v;
    }
    a[l] = s; b[l] = ss; c[l] = sg; d[l] = sgx;
    for (int step = 32; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) {
            a[l] += a[l + step]; b[l] += b[l + step]; c[l] += c[l + step]; d[l] += d[l + step];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float mean = a[0] / n, inv = rsqrt(b[0] / n - mean * mean + 1e-5f);
    float m1 = c[0] / n, m2 = (d[0] - mean * c[0]) * inv / n;
    for (int i = l; i < n; i += 64)
        dx[row + i] = inv * (dy[row + i] * gamma[i] - m1 - (x[row + i] - mean) * inv * m2);
}

// case sell_double
// 1 << 12, 32, even_starts(128, 128 * 32 * 9), I(128 * 32 * 9, 4096), D(128 * 32 * 9), D(4096), O(4096, np.float64)
kernel void sell_double(global const int *start, global const int *col, global const double *value,
                        global const double *x, global double *y)
{
    int slice = get_group_id(0), l = get_local_id(0);
    double sum = 0;
    for (int k = start[slice] + l; k < start[slice + 1]; k += 32)
        sum = fma(value[k], x[col[k]], sum);
    y[get_global_id(0)] = sum;
}

// case sph_cells27
// 1 << 11, 64, F(3 << 11), even_starts(512, 1 << 11), O(1 << 11)
kernel void sph_cells27(global const float *pos, global const int *start, global float *density)
{
    int i = get_global_id(0);
    float3 p = vload3(i, pos);
    int3 cell = convert_int3(p * 8);
    float rho = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int3 c = cell + (int3)(dx, dy, dz);
                if (any(c < 0) || any(c > 7))
                    continue;
                int at = (c.z * 8 + c.y) * 8 + c.x;
                for (int j = start[at]; j < start[at + 1]; j++) {
                    float3 d = p - vload3(j, pos);
                    float r2 = dot(d, d);
                    if (r2 < 0.25f) {
                        float w = 0.25f - r2;
                        rho += w * w * w;
                    }
                }
            }
    density[i] = rho;
}

// case halo7x9_double
// (126, 126), (7, 9), D(128 * 128), O(128 * 128, np.float64)
kernel void halo7x9_double(global const double *in, global double *out)
{
    local double tile[11][9];
    int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * 7, y0 = get_group_id(1) * 9;
    for (int k = ly * 7 + lx; k < 99; k += 63)
        tile[k / 9][k % 9] = in[(y0 + k / 9) * 128 + x0 + k % 9];
    barrier(CLK_LOCAL_MEM_FENCE);
    double s = 4 * tile[ly + 1][lx + 1] - tile[ly][lx + 1] - tile[ly + 2][lx + 1] - tile[ly + 1][lx] - tile[ly + 1][lx + 2];
    out[(y0 + ly + 1) * 128 + x0 + lx + 1] = s;
}

// case scan48_short
// 48 * 200, 48, I(48 * 200, 100, np.int16), O(48 * 200, np.int16)
kernel void scan48_short(global const short *in, global short *out)
{
    local short a[48], b[48];
    int l = get_local_id(0);
    a[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    local short *from = a, *to = b;
    for (int d = 1; d < 48; d <<= 1) {
        to[l] = l >= d ? from[l] + from[l - d] : from[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        local short *t = from;
        from = to;
        to = t;
    }
    out[get_global_id(0)] = from[l];
}

// case reduce96
// 96 * 128, 96, F(96 * 128 * 4), O(128)
kernel void reduce96(global const float4 *in, global float *out)
{
    local float part[96];
    int l = get_local_id(0);
    float4 v = in[get_global_id(0)];
    part[l] = v.x + v.y + v.z + v.w;
    for (int n = 96; n > 1;) {
        int rest = (n + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l + rest < n)
            part[l] += part[l + rest];
        n = rest;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

// case mont256_ulong
// 1 << 11, 64, I(4 << 11, 1 << 62, np.uint64), I(4 << 11, 1 << 62, np.uint64), O(4 << 11, np.uint64)
kernel void mont256_ulong(global const ulong4 *a, global const ulong4 *b, global ulong4 *out)
{
    const ulong n[4] = {0xffffffffffffffc5ul, 0xfffffffffffffffful, 0xfffffffffffffffful, 0x7ffffffffffffffful};
    int g = get_global_id(0);
    ulong x[4], y[4], t[6] = {0};
    vstore4(a[g], 0, x);
    vstore4(b[g], 0, y);
    for (int i = 0; i < 4; i++) {
        ulong carry = 0;
        for (int j = 0; j < 4; j++) {
            ulong lo = x[j] * y[i], hi = mul_hi(x[j], y[i]);
            ulong s = t[j] + lo;
            hi += s < lo;
            t[j] = s + carry;
            carry = hi + (t[j] < s);
        }
        t[4] += carry;
        t[5] = t[4] < carry;
        ulong m = t[0] * 0xcbeea4e1a08ad8f3ul;
        carry = 0;
        for (int j = 0; j < 4; j++) {
            ulong lo = n[j] * m, hi = mul_hi(n[j], m);
            ulong s = t[j] + lo;
            hi += s < lo;
            ulong r = s + carry;
            carry = hi + (r < s);
            if (j)
                t[j - 1] = r;
        }
        t[3] = t[4] + carry;
        t[4] = t[5] + (t[3] < carry);
    }
    out[g] = vload4(0, t);
}

// case ascon_rows
// 1 << 11, 64, I(5 << 11, 1 << 62, np.uint64), O(5 << 11, np.uint64)
kernel void ascon_rows(global const ulong *in, global ulong *out)
{
    int g = get_global_id(0) * 5;
    ulong a = in[g], b = in[g + 1], c = in[g + 2], d = in[g + 3], e = in[g + 4];
    for (ulong r = 0xf0; r >= 0x4b; r -= 0x0f) {
        c ^= r;
        a ^= e; e ^= d; c ^= b;
        ulong ta = ~a & b, tb = ~b & c, tc = ~c & d, td = ~d & e, te = ~e & a;
        a ^= tb; b ^= tc; c ^= td; d ^= te; e ^= ta;
        b ^= a; a ^= e; d ^= c; c = ~c;
        a ^= rotate(a, 45ul) ^ rotate(a, 36ul);
        b ^= rotate(b, 3ul) ^ rotate(b, 25ul);
        c ^= rotate(c, 63ul) ^ rotate(c, 58ul);
        d ^= rotate(d, 54ul) ^ rotate(d, 47ul);
        e ^= rotate(e, 57ul) ^ rotate(e, 23ul);
    }
    out[g] = a; out[g + 1] = b; out[g + 2] = c; out[g + 3] = d; out[g + 4] = e;
}

// case sm3_block
// 1 << 10, 64, I(16 << 10, 1 << 31, np.uint32), O(8 << 10, np.uint32)
kernel void sm3_block(global const uint *in, global uint *out)
{
    int g = get_global_id(0);
    uint w[68], a = 0x7380166f, b = 0x4914b2b9, c = 0x172442d7, d = 0xda8a0600;
    uint e = 0xa96f30bc, f = 0x163138aa, h = 0xe38dee4d, i = 0xb0fb0e4e;
    for (int j = 0; j < 16; j++)
        w[j] = in[g * 16 + j];
    for (int j = 16; j < 68; j++) {
        uint x = w[j - 16] ^ w[j - 9] ^ rotate(w[j - 3], 15u);
        w[j] = x ^ rotate(x, 15u) ^ rotate(x, 23u) ^ rotate(w[j - 13], 7u) ^ w[j - 6];
    }
    for (int j = 0; j < 64; j++) {
        uint t = j < 16 ? 0x79cc4519u : 0x7a879d8au;
        uint s1 = rotate(rotate(a, 12u) + e + rotate(t, (uint)j % 32), 7u), s2 = s1 ^ rotate(a, 12u);
        uint ff = j < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c), gg = j < 16 ? e ^ f ^ h : (e & f) | (~e & h);
        uint t1 = ff + d + s2 + (w[j] ^ w[j + 4]), t2 = gg + i + s1 + w[j];
        d = c; c = rotate(b, 9u); b = a; a = t1;
        i = h; h = rotate(f, 19u); f = e; e = t2 ^ rotate(t2, 9u) ^ rotate(t2, 17u);
    }
    vstore8((uint8)(a, b, c, d, e, f, h, i), g, out);
}

// case gost_sboxes
// 1 << 12, 64, I(8 * 16, 16, np.uint8), I(8, 1 << 31, np.uint32), I(2 << 12, 1 << 31, np.uint32), O(2 << 12, np.uint32)
kernel void gost_sboxes(constant uchar *s, constant uint *key, global const uint2 *in, global uint2 *out)
{
    uint2 v = in[get_global_id(0)];
    uint left = v.x, right = v.y;
    for (int r = 0; r < 32; r++) {
        uint t = right + key[r < 24 ? r & 7 : 7 - (r & 7)], y = 0;
        for (int k = 0; k < 8; k++)
            y |= (uint)s[k * 16 + (t >> 4 * k & 15)] << 4 * k;
        t = left ^ rotate(y, 11u);
        left = right;
        right = t;
    }
    out[get_global_id(0)] = (uint2)(right, left);
}

// case murmur3_rows
// 1 << 12, 64, I(40 << 12, 256, np.uint8), I(1 << 12, 40, np.int32), O(1 << 12, np.uint32)
kernel void murmur3_rows(global const uchar *text, global const int *length, global uint *out)
{
    int g = get_global_id(0), n = length[g];
    global const uchar *p = text + g * 40;
    uint h = 0x1234567, k = 0;
    for (int i = 0; i < n / 4; i++) {
        k = as_uint(vload4(i, p)) * 0xcc9e2d51u;
        h = rotate(h ^ rotate(k, 15u) * 0x1b873593u, 13u) * 5 + 0xe6546b64u;
    }
    k = 0;
    p += n & ~3;
    switch (n & 3) {
    case 3:
        k ^= p[2] << 16;
    case 2:
        k ^= p[1] << 8;
    case 1:
        k ^= p[0];
        h ^= rotate(k * 0xcc9e2d51u, 15u) * 0x1b873593u;
    }
    h ^= n;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    out[g] = h ^ h >> 16;
}

// case fft5_strided
// 1 << 12, 64, F(10 << 12), O(10 << 12)
kernel void fft5_strided(global const float2 *in, global float2 *out)
{
    int g = get_global_id(0), n = get_global_size(0);
    float2 x0 = in[g], x1 = in[g + n], x2 = in[g + 2 * n], x3 = in[g + 3 * n], x4 = in[g + 4 * n];
    float angle = -6.2831853f * (g % 64) / 320;
    float2 w = (float2)(native_cos(angle), native_sin(angle)), v = w;
#define MUL(a, b) (float2)((a).x * (b).x - (a).y * (b).y, (a).x * (b).y + (a).y * (b).x)
    x1 = MUL(x1, v); v = MUL(v, w);
    x2 = MUL(x2, v); v = MUL(v, w);
    x3 = MUL(x3, v); v = MUL(v, w);
    x4 = MUL(x4, v);
    float2 a = x1 + x4, b = x2 + x3, c = x1 - x4, d = x2 - x3;
    float2 p = x0 + 0.309017f * a - 0.809017f * b, q = x0 - 0.809017f * a + 0.309017f * b;
    float2 r = 0.951057f * c + 0.587785f * d, s = 0.587785f * c - 0.951057f * d;
    out[g * 5] = x0 + a + b;
    out[g * 5 + 1] = (float2)(p.x + r.y, p.y - r.x);
    out[g * 5 + 2] = (float2)(q.x + s.y, q.y - s.x);
    out[g * 5 + 3] = (float2)(q.x - s.y, q.y + s.x);
    out[g * 5 + 4] = (float2)(p.x - r.y, p.y + r.x);
}

// case daub4_local
// 128 * 64, 128, F(256 * 64), O(256 * 64)
kernel void daub4_local(global const float *in, global float *out)
{
    local float a[256], b[256];
    int l = get_local_id(0), base = get_group_id(0) * 256;
    a[l] = in[base + l];
    a[l + 128] = in[base + l + 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 256; n >= 4; n /= 2) {
        if (l < n / 2) {
            float x = a[2 * l], y = a[2 * l + 1], z = a[(2 * l + 2) % n], w = a[(2 * l + 3) % n];
            b[l] = 0.4829629f * x + 0.8365163f * y + 0.2241439f * z - 0.1294095f * w;
            b[l + n / 2] = -0.1294095f * x - 0.2241439f * y + 0.8365163f * z - 0.4829629f * w;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n / 2) {
            a[l] = b[l];
            a[l + n / 2] = b[l + n / 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[base + l] = a[l];
    out[base + l + 128] = a[l + 128];
}

// case float_add_cas
// 1 << 13, 128, F(1 << 13), I(1 << 13, 32), O(64 * 32), O(32), 'unordered'
inline void add(volatile local float *p, float v)
{
    union { uint u; float f; } old, next;
    do {
        old.f = *p;
        next.f = old.f + v;
    } while (atomic_cmpxchg((volatile local uint *)p, old.u, next.u) != old.u);
}
kernel void float_add_cas(global const float *v, global const int *bin, global float *parts, global float *total)
{
    local float sums[32];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 32)
        sums[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    add(&sums[bin[g]], v[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        parts[get_group_id(0) * 32 + l] = sums[l];
}

// case generic_pick
// 1 << 13, 64, F(1 << 13), F(1 << 13), O(1 << 13), '-cl-std=CL2.0'
float weigh(const float *p, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * (n - i);
    return s;
}
kernel void generic_pick(global const float *a, global const float *b, global float *out)
{
    local float tile[64];
    float own[8];
    int l = get_local_id(0), g = get_global_id(0);
    tile[l] = a[g];
    for (int i = 0; i < 8; i++)
        own[i] = b[(g + i) & 8191];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float *p = l < 20 ? (const float *)&tile[l] : l < 50 ? (const float *)own : (const float *)&a[g & 4095];
    out[g] = weigh(p, 8);
}

// case hillshade
// (126, 126), (14, 9), I(128 * 128, 3000, np.int16), O(126 * 126, np.uint8), S(30, np.float32)
kernel void hillshade(global const short *height, global uchar *shade, float cell)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const short *p = height + y * 128 + x;
    float gx = ((p[2] + 2 * p[130] + p[258]) - (p[0] + 2 * p[128] + p[256])) / (8 * cell);
    float gy = ((p[256] + 2 * p[257] + p[258]) - (p[0] + 2 * p[1] + p[2])) / (8 * cell);
    float slope = atan(sqrt(gx * gx + gy * gy)), aspect = atan2(gy, -gx);
    float v = 0.7071f * cos(slope) + 0.7071f * sin(slope) * cos(2.356f - aspect);
    shade[y * 126 + x] = convert_uchar_sat_rte(fmax(v, 0.f) * 255);
}

// case flow_d8
// (126, 126), None, F(128 * 128), O(126 * 126, np.uint8)
kernel void flow_d8(global const float *dem, global uchar *direction)
{
    constant int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    float here = dem[y * 128 + x], best = 0;
    uchar code = 0;
    for (int k = 0; k < 8; k++) {
        float drop = here - dem[(y + dy[k]) * 128 + x + dx[k]];
        if (k & 1)
            drop *= 0.70710678f;
        if (drop > best) {
            best = drop;
            code = 1 << k;
        }
    }
    direction[(y - 1) * 126 + x - 1] = code;
}

// case viewshed
// 512, 64, F(128 * 128), O(512, np.int32)
kernel void viewshed(global const float *dem, global int *visible)
{
    int g = get_global_id(0);
    float angle = g * 0.0122718f, dx = cos(angle), dy = sin(angle), most = -1e9f, eye = dem[64 * 128 + 64] + 1;
    int count = 0;
    for (float r = 1; ; r += 1) {
        int x = (int)(64 + dx * r), y = (int)(64 + dy * r);
        if (x < 0 || y < 0 || x > 127 || y > 127)
            break;
        float s = (dem[y * 128 + x] - eye) / r;
        if (s > most) {
            most = s;
            count++;
        }
    }
    visible[g] = count;
}

// case geohash
// 1 << 14, 64, D(1 << 14), D(1 << 14), O(8 << 14, np.uint8)
kernel void geohash(global const double *lat, global const double *lon, global uchar *out)
{
    constant char digits[33] = "0123456789bcdefghjkmnpqrstuvwxyz";
    int g = get_global_id(0);
    double y0 = 0, y1 = 1, x0 = 0, x1 = 1, y = lat[g], x = lon[g];
    int bits = 0, value = 0;
    for (int i = 0; i < 40; i++) {
        if (i & 1) {
            double m = (y0 + y1) / 2;
            value <<= 1;
            if (y >= m) {
                value |= 1;
                y0 = m;
            } else
                y1 = m;
        } else {
            double m = (x0 + x1) / 2;
            value <<= 1;
            if (x >= m) {
                value |= 1;
                x0 = m;
            } else
                x1 = m;
        }
        if (i % 5 == 4) {
            out[g * 8 + i / 5] = digits[value];
            value = 0;
        }
    }
}

// case idw_float3
// 1 << 11, 64, F(4 * 96), F(2 << 11), O(1 << 11)
kernel void idw_float3(constant float3 *stations, global const float2 *at, global float *out)
{
    float2 p = at[get_global_id(0)];
    float sum = 0, weights = 0;
    for (int i = 0; i < 96; i++) {
        float2 d = stations[i].xy - p;
        float w = 1 / (dot(d, d) + 1e-3f);
        sum += w * stations[i].z;
        weights += w;
    }
    out[get_global_id(0)] = sum / weights;
}

// case compressor
// 256, 64, F(256 * 256), O(256 * 256), V(0.3, 4, 0.2, 0.01)
typedef struct { float threshold, ratio, attack, release; } Knobs;
kernel void compressor(global const float *in, global float *out, Knobs k)
{
    int g = get_global_id(0);
    float env = 0;
    for (int i = 0; i < 256; i++) {
        float x = in[i * 256 + g] - 0.5f, level = fabs(x);
        env += (level > env ? k.attack : k.release) * (level - env);
        float gain = 1;
        if (env > k.threshold)
            gain = native_powr(env / k.threshold, 1 / k.ratio - 1);
        out[i * 256 + g] = x * gain;
    }
}

// case sinc_resample
// 1 << 13, 64, F((1 << 14) + 32), F(17 * 32), O(1 << 13), S(1.37, np.float32)
kernel void sinc_resample(global const float *in, constant float *taps, global float *out, float step)
{
    int g = get_global_id(0);
    float at = g * step, fraction = at - floor(at), phase = fraction * 32;
    int first = (int)at, p = (int)phase;
    float f = phase - p, sum = 0;
    for (int k = 0; k < 16; k++)
        sum += in[first + k] * mix(taps[p * 16 + k], taps[p * 16 + k + 16], f);
    out[g] = sum;
}

// case yin_pitch
// 256, 32, I(256 * 32 + 256, 2000, np.int16), O(256, np.int32)
kernel void yin_pitch(global const short *in, global int *out)
{
    int g = get_global_id(0);
    global const short *p = in + g * 32;
    float running = 0;
    int best = 0;
    for (int tau = 1; tau < 64; tau++) {
        int d = 0;
        for (int i = 0; i < 64; i++) {
            int e = p[i] - p[i + tau];
            d += e * e;
        }
        running += d;
        if (d * (float)tau / running < 0.8f) {
            best = tau;
            break;
        }
    }
    out[g] = best;
}

// case av1_paeth
// (128, 64), (16, 8), I(129, 256, np.uint8), I(65, 256, np.uint8), O(128 * 64, np.uint8)
kernel void av1_paeth(global const uchar *above, global const uchar *left, global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int a = above[x + 1], l = left[y + 1], c = above[0], base = a + l - c;
    int pl = abs(base - l), pa = abs(base - a), pc = abs(base - c);
    out[y * 128 + x] = pl <= pa && pl <= pc ? l : pa <= pc ? a : c;
}

// case mc_8tap_short
// (32, 32), (8, 8), I(71 * 72, 256, np.uint8), O(64 * 64, np.uint8), I(2 * 64, 16, np.int8), I(16 * 8, 40, np.int8)
kernel void mc_8tap_short(global const uchar *ref, global uchar *out, global const char *mv, constant char *taps)
{
    int x = get_global_id(0) * 2, y = get_global_id(1) * 2, block = (y / 8) * 8 + x / 8;
    constant char *fx = taps + mv[block * 2] * 8, *fy = taps + mv[block * 2 + 1] * 8;
    for (int dx = 0; dx < 2; dx++) {
        short column[9];
        for (int r = 0; r < 9; r++) {
            int s = 64;
            for (int k = 0; k < 8; k++)
                s += ref[min(y + r, 70) * 72 + x + dx + k] * fx[k];
            column[r] = s >> 7;
        }
        for (int dy = 0; dy < 2; dy++) {
            int s = 64;
            for (int k = 0; k < 8; k++)
                s += column[dy + k] * fy[k];
            out[(y + dy) * 64 + x + dx] = convert_uchar_sat(s >> 7);
        }
    }
}

// case hullwhite_tree
// 128, 32, F(128), O(128), S(24)
kernel void hullwhite_tree(global const float *rate, global float *price, int steps)
{
    int g = get_global_id(0);
    float value[64], dr = 0.01f, a = 0.02f;
    for (int j = 0; j <= 2 * steps; j++)
        value[j] = 1;
    for (int i = steps - 1; i >= 0; i--) {
        float below = value[steps - i - 1];
        for (int j = -i; j <= i; j++) {
            float m = a * j, r = rate[g] * 0.1f + j * dr;
            float up = (1.f / 6) + (m * m - m) / 2, down = (1.f / 6) + (m * m + m) / 2, mid = 1 - up - down;
            int at = steps + j;
            float v = (up * value[at + 1] + mid * value[at] + down * below) * exp(-r / 12);
            below = value[at];
            value[at] = v;
        }
    }
    price[g] = value[steps];
}

// case garch_likelihood
// 512, 64, F(128), F(1024), F(512), O(512)
kernel void garch_likelihood(constant float *returns, global const float2 *ab, global const float *omega, global float *out)
{
    int g = get_global_id(0);
    float h = 0.5f, sum = 0, a = ab[g].x * 0.3f, b = ab[g].y * 0.6f, w = omega[g] + 0.01f;
    for (int t = 0; t < 128; t++) {
        float r = returns[t] - 0.5f;
        sum += log(h) + r * r / h;
        h = w + a * r * r + b * h;
    }
    out[g] = -0.5f * sum;
}

// case felsenstein
// 1 << 12, 64, F(16 << 12), F(32), O(4 << 12)
kernel void felsenstein(global const float4 *tips, constant float4 *p, global float4 *out)
{
    int g = get_global_id(0);
    float4 l = tips[g * 4], r = tips[g * 4 + 1], m = tips[g * 4 + 2];
    float4 a = (float4)(dot(p[0], l), dot(p[1], l), dot(p[2], l), dot(p[3], l));
    float4 b = (float4)(dot(p[4], r), dot(p[5], r), dot(p[6], r), dot(p[7], r));
    float4 c = a * b;
    float most = fmax(fmax(c.x, c.y), fmax(c.z, c.w));
    if (most < 0.3f)
        c *= 16;
    out[g] = (float4)(dot(p[0], c), dot(p[1], c), dot(p[2], c), dot(p[3], c)) * m;
}

// case kinship_bits
// (64, 64), (8, 8), I(64 * 32, 1 << 62, np.uint64), I(64 * 32, 1 << 62, np.uint64), O(64 * 64)
kernel void kinship_bits(global const ulong *het, global const ulong *hom, global float *out)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i > j)
        return;
    uint both = 0, opposite = 0, n = 0;
    for (int k = 0; k < 32; k++) {
        ulong a = het[i * 32 + k], b = het[j * 32 + k], c = hom[i * 32 + k], d = hom[j * 32 + k];
        both += popcount(a & b);
        opposite += popcount((c ^ d) & ~a & ~b);
        n += popcount(a) + popcount(b);
    }
    out[j * 64 + i] = out[i * 64 + j] = ((float)both - 2.f * opposite) / (n + 1);
}

// case codon_translate
// 1 << 12, 64, I(3 * 16 << 12, 4, np.uint8), O(16 << 12, np.uint8), O(1 << 12, np.int32)
kernel void codon_translate(global const uchar *bases, global uchar *acids, global int *lengths)
{
    constant char table[65] = "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAAAGGGGVVVV*Y*YSSSS*CWCLFLF";
    int g = get_global_id(0), i;
    for (i = 0; i < 16; i++) {
        global const uchar *p = bases + (g * 16 + i) * 3;
        char c = table[p[0] * 16 + p[1] * 4 + p[2]];
        if (c == '*')
            break;
        acids[g * 16 + i] = c;
    }
    lengths[g] = i;
}

// case affine_gap_band
// 512, 64, I(32 * 512, 4, np.uint8), I(40 * 512, 4, np.uint8), O(512, np.int32)
kernel void affine_gap_band(global const uchar *a, global const uchar *b, global int *out)
{
    int g = get_global_id(0), best = 0;
    int h[9], e[9];
    for (int k = 0; k < 9; k++) {
        h[k] = 0;
        e[k] = -99;
    }
    for (int i = 0; i < 32; i++) {
        uchar x = a[g * 32 + i];
        int f = -99;
        for (int k = 0; k < 9; k++) {
            int s = h[k] + (x == b[g * 40 + i + k] ? 2 : -3);
            e[k] = k < 8 ? max(h[k + 1] - 5, e[k + 1] - 1) : -99;
            s = max(max(s, 0), max(e[k], f));
            f = max(s - 5, f - 1);
            h[k] = s;
            best = max(best, s);
        }
    }
    out[g] = best;
}

// case url_unescape
// 1 << 10, 64, I(64 << 10, 80, np.uint8), O(64 << 10, np.uint8), O(1 << 10, np.int32)
inline int hex_of(uchar c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}
kernel void url_unescape(global const uchar *text, global uchar *out, global int *lengths)
{
    int g = get_global_id(0), n = 0;
    global const uchar *p = text + g * 64;
    for (int i = 0; i < 64; i++) {
        uchar c = p[i];
        if (c == '+')
            c = ' ';
        else if (c == '%' && i < 62) {
            int hi = hex_of(p[i + 1]), lo = hex_of(p[i + 2]);
            if (hi >= 0 && lo >= 0) {
                c = hi << 4 | lo;
                i += 2;
            }
        }
        out[g * 64 + n++] = c;
    }
    lengths[g] = n;
}

// case utf8_to_32
// 1 << 10, 64, I(64 << 10, 256, np.uint8), O(64 << 10, np.uint32), O(1 << 10, np.int32)
kernel void utf8_to_32(global const uchar *text, global uint *out, global int *lengths)
{
    int g = get_global_id(0), n = 0, i = 0;
    global const uchar *p = text + g * 64;
    while (i < 64) {
        uchar c = p[i++];
        uint v = c;
        int more = c < 0x80 ? 0 : c < 0xc0 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf8 ? 3 : -1;
        if (more < 0)
            v = 0xfffd;
        else if (more > 0) {
            v &= 0x3f >> more;
            for (; more > 0 && i < 64; more--, i++) {
                if ((p[i] & 0xc0) != 0x80) {
                    v = 0xfffd;
                    break;
                }
                v = v << 6 | (p[i] & 0x3f);
            }
        }
        out[g * 64 + n++] = v;
    }
    lengths[g] = n;
}

// case softmax_grad_half
// 96, 32, H(96 * 64), H(96 * 64), O(96 * 64, np.float16)
kernel void softmax_grad_half(global const half *y, global const half *dy, global half *dx)
{
    int row = get_global_id(0) * 64;
    float s = 0;
    for (int i = 0; i < 64; i++)
        s += vload_half(row + i, y) * vload_half(row + i, dy);
    for (int i = 0; i < 64; i++)
        vstore_half((vload_half(row + i, dy) - s) * vload_half(row + i, y), row + i, dx);
}

// case sandpile
// (128, 128), (16, 16), I(130 * 130, 8, np.uint8), O(130 * 130, np.uint8), O(1, np.int32)
kernel void sandpile(global const uchar *in, global uchar *out, volatile global int *busy)
{
    int at = (get_global_id(1) + 1) * 130 + get_global_id(0) + 1;
    uchar v = (in[at] & 3) + (in[at - 1] >> 2) + (in[at + 1] >> 2) + (in[at - 130] >> 2) + (in[at + 130] >> 2);
    out[at] = v;
    if (v > 7)
        atomic_or(busy, 1);
}

// case wireworld
// (128, 128), (32, 4), I(130 * 130, 4, np.uint8), O(130 * 130, np.uint8)
kernel void wireworld(global const uchar *in, global uchar *out)
{
    int at = (get_global_id(1) + 1) * 130 + get_global_id(0) + 1;
    uchar v = in[at], next;
    switch (v) {
    case 0: next = 0; break;
    case 1: next = 2; break;
    case 2: next = 3; break;
    default: {
        int heads = 0;
        for (int dy = -130; dy <= 130; dy += 130)
            for (int dx = -1; dx <= 1; dx++)
                heads += in[at + dy + dx] == 1;
        next = heads == 1 || heads == 2 ? 1 : 3;
    }
    }
    out[at] = next;
}

// case xy_model
// (64, 128), (16, 8), F(128 * 128), F(128 * 64), S(1), S(1.1, np.float32)
kernel void xy_model(global float *spin, global const float *noise, int parity, float beta)
{
    int y = get_global_id(1), x = get_global_id(0) * 2 + (y + parity) % 2, at = y * 128 + x;
    float l = spin[y * 128 + (x + 127) % 128], r = spin[y * 128 + (x + 1) % 128];
    float u = spin[(y + 127) % 128 * 128 + x], d = spin[(y + 1) % 128 * 128 + x], s = spin[at];
    float n = noise[y * 64 + x / 2], t = s + (n - 0.5f) * 2;
    float before = cos(s - l) + cos(s - r) + cos(s - u) + cos(s - d);
    float after = cos(t - l) + cos(t - r) + cos(t - u) + cos(t - d);
    if (after > before || exp(beta * (after - before)) > n * 0.999f)
        spin[at] = t;
}

// case pbd_links
// 1 << 11, 64, F(4 << 12), I(2 << 11, 1 << 12), O(4 << 11)
kernel void pbd_links(global const float4 *pos, global const int2 *link, global float4 *move)
{
    int g = get_global_id(0);
    int2 ij = link[g];
    float4 a = pos[ij.x], b = pos[ij.y];
    float3 d = b.xyz - a.xyz;
    float len = length(d), w = a.w + b.w;
    float3 c = w > 0 && len > 1e-6f ? d * ((len - 0.5f) / (len * w)) : (float3)(0);
    move[g] = (float4)(c * a.w, len);
}

// case no_restrict_shift
// 1 << 10, 64, F((1 << 10) * 33), F(33 << 10), S(1 << 10)
kernel void no_restrict_shift(global float *a, global float *b, int n)
{
    int g = get_global_id(0);
    for (int i = 1; i < 33; i++) {
        a[i * n + g] = a[(i - 1) * n + g] * 0.5f + b[i * n + g];
        b[(i - 1) * n + g] = a[i * n + g] - b[i * n + g];
    }
}

// case offset_alias
// 1 << 14, None, F(3 << 14), S(1 << 14)
kernel void offset_alias(global float *all, int n)
{
    int g = get_global_id(0);
    global float *x = all, *y = all + n, *z = all + 2 * n;
    z[g] = x[g] * y[g] + z[g];
    y[g] = z[g] - x[g];
}

// case record_sort
// 256, 32, I(256 * 16 * 16, 256, np.uint8), O(256 * 16, np.uint8)
typedef struct { int key; short kind; uchar flag, id; float weight; int next; } Record;
kernel void record_sort(global const Record *in, global uchar *order)
{
    int g = get_global_id(0);
    Record r[16];
    for (int i = 0; i < 16; i++) {
        Record x = in[g * 16 + i];
        int k = i;
        while (k > 0 && (r[k - 1].kind > x.kind || (r[k - 1].kind == x.kind && r[k - 1].key > x.key))) {
            r[k] = r[k - 1];
            k--;
        }
        r[k] = x;
    }
    for (int i = 0; i < 16; i++)
        order[g * 16 + i] = r[i].id ^ r[i].flag;
}

// case mip_projection
// (64, 64), (8, 8), I(64 * 64 * 64, 4096, np.int16), O(64 * 64, np.uint8), V(0.1, 0.2, 0.97, 0)
kernel void mip_projection(global const short *vol, global uchar *out, float4 d)
{
    float x = get_global_id(0), y = get_global_id(1), z = 0;
    int most = 0;
    for (int i = 0; i < 64; i++) {
        if (x > 62 || y > 62 || z > 62)
            break;
        int at = ((int)z * 64 + (int)y) * 64 + (int)x;
        float fx = x - floor(x), fy = y - floor(y), fz = z - floor(z);
        float a = mix(mix(vol[at], (float)vol[at + 1], fx), mix(vol[at + 64], (float)vol[at + 65], fx), fy);
        float b = mix(mix(vol[at + 4096], (float)vol[at + 4097], fx), mix(vol[at + 4160], (float)vol[at + 4161], fx), fy);
        most = max(most, (int)mix(a, b, fz));
        x += d.x;
        y += d.y;
        z += d.z;
    }
    out[get_global_id(1) * 64 + get_global_id(0)] = most >> 4;
}

// case sg_scan_chars
// 1 << 14, 64, I(1 << 14, 4, np.uint8), O(1 << 14, np.int32), '-cl-std=CL2.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sg_scan_chars(global const uchar *in, global int *out)
{
    int g = get_global_id(0), v = in[g] == 2;
    int before = work_group_scan_exclusive_add(v), all = work_group_reduce_add(v);
    out[g] = v ? before : all + (int)get_local_id(0) - before;
}

// case wg_broadcast_pivot
// (48, 48), (48, 1), F(48 * 48), O(48 * 48), '-cl-std=CL2.0'
kernel void wg_broadcast_pivot(global const float *in, global float *out)
{
    int l = get_local_id(0), row = get_global_id(1) * 48;
    float v = in[row + l], most = work_group_reduce_max(fabs(v)), low = work_group_scan_inclusive_min(v);
    float first = work_group_broadcast(v, 7);
    out[row + l] = v / most + low - first;
}

// case one_item_groups
// 200, 1, I(200 * 32, 1000, np.int16), O(200, np.int16)
kernel void one_item_groups(global const short *in, global short *median)
{
    short v[32];
    int g = get_group_id(0);
    for (int i = 0; i < 32; i++)
        v[i] = in[g * 32 + i];
    for (int i = 0; i <= 16; i++) {
        int least = i;
        for (int k = i + 1; k < 32; k++)
            if (v[k] < v[least])
                least = k;
        short t = v[i];
        v[i] = v[least];
        v[least] = t;
    }
    median[g] = v[16];
}

// case nqueens_split
// 64, 64, O(64, np.int32), S(8)
kernel void nqueens_split(global int *out, int n)
{
    int g = get_global_id(0), first = g / n, second = g % n, count = 0;
    uint cols[10], left[10], right[10], free_[10], all = (1u << n) - 1;
    uint c = 1u << first, a = c << 1, b = c >> 1, bit = 1u << second;
    if (!((c | a | b) & bit)) {
        int d = 0;
        cols[0] = c | bit;
        left[0] = (a | bit) << 1;
        right[0] = (b | bit) >> 1;
        free_[0] = all & ~(cols[0] | left[0] | right[0]);
        while (d >= 0) {
            if (free_[d] == 0) {
                d--;
                continue;
            }
            uint x = free_[d] & -free_[d];
            free_[d] ^= x;
            if (d + 3 == n) {
                count++;
                continue;
            }
            cols[d + 1] = cols[d] | x;
            left[d + 1] = (left[d] | x) << 1;
            right[d + 1] = (right[d] | x) >> 1;
            d++;
            free_[d] = all & ~(cols[d] | left[d] | right[d]);
        }
    }
    out[g] = count;
}

// case hash_chain_find
// 1 << 12, 64, I(1 << 12, 1 << 12, np.uint32), I(1 << 10, 1 << 12, np.int32), chains(1 << 12), I(1 << 12, 1 << 12, np.uint32), O(1 << 12, np.int32)
kernel void hash_chain_find(global const uint *keys, global const int *head, global const int *next,
                            global const uint *table, global int *found)
{
    int g = get_global_id(0), at = head[keys[g] * 2654435761u >> 22], steps = 0;
    while (at >= 0 && table[at] != keys[g]) {
        at = next[at];
        steps++;
    }
    found[g] = at < 0 ? -steps : at;
}

// case date_parts
// 1 << 14, 64, I(1 << 14, 30000, np.int32), O(1 << 14, np.int32), O(12 * 1, np.int32)
kernel void date_parts(global const int *days, global int *packed, global int *months)
{
    int g = get_global_id(0), z = days[g] + 719468;
    int era = z / 146097, doe = z - era * 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    int d = doy - (153 * mp + 2) / 5 + 1, m = mp + (mp < 10 ? 3 : -9), y = yoe + era * 400 + (m <= 2);
    packed[g] = y * 10000 + m * 100 + d;
    if (y == 1999)
        atomic_inc(&months[m - 1]);
}

// case decimal128_sum
// 1 << 12, 64, I(4 << 12, 1 << 62, np.int64), O(2 << 12, np.uint64)
kernel void decimal128_sum(global const long *in, global ulong2 *out)
{
    int g = get_global_id(0);
    ulong low = 0;
    long high = 0;
    for (int i = 0; i < 4; i++) {
        long v = in[g * 4 + i] * (i & 1 ? -3 : 5);
        ulong t = low + (ulong)v;
        high += (v < 0 ? -1 : 0) + (t < low);
        low = t;
    }
    out[g] = (ulong2)(low, (ulong)high);
}

// case long_to_decimal
// 1 << 11, 64, I(1 << 11, 1 << 62, np.uint64), O(20 << 11, np.uint8), O(1 << 11, np.uint8)
kernel void long_to_decimal(global const ulong *in, global uchar *text, global uchar *length)
{
    int g = get_global_id(0), n = 0;
    ulong v = in[g] >> (g & 63);
    uchar digits[20];
    do {
        digits[n++] = '0' + v % 10;
        v /= 10;
    } while (v != 0);
    for (int i = 0; i < n; i++)
        text[g * 20 + i] = digits[n - 1 - i];
    length[g] = n;
}

// case frame_delta_rle
// 512, 64, I(512 * 64, 4, np.uint8), I(512 * 64, 4, np.uint8), O(512 * 130, np.uint8), O(512, np.int32)
kernel void frame_delta_rle(global const uchar *before, global const uchar *now, global uchar *out, global int *sizes)
{
    int g = get_global_id(0), n = 0, i = 0;
    global uchar *o = out + g * 130;
    while (i < 64) {
        int skip = 0;
        while (i < 64 && now[g * 64 + i] == before[g * 64 + i]) {
            skip++;
            i++;
        }
        o[n++] = skip;
        if (i < 64)
            o[n++] = now[g * 64 + i++];
    }
    sizes[g] = n;
}

// case png_up_avg
// 256, 32, I(256 * 96, 256, np.uint8), O(256 * 96, np.uint8)
kernel void png_up_avg(global const uchar *in, global uchar *out)
{
    int g = get_global_id(0) * 96;
    uchar a[3] = {0, 0, 0};
    for (int i = 0; i < 96; i += 3)
        for (int c = 0; c < 3; c++) {
            uchar up = i >= 3 ? in[g + i + c - 3] : 0;
            a[c] = in[g + i + c] + (uchar)((a[c] + up) >> 1);
            out[g + i + c] = a[c];
        }
}

// case flac_lpc
// 256, 64, I(256 * 128, 200, np.int16), I(256 * 8, 128, np.int8), O(256 * 128, np.int32)
kernel void flac_lpc(global const short *residual, global const char *coef, global int *out)
{
    int g = get_global_id(0);
    int c[8], h[8];
    for (int k = 0; k < 8; k++) {
        c[k] = coef[g * 8 + k] - 64;
        h[k] = 0;
    }
    for (int i = 0; i < 128; i++) {
        long p = 0;
        for (int k = 0; k < 8; k++)
            p += (long)c[k] * h[k];
        int v = residual[g * 128 + i] + (int)(p >> 9);
        for (int k = 7; k > 0; k--)
            h[k] = h[k - 1];
        h[0] = v;
        out[g * 128 + i] = v;
    }
}

// case mercator_tiles
// 1 << 13, None, D(2 << 13), O(2 << 13, np.int32), S(14)
kernel void mercator_tiles(global const double2 *lonlat, global int2 *tile, int zoom)
{
    int g = get_global_id(0);
    double2 p = lonlat[g];
    double s = sin((p.y - 0.5) * 2.9), n = 1 << zoom;
    double y = (0.5 - log((1 + s) / (1 - s)) * 0.0795774715459) * n;
    tile[g] = clamp(convert_int2_rtn((double2)(p.x * n, y)), 0, (int)n - 1);
}

// case contour_cells
// (127, 127), None, F(128 * 128), O(128 * 128, np.uint8), O(4 * 128 * 128), S(0.5, np.float32)
kernel void contour_cells(global const float *z, global uchar *kinds, global float4 *lines, float level)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * 128 + x;
    float a = z[at], b = z[at + 1], c = z[at + 129], d = z[at + 128];
    int kind = (a > level) | (b > level) << 1 | (c > level) << 2 | (d > level) << 3;
    kinds[at] = kind;
    if (kind == 0 || kind == 15)
        return;
    float top = x + (level - a) / (b - a), bottom = x + (level - d) / (c - d);
    float left = y + (level - a) / (d - a), right = y + (level - b) / (c - b);
    float4 l;
    switch (kind) {
    case 1: case 14: l = (float4)(x, left, top, y); break;
    case 2: case 13: l = (float4)(top, y, x + 1, right); break;
    case 4: case 11: l = (float4)(x + 1, right, bottom, y + 1); break;
    case 8: case 7: l = (float4)(x, left, bottom, y + 1); break;
    case 3: case 12: l = (float4)(x, left, x + 1, right); break;
    case 6: case 9: l = (float4)(top, y, bottom, y + 1); break;
    default: l = (float4)(x, y, x + 1, y + 1); break;
    }
    lines[at] = l;
}

// case dtw_band
// 256, 32, F(64 * 256), F(64), O(256), S(6)
kernel void dtw_band(global const float *series, constant float *model, global float *out, int band)
{
    int g = get_global_id(0);
    float row[65];
    for (int k = 0; k <= 64; k++)
        row[k] = 1e9f;
    row[0] = 0;
    for (int i = 1; i <= 64; i++) {
        int from = max(1, i - band), to = min(64, i + band);
        float v = series[(i - 1) * 256 + g], diagonal = row[from - 1], left = 1e9f;
        row[from - 1] = 1e9f;
        for (int k = from; k <= to; k++) {
            float up = row[k], d = v - model[k - 1];
            left = d * d + fmin(fmin(left, up), diagonal);
            diagonal = up;
            row[k] = left;
        }
    }
    out[g] = row[64];
}

// case bwt_rank
// 1 << 12, 64, I(8 * 64, 1 << 31, np.uint32), I(4 * 64, 2048, np.uint32), I(4 << 12, 4, np.uint8), O(1 << 12, np.uint32)
kernel void bwt_rank(global const uint *bits, global const uint *occ, global const uchar *query, global uint *out)
{
    int g = get_global_id(0);
    uint low = 0, high = 2047;
    for (int i = 0; i < 4 && low < high; i++) {
        uint c = query[g * 4 + i], from[2] = {low, high};
        for (int k = 0; k < 2; k++) {
            uint block = from[k] >> 5, in = from[k] & 31;
            uint a = bits[block * 2], b = bits[block * 2 + 1];
            uint hit = (c & 1 ? a : ~a) & (c & 2 ? b : ~b) & ((1u << in) - 1);
            from[k] = (occ[block * 4 + c] + popcount(hit)) & 2047;
        }
        low = min(from[0], from[1]);
        high = max(from[0], from[1]);
    }
    out[g] = high - low;
}

// case topk_shuffle16
// 1 << 10, 64, F(16 << 10), O(4 << 10)
kernel void topk_shuffle16(global const float16 *in, global float4 *out)
{
    float16 v = in[get_global_id(0)];
    float8 a = fmax(v.lo, v.hi), b = fmin(v.lo, v.hi);
    float4 c = fmax(a.lo, a.hi), d = fmax(b.lo, b.hi), e = fmin(a.lo, a.hi);
    float4 t = fmax(c, d.wzyx), u = fmax(t, e.yxwz);
    out[get_global_id(0)] = (float4)(fmax(u.x, u.y), fmin(u.x, u.y), fmax(u.z, u.w), fmin(u.z, u.w));
}

// case fixed_mandel_long
// (48, 36), (12, 9), O(48 * 36, np.uint8)
kernel void fixed_mandel_long(global uchar *out)
{
    long cx = ((long)get_global_id(0) << 28) / 16 - (2l << 28), cy = ((long)get_global_id(1) << 28) / 16 - (9l << 25);
    long x = 0, y = 0;
    int n = 0;
    for (; n < 64; n++) {
        long xx = x * x >> 28, yy = y * y >> 28;
        if (xx + yy > 4l << 28)
            break;
        y = (x * y >> 27) + cy;
        x = xx - yy + cx;
    }
    out[get_global_id(1) * 48 + get_global_id(0)] = n;
}

// case lenia_ring
// (64, 64), (16, 4), F(64 * 64), O(64 * 64)
kernel void lenia_ring(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0, n = 0;
    for (int dy = -4; dy <= 4; dy++)
        for (int dx = -4; dx <= 4; dx++) {
            int r = dx * dx + dy * dy;
            if (r < 4 || r > 16)
                continue;
            s += in[((y + dy) & 63) * 64 + ((x + dx) & 63)];
            n += 1;
        }
    float g = s / n - 0.35f;
    out[y * 64 + x] = clamp(in[y * 64 + x] + 0.1f * (2 * exp(-g * g * 50) - 1), 0.f, 1.f);
}

// case kmc_tree_sum
// 1 << 11, 64, F(1 << 11), F(511), O(1 << 11, np.int32)
kernel void kmc_tree_sum(global const float *draw, global const float *tree, global int *event)
{
    int g = get_global_id(0), node = 0;
    float r = draw[g] * tree[0];
    while (node < 255) {
        float left = tree[2 * node + 1];
        if (r < left)
            node = 2 * node + 1;
        else {
            r -= left;
            node = 2 * node + 2;
        }
    }
    event[g] = node - 255;
}

// case bsr7_double
// 7 * 128, 7, even_starts(128, 512), I(512, 128), D(512 * 49), D(7 * 128), O(7 * 128, np.float64)
kernel void bsr7_double(global const int *start, global const int *col, global const double *a,
                        global const double *x, global double *y)
{
    int row = get_group_id(0), l = get_local_id(0);
    double sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        for (int j = 0; j < 7; j++)
            sum += a[k * 49 + l * 7 + j] * x[col[k] * 7 + j];
    y[row * 7 + l] = sum;
}

// case cell_pairs_half
// (27, 64), (9, 4), H(64 * 4 * 8), O(27 * 64)
kernel void cell_pairs_half(global const half *p, global float *out)
{
    int other = get_global_id(0), cell = get_global_id(1), n = (cell + other * 5) & 63;
    float energy = 0;
    for (int i = 0; i < 8; i++) {
        float4 a = vload_half4(cell * 8 + i, p);
        for (int j = 0; j < 8; j++) {
            float4 b = vload_half4(n * 8 + j, p);
            float3 d = a.xyz - b.xyz;
            float r2 = dot(d, d) + 0.01f;
            if (r2 < 0.3f)
                energy += a.w * b.w * rsqrt(r2);
        }
    }
    out[cell * 27 + other] = energy;
}

// case lstm_scan_char
// 64, 32, I(32 * 64, 128, np.int8), I(64 * 16, 128, np.int8), O(64 * 32, np.int8)
kernel void lstm_scan_char(global const char *x, global const char *w, global char *out)
{
    int g = get_global_id(0), h = 0;
    for (int t = 0; t < 32; t++) {
        int acc = h << 4;
        for (int k = 0; k < 16; k++)
            acc += x[t * 64 + (g + k) % 64] * (w[g * 16 + k] - 64);
        h = clamp((acc + 32) >> 6, -127, 127);
        out[t * 64 + g] = h;
    }
}

// case scatter_structs
// 1 << 12, 64, F(8 << 12), O(8 << 12), 'unordered'
typedef struct { float3 position; float mass, charge; int cell; } Body;
kernel void scatter_structs(global const Body *in, global Body *out)
{
    int g = get_global_id(0);
    Body b = in[g];
    b.mass += b.position.x;
    b.cell = 1;
    out[(g * 613 + 7) & 4095] = b;
}

// case list_of_jobs
// 1 << 10, 64, I(4 << 10, 40, np.int32), F(1 << 12), O(1 << 10)
typedef struct { int kind, from, count, step; } Job;
kernel void list_of_jobs(global const Job *jobs, global const float *data, global float *out)
{
    int g = get_global_id(0);
    Job j = jobs[g];
    float v = j.kind % 4 == 1 ? INFINITY : 0;
    for (int i = 0; i < j.count; i++) {
        float x = data[j.from * 40 + i * (j.step & 7)];
        switch (j.kind % 4) {
        case 0: v += x; break;
        case 1: v = fmin(v, x); break;
        case 2: v = fmax(v, x * x); break;
        default: v = v * 0.5f + x; break;
        }
    }
    out[g] = v;
}
