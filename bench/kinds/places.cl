// Short kernels that search and scatter: trees and tables in arrays, texts of varying length, places that other arrays name,
// random draws, counters.
//
// SPDX-License-Identifier: MIT

// case fenwick_query
// 1 << 15, 64, I(1 << 15, 100), I(1 << 15, 1 << 15), O(1 << 15, np.int32)
kernel void fenwick_query(global const int *tree, global const int *at, global int *sum)
{
    int id = get_global_id(0), s = 0;
    for (int i = at[id]; i > 0; i &= i - 1)
        s += tree[i];
    sum[id] = s;
}

// case eytzinger
// 1 << 15, 64, ascending(1 << 15), F(1 << 15), O(1 << 15, np.int32), S(1 << 15)
kernel void eytzinger(global const float *heap, global const float *key, global int *place, int n)
{
    int id = get_global_id(0), k = 1;
    float x = key[id];
    while (k < n)
        k = 2 * k + (heap[k] < x);
    k >>= 32 - clz(~k & (k + 1));
    place[id] = k;
}

// case ipv4_parse
// 1 << 13, 64, ('buffer', np.frombuffer(b''.join((b'%d.%d.9.%d' % (i % 256, i * 7 % 200, i % 99)).ljust(17, b'\0') for i in range(1 << 13)), np.uint8).copy()), O(1 << 13, np.uint32)
kernel void ipv4_parse(global const uchar *text, global uint *address)
{
    int id = get_global_id(0), dots = 0;
    global const uchar *t = text + id * 17;
    uint part = 0, whole = 0;
    bool good = true;
    for (int i = 0; t[i] != 0; i++) {
        uchar c = t[i];
        if (c == '.') {
            whole = whole << 8 | part;
            part = 0;
            dots++;
        } else if (c >= '0' && c <= '9') {
            part = part * 10 + (c - '0');
            good = good && part < 256;
        } else {
            good = false;
        }
    }
    address[id] = good && dots == 3 ? whole << 8 | part : 0xffffffff;
}

// case prefix_match
// 1 << 16, 64, I(1 << 16, 1 << 32, np.uint32), I(1 << 16, 1 << 16, np.uint16), I(256 << 8, 1 << 16, np.uint16), O(1 << 16, np.uint16)
kernel void prefix_match(global const uint *address, global const ushort *first, global const ushort *second, global ushort *hop)
{
    int id = get_global_id(0);
    uint a = address[id];
    ushort f = first[a >> 16];
    if (f & 0x8000)
        f = second[(f & 255) << 8 | (a >> 8 & 255)];
    hop[id] = f;
}

// case alias_sample
// 1 << 15, 64, F(1 << 12), I(1 << 12, 1 << 12), O(1 << 15, np.int32), S(1 << 12)
kernel void alias_sample(global const float *share, global const int *alias, global int *drawn, int n)
{
    int id = get_global_id(0);
    uint s = id * 747796405u + 2891336453u, count = 0;
    for (int k = 0; k < 8; k++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        int i = mul_hi(s, (uint)n);
        float u = (s * 2654435769u >> 8) * 0x1p-24f;
        count += u < share[i] ? i : alias[i];
    }
    drawn[id] = count;
}

// case ragged_copy
// 1 << 12, 64, I(1 << 18, 256, np.uint8), row_starts((1 << 12) + 1, 32), row_starts((1 << 12) + 1, 32), O(1 << 18, np.uint8)
kernel void ragged_copy(global const uchar *from, global const int *start, global const int *to, global uchar *out)
{
    int id = get_global_id(0), n = min(start[id + 1] - start[id], to[id + 1] - to[id]);
    global const uchar *f = from + start[id];
    global uchar *t = out + to[id];
    for (int i = 0; i < n; i++)
        t[i] = f[i];
}

// case csr_to_dense
// 1 << 11, 64, row_starts((1 << 11) + 1, 32), I(1 << 16, 256), F(1 << 16), O(1 << 19)
kernel void csr_to_dense(global const int *rows, global const int *column, global const float *value, global float *dense)
{
    int r = get_global_id(0);
    for (int e = rows[r]; e < rows[r + 1]; e++)
        dense[r * 256 + column[e]] = value[e];
}

