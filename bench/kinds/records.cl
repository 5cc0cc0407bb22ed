// Sorts, joins, texts, packed numbers, graphs and lists.

// case merge_sort_private
// 1 << 10, 64, I(64 << 10), O(64 << 10, np.int32)
kernel void merge_sort_private(global const int *in, global int *out)
{
    int a[64], b[64], i = get_global_id(0);
    for (int k = 0; k < 64; k++)
        a[k] = in[i * 64 + k];
    for (int w = 1; w < 64; w *= 2) {
        for (int s = 0; s < 64; s += 2 * w) {
            int l = s, r = s + w;
            for (int k = s; k < s + 2 * w; k++)
                b[k] = r >= s + 2 * w || (l < s + w && a[l] <= a[r]) ? a[l++] : a[r++];
        }
        for (int k = 0; k < 64; k++)
            a[k] = b[k];
    }
    for (int k = 0; k < 64; k++)
        out[i * 64 + k] = a[k];
}

// case sort_float4_merge
// 1 << 11, 64, F(32 << 11), O(32 << 11)
float4 sort4(float4 v)
{
    float4 m = v.xyxy < v.zwzw ? v.xyxy : v.zwzw, x = v.xyxy < v.zwzw ? v.zwzw : v.xyxy;
    float a = fmin(m.x, m.y), b = fmax(m.x, m.y), c = fmin(x.x, x.y), d = fmax(x.x, x.y);
    return (float4)(a, fmin(b, c), fmax(b, c), d);
}
float4 low4(float4 a, float4 b)
{
    return sort4(min(a, b.wzyx));
}
float4 high4(float4 a, float4 b)
{
    return sort4(max(a, b.wzyx));
}
kernel void sort_float4_merge(global const float4 *in, global float4 *out)
{
    float4 v[8];
    int i = get_global_id(0) * 8;
    for (int k = 0; k < 8; k++)
        v[k] = sort4(in[i + k]);
    for (int r = 0; r < 8; r++)
        for (int k = r & 1; k + 1 < 8; k += 2) {
            float4 a = v[k], b = v[k + 1];
            v[k] = low4(a, b);
            v[k + 1] = high4(a, b);
        }
    for (int k = 0; k < 8; k++)
        out[i + k] = v[k];
}

