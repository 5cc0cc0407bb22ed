// codes.cl -- kinds of kernels: ciphers, long numbers, compression, text, interpreters.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case blake2b
// 1 << 12, 64, I(16 << 12, 1 << 62, np.uint64), O(8 << 12, np.uint64)
constant ulong iv[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
constant uchar sigma[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
#define G(r, i, a, b, c, d)                                                                                            \
    a = a + b + m[sigma[(r) % 10][2 * i]];                                                                             \
    d = rotate(d ^ a, 32UL);                                                                                           \
    c = c + d;                                                                                                         \
    b = rotate(b ^ c, 40UL);                                                                                           \
    a = a + b + m[sigma[(r) % 10][2 * i + 1]];                                                                         \
    d = rotate(d ^ a, 48UL);                                                                                           \
    c = c + d;                                                                                                         \
    b = rotate(b ^ c, 1UL)
kernel void blake2b(global const ulong *in, global ulong *out)
{
    int id = get_global_id(0);
    ulong m[16], v[16];
    for (int i = 0; i < 16; i++)
        m[i] = in[id * 16 + i];
    for (int i = 0; i < 8; i++) {
        v[i] = iv[i] ^ (i == 0 ? 0x01010040 : 0);
        v[i + 8] = iv[i];
    }
    v[12] ^= 128;
    v[14] = ~v[14];
    for (int r = 0; r < 12; r++) {
        G(r, 0, v[0], v[4], v[8], v[12]);
        G(r, 1, v[1], v[5], v[9], v[13]);
        G(r, 2, v[2], v[6], v[10], v[14]);
        G(r, 3, v[3], v[7], v[11], v[15]);
        G(r, 4, v[0], v[5], v[10], v[15]);
        G(r, 5, v[1], v[6], v[11], v[12]);
        G(r, 6, v[2], v[7], v[8], v[13]);
        G(r, 7, v[3], v[4], v[9], v[14]);
    }
    for (int i = 0; i < 8; i++)
        out[id * 8 + i] = iv[i] ^ v[i] ^ v[i + 8];
}

// case chacha_rows
// 1 << 14, 64, I(16, 1 << 32, np.uint32), O(16 << 14, np.uint32)
kernel void chacha_rows(global const uint4 *state, global uint4 *out)
{
    uint i = get_global_id(0);
    uint4 a = state[0], b = state[1], c = state[2], d = state[3];
    d.x = i;
    uint4 a0 = a, b0 = b, c0 = c, d0 = d;
    for (int r = 0; r < 10; r++) {
        a += b, d = rotate(d ^ a, (uint4)16), c += d, b = rotate(b ^ c, (uint4)12);
        a += b, d = rotate(d ^ a, (uint4)8), c += d, b = rotate(b ^ c, (uint4)7);
        b = b.yzwx, c = c.zwxy, d = d.wxyz;
        a += b, d = rotate(d ^ a, (uint4)16), c += d, b = rotate(b ^ c, (uint4)12);
        a += b, d = rotate(d ^ a, (uint4)8), c += d, b = rotate(b ^ c, (uint4)7);
        b = b.wxyz, c = c.zwxy, d = d.yzwx;
    }
    out[i * 4] = a + a0;
    out[i * 4 + 1] = b + b0;
    out[i * 4 + 2] = c + c0;
    out[i * 4 + 3] = d + d0;
}

// case curve_mul
// 1 << 13, 64, I(10 << 13, 1 << 25), I(10 << 13, 1 << 25), O(10 << 13, np.int32)
kernel void curve_mul(global const int *p, global const int *q, global int *o)
{
    int id = get_global_id(0);
    int f[10], g[10];
    long h[10];
    for (int i = 0; i < 10; i++) {
        f[i] = p[id * 10 + i];
        g[i] = q[id * 10 + i];
        h[i] = 0;
    }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            long t = (long)f[i] * g[j];
            if ((i & 1) && (j & 1))
                t *= 2;
            if (i + j >= 10)
                h[i + j - 10] += 19 * t;
            else
                h[i + j] += t;
        }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 10; i++) {
            int bits = i & 1 ? 25 : 26;
            long carry = (h[i] + (1L << (bits - 1))) >> bits;
            h[i] -= carry << bits;
            if (i == 9)
                h[0] += carry * 19;
            else
                h[i + 1] += carry;
        }
    for (int i = 0; i < 10; i++)
        o[id * 10 + i] = h[i];
}

