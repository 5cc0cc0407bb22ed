// Hashes, ciphers and searches for them as miners and password checkers run them.

// case ethash_lanes
// 64 * 64, 64, I(16 << 12, 1 << 31, np.uint32), I(2 * 64 * 64, 1 << 31, np.uint32), O(8 * 64 * 64, np.uint32), S(16)
#define FNV(a, b) ((a) * 0x01000193u ^ (b))
kernel void ethash_lanes(global const uint16 *dag, global const uint *seed, global uint8 *out, int reads)
{
    int i = get_global_id(0);
    uint a = seed[2 * i], b = seed[2 * i + 1];
    uint16 mix = (uint16)(a, b, a ^ b, a + b, a - b, a * 3, b * 5, a ^ 77, b ^ 99, a + 1, b + 2, ~a, ~b, a << 3, b >> 2, a | b);
    for (int r = 0; r < reads; r++) {
        uint which = FNV(r ^ a, r & 1 ? mix.s3 : mix.sc) & 4095;
        mix = FNV(mix, dag[which]);
    }
    out[i] = FNV(FNV(mix.even, mix.odd), (uint8)(a));
}

// case keccak_lanes25
// 1 << 12, 64, I(8 << 12, 1 << 62, np.uint64), O(4 << 12, np.uint64)
constant ulong round_word[24] = {
    0x1, 0x8082, 0x800000000000808a, 0x8000000080008000, 0x808b, 0x80000001, 0x8000000080008081, 0x8000000000008009, 0x8a, 0x88, 0x80008009, 0x8000000a,
    0x8000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x80000001, 0x8000000080008008};
constant int turn_by[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
constant int goes_to[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
kernel void keccak_lanes25(global const ulong *in, global ulong *out)
{
    ulong s[25], c[5];
    int i = get_global_id(0);
    for (int k = 0; k < 25; k++)
        s[k] = k < 8 ? in[i * 8 + k] : 0;
    s[8] = 0x8000000000000001;
    for (int r = 0; r < 24; r++) {
        for (int x = 0; x < 5; x++)
            c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        for (int x = 0; x < 5; x++) {
            ulong d = c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], (ulong)1);
            for (int y = 0; y < 25; y += 5)
                s[y + x] ^= d;
        }
        ulong t = s[1];
        for (int k = 0; k < 24; k++) {
            ulong u = s[goes_to[k]];
            s[goes_to[k]] = rotate(t, (ulong)turn_by[k]);
            t = u;
        }
        for (int y = 0; y < 25; y += 5) {
            for (int x = 0; x < 5; x++)
                c[x] = s[y + x];
            for (int x = 0; x < 5; x++)
                s[y + x] ^= ~c[(x + 1) % 5] & c[(x + 2) % 5];
        }
        s[0] ^= round_word[r];
    }
    for (int k = 0; k < 4; k++)
        out[i * 4 + k] = s[k];
}

// case equihash_slots
// 1 << 14, 64, I(1 << 14, 1 << 31, np.uint32), O(1 << 10, np.uint32), O(32 << 10, np.uint32), 'unordered'
kernel void equihash_slots(global const uint *hash, volatile global uint *count, global uint *slot)
{
    uint i = get_global_id(0), h = hash[i] * 0x9e3779b1u, bucket = h >> 22;
    uint at = atomic_inc(&count[bucket]) & 31;
    slot[bucket * 32 + at] = h & 0x3fffff;
}

// case pair_collide
// 256 * 64, 64, I(256 * 64, 256, np.uint32), O(256, np.uint32), O(256 * 16, np.uint32), 'unordered'
kernel void pair_collide(global const uint *slot, global uint *found, global uint *pair)
{
    local uint count, key[64];
    int l = get_local_id(0), g = get_group_id(0);
    key[l] = slot[g * 64 + l];
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l + 1; k < 64; k++)
        if (((key[l] ^ key[k]) & 255) == 0) {
            uint at = atomic_inc(&count);
            if (at < 16)
                pair[g * 16 + at] = l + k;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        found[g] = count;
}