// case radix_pass_local
// 64 * 256, 256, I(64 * 256, 1 << 31, np.uint32), O(64 * 256, np.uint32), O(64 * 4, np.uint32), S(4)
kernel void radix_pass_local(global const uint *in, global uint *out, global uint *total, int bits)
{
    local uint flag[256], base[5], key[256];
    int l = get_local_id(0), g = get_group_id(0);
    key[l] = in[g * 256 + l];
    for (int b = 0; b < bits; b++) {
        uint mine = key[l], bit = mine >> b & 1;
        flag[l] = 1 - bit;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 256; d *= 2) {
            uint t = l >= d ? flag[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            flag[l] += t;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint zeros = flag[255], at = bit ? zeros + l - flag[l] : flag[l] - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        key[at] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g * 256 + l] = key[l];
    if (l < 4)
        total[g * 4 + l] = key[l * 64];
}

// case scan_kogge_double
// 64 * 128, 128, D(64 * 256), O(64 * 256, np.float64), L(128, np.float64)
kernel void scan_kogge_double(global const double *in, global double *out, local double *t)
{
    int l = get_local_id(0), at = get_group_id(0) * 256 + 2 * l;
    double a = in[at], b = in[at + 1];
    t[l] = a + b;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 128; d <<= 1) {
        double v = t[l];
        if (l >= d)
            v += t[l - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = t[l] - b;
    out[at + 1] = t[l];
}

// case scan_max_sub
// 1 << 15, 128, I(1 << 15), O(1 << 15, np.int32), '-cl-std=CL3.0'
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void scan_max_sub(global const int *in, global int *out)
{
    local int most[64];
    int i = get_global_id(0), v = sub_group_scan_inclusive_max(in[i]), s = get_sub_group_id();
    if (get_sub_group_local_id() == get_sub_group_size() - 1)
        most[s] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < s; k++)
        v = max(v, most[k]);
    out[i] = v;
}

// case join_nested_local
// 64 * 64, 64, I(64 * 64, 4096), I(4096, 4096), O(64 * 64, np.int32), O(64 * 64, np.int32), S(4096)
kernel void join_nested_local(global const int *left, global const int *right, global int *matches, global int *sum, int n)
{
    local int t[64];
    int l = get_local_id(0), key = left[get_global_id(0)], count = 0, s = 0;
    for (int k = 0; k < n; k += 64) {
        t[l] = right[k + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; j++)
            if (t[j] == key) {
                count++;
                s += k + j;
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    matches[get_global_id(0)] = count;
    sum[get_global_id(0)] = s;
}

// case filter_columns
// 30000, None, I(30000, 100, np.int16), I(30000, 256, np.uint8), I(30000, 1 << 20, np.int64), D(30000), O(30000, np.float64), S(30000)
kernel void filter_columns(global const short *quantity, global const uchar *flag, global const long *date, global const double *price, global double *out, uint n)
{
    uint i = get_global_id(0);
    if (i < n) {
        bool take = quantity[i] < 24 && (flag[i] & 3) != 2 && date[i] >= 1000 && date[i] < 900000;
        out[i] = take ? price[i] * (1 - quantity[i] * 0.01) : 0;
    }
}

// case top_strings
// 4096, 64, I(4096 * 16, 26, np.uint8), I(16 * 16, 26, np.uint8), O(4096, np.int32), S(16)
kernel void top_strings(global const uchar *text, global const uchar *pivot, global int *rank, int n)
{
    int i = get_global_id(0), below = 0;
    for (int p = 0; p < n; p++) {
        int k = 0;
        while (k < 16 && text[i * 16 + k] == pivot[p * 16 + k])
            k++;
        if (k < 16 && pivot[p * 16 + k] < text[i * 16 + k])
            below++;
    }
    rank[i] = below;
}

// case word_bounds
// 1 << 16, 256, I((1 << 16) + 1, 64, np.uint8), O(256, np.int32)
bool is_letter(uchar c)
{
    return (c >= 'A' - 32 && c <= 'Z' - 32) || c == '_' - 40;
}
kernel void word_bounds(global const uchar *text, global int *words)
{
    local int count;
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_letter(text[i]) && !is_letter(text[i + 1]))
        atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        words[get_group_id(0)] = count;
}

// case dfa_chunks
// 2048, 64, I(2048 * 64, 128, np.uint8), I(128, 6, np.uint8), I(64 * 8, 64, np.uint8), O(2048, np.int32), S(64)
kernel void dfa_chunks(global const uchar *text, constant uchar *kind, constant uchar *next, global int *accepted, int n)
{
    int i = get_global_id(0), state = 0, hits = 0;
    for (int k = 0; k < n; k++) {
        state = next[state * 8 + kind[text[i * n + k]]];
        hits += state >= 60;
    }
    accepted[i] = hits << 8 | state;
}

// case json_depth
// 512, 64, I(512 * 128, 16, np.uint8), O(512, np.int32), S(128)
kernel void json_depth(global const uchar *text, global int *out, int n)
{
    int i = get_global_id(0), depth = 0, most = 0, keys = 0;
    bool quoted = false, escaped = false;
    for (int k = 0; k < n; k++) {
        uchar c = text[i * n + k];
        if (escaped)
            escaped = false;
        else if (quoted) {
            if (c == 1)
                escaped = true;
            else if (c == 2)
                quoted = false;
        } else
            switch (c) {
            case 2: quoted = true; break;
            case 3: case 4: depth++; most = max(most, depth); break;
            case 5: case 6: depth = max(depth - 1, 0); break;
            case 7: keys++; break;
            }
    }
    out[i] = most * 1000 + keys;
}

// case fpc_pack
// 1 << 10, 64, D(64 << 10), O(64 << 10, np.uint64), O(1 << 10, np.int32), S(64)
kernel void fpc_pack(global const ulong *in, global ulong *out, global int *length, int n)
{
    int i = get_global_id(0), used = 0, at = 0;
    ulong before = 0, pending = 0;
    for (int k = 0; k < n; k++) {
        ulong v = in[i * n + k], x = v ^ before;
        int bytes = (int)(71 - clz(x)) / 8;
        before = v;
        x |= bytes < 8 ? (ulong)bytes << (bytes * 8) : 0;
        pending |= x << used;
        int bits = min(bytes * 8 + 4, 64);
        if (used + bits >= 64) {
            out[i * n + at++] = pending;
            pending = used ? x >> (64 - used) : 0;
            used = used + bits - 64;
        } else
            used += bits;
    }
    length[i] = at * 64 + used;
}

// case frame_of_reference
// (128, 128), (128, 1), I(128 * 128, 1 << 20), O(128 * 128, np.uint32), O(128, np.int32)
kernel void frame_of_reference(global const int *in, global uint *out, global int *width)
{
    local int least, most;
    local uint pack[128];
    int l = get_local_id(0), b = get_group_id(1), v = in[b * 128 + l];
    if (l == 0) {
        least = INT_MAX;
        most = 0;
    }
    pack[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(&least, v);
    atomic_max(&most, v);
    barrier(CLK_LOCAL_MEM_FENCE);
    int bits = 32 - clz(most - least), at = l * bits, shift = at & 31;
    uint d = v - least;
    atomic_or(&pack[at >> 5], d << shift);
    if (shift + bits > 32)
        atomic_or(&pack[(at >> 5) + 1], d >> (32 - shift));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[b * 128 + l] = pack[l];
    if (l == 0)
        width[b] = bits;
}

// case huff_codes
// 512, 64, I(512 * 64, 64, np.uint8), I(64, 1 << 12, np.uint32), I(64, 10), O(512 * 40, np.uint32), S(64)
kernel void huff_codes(global const uchar *in, constant uint *code, constant int *length, global uint *out, int n)
{
    int i = get_global_id(0), used = 0, at = 0;
    ulong acc = 0;
    for (int k = 0; k < n; k++) {
        int s = in[i * n + k], bits = length[s] + 3;
        acc = acc << bits | (code[s] & ((1u << bits) - 1));
        used += bits;
        if (used >= 32) {
            used -= 32;
            out[i * 40 + at++] = (uint)(acc >> used);
        }
    }
    out[i * 40 + at] = (uint)acc << (32 - used);
}

// case list_rank
// 1 << 14, 256, near(1 << 14, 3), I(1 << 14, 10), O(1 << 14, np.int32), O(1 << 14, np.int32)
kernel void list_rank(global const int *next, global const int *rank, global int *next2, global int *rank2)
{
    int i = get_global_id(0), n = next[i], r = rank[i];
    for (int k = 0; k < 4 && n != next[n]; k++) {
        r += rank[n];
        n = next[n];
    }
    rank2[i] = r;
    next2[i] = n;
}

// case random_update
// 1 << 13, 64, O(1 << 16, np.uint64), S(16), 'unordered'
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void random_update(volatile global ulong *table, int n)
{
    ulong r = (get_global_id(0) + 1) * 0x9e3779b97f4a7c15UL;
    for (int k = 0; k < n; k++) {
        r = r << 1 ^ ((long)r < 0 ? 7 : 0);
        atom_xor(&table[r >> 48], r);
    }
}

// case rainflow
// 512, 64, F(512 * 64), O(512 * 2), S(64)
kernel void rainflow(global const float *load, global float *out, int n)
{
    float stack[64], full = 0, half_cycles = 0;
    int i = get_global_id(0), top = 0;
    for (int k = 0; k < n; k++) {
        stack[top++] = load[k * 512 + i];
        while (top >= 3) {
            float a = fabs(stack[top - 2] - stack[top - 1]), b = fabs(stack[top - 3] - stack[top - 2]);
            if (a < b)
                break;
            if (top == 3) {
                half_cycles += b * b;
                stack[0] = stack[1];
                stack[1] = stack[2];
                top = 2;
            } else {
                full += b * b;
                stack[top - 3] = stack[top - 1];
                top -= 2;
            }
        }
    }
    out[2 * i] = full;
    out[2 * i + 1] = half_cycles;
}

// case betweenness_back
// 1 << 13, 128, row_starts(1 << 13, 10), I(10 << 13, 1 << 13), I(1 << 13, 6), F(1 << 13), F(1 << 13), O(1 << 13), S(3)
kernel void betweenness_back(global const int *start, global const int *edge, global const int *depth, global const float *sigma, global const float *delta, global float *out, int level)
{
    int v = get_global_id(0);
    float d = delta[v];
    if (depth[v] == level)
        for (int e = start[v]; e < start[v + 1]; e++) {
            int w = edge[e];
            if (depth[w] == level + 1)
                d += (sigma[v] + 1) / (sigma[w] + 1) * (1 + delta[w]);
        }
    out[v] = d;
}

// case bfs_bitmap
// 1 << 13, 64, row_starts(1 << 13, 12), I(12 << 13, 1 << 13), I(1 << 8, 1 << 31, np.uint32), O(1 << 8, np.uint32)
kernel void bfs_bitmap(global const int *start, global const int *edge, global const uint *frontier, volatile global uint *next)
{
    int v = get_global_id(0);
    if (frontier[v >> 5] >> (v & 31) & 1)
        return;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int w = edge[e];
        if (frontier[w >> 5] >> (w & 31) & 1) {
            atomic_or(&next[v >> 5], 1u << (v & 31));
            break;
        }
    }
}