// case mont_cios
// 1 << 13, 64, I(8 << 13, 1 << 32, np.uint32), I(8 << 13, 1 << 32, np.uint32), I(8, 1 << 32, np.uint32), O(8 << 13, np.uint32), S(0x9e3779b1, np.uint32)
kernel void mont_cios(global const uint *a, global const uint *b, constant uint *modulus, global uint *o, uint n0)
{
    int id = get_global_id(0);
    uint t[10] = {0};
    for (int i = 0; i < 8; i++) {
        ulong c = 0;
        uint bi = b[id + i * get_global_size(0)];
        for (int j = 0; j < 8; j++) {
            c += t[j] + (ulong)a[id + j * get_global_size(0)] * bi;
            t[j] = c;
            c >>= 32;
        }
        c += t[8];
        t[8] = c;
        t[9] = c >> 32;
        uint m = t[0] * n0;
        c = (t[0] + (ulong)m * modulus[0]) >> 32;
        for (int j = 1; j < 8; j++) {
            c += t[j] + (ulong)m * modulus[j];
            t[j - 1] = c;
            c >>= 32;
        }
        c += t[8];
        t[7] = c;
        t[8] = t[9] + (c >> 32);
    }
    uint borrow = 0, r[8];
    for (int j = 0; j < 8; j++) {
        ulong d = (ulong)t[j] - modulus[j] - borrow;
        r[j] = d;
        borrow = (d >> 32) & 1;
    }
    for (int j = 0; j < 8; j++)
        o[id + j * get_global_size(0)] = borrow > t[8] ? t[j] : r[j];
}

// case unbase64
// 1 << 16, 64, ('buffer', np.frombuffer(b'QmFzZTY0IGlzIGFuIGVuY29kaW5nLg/+' * (4 << 16 >> 5), np.uint8).copy()), O(3 << 16, np.uint8), O(1, np.int32)
uchar value_of(uchar c, global int *wrong)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    if (c == '/')
        return 63;
    atomic_inc(wrong);
    return 0;
}
kernel void unbase64(global const uchar *in, global uchar *out, global int *wrong)
{
    size_t i = get_global_id(0);
    uchar a = value_of(in[i * 4], wrong), b = value_of(in[i * 4 + 1], wrong);
    uchar c = value_of(in[i * 4 + 2], wrong), d = value_of(in[i * 4 + 3], wrong);
    out[i * 3] = a << 2 | b >> 4;
    out[i * 3 + 1] = b << 4 | c >> 2;
    out[i * 3 + 2] = c << 6 | d;
}

// case utf16_to_8
// 1 << 13, 64, I(32 << 13, 1 << 16, np.uint16), O(96 << 13, np.uint8), O(1 << 13, np.int32), S(32)
kernel void utf16_to_8(global const ushort *in, global uchar *out, global int *lengths, int n)
{
    int id = get_global_id(0);
    global const ushort *p = in + id * n, *end = p + n;
    global uchar *q = out + id * 3 * n;
    while (p < end) {
        uint c = *p++;
        if (c >= 0xd800 && c < 0xdc00 && p < end && (*p & 0xfc00) == 0xdc00)
            c = 0x10000 + ((c & 0x3ff) << 10) + (*p++ & 0x3ff);
        if (c < 0x80) {
            *q++ = c;
        } else if (c < 0x800) {
            *q++ = 0xc0 | c >> 6;
            *q++ = 0x80 | (c & 63);
        } else if (c < 0x10000) {
            *q++ = 0xe0 | c >> 12;
            *q++ = 0x80 | (c >> 6 & 63);
            *q++ = 0x80 | (c & 63);
        } else {
            *q++ = 0xf0 | c >> 18;
            *q++ = 0x80 | (c >> 12 & 63);
            *q++ = 0x80 | (c >> 6 & 63);
            *q++ = 0x80 | (c & 63);
        }
    }
    lengths[id] = q - (out + id * 3 * n);
}