// case ntlm_words
// 1 << 14, 64, I(4 << 14, 1 << 31, np.uint32), I(64, 1 << 31, np.uint32), O(1 << 14, np.uint32), S(64)
#define F1(x, y, z) bitselect(z, y, x)
#define F2(x, y, z) bitselect(bitselect(x, y, z), bitselect(z, x, y), z ^ y)
#define F3(x, y, z) (x ^ y ^ z)
#define STEP(f, a, b, c, d, k, w, s) a = rotate(a + f(b, c, d) + w + k, (uint)s)
kernel void ntlm_words(global const uint4 *word, global const uint *wanted, global uint *hit, int n)
{
    uint4 v = word[get_global_id(0)];
    uint w[8] = {v.x & 0xff00ff, v.y & 0xff00ff, v.z & 0xff00ff, v.w & 0xff00ff, 0x80, 0, 0, 0x80};
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int r = 0; r < 8; r += 4) {
        STEP(F1, a, b, c, d, 0, w[r], 3);
        STEP(F1, d, a, b, c, 0, w[r + 1], 7);
        STEP(F1, c, d, a, b, 0, w[r + 2], 11);
        STEP(F1, b, c, d, a, 0, w[r + 3], 19);
    }
    for (int r = 0; r < 4; r++) {
        STEP(F2, a, b, c, d, 0x5a827999, w[r], 3);
        STEP(F2, d, a, b, c, 0x5a827999, w[r + 4], 5);
        STEP(F2, c, d, a, b, 0x5a827999, w[r ^ 1], 9);
        STEP(F2, b, c, d, a, 0x5a827999, w[r ^ 5], 13);
    }
    for (int r = 0; r < 4; r++) {
        STEP(F3, a, b, c, d, 0x6ed9eba1, w[r], 3);
        STEP(F3, d, a, b, c, 0x6ed9eba1, w[r ^ 4], 9);
        STEP(F3, c, d, a, b, 0x6ed9eba1, w[r ^ 2], 11);
        STEP(F3, b, c, d, a, 0x6ed9eba1, w[r ^ 6], 15);
    }
    uint found = b;
    for (int k = 0; k < n; k++)
        if ((wanted[k] & 0xffff) == (a & 0xffff))
            found = k;
    hit[get_global_id(0)] = found;
}

// case present_rounds
// 1 << 12, 64, I(1 << 12, 1 << 62, np.uint64), I(32, 1 << 62, np.uint64), O(1 << 12, np.uint64)
constant uchar box[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};
kernel void present_rounds(global const ulong *in, constant ulong *key, global ulong *out)
{
    ulong s = in[get_global_id(0)];
    for (int r = 0; r < 31; r++) {
        ulong t = 0, p = 0;
        s ^= key[r];
        for (int k = 0; k < 64; k += 4)
            t |= (ulong)box[(s >> k) & 15] << k;
        for (int k = 0; k < 16; k++)
            p |= (t >> (4 * k) & 1) << k | (t >> (4 * k + 1) & 1) << (k + 16) | (t >> (4 * k + 2) & 1) << (k + 32) | (t >> (4 * k + 3) & 1) << (k + 48);
        s = p;
    }
    out[get_global_id(0)] = s ^ key[31];
}

