// graphs.cl -- kinds of kernels: graphs, trees, hash tables, sorting.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case rank_push
// 1 << 13, 64, row_starts((1 << 13) + 1, 16), I(16 << 13, 1 << 13), F(1 << 13), O(1 << 13), S(1 << 13)
void add(volatile global float *p, float v)
{
    union {
        uint u;
        float f;
    } old, new;
    do {
        old.f = *p;
        new.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, new.u) != old.u);
}
kernel void rank_push(global const int *rows, global const int *targets, global const float *rank, global float *next,
                      int n)
{
    int v = get_global_id(0);
    if (v >= n)
        return;
    int first = rows[v], end = rows[v + 1];
    float share = end > first ? rank[v] / (end - first) : 0;
    for (int e = first; e < end; e++)
        add(&next[targets[e]], share);
}

// case hooking
// 1 << 15, 64, I(1 << 15, 1 << 13), I(1 << 15, 1 << 13), ('buffer', np.arange(1 << 13, dtype=np.int32)), ('buffer', np.arange(1 << 13, dtype=np.int32)), O(1, np.int32)
kernel void hooking(global const int *from, global const int *to, global const int *parent, global int *next,
                    global int *changed)
{
    int e = get_global_id(0);
    int u = parent[from[e]], v = parent[to[e]];
    if (u != v) {
        int high = max(u, v), low = min(u, v);
        atomic_min(&next[high], low);
        *changed = 1;
    }
}

// case relax
// 1 << 13, 64, row_starts((1 << 13) + 1, 16), I(16 << 13, 1 << 13), I(16 << 13, 100), I(1 << 13, 2, np.uint8), I(1 << 13, 1000), I(1 << 13, 1000)
kernel void relax(global const int *rows, global const int *targets, global const int *weights, global const uchar *mask,
                  global const int *cost, global int *updating)
{
    int tid = get_global_id(0);
    if (mask[tid] != 0) {
        int start = rows[tid], end = rows[tid + 1];
        for (int e = start; e < end; e++)
            atomic_min(&updating[targets[e]], cost[tid] + weights[e]);
    }
}

// case triangles
// 1 << 12, 64, row_starts((1 << 12) + 1, 16), sorted_rows(1 << 12, 16), O(1 << 12, np.int32)
kernel void triangles(global const int *rows, global const int *targets, global int *count)
{
    int v = get_global_id(0), n = 0;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int w = targets[e];
        int i = rows[v], j = rows[w], iend = rows[v + 1], jend = rows[w + 1];
        while (i < iend && j < jend) {
            int a = targets[i], b = targets[j];
            if (a == b) {
                n++;
                i++;
                j++;
            } else if (a < b) {
                i++;
            } else {
                j++;
            }
        }
    }
    count[v] = n;
}

// case colouring
// 1 << 13, 64, row_starts((1 << 13) + 1, 16), I(16 << 13, 1 << 13), I(1 << 13, 8), I(1 << 13), O(1 << 13, np.int32)
kernel void colouring(global const int *rows, global const int *targets, global const int *colours,
                      global const int *priority, global int *next)
{
    int v = get_global_id(0);
    bool local_max = true;
    uint used = 0;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
        int w = targets[e];
        if (colours[w] >= 0)
            used |= 1u << colours[w];
        if (priority[w] > priority[v] && colours[w] > 5) {
            local_max = false;
            break;
        }
    }
    next[v] = local_max ? popcount((used & -used) - 1) : -1;
}

// case kd_nearest
// 1 << 12, 64, F(2 << 11), F(2 << 12), O(1 << 12, np.int32), S((1 << 11) - 1)
kernel void kd_nearest(global const float2 *nodes, global const float2 *queries, global int *out, int n)
{
    int id = get_global_id(0), stack[24], top = 0, best = 0;
    float far[24], least = INFINITY;
    float2 q = queries[id];
    stack[top] = 1;
    far[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        if (far[top] >= least)
            continue;
        while (node <= n) {
            float2 p = nodes[node - 1];
            float2 d = q - p;
            float dist = d.x * d.x + d.y * d.y;
            if (dist < least) {
                least = dist;
                best = node;
            }
            int axis = (31 - clz(node)) & 1;
            float along = axis ? d.y : d.x;
            int near = 2 * node + (along > 0), other = 2 * node + (along <= 0);
            if (other <= n && along * along < least) {
                stack[top] = other;
                far[top++] = along * along;
            }
            node = near;
        }
    }
    out[id] = best;
}

// case bvh_any
// 1 << 12, 64, F(8 << 10), F(8 << 12), O(1 << 12, np.int32), S(1023)
typedef struct {
    float4 low, high;
} Box;
typedef struct {
    float4 origin, direction;
} Ray;
kernel void bvh_any(global const Box *boxes, global const Ray *rays, global int *hits, int n)
{
    int id = get_global_id(0);
    Ray ray = rays[id];
    float3 inv = 1.0f / (ray.direction.xyz + 0.01f);
    int stack[16], top = 0, node = 0, found = 0;
    stack[top++] = -1;
    while (node != -1) {
        float3 centre = boxes[node].low.xyz, size = boxes[node].high.xyz * 0.4f;
        float3 t0 = (centre - size - ray.origin.xyz) * inv, t1 = (centre + size - ray.origin.xyz) * inv;
        float3 a = fmin(t0, t1), b = fmax(t0, t1);
        float enter = fmax(fmax(a.x, a.y), fmax(a.z, 0.0f)), leave = fmin(fmin(b.x, b.y), fmin(b.z, 0.7f));
        if (enter <= leave) {
            int left = 2 * node + 1;
            if (left >= n) {
                found++;
                node = stack[--top];
            } else {
                stack[top++] = left + 1;
                node = left;
            }
        } else {
            node = stack[--top];
        }
    }
    hits[id] = found;
}