// case suffix_search
// 1 << 12, 64, I(1 << 16, 4, np.uint8), I(1 << 14, 1 << 15), I(8 << 12, 4, np.uint8), O(1 << 12, np.int32)
kernel void suffix_search(global const uchar *text, global const int *suffix, global const uchar *pattern, global int *found)
{
    int id = get_global_id(0), low = 0, high = 1 << 14;
    global const uchar *p = pattern + id * 8;
    while (low < high) {
        int middle = (low + high) / 2, k = 0;
        global const uchar *t = text + suffix[middle];
        while (k < 8 && t[k] == p[k])
            k++;
        if (k < 8 && t[k] < p[k])
            low = middle + 1;
        else
            high = middle;
    }
    found[id] = low;
}

// case deck_shuffle
// 1 << 12, 64, I(1 << 12, 1 << 32, np.uint32), O(52 << 12, np.uint8)
kernel void deck_shuffle(global const uint *seed, global uchar *out)
{
    int id = get_global_id(0);
    uint s = seed[id] | 1;
    uchar deck[52];
    for (int i = 0; i < 52; i++)
        deck[i] = i;
    for (int i = 51; i > 0; i--) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        int k = mul_hi(s, (uint)i + 1);
        uchar c = deck[i];
        deck[i] = deck[k];
        deck[k] = c;
    }
    for (int i = 0; i < 52; i++)
        out[id * 52 + i] = deck[i];
}

// case polygon_areas
// 1 << 12, 64, row_starts((1 << 12) + 1, 24), F(2 << 17), O(1 << 12)
kernel void polygon_areas(global const int *start, global const float2 *corner, global float *area)
{
    int id = get_global_id(0), begin = start[id], end = start[id + 1];
    float sum = 0;
    for (int i = begin; i < end; i++) {
        float2 a = corner[i], b = corner[i + 1 < end ? i + 1 : begin];
        sum += a.x * b.y - a.y * b.x;
    }
    area[id] = fabs(sum) * 0.5f;
}

// case uuid_text
// 1 << 13, 64, I(16 << 13, 256, np.uint8), O(36 << 13, np.uint8)
kernel void uuid_text(global const uchar *id, global uchar *text)
{
    int i = get_global_id(0), at = i * 36;
    for (int k = 0; k < 16; k++) {
        uchar b = id[i * 16 + k], high = b >> 4, low = b & 15;
        if (k == 4 || k == 6 || k == 8 || k == 10)
            text[at++] = '-';
        text[at++] = high < 10 ? '0' + high : 'a' + high - 10;
        text[at++] = low < 10 ? '0' + low : 'a' + low - 10;
    }
}

