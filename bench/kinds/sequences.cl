// sequences.cl -- kinds of kernels: text, codes and ciphers, graphs, particles and fields, selection, prices.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case csv_fields
// 1 << 10, 64, I(128 << 10, 60, np.uint8), O(1 << 10, np.int32), O(1 << 10, np.int32), S(128)
kernel void csv_fields(global const uchar *text, global int *fields, global int *sum, int n)
{
    int row = get_global_id(0), count = 1, value = 0, total = 0;
    bool quoted = false;
    for (int i = 0; i < n; i++) {
        uchar c = text[row * n + i];
        if (c == 34)
            quoted = !quoted;
        else if (c == 44 && !quoted) {
            count++;
            total += value;
            value = 0;
        } else if (c >= 48 && c <= 57)
            value = value * 10 + c - 48;
    }
    fields[row] = count;
    sum[row] = total + value;
}

// case dfa_match
// 1 << 10, 64, I(16 * 64, 16, np.uint8), I(200 << 10, 64, np.uint8), O(1 << 10, np.int32), S(200)
kernel void dfa_match(constant uchar *next, global const uchar *text, global int *hits, int n)
{
    int row = get_global_id(0), state = 0, count = 0;
    for (int i = 0; i < n; i++) {
        state = next[state * 64 + text[row * n + i]];
        count += state == 15;
    }
    hits[row] = count;
}

// case kmer_count
// 1 << 14, 128, I((1 << 14) + 12, 4, np.uint8), O(1 << 12, np.uint32), 'unordered'
kernel void kmer_count(global const uchar *base, global uint *count)
{
    int i = get_global_id(0);
    uint word = 0, back = 0;
    for (int k = 0; k < 6; k++) {
        word = word << 2 | base[i + k];
        back |= (3u - base[i + k]) << (2 * k);
    }
    atomic_inc(&count[min(word, back)]);
}

// case sw_score
// 1 << 9, 64, I(48 << 9, 4, np.uint8), I(40, 4, np.uint8), O(1 << 9, np.int32)
kernel void sw_score(global const uchar *query, constant uchar *ref, global int *score)
{
    int g = get_global_id(0), best = 0;
    short h[41];
    for (int k = 0; k <= 40; k++)
        h[k] = 0;
    for (int i = 0; i < 48; i++) {
        uchar q = query[g * 48 + i];
        short diagonal = 0;
        for (int k = 1; k <= 40; k++) {
            short up = h[k], v = diagonal + (q == ref[k - 1] ? 2 : -1);
            v = max(max(v, (short)0), max((short)(up - 1), (short)(h[k - 1] - 1)));
            diagonal = up;
            h[k] = v;
            best = max(best, (int)v);
        }
    }
    score[g] = best;
}

// case lz4_decode
// 256, 64, I(256 * 96, 256, np.uint8), O(256 * 256, np.uint8), O(256, np.int32)
kernel void lz4_decode(global const uchar *packed, global uchar *plain, global int *length)
{
    int g = get_global_id(0), in = 0, out = 0;
    global const uchar *p = packed + g * 96;
    global uchar *o = plain + g * 256;
    while (in < 80 && out < 200) {
        uchar token = p[in++];
        int literals = min(token >> 4 & 7, 200 - out);
        for (int i = 0; i < literals && in < 90; i++)
            o[out++] = p[in++];
        int offset = p[in++] % 31 + 1, match = (token & 7) + 4;
        if (offset > out)
            offset = out;
        for (int i = 0; i < match && offset > 0; i++, out++)
            o[out] = o[out - offset];
    }
    length[g] = out;
}

// case bitpack13
// 1 << 13, 64, I(32 << 10, 1 << 13), O(13 << 10, np.uint32)
kernel void bitpack13(global const uint *in, global uint *out)
{
    int g = get_global_id(0);
    if (g >= 1024)
        return;
    ulong hold = 0;
    int bits = 0, at = 0;
    for (int i = 0; i < 32; i++) {
        hold |= (ulong)in[i * 1024 + g] << bits;
        bits += 13;
        if (bits >= 32) {
            out[at++ * 1024 + g] = (uint)hold;
            hold >>= 32;
            bits -= 32;
        }
    }
}

