// selection.cl -- kinds of kernels: passes of sorts, scans by segment, compaction, hashes, text, small interpreters.
//
// Form: bench/kinds.py.

// case radix_local4
// 1 << 14, 256, I(1 << 14, 1 << 30, np.uint32), O(1 << 14, np.uint32), O(16 * 64, np.uint32), S(4)
kernel void radix_local4(global const uint *in, global uint *out, global uint *hist, int shift)
{
    local uint keys[256], scan[256];
    int l = get_local_id(0), group = get_group_id(0);
    keys[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = shift; b < shift + 4; b++) {
        uint key = keys[l], zero = !(key >> b & 1);
        scan[l] = zero;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 1; s < 256; s <<= 1) {
            uint add = l >= s ? scan[l - s] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            scan[l] += add;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint zeros = scan[255], before = scan[l] - zero;
        barrier(CLK_LOCAL_MEM_FENCE);
        keys[zero ? before : zeros + l - before] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = keys[l];
    if (l < 16) {
        uint count = 0;
        for (int i = 0; i < 256; i++)
            count += (keys[i] >> shift & 15) == l;
        hist[l * get_num_groups(0) + group] = count;
    }
}

// case segmented_scan
// 1 << 14, 128, F(1 << 14), I(1 << 14, 8), O(1 << 14)
kernel void segmented_scan(global const float *in, global const int *head, global float *out)
{
    local float value[128];
    local int flag[128];
    int l = get_local_id(0), i = get_global_id(0);
    value[l] = in[i];
    flag[l] = head[i] == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 128; d <<= 1) {
        float v = value[l];
        int f = flag[l];
        if (l >= d) {
            if (!f)
                v += value[l - d];
            f |= flag[l - d];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        value[l] = v;
        flag[l] = f;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = value[l];
}

// case compact_atomic
// 1 << 16, 256, I(1 << 16, 1000), O(1 << 16, np.int32), O(1, np.int32), 'unordered'
kernel void compact_atomic(global const int *in, global int *out, global int *total)
{
    local int count, base;
    int l = get_local_id(0), v = in[get_global_id(0)], slot = -1;
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > 700)
        slot = atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        base = atomic_add(total, count) & 65535;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slot >= 0)
        out[base + slot & 65535] = v;
}

// case multisplit
// 1 << 15, 128, I(1 << 15, 1 << 20), O(8 * 256, np.int32), O(1 << 15, np.int32)
kernel void multisplit(global const int *key, global int *counts, global int *rank)
{
    local int bins[8][128];
    int l = get_local_id(0), mine = key[get_global_id(0)] & 7;
    for (int b = 0; b < 8; b++)
        bins[b][l] = b == mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) {
        int sum = 0;
        for (int i = 0; i < 128; i++) {
            int t = bins[l][i];
            bins[l][i] = sum;
            sum += t;
        }
        counts[l * get_num_groups(0) + get_group_id(0)] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    rank[get_global_id(0)] = bins[mine][l];
}

// case reduce_by_key
// 1 << 16, None, ('buffer', np.sort(RANDOM.integers(0, 8000, 1 << 16)).astype(np.int32)), F(1 << 16), O(8000), S(1 << 16)
kernel void reduce_by_key(global const int *key, global const float *value, global float *sum, int n)
{
    int i = get_global_id(0), k = key[i];
    if (i > 0 && key[i - 1] == k)
        return;
    float s = 0;
    for (int j = i; j < n && key[j] == k; j++)
        s += value[j];
    sum[k] = s;
}

// case radix_select
// 256, 64, I(256 * 128, 1 << 30, np.uint32), O(256, np.uint32)
kernel void radix_select(global const uint *in, global uint *median)
{
    int g = get_global_id(0), rank = 64;
    uint prefix = 0, mask = 0;
    for (int bit = 29; bit >= 0; bit--) {
        int zeros = 0;
        for (int i = 0; i < 128; i++) {
            uint v = in[i * 256 + g];
            zeros += (v & mask) == prefix && !(v >> bit & 1);
        }
        if (rank >= zeros) {
            rank -= zeros;
            prefix |= 1u << bit;
        }
        mask |= 1u << bit;
    }
    median[g] = prefix;
}