// case group_rank_scatter
// 1 << 16, 256, I(1 << 16, 16), O(1 << 16, np.int32), 'unordered'
kernel void group_rank_scatter(global const int *key, global int *out)
{
    local int count[16], base[16];
    int l = get_local_id(0), k = key[get_global_id(0)], rank, sum = 0;
    if (l < 16)
        count[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    rank = atomic_inc(&count[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) {
        for (int i = 0; i < l; i++)
            sum += count[i];
        base[l] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 256 + base[k] + rank] = k << 8 | l;
}

// case byte_scatter
// 1 << 17, None, I(1 << 17, 256, np.uint8), ('buffer', RANDOM.permutation(1 << 17).astype(np.int32)), O(1 << 17, np.uint8)
kernel void byte_scatter(global const uchar *a, global const int *to, global uchar *o)
{
    int i = get_global_id(0);
    o[to[i]] = a[i];
}

// case long_scatter
// 1 << 16, None, I(1 << 16, 1 << 40, np.int64), ('buffer', RANDOM.permutation(1 << 16).astype(np.int32)), O(1 << 16, np.int64)
kernel void long_scatter(global const long *a, global const int *to, global long *o)
{
    int i = get_global_id(0);
    o[to[i]] = a[i];
}

// case perm_scatter
// 1 << 17, None, F(1 << 17), ('buffer', RANDOM.permutation(1 << 17).astype(np.int32)), O(1 << 17)
kernel void perm_scatter(global const float *a, global const int *to, global float *o)
{
    int i = get_global_id(0);
    o[to[i]] = a[i];
}

// case perm_gather
// 1 << 17, None, F(1 << 17), ('buffer', RANDOM.permutation(1 << 17).astype(np.int32)), O(1 << 17)
kernel void perm_gather(global const float *a, global const int *from, global float *o)
{
    int i = get_global_id(0);
    o[i] = a[from[i]];
}

// case compact_scanned
// 1 << 17, None, I(1 << 17, 1 << 20), ('buffer', np.cumsum(np.arange(1 << 17) * 7919 % 3 == 0).astype(np.int32)), O(1 << 17, np.int32)
kernel void compact_scanned(global const int *a, global const int *place, global int *o)
{
    int i = get_global_id(0), before = i == 0 ? 0 : place[i - 1];
    if (place[i] != before)
        o[before] = a[i];
}

// case csr_softmax
// 1 << 11, 64, row_starts((1 << 11) + 1, 32), F(1 << 16), O(1 << 16)
kernel void csr_softmax(global const int *rows, global const float *a, global float *o)
{
    int r = get_global_id(0), begin = rows[r], end = rows[r + 1];
    float most = -INFINITY, sum = 0;
    for (int e = begin; e < end; e++)
        most = fmax(most, a[e]);
    for (int e = begin; e < end; e++)
        sum += native_exp(a[e] - most);
    for (int e = begin; e < end; e++)
        o[e] = native_exp(a[e] - most) / sum;
}

// case pair_gather
// 1 << 16, None, ('buffer', RANDOM.random(2 << 16, dtype=np.float32)), I(1 << 16, 1 << 16), O(1 << 16)
typedef struct { int id; float weight; } pair;
kernel void pair_gather(global const pair *p, global const int *from, global float *o)
{
    int i = get_global_id(0);
    pair x = p[from[i]];
    o[i] = x.weight * (x.id & 7);
}

// case float2_scatter
// 1 << 16, None, F(2 << 16), ('buffer', RANDOM.permutation(1 << 16).astype(np.int32)), O(2 << 16)
kernel void float2_scatter(global const float2 *a, global const int *to, global float2 *o)
{
    int i = get_global_id(0);
    o[to[i]] = a[i] * 2;
}

// case run_ids
// 1 << 14, 64, row_starts((1 << 12) + 1, 8), O(1 << 14, np.int32), S(1 << 12)
kernel void run_ids(global const int *start, global int *id, int runs)
{
    int i = get_global_id(0), low = 0, high = runs;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (start[middle] <= i)
            low = middle;
        else
            high = middle - 1;
    }
    id[i] = low;
}

// case splat_bilinear
// 1 << 14, 64, F(1 << 14), F(1 << 14), F(1 << 14), O(1 << 16, np.int32), 'unordered'
kernel void splat_bilinear(global const float *px, global const float *py, global const float *w, global int *grid)
{
    int i = get_global_id(0);
    float x = px[i] * 254, y = py[i] * 254, fx = x - floor(x), fy = y - floor(y), m = w[i] * 65536;
    int at = (int)y * 256 + (int)x;
    atomic_add(&grid[at], (int)(m * (1 - fx) * (1 - fy)));
    atomic_add(&grid[at + 1], (int)(m * fx * (1 - fy)));
    atomic_add(&grid[at + 256], (int)(m * (1 - fx) * fy));
    atomic_add(&grid[at + 257], (int)(m * fx * fy));
}

// case raster_box
// 1 << 10, 64, I(4 << 10, 48, np.uint8), O(64 << 10, np.uint8)
kernel void raster_box(global const uchar *box, global uchar *tile)
{
    int id = get_global_id(0), x0 = box[id * 4] & 7, y0 = box[id * 4 + 1] & 7;
    int x1 = x0 + (box[id * 4 + 2] & 7), y1 = y0 + (box[id * 4 + 3] & 7);
    for (int y = y0; y <= min(y1, 7); y++)
        for (int x = x0; x <= min(x1, 7); x++)
            tile[id * 64 + y * 8 + x] = 1;
}