// case json_scan
// 1 << 12, 64, ('buffer', np.frombuffer((b'{"id": 17, "name": "a \\\\"b\\\\" c", "v": [1.5, -2, true, null]},\n   ' * 4096)[:64 << 12], np.uint8).copy()), O(4 << 12, np.int32), S(64)
kernel void json_scan(global const uchar *text, global int4 *found, int n)
{
    int id = get_global_id(0);
    int4 count = 0;
    int depth = 0, state = 0;
    for (int i = 0; i < n; i++) {
        uchar c = text[id * n + i];
        switch (state) {
        case 0:
            if (c == '"')
                state = 1;
            else if (c == '{' || c == '[')
                count.x = max(count.x, ++depth);
            else if (c == '}' || c == ']')
                depth--;
            else if (c == ',' || c == ':')
                count.y++;
            else if ((c >= '0' && c <= '9') || c == '-') {
                count.z++;
                state = 3;
            }
            break;
        case 1:
            if (c == '\\')
                state = 2;
            else if (c == '"') {
                count.w++;
                state = 0;
            }
            break;
        case 2: state = 1; break;
        case 3:
            if (!((c >= '0' && c <= '9') || c == '.' || c == 'e')) {
                state = 0;
                i--;
            }
            break;
        }
    }
    found[id] = count;
}

// case lz_match
// 1 << 13, 64, I((1 << 13) + 512, 3, np.uint8), O(1 << 13, np.uint32), S(48)
kernel void lz_match(global const uchar *data, global uint *best, int window)
{
    int i = get_global_id(0) + 128;
    int length = 0, distance = 0;
    for (int d = 1; d <= window; d++) {
        int k = 0;
        while (k < 64 && data[i + k] == data[i + k - d])
            k++;
        if (k > length) {
            length = k;
            distance = d;
        }
    }
    best[i - 128] = length << 16 | distance;
}

// case bit_planes
// 1 << 15, 64, I(8 << 15, 256, np.uint8), O(8 << 15, np.uint8), S(1 << 15)
kernel void bit_planes(global const uchar *in, global uchar *out, int n)
{
    int i = get_global_id(0);
    uchar8 v = vload8(i, in);
    ulong x = as_ulong(v);
    ulong t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaUL;
    x = x ^ t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000cccc0000ccccUL;
    x = x ^ t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0UL;
    x = x ^ t ^ (t << 28);
    for (int k = 0; k < 8; k++)
        out[k * n + i] = x >> (8 * k);
}

// case md5_crack
// 1 << 13, 64, I(4, 1 << 32, np.uint32), O(4, np.uint32), S(26)
#define STEP(f, a, b, c, d, x, t, s) a = b + rotate(a + (f) + x + t, (uint)s)
#define FF(b, c, d) bitselect(d, c, b)
#define HH(b, c, d) ((b) ^ (c) ^ (d))
kernel void md5_crack(global const uint *target, global uint *found, uint letters)
{
    uint id = get_global_id(0), w0 = 0, n = id;
    for (int i = 0; i < 4; i++) {
        w0 |= ('a' + n % letters) << (8 * i);
        n /= letters;
    }
    for (uint tail = 0; tail < letters; tail++) {
        uint w1 = ('a' + tail) | 0x8000;
        uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
        for (int r = 0; r < 4; r++) {
            STEP(FF(b, c, d), a, b, c, d, w0, 0xd76aa478 + r, 7);
            STEP(FF(a, b, c), d, a, b, c, w1, 0xe8c7b756, 12);
            STEP(FF(d, a, b), c, d, a, b, 0, 0x242070db, 17);
            STEP(FF(c, d, a), b, c, d, a, 40, 0xc1bdceee, 22);
            STEP(HH(b, c, d), a, b, c, d, w1, 0xfffa3942 - r, 4);
            STEP(HH(a, b, c), d, a, b, c, 0, 0x8771f681, 11);
            STEP(HH(d, a, b), c, d, a, b, w0, 0x6d9d6122, 16);
            STEP(HH(c, d, a), b, c, d, a, 0, 0xfde5380c, 23);
        }
        if (a + 0x67452301 == target[0] && b == target[1] && c == target[2] && d == target[3]) {
            found[0] = w0;
            found[1] = w1;
        }
    }
}