// case bloom
// 1 << 15, 64, I(1 << 15, 1 << 32, np.uint32), I(1 << 13, 1 << 32, np.uint32), O(1 << 15, np.uint8), S((1 << 18) - 1, np.uint32)
kernel void bloom(global const uint *keys, global const uint *filter, global uchar *maybe, uint mask)
{
    int i = get_global_id(0);
    uint k = keys[i], h1 = k * 0x85ebca6b, h2 = (k ^ k >> 15) * 0xc2b2ae35;
    uchar all = 1;
    for (int j = 0; j < 7 && all; j++) {
        uint bit = (h1 + j * h2) & mask;
        all = filter[bit >> 5] >> (bit & 31) & 1;
    }
    maybe[i] = all;
}

// case join_chains
// 1 << 14, 64, I(1 << 14, 1 << 14, np.uint32), I(1 << 12, 1 << 13), chains(1 << 13), I(1 << 13, 1 << 14, np.uint32), I(1 << 13), O(1 << 14, np.int32)
kernel void join_chains(global const uint *probe, global const int *heads, global const int *next,
                        global const uint *keys, global const int *payload, global int *out)
{
    int i = get_global_id(0);
    uint key = probe[i];
    int sum = 0;
    for (int node = heads[(key * 2654435761u) >> 20]; node >= 0; node = next[node])
        if (keys[node] == key)
            sum += payload[node];
    out[i] = sum;
}

// case merge_path
// 1 << 11, 64, ascending(1 << 16), ascending(1 << 16), O(1 << 17), S(1 << 16), S(64)
kernel void merge_path(global const float *a, global const float *b, global float *out, int n, int part)
{
    int diagonal = get_global_id(0) * part;
    int lo = max(0, diagonal - n), hi = min(diagonal, n);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diagonal - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    int i = lo, j = diagonal - lo;
    for (int k = 0; k < part; k++) {
        bool take_a = j >= n || (i < n && a[i] <= b[j]);
        out[diagonal + k] = take_a ? a[i++] : b[j++];
    }
}

// case rank_sort
// 1 << 14, 256, I(1 << 14), O(1 << 14, np.int32)
kernel void rank_sort(global const int *in, global int *out)
{
    local int keys[256];
    int lid = get_local_id(0), base = get_group_id(0) * 256;
    int key = keys[lid] = in[base + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    int rank = 0;
    for (int k = 0; k < 256; k++)
        rank += keys[k] < key || (keys[k] == key && k < lid);
    out[base + rank] = key;
}

// case split_sort
// 1 << 14, 128, I(1 << 14, 16, np.uint32), O(1 << 14, np.uint32)
uint scan_exclusive(uint x, local uint *s, int lid, uint *total)
{
    s[lid] = 0;
    s[lid + 128] = x;
    for (int d = 1; d < 128; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint t = s[lid + 128 - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[lid + 128] += t;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = s[255];
    uint result = s[lid + 127];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}
kernel void split_sort(global const uint *in, global uint *out)
{
    local uint s[256], keys[128];
    int lid = get_local_id(0);
    uint key = in[get_global_id(0)], zeros;
    for (int bit = 0; bit < 4; bit++) {
        uint zero = !(key >> bit & 1);
        uint before = scan_exclusive(zero, s, lid, &zeros);
        keys[zero ? before : lid - before + zeros] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
        key = keys[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = key;
}

// case sample_buckets
// 1 << 15, 128, F(1 << 15), ascending(63), O(64, np.uint32), O(1 << 15, np.uint8)
kernel void sample_buckets(global const float *keys, global const float *splitters, global uint *counts,
                           global uchar *bucket)
{
    local uint mine[64];
    local float tree[64];
    int lid = get_local_id(0);
    if (lid < 64) {
        mine[lid] = 0;
        tree[lid] = lid < 63 ? splitters[lid] : INFINITY;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float key = keys[get_global_id(0)];
    int lo = 0;
    for (int step = 32; step > 0; step >>= 1)
        if (key >= tree[lo + step - 1])
            lo += step;
    atomic_inc(&mine[lo]);
    bucket[get_global_id(0)] = lo;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 64 && mine[lid])
        atomic_add(&counts[lid], mine[lid]);
}

// case union_jump
// 1 << 14, 64, ('buffer', (np.arange(1 << 14, dtype=np.int32) * 3 // 4)), O(1 << 14, np.int32)
kernel void union_jump(global const int *parent, global int *root)
{
    int v = get_global_id(0);
    int p = parent[v], q = parent[p];
    while (p != q) {
        p = q;
        q = parent[p];
    }
    root[v] = p;
}

// case trie_walk
// 1 << 13, 64, I(1 << 12, 1 << 10), I(16 << 13, 4, np.uint8), O(1 << 13, np.int32)
kernel void trie_walk(global const int4 *children, global const uchar *words, global int *depth)
{
    int id = get_global_id(0), node = 1, d = 0;
    while (node > 15 || d == 0) {
        int4 c = children[node];
        switch (words[id * 16 + d]) {
        case 0: node = c.x; break;
        case 1: node = c.y; break;
        case 2: node = c.z; break;
        default: node = c.w;
        }
        if (++d == 16)
            break;
    }
    depth[id] = d << 16 | node;
}