// case shell_sort
// 512, 64, I(512 * 64, 1 << 30)
kernel void shell_sort(global int *data)
{
    int g = get_global_id(0);
    int a[64];
    for (int i = 0; i < 64; i++)
        a[i] = data[i * 512 + g];
    for (int gap = 21; gap > 0; gap = gap == 21 ? 7 : gap / 3)
        for (int i = gap; i < 64; i++) {
            int v = a[i], j = i;
            for (; j >= gap && a[j - gap] > v; j -= gap)
                a[j] = a[j - gap];
            a[j] = v;
        }
    for (int i = 0; i < 64; i++)
        data[i * 512 + g] = a[i];
}

// case blake3_chunk
// 4096, 64, I(4096 * 16, 1 << 30, np.uint32), O(4096 * 8, np.uint32)
#define MIX(a, b, c, d, x, y) \
    v[a] += v[b] + (x); v[d] = rotate(v[d] ^ v[a], 16u); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 20u); \
    v[a] += v[b] + (y); v[d] = rotate(v[d] ^ v[a], 24u); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 25u)
constant uchar blake_perm[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
kernel void blake3_chunk(global const uint *in, global uint *out)
{
    int g = get_global_id(0);
    uint m[16], t[16];
    uint v[16] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
                  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, g, 0, 64, 11};
    for (int i = 0; i < 16; i++)
        m[i] = in[g * 16 + i];
    for (int r = 0; r < 7; r++) {
        MIX(0, 4, 8, 12, m[0], m[1]); MIX(1, 5, 9, 13, m[2], m[3]);
        MIX(2, 6, 10, 14, m[4], m[5]); MIX(3, 7, 11, 15, m[6], m[7]);
        MIX(0, 5, 10, 15, m[8], m[9]); MIX(1, 6, 11, 12, m[10], m[11]);
        MIX(2, 7, 8, 13, m[12], m[13]); MIX(3, 4, 9, 14, m[14], m[15]);
        for (int i = 0; i < 16; i++)
            t[i] = m[blake_perm[i]];
        for (int i = 0; i < 16; i++)
            m[i] = t[i];
    }
    for (int i = 0; i < 8; i++)
        out[g * 8 + i] = v[i] ^ v[i + 8];
}

// case pbkdf2_sha1
// 512, 64, I(512 * 5, 1 << 30, np.uint32), O(512 * 5, np.uint32), S(32)
void sha1_block(uint *h, const uint *block)
{
    uint w[16];
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 80; i++) {
        if (i >= 16)
            w[i & 15] = rotate(w[i + 13 & 15] ^ w[i + 8 & 15] ^ w[i + 2 & 15] ^ w[i & 15], 1u);
        uint f = i < 20 ? bitselect(d, c, b) + 0x5a827999 : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
               : i < 60 ? ((b & c) | (d & (b | c))) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
        uint t = rotate(a, 5u) + f + e + w[i & 15];
        e = d;
        d = c;
        c = rotate(b, 30u);
        b = a;
        a = t;
    }
    h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e;
}
kernel void pbkdf2_sha1(global const uint *key, global uint *out, int rounds)
{
    int g = get_global_id(0);
    uint sum[5], block[16];
    for (int i = 0; i < 16; i++)
        block[i] = i < 5 ? key[g * 5 + i] : i == 5 ? 0x80000000 : i == 15 ? 160 : 0;
    for (int i = 0; i < 5; i++)
        sum[i] = 0;
    for (int r = 0; r < rounds; r++) {
        uint h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
        sha1_block(h, block);
        for (int i = 0; i < 5; i++) {
            sum[i] ^= h[i];
            block[i] = h[i];
        }
    }
    for (int i = 0; i < 5; i++)
        out[g * 5 + i] = sum[i];
}

// case salsa8
// 2048, 64, I(16 << 11, 1 << 30, np.uint32), O(16 << 11, np.uint32)
kernel void salsa8(global const uint4 *in, global uint4 *out)
{
    int g = get_global_id(0);
    uint4 a = in[4 * g], b = in[4 * g + 1], c = in[4 * g + 2], d = in[4 * g + 3];
    for (int r = 0; r < 8; r++) {
        b ^= rotate(a + d, (uint4)7);
        c ^= rotate(b + a, (uint4)9);
        d ^= rotate(c + b, (uint4)13);
        a ^= rotate(d + c, (uint4)18);
        uint4 t = b.wxyz;
        b = d.yzwx;
        d = t;
        c = c.zwxy;
    }
    out[4 * g] = a + in[4 * g];
    out[4 * g + 1] = b + in[4 * g + 1];
    out[4 * g + 2] = c + in[4 * g + 2];
    out[4 * g + 3] = d + in[4 * g + 3];
}