// case reed_solomon
// 1 << 12, 64, I(32 << 12, 256, np.uint8), I(256, 256, np.uint8), I(512, 256, np.uint8), O(8 << 12, np.uint8)
kernel void reed_solomon(global const uchar *data, global const uchar *log_table, global const uchar *exp_table,
                         global uchar *parity)
{
    local uchar lg[256], ex[512];
    int id = get_global_id(0);
    for (int k = get_local_id(0); k < 256; k += get_local_size(0)) {
        lg[k] = log_table[k];
        ex[k] = exp_table[k];
        ex[k + 256] = exp_table[k + 256];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar p[8] = {0};
    for (int i = 0; i < 32; i++) {
        uchar fb = data[id * 32 + i] ^ p[7];
        for (int j = 7; j > 0; j--)
            p[j] = fb ? p[j - 1] ^ ex[lg[fb] + lg[j * 23 & 255]] : p[j - 1];
        p[0] = fb ? ex[lg[fb] + 17] : 0;
    }
    for (int j = 0; j < 8; j++)
        parity[id * 8 + j] = p[j];
}

// case huffman
// 1 << 12, 64, I(20 << 12, 1 << 32, np.uint32), I(256, 1 << 16, np.uint16), O(64 << 12, np.uint8), S(64)
kernel void huffman(global const uint *bits, global const ushort *table, global uchar *out, int n)
{
    int id = get_global_id(0);
    global const uint *p = bits + id * 20;
    ulong buffer = 0;
    int have = 0;
    for (int i = 0; i < n; i++) {
        if (have < 32) {
            buffer |= (ulong)*p++ << have;
            have += 32;
        }
        ushort entry = table[buffer & 255];
        int length = (entry & 7) + 1;
        out[id * n + i] = entry >> 8;
        buffer >>= length;
        have -= length;
    }
}

// case romix
// 1 << 10, 64, I(16 << 10, 1 << 32, np.uint32), O(16 * 32 << 10, np.uint32), O(16 << 10, np.uint32)
void salsa2(uint4 *b)
{
    uint4 a = b[0], c = b[1], d = b[2], e = b[3];
    for (int r = 0; r < 2; r++) {
        c ^= rotate(a + e, (uint4)7);
        d ^= rotate(c + a, (uint4)9);
        e ^= rotate(d + c, (uint4)13);
        a ^= rotate(e + d, (uint4)18);
        c = c.wxyz, d = d.zwxy, e = e.yzwx;
    }
    b[0] += a, b[1] += c, b[2] += d, b[3] += e;
}
kernel void romix(global const uint4 *in, global uint4 *scratch, global uint4 *out)
{
    int id = get_global_id(0), n = get_global_size(0);
    uint4 x[4];
    for (int k = 0; k < 4; k++)
        x[k] = in[id * 4 + k];
    for (int i = 0; i < 32; i++) {
        for (int k = 0; k < 4; k++)
            scratch[(i * 4 + k) * n + id] = x[k];
        salsa2(x);
    }
    for (int i = 0; i < 32; i++) {
        uint j = x[3].x & 31;
        for (int k = 0; k < 4; k++)
            x[k] ^= scratch[(j * 4 + k) * n + id];
        salsa2(x);
    }
    for (int k = 0; k < 4; k++)
        out[id * 4 + k] = x[k];
}

// case crc_slices
// 1 << 13, 64, I(16 << 13, 1 << 32, np.uint32), I(8 * 256, 1 << 32, np.uint32), O(1 << 13, np.uint32)
kernel void crc_slices(global const uint *data, constant uint *t, global uint *crcs)
{
    int id = get_global_id(0);
    uint crc = ~0u;
    for (int i = 0; i < 8; i++) {
        uint one = data[id * 16 + 2 * i] ^ crc, two = data[id * 16 + 2 * i + 1];
        crc = t[two >> 24] ^ t[256 + (two >> 16 & 255)] ^ t[512 + (two >> 8 & 255)] ^ t[768 + (two & 255)] ^
              t[1024 + (one >> 24)] ^ t[1280 + (one >> 16 & 255)] ^ t[1536 + (one >> 8 & 255)] ^ t[1792 + (one & 255)];
    }
    crcs[id] = ~crc;
}

// case threefish
// 1 << 14, 64, I(5, 1 << 62, np.uint64), O(4 << 14, np.uint64)
constant uint turns[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};
kernel void threefish(constant ulong *key, global ulong4 *out)
{
    ulong4 x = (ulong4)(get_global_id(0), 1, 2, 3);
    for (uint d = 0; d < 72; d++) {
        if (d % 4 == 0) {
            uint s = d / 4;
            x += (ulong4)(key[s % 5], key[(s + 1) % 5], key[(s + 2) % 5], key[(s + 3) % 5] + s);
        }
        x.x += x.y;
        x.y = rotate(x.y, (ulong)turns[d % 8][0]) ^ x.x;
        x.z += x.w;
        x.w = rotate(x.w, (ulong)turns[d % 8][1]) ^ x.z;
        x = x.xwzy;
    }
    out[get_global_id(0)] = x;
}

// case smith_waterman
// 1 << 11, 64, I(48 << 11, 4, np.uint8), I(64, 4, np.uint8), I(16, 8, np.int8), O(1 << 11, np.int32)
kernel void smith_waterman(global const uchar *reads, constant uchar *query, constant char *score, global int *best)
{
    int id = get_global_id(0), n = get_global_size(0);
    short h[65], e[65];
    for (int j = 0; j <= 64; j++)
        h[j] = e[j] = 0;
    short most = 0;
    for (int i = 0; i < 48; i++) {
        short diagonal = 0, f = 0;
        uchar c = reads[i * n + id];
        for (int j = 1; j <= 64; j++) {
            short up = h[j];
            e[j] = max((short)(e[j] - 1), (short)(up - 5));
            f = max((short)(f - 1), (short)(h[j - 1] - 5));
            short s = diagonal + score[c * 4 + query[j - 1]] - 4;
            s = max(max(s, (short)0), max(e[j], f));
            diagonal = up;
            h[j] = s;
            most = max(most, s);
        }
    }
    best[id] = most;
}

// case register_vm
// 1 << 12, 64, I(64, 1 << 32, np.uint32), I(8 << 12), O(1 << 12, np.int32)
kernel void register_vm(constant uint *program, global const int *in, global int *out)
{
    int id = get_global_id(0), r[8], pc = 0, fuel = 200;
    for (int k = 0; k < 8; k++)
        r[k] = in[id * 8 + k];
    while (fuel-- > 0) {
        uint op = program[pc];
        int a = op >> 8 & 7, b = op >> 11 & 7, c = op >> 14 & 7;
        pc = (pc + 1) & 63;
        switch (op & 7) {
        case 0: r[a] = r[b] + r[c]; break;
        case 1: r[a] = r[b] - r[c]; break;
        case 2: r[a] = r[b] * r[c]; break;
        case 3: r[a] = r[b] ^ (r[c] >> 3); break;
        case 4: r[a] = (int)(op >> 17); break;
        case 5:
            if (r[b] < r[c])
                pc = (pc + (op >> 20 & 3)) & 63;
            break;
        case 6: r[a] = max(r[b], r[c]); break;
        default: r[a] = rotate(r[b], r[c] & 31);
        }
    }
    out[id] = r[0] ^ r[3];
}

// case tokenizer
// 1 << 12, 64, I(64 << 12, 128, np.uint8), O(1 << 12, np.int32), S(64)
kernel void tokenizer(global const uchar *text, global int *out, int n)
{
    global const uchar *p = text + get_global_id(0) * n, *end = p + n;
    int names = 0, numbers = 0, others = 0;
start:
    if (p == end)
        goto done;
    if (*p <= ' ') {
        p++;
        goto start;
    }
    if ((*p | 32) >= 'a' && (*p | 32) <= 'z')
        goto name;
    if (*p >= '0' && *p <= '9')
        goto number;
    others++;
    p++;
    goto start;
name:
    names++;
    while (p != end && (((*p | 32) >= 'a' && (*p | 32) <= 'z') || (*p >= '0' && *p <= '9') || *p == '_'))
        p++;
    goto start;
number:
    numbers++;
    while (p != end && *p >= '0' && *p <= '9')
        p++;
    goto start;
done:
    out[get_global_id(0)] = names << 20 | numbers << 10 | others;
}

// case big_float
// 1 << 13, 64, F(2 << 13), F(2 << 13), O(2 << 13), S(32)
float2 two_sum(float a, float b)
{
    float s = a + b, t = s - a;
    return (float2)(s, (a - (s - t)) + (b - t));
}
float2 df_mul(float2 a, float2 b)
{
    float p = a.x * b.x, e = fma(a.x, b.x, -p);
    e += a.x * b.y + a.y * b.x;
    return two_sum(p, e);
}
kernel void big_float(global const float2 *a, global const float2 *b, global float2 *o, int n)
{
    int i = get_global_id(0);
    float2 x = (float2)(a[i].x * 0.5f, 0), c = (float2)(b[i].x * 0.1f, 0), s = c;
    for (int k = 0; k < n; k++) {
        float2 m = df_mul(s, x), t = two_sum(m.x, c.x);
        t.y += m.y + c.y;
        s = two_sum(t.x, t.y);
    }
    o[i] = s;
}