// case delta_zigzag
// 1 << 15, None, I((1 << 15) + 1, 1 << 20), O(1 << 15, np.uint32), O(1 << 15, np.uint8)
kernel void delta_zigzag(global const int *in, global uint *out, global uchar *bytes)
{
    int i = get_global_id(0), d = in[i + 1] - in[i];
    uint z = (uint)(d << 1) ^ (uint)(d >> 31);
    out[i] = z;
    bytes[i] = z < 128 ? 1 : z < 1 << 14 ? 2 : z < 1 << 21 ? 3 : 4 + (z >> 28 != 0);
}

// case chacha20_block
// 1 << 12, 64, I(8, 1 << 30), O(16 << 12, np.uint32)
#define QR(a, b, c, d) a += b; d = rotate(d ^ a, 16u); c += d; b = rotate(b ^ c, 12u); \
    a += b; d = rotate(d ^ a, 8u); c += d; b = rotate(b ^ c, 7u)
kernel void chacha20_block(constant uint *key, global uint *out)
{
    uint s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
    for (int i = 0; i < 8; i++)
        s[4 + i] = key[i];
    s[12] = get_global_id(0);
    s[13] = s[14] = s[15] = 7;
    for (int i = 0; i < 16; i++)
        x[i] = s[i];
    for (int r = 0; r < 10; r++) {
        QR(x[0], x[4], x[8], x[12]); QR(x[1], x[5], x[9], x[13]); QR(x[2], x[6], x[10], x[14]); QR(x[3], x[7], x[11], x[15]);
        QR(x[0], x[5], x[10], x[15]); QR(x[1], x[6], x[11], x[12]); QR(x[2], x[7], x[8], x[13]); QR(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        out[get_global_id(0) * 16 + i] = x[i] + s[i];
}

// case aes_ttables
// 1 << 12, 64, I(1024, 1 << 31, np.uint32), I(44, 1 << 31, np.uint32), I(4 << 12, 1 << 31, np.uint32), O(4 << 12, np.uint32)
kernel void aes_ttables(constant uint *t, constant uint *rk, global const uint4 *in, global uint4 *out)
{
    int g = get_global_id(0);
    uint4 s = in[g] ^ vload4(0, rk);
    for (int r = 1; r < 10; r++) {
        uint a = t[s.x & 255] ^ t[256 + (s.y >> 8 & 255)] ^ t[512 + (s.z >> 16 & 255)] ^ t[768 + (s.w >> 24)];
        uint b = t[s.y & 255] ^ t[256 + (s.z >> 8 & 255)] ^ t[512 + (s.w >> 16 & 255)] ^ t[768 + (s.x >> 24)];
        uint c = t[s.z & 255] ^ t[256 + (s.w >> 8 & 255)] ^ t[512 + (s.x >> 16 & 255)] ^ t[768 + (s.y >> 24)];
        uint d = t[s.w & 255] ^ t[256 + (s.x >> 8 & 255)] ^ t[512 + (s.y >> 16 & 255)] ^ t[768 + (s.z >> 24)];
        s = (uint4)(a, b, c, d) ^ vload4(r, rk);
    }
    out[g] = s;
}

// case secp_mul
// 1 << 11, 64, I(8 << 11, 1 << 31, np.uint32), I(8 << 11, 1 << 31, np.uint32), O(8 << 11, np.uint32)
kernel void secp_mul(global const uint *x, global const uint *y, global uint *z)
{
    int g = get_global_id(0);
    uint a[8], b[8], t[16] = {0};
    for (int i = 0; i < 8; i++) {
        a[i] = x[g * 8 + i];
        b[i] = y[g * 8 + i];
    }
    for (int i = 0; i < 8; i++) {
        ulong carry = 0;
        for (int k = 0; k < 8; k++) {
            carry += (ulong)a[i] * b[k] + t[i + k];
            t[i + k] = (uint)carry;
            carry >>= 32;
        }
        t[i + 8] = (uint)carry;
    }
    ulong carry = 0; /* 2^256 = 2^32 + 977 */
    for (int i = 0; i < 8; i++) {
        carry += (ulong)t[i] + (ulong)t[i + 8] * 977u + (i > 0 ? t[i + 7] : 0u);
        z[g * 8 + i] = (uint)carry;
        carry >>= 32;
    }
}

// case pagerank_pull
// 1 << 13, 64, row_starts((1 << 13) + 1, 20), I(20 << 13, 1 << 13), F(1 << 13), I(1 << 13, 19), O(1 << 13)
kernel void pagerank_pull(global const int *start, global const int *source, global const float *rank,
                          global const int *degree, global float *next)
{
    int v = get_global_id(0);
    float sum = 0;
    for (int e = start[v]; e < start[v + 1]; e++)
        sum += rank[source[e]] / (degree[source[e]] + 1);
    next[v] = 0.15f + 0.85f * sum;
}

// case sssp_relax
// 1 << 13, 64, row_starts((1 << 13) + 1, 12), I(12 << 13, 1 << 13), I(12 << 13, 100), I(1 << 13, 5000), I(1 << 13, 5000)
kernel void sssp_relax(global const int *start, global const int *target, global const int *weight,
                       global const int *distance, global int *next)
{
    int v = get_global_id(0), d = distance[v];
    for (int e = start[v]; e < start[v + 1]; e++) {
        int found = d + weight[e];
        if (found < distance[target[e]])
            atomic_min(&next[target[e]], found);
    }
}

// case common_neighbours
// 1 << 12, 64, sorted_rows(1 << 12, 16), I(1 << 12, 1 << 12), O(1 << 12, np.int32)
kernel void common_neighbours(global const int *row, global const int *other, global int *count)
{
    int v = get_global_id(0), i = v * 16, k = other[v] * 16, iend = i + 16, kend = k + 16, n = 0;
    while (i < iend && k < kend) {
        int a = row[i], b = row[k];
        n += a == b;
        i += a <= b;
        k += b <= a;
    }
    count[v] = n;
}

// case sph_density
// 1 << 12, 64, F(4 << 12), even_starts(512, 1 << 12), O(1 << 12), S(8)
kernel void sph_density(global const float4 *p, global const int *cell, global float *rho, int side)
{
    int i = get_global_id(0);
    float4 a = p[i];
    int3 c = convert_int3(a.xyz * side);
    float sum = 0;
    for (int z = max(c.z - 1, 0); z <= min(c.z + 1, side - 1); z++)
        for (int y = max(c.y - 1, 0); y <= min(c.y + 1, side - 1); y++)
            for (int x = max(c.x - 1, 0); x <= min(c.x + 1, side - 1); x++) {
                int n = (z * side + y) * side + x;
                for (int k = cell[n]; k < cell[n + 1]; k++) {
                    float3 d = p[k].xyz - a.xyz;
                    float r = 0.09f - dot(d, d);
                    if (r > 0)
                        sum += p[k].w * r * r * r;
                }
            }
    rho[i] = sum;
}

// case lbm_d2q9
// (126, 62), None, F(9 * 128 * 64), O(9 * 128 * 64), S(128), S(64)
constant int CX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, CY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float W9[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
kernel void lbm_d2q9(global const float *from, global float *to, int w, int h)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    float f[9], rho = 0, ux = 0, uy = 0;
    for (int i = 0; i < 9; i++) {
        f[i] = from[(i * h + y - CY[i]) * w + x - CX[i]];
        rho += f[i];
        ux += CX[i] * f[i];
        uy += CY[i] * f[i];
    }
    ux /= rho;
    uy /= rho;
    for (int i = 0; i < 9; i++) {
        float cu = 3 * (CX[i] * ux + CY[i] * uy);
        float eq = W9[i] * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
        to[(i * h + y) * w + x] = f[i] - 0.6f * (f[i] - eq);
    }
}

// case dg_volume
// 8 * 2048, 64, F(8 * 2048 * 2), F(64), F(2048), O(8 * 2048)
kernel void dg_volume(global const float2 *u, constant float *d, global const float *jacobian, global float *rhs)
{
    local float2 tile[64];
    int i = get_local_id(0), node = i & 7, element = get_global_id(0) >> 3;
    tile[i] = u[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        float2 v = tile[(i & ~7) + k];
        sum += d[node * 8 + k] * (v.x * v.y + 0.5f * v.x);
    }
    rhs[get_global_id(0)] = sum * jacobian[element];
}

// case barnes_hut
// 1 << 10, 64, F(4 << 10), F(4 * 585), O(4 << 10), S(0.7, np.float32)
kernel void barnes_hut(global const float4 *body, global const float4 *node, global float4 *force, float theta)
{
    int i = get_global_id(0), stack[32], top = 0;
    float3 p = body[i].xyz, a = 0;
    stack[top++] = 0;
    while (top > 0) {
        int n = stack[--top], level = n < 1 ? 0 : n < 9 ? 1 : n < 73 ? 2 : 3;
        float4 c = node[n];
        float3 d = c.xyz - p;
        float r = dot(d, d) + 1e-3f, size = 1.f / (1 << level);
        if (level == 3 || size * size < theta * theta * r) {
            a += d * (c.w * rsqrt(r) / r);
        } else {
            for (int k = 1; k <= 8; k++)
                stack[top++] = n * 8 + k;
        }
    }
    force[i] = (float4)(a, 0);
}

// case aos_particles
// 1 << 14, 64, F(8 << 14), S(0.01, np.float32), O(1 << 14)
typedef struct {
    float x, y, z, vx, vy, vz, mass, charge;
} Particle;
kernel void aos_particles(global Particle *p, float dt, global float *energy)
{
    int i = get_global_id(0);
    Particle a = p[i];
    float k = -a.charge / a.mass;
    a.vx += dt * k * a.x;
    a.vy += dt * k * a.y;
    a.vz += dt * (k * a.z - 9.81f);
    a.x += dt * a.vx;
    a.y += dt * a.vy;
    a.z = fabs(a.z + dt * a.vz);
    p[i] = a;
    energy[i] = 0.5f * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
}

// case american_put
// 256, 32, F(256), F(256), O(256), S(48)
kernel void american_put(global const float *spot, global const float *strike, global float *price, int steps)
{
    int i = get_global_id(0);
    float dt = 1.f / steps, u = exp(0.3f * sqrt(dt)), d = 1 / u, q = exp(-0.05f * dt), p = (1 / q - d) / (u - d);
    float v[49], s = 50 + spot[i] * 50, x = 50 + strike[i] * 50;
    for (int k = 0; k <= steps; k++)
        v[k] = fmax(x - s * pown(u, 2 * k - steps), 0.f);
    for (int n = steps - 1; n >= 0; n--)
        for (int k = 0; k <= n; k++)
            v[k] = fmax(q * (p * v[k + 1] + (1 - p) * v[k]), x - s * pown(u, 2 * k - n));
    price[i] = v[0];
}

// case barrier_paths
// 1 << 11, 64, O(1 << 11), S(64)
kernel void barrier_paths(global float *payoff, int steps)
{
    uint s = get_global_id(0) * 747796405u + 2891336453u;
    float x = 0, low = 0;
    for (int i = 0; i < steps; i++) {
        s = s * 1664525u + 1013904223u;
        float a = ((s >> 8) + 0.5f) * (1.f / 16777216);
        s = s * 1664525u + 1013904223u;
        float b = (s >> 8) * (1.f / 16777216);
        x += 0.02f * sqrt(-2 * log(a)) * cospi(2 * b);
        low = fmin(low, x);
        if (low < -0.25f)
            break;
    }
    payoff[get_global_id(0)] = low < -0.25f ? 0 : fmax(exp(x) - 1, 0.f);
}

// case quickselect
// 512, 32, F(64 * 512), O(512), S(20)
kernel void quickselect(global float *data, global float *out, int k)
{
    global float *a = data + get_global_id(0) * 64;
    int low = 0, high = 63;
    while (low < high) {
        float pivot = a[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                float t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    out[get_global_id(0)] = a[k];
}

// case radix_digits
// 1 << 15, 256, I(1 << 15, 1 << 31, np.uint32), O(16 * 128, np.uint32), S(8)
kernel void radix_digits(global const uint *key, global uint *count, int shift)
{
    local uint bins[16];
    int t = get_local_id(0);
    if (t < 16)
        bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[key[get_global_id(0)] >> shift & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16)
        count[t * get_num_groups(0) + get_group_id(0)] = bins[t];
}

// case bitonic_local
// 1 << 14, 256, I(1 << 14, 1 << 30), L(256)
kernel void bitonic_local(global int *data, local int *a)
{
    int t = get_local_id(0);
    a[t] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 256; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            int x = t ^ j;
            if (x > t && (a[t] > a[x]) == ((t & k) == 0)) {
                int s = a[t];
                a[t] = a[x];
                a[x] = s;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    data[get_global_id(0)] = a[t];
}

// case mt_temper
// 1 << 10, 64, I(32 << 10, 1 << 31, np.uint32), O(32 << 10, np.uint32), S(1 << 10)
kernel void mt_temper(global const uint *state, global uint *out, int n)
{
    int g = get_global_id(0);
    uint s[32];
    for (int i = 0; i < 32; i++)
        s[i] = state[i * n + g];
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 32; i++) {
            uint y = (s[i] & 0x80000000u) | (s[(i + 1) & 31] & 0x7fffffffu);
            s[i] = s[(i + 13) & 31] ^ (y >> 1) ^ ((y & 1) ? 0x9908b0dfu : 0u);
        }
    for (int i = 0; i < 32; i++) {
        uint y = s[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        out[i * n + g] = y ^ (y >> 18);
    }
}

// case flood_labels
// (128, 64), (16, 8), I(128 * 64, 3), I(128 * 64, 8192), O(128 * 64, np.int32), S(128), S(64)
kernel void flood_labels(global const int *class, global const int *label, global int *next, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * w + x, l = label[i], c = class[i];
    if (x > 0 && class[i - 1] == c)
        l = min(l, label[i - 1]);
    if (x < w - 1 && class[i + 1] == c)
        l = min(l, label[i + 1]);
    if (y > 0 && class[i - w] == c)
        l = min(l, label[i - w]);
    if (y < h - 1 && class[i + w] == c)
        l = min(l, label[i + w]);
    next[i] = l;
}

// case png_paeth
// 256, 32, I(256 * 192, 256, np.uint8), O(256 * 192, np.uint8), S(192)
kernel void png_paeth(global const uchar *raw, global uchar *out, int n)
{
    global const uchar *r = raw + get_global_id(0) * n;
    global uchar *o = out + get_global_id(0) * n;
    int a = 0, c = 0;
    for (int i = 0; i < n; i++) {
        int b = r[n - 1 - i], p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
        int v = (r[i] + (pa <= pb && pa <= pc ? a : pb <= pc ? b : c)) & 255;
        o[i] = (uchar)v;
        a = v;
        c = b;
    }
}

// case jpeg_zigzag
// 1 << 10, 64, I(64 << 10, 2000, np.int16), I(64, 60, np.uint8), O(64 << 10, np.int16)
constant uchar ZIGZAG[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
kernel void jpeg_zigzag(global const short *in, constant uchar *quant, global short *out)
{
    int block = get_global_id(0);
    for (int i = 0; i < 64; i++) {
        short v = in[block * 64 + ZIGZAG[i]];
        out[block * 64 + i] = v / (short)(quant[i] + 1);
    }
}