// case ghash
// 2048, 64, I(2 << 11, 1 << 62, np.uint64), I(2, 1 << 62, np.uint64), O(2 << 11, np.uint64)
kernel void ghash(global const ulong2 *x, global const ulong2 *h, global ulong2 *out)
{
    int g = get_global_id(0);
    ulong2 v = h[0], z = 0, a = x[g];
    for (int i = 0; i < 128; i++) {
        ulong bit = i < 64 ? a.x >> (63 - i) & 1 : a.y >> (127 - i) & 1;
        if (bit)
            z ^= v;
        ulong carry = v.y & 1;
        v.y = v.y >> 1 | v.x << 63;
        v.x = v.x >> 1 ^ (carry ? 0xe100000000000000ul : 0);
    }
    out[g] = z;
}

// case ntt_stage
// 1 << 15, 256, I(1 << 16, 2013265921, np.uint32), I(1 << 8, 2013265921, np.uint32), S(256)
uint ntt_mul(uint a, uint b)
{
    ulong p = (ulong)a * b;
    uint m = (uint)p * 2013265919u;
    uint r = (p + (ulong)m * 2013265921u) >> 32;
    return r >= 2013265921u ? r - 2013265921u : r;
}
kernel void ntt_stage(global uint *data, global const uint *twiddle, int half_size)
{
    int i = get_global_id(0), k = i & (half_size - 1), at = 2 * (i - k) + k;
    uint a = data[at], b = ntt_mul(data[at + half_size], twiddle[k]);
    uint s = a + b, d = a + 2013265921u - b;
    data[at] = s >= 2013265921u ? s - 2013265921u : s;
    data[at + half_size] = d >= 2013265921u ? d - 2013265921u : d;
}

// case md4_words
// 1 << 14, 64, I(4 << 14, 1 << 30, np.uint32), I(64, 1 << 30, np.uint32), O(1 << 14, np.uint32)
#define STEP(f, a, b, c, d, x, k, s) a = rotate(a + f(b, c, d) + (x) + k, (uint)s)
#define F1(x, y, z) bitselect(z, y, x)
#define F2(x, y, z) bitselect(x, y, (x) ^ (z))
#define F3(x, y, z) ((x) ^ (y) ^ (z))
kernel void md4_words(global const uint4 *word, global const uint *target, global uint *found)
{
    int g = get_global_id(0);
    uint4 w = word[g];
    uint m[16] = {w.x, w.y, w.z, w.w, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0};
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int i = 0; i < 16; i += 4) {
        STEP(F1, a, b, c, d, m[i], 0, 3);
        STEP(F1, d, a, b, c, m[i + 1], 0, 7);
        STEP(F1, c, d, a, b, m[i + 2], 0, 11);
        STEP(F1, b, c, d, a, m[i + 3], 0, 19);
    }
    for (int i = 0; i < 4; i++) {
        STEP(F2, a, b, c, d, m[i], 0x5a827999, 3);
        STEP(F2, d, a, b, c, m[i + 4], 0x5a827999, 5);
        STEP(F2, c, d, a, b, m[i + 8], 0x5a827999, 9);
        STEP(F2, b, c, d, a, m[i + 12], 0x5a827999, 13);
    }
    const int order[4] = {0, 2, 1, 3};
    for (int j = 0; j < 4; j++) {
        int i = order[j];
        STEP(F3, a, b, c, d, m[i], 0x6ed9eba1, 3);
        STEP(F3, d, a, b, c, m[i + 8], 0x6ed9eba1, 9);
        STEP(F3, c, d, a, b, m[i + 4], 0x6ed9eba1, 11);
        STEP(F3, b, c, d, a, m[i + 12], 0x6ed9eba1, 15);
    }
    uint hash = a + 0x67452301, hits = 0;
    for (int i = 0; i < 64; i++)
        hits += (target[i] ^ hash) < 0x4000000;
    found[g] = hits ^ b;
}