// case cubehash
// 1 << 11, 64, I(8 << 11, 1 << 31, np.uint32), O(8 << 11, np.uint32), S(8)
kernel void cubehash(global const uint *in, global uint *out, int rounds)
{
    uint x[32], y[16];
    int i = get_global_id(0);
    for (int k = 0; k < 32; k++)
        x[k] = k < 8 ? in[i * 8 + k] : k * 0x9e3779b9u;
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < 16; k++) x[k + 16] += x[k];
        for (int k = 0; k < 16; k++) y[k ^ 8] = x[k];
        for (int k = 0; k < 16; k++) x[k] = rotate(y[k], 7u);
        for (int k = 0; k < 16; k++) x[k] ^= x[k + 16];
        for (int k = 0; k < 16; k++) y[k ^ 2] = x[k + 16];
        for (int k = 0; k < 16; k++) x[k + 16] = y[k];
        for (int k = 0; k < 16; k++) x[k + 16] += x[k];
        for (int k = 0; k < 16; k++) y[k ^ 4] = x[k];
        for (int k = 0; k < 16; k++) x[k] = rotate(y[k], 11u);
        for (int k = 0; k < 16; k++) x[k] ^= x[k + 16];
        for (int k = 0; k < 16; k++) y[k ^ 1] = x[k + 16];
        for (int k = 0; k < 16; k++) x[k + 16] = y[k];
    }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = x[k];
}

// case merkle_level
// 4096, 64, I(16 * 4096, 1 << 31, np.uint32), O(8 * 4096, np.uint32)
constant uint k256[16] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174};
kernel void merkle_level(global const uint *child, global uint *parent)
{
    uint w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t i = get_global_id(0);
    for (int k = 0; k < 16; k++)
        w[k] = child[i * 16 + k];
    for (int r = 0; r < 64; r++) {
        if (r >= 16) {
            uint a = w[(r + 1) & 15], b = w[(r + 14) & 15];
            w[r & 15] += (rotate(a, 25u) ^ rotate(a, 14u) ^ a >> 3) + w[(r + 9) & 15] + (rotate(b, 15u) ^ rotate(b, 13u) ^ b >> 10);
        }
        uint t = s[7] + (rotate(s[4], 26u) ^ rotate(s[4], 21u) ^ rotate(s[4], 7u)) + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + k256[r & 15] * (r / 16 + 1) + w[r & 15];
        uint u = (rotate(s[0], 30u) ^ rotate(s[0], 19u) ^ rotate(s[0], 10u)) + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (int k = 0; k < 8; k++)
        parent[i * 8 + k] = s[k];
}

// case siphash_edges
// 1 << 14, 128, I(4, 1 << 62, np.uint64), O(2 << 14, np.uint32), S((1 << 19) - 1)
ulong sip24(constant ulong *key, ulong nonce)
{
    ulong a = key[0], b = key[1], c = key[2], d = key[3] ^ nonce;
    for (int r = 0; r < 6; r++) {
        if (r == 2) {
            a ^= nonce;
            c ^= 255;
        }
        a += b;
        c += d;
        b = rotate(b, 13UL) ^ a;
        d = rotate(d, 16UL) ^ c;
        a = rotate(a, 32UL);
        c += b;
        a += d;
        b = rotate(b, 17UL) ^ c;
        d = rotate(d, 21UL) ^ a;
        c = rotate(c, 32UL);
    }
    return a ^ b ^ c ^ d;
}
kernel void siphash_edges(constant ulong *key, global uint2 *edge, uint mask)
{
    size_t i = get_global_id(0);
    edge[i] = (uint2)(sip24(key, 2 * i) & mask, (sip24(key, 2 * i + 1) & mask) | 1);
}

// case gf_multiply
// 1 << 13, 64, I(2 << 13, 1 << 62, np.uint64), O(2 << 13, np.uint64)
kernel void gf_multiply(global const ulong *in, global ulong *out)
{
    int i = get_global_id(0);
    ulong a = in[2 * i], b = in[2 * i + 1], high = 0, low = 0;
    for (int k = 0; k < 64; k++) {
        ulong bit = -(b >> k & 1);
        low ^= (a << k) & bit;
        if (k)
            high ^= (a >> (64 - k)) & bit;
    }
    low ^= high ^ high << 1 ^ high << 3 ^ high << 4;
    high = high >> 63 ^ high >> 61 ^ high >> 60;
    out[2 * i] = low ^ high ^ high << 1 ^ high << 3 ^ high << 4;
    out[2 * i + 1] = high;
}