// case gp_eval
// 1 << 13, 64, I(64, 8, np.uint8), F(64), F(1 << 13), O(1 << 13)
kernel void gp_eval(global const uchar *program, global const float *constants, global const float *input, global float *out)
{
    int g = get_global_id(0), top = 0;
    float stack[16], x = input[g];
    stack[0] = 0;
    for (int pc = 0; pc < 64; pc++) {
        switch (program[pc]) {
        case 0:
        case 1:
            stack[top++ & 15] = x;
            break;
        case 2:
            stack[top++ & 15] = constants[pc];
            break;
        case 3:
            if (top > 1) {
                top--;
                stack[top - 1 & 15] += stack[top & 15];
            }
            break;
        case 4:
            if (top > 1) {
                top--;
                stack[top - 1 & 15] *= stack[top & 15];
            }
            break;
        case 5:
            if (top > 1) {
                top--;
                float d = stack[top & 15];
                stack[top - 1 & 15] = fabs(d) < 1e-3f ? 1 : stack[top - 1 & 15] / d;
            }
            break;
        case 6:
            if (top > 0)
                stack[top - 1 & 15] = sin(stack[top - 1 & 15]);
            break;
        default:
            if (top > 0)
                stack[top - 1 & 15] = sqrt(fabs(stack[top - 1 & 15]));
        }
    }
    out[g] = stack[top - 1 & 15];
}

// case regex_bits
// 4096, 64, I(4096 * 32, 26, np.uint8), I(26, 1 << 16, np.uint32), I(16, 1 << 16, np.uint32), O(4096, np.uint32)
kernel void regex_bits(global const uchar *text, global const uint *letter, global const uint *follow, global uint *match)
{
    int g = get_global_id(0);
    uint states = 1, seen = 0;
    for (int i = 0; i < 32; i++) {
        uint next = 0;
        for (uint s = states; s; s &= s - 1)
            next |= follow[31 - clz(s & -s)];
        states = (next & letter[text[g * 32 + i]]) | 1;
        seen |= states;
    }
    match[g] = seen;
}

// case utf8_valid
// 4096, 64, I(4096 * 32, 256, np.uint8), O(4096, np.uint8)
kernel void utf8_valid(global const uchar *text, global uchar *valid)
{
    int g = get_global_id(0), i = 0, ok = 1;
    global const uchar *p = text + g * 32;
    while (i < 32) {
        uchar c = p[i++];
        int more = c < 0x80 ? 0 : (c >> 5) == 6 ? 1 : (c >> 4) == 14 ? 2 : (c >> 3) == 30 ? 3 : -1;
        if (more < 0 || i + more > 32) {
            ok = 0;
            break;
        }
        for (; more > 0; more--)
            if ((p[i++] & 0xc0) != 0x80)
                ok = 0;
    }
    valid[g] = ok;
}

// case parse_float
// 1 << 14, 64, ('buffer', np.frombuffer((b'-12.75e2    3.14159     0.0001234   65536       ' * (1 << 12)), np.uint8).copy()), O(1 << 14)
kernel void parse_float(global const uchar *text, global float *out)
{
    int g = get_global_id(0), i = 0, exponent = 0;
    global const uchar *s = text + 12 * g;
    bool negative = s[0] == '-';
    i += negative;
    float v = 0;
    while (i < 12 && s[i] >= '0' && s[i] <= '9')
        v = v * 10 + (s[i++] - '0');
    if (i < 12 && s[i] == '.')
        for (i++; i < 12 && s[i] >= '0' && s[i] <= '9'; i++) {
            v = v * 10 + (s[i] - '0');
            exponent--;
        }
    if (i < 12 && s[i] == 'e') {
        int e = 0;
        for (i++; i < 12 && s[i] >= '0' && s[i] <= '9'; i++)
            e = e * 10 + (s[i] - '0');
        exponent += e;
    }
    for (; exponent > 0; exponent--)
        v *= 10;
    for (; exponent < 0; exponent++)
        v /= 10;
    out[g] = negative ? -v : v;
}

// case civil_date
// 1 << 16, None, I(1 << 16, 40000), O(1 << 16, np.uint32)
kernel void civil_date(global const int *days, global uint *date)
{
    int i = get_global_id(0), z = days[i] + 719468;
    int era = z / 146097, doe = z - era * 146097;
    int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    int d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9, y = yoe + era * 400 + (m <= 2);
    date[i] = y << 9 | m << 5 | d;
}

// case automaton
// 2048, 64, I(2048 * 64, 4, np.uint8), I(64 * 4, 64, np.uint16), I(64, 2, np.uint8), O(2048, np.uint32)
kernel void automaton(global const uchar *text, global const ushort *next, global const uchar *accept, global uint *count)
{
    int g = get_global_id(0);
    uint state = 0, n = 0;
    for (int i = 0; i < 64; i++) {
        state = next[state * 4 + text[i * 2048 + g]];
        n += accept[state];
    }
    count[g] = n;
}

// case edit_myers
// 2048, 64, I(2048 * 32, 4, np.uint8), I(4, 1 << 30, np.uint32), O(2048, np.uint32)
kernel void edit_myers(global const uchar *text, global const uint *peq, global uint *least)
{
    int g = get_global_id(0), score = 30, best = 30;
    uint pv = ~0u, mv = 0;
    for (int i = 0; i < 32; i++) {
        uint eq = peq[text[g * 32 + i]], xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
        uint ph = mv | ~(xh | pv), mh = pv & xh;
        if (ph & 0x20000000)
            score++;
        else if (mh & 0x20000000)
            score--;
        ph = ph << 1 | 1;
        mh <<= 1;
        pv = mh | ~(xv | ph);
        mv = ph & xv;
        best = min(best, score);
    }
    least[g] = best;
}

// case cuckoo_find
// 1 << 15, 64, I(1 << 15, 1 << 20, np.uint32), I(1 << 14, 1 << 20, np.uint32), O(1 << 15, np.int32)
kernel void cuckoo_find(global const uint *query, global const uint *table, global int *slot)
{
    int i = get_global_id(0), at = -1;
    uint k = query[i];
    uint a = (k * 2654435761u) >> 18, b = ((k ^ 0x5bd1e995) * 40503u) >> 7 & 16383;
    if (table[a] == k)
        at = a;
    else if (table[b] == k)
        at = b;
    slot[i] = at;
}

// case hll_registers
// 1 << 16, 256, I(1 << 16, 1 << 30, np.uint32), O(256, np.int32)
kernel void hll_registers(global const uint *in, global int *reg)
{
    local int mine[256];
    int l = get_local_id(0);
    mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint h = in[get_global_id(0)] * 0x9e3779b1u;
    h ^= h >> 15;
    h *= 0x85ebca77u;
    atomic_max(&mine[h >> 24], (int)clz(h << 8 | 128) + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine[l])
        atomic_max(&reg[l], mine[l]);
}

// case queue_bfs
// 1 << 13, 64, row_starts(1 << 13, 8), I(8 << 13, 1 << 13), I(1 << 13, 3), O(1 << 16, np.int32), O(1, np.int32), S(2), 'unordered'
kernel void queue_bfs(global const int *start, global const int *edge, volatile global int *level, global int *queue,
                      global int *tail, int now)
{
    int v = get_global_id(0);
    if (level[v] != now)
        return;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int w = edge[e];
        if (level[w] == 0 && atomic_cmpxchg(&level[w], 0, now + 1) == 0)
            queue[atomic_inc(tail) & 65535] = w;
    }
}

// case mst_edges
// 1 << 12, 64, row_starts(1 << 12, 10), I(10 << 12, 1 << 12), F(10 << 12), I(1 << 12, 64), O(1 << 12, np.int32)
kernel void mst_edges(global const int *start, global const int *edge, global const float *weight, global const int *colour,
                      global int *pick)
{
    int v = get_global_id(0), mine = colour[v], best = -1;
    float least = MAXFLOAT;
    for (int e = start[v]; e < start[v + 1]; e++)
        if (colour[edge[e]] != mine && weight[e] < least) {
            least = weight[e];
            best = e;
        }
    pick[v] = best;
}

// case noinline_eval
// 1 << 15, 64, F(1 << 15), I(1 << 15, 4), O(1 << 15)
__attribute__((noinline)) float spline(float x, float a, float b, float c)
{
    return x < 0.3f ? a * x * x + b : x < 0.7f ? b * x + c : c * sqrt(x) - a;
}
kernel void noinline_eval(global const float *x, global const int *kind, global float *out)
{
    int i = get_global_id(0);
    float v = x[i];
    switch (kind[i]) {
    case 0:
        v = spline(v, 1, 2, 3);
        break;
    case 1:
        v = spline(1 - v, 3, 1, 2) + spline(v, 2, 2, 1);
        break;
    default:
        v = spline(spline(v, 1, 0.1f, 0.2f), 2, 3, 4);
    }
    out[i] = v;
}
