// Kernels whose work-items go ways of their own: parsers, tries, joins, walks, decoders, machines of states, queries of geometry, tables
// of programs that fill them, searches in texts, queues, simulations. bench/kinds.py runs them; each begins behind a line "// case".
//
// SPDX-License-Identifier: MIT

// case csv_field
// 1 << 12, 64, ('buffer', np.frombuffer((b'17,-4.25,"a ""b"", c",,9e3,x y z\n "q",0,1,2,3,,"",77\n' * 8192)[:64 << 12], np.uint8).copy()), O(1 << 12, np.int32), S(64)
kernel void csv_field(global const uchar *text, global int *out, int n)
{
    int id = get_global_id(0), fields = 0, quoted = 0, longest = 0, length = 0;
    global const uchar *t = text + id * n;
    for (int i = 0; i < n; i++) {
        uchar c = t[i];
        if (quoted) {
            if (c != '"')
                length++;
            else if (i + 1 < n && t[i + 1] == '"') {
                length++;
                i++;
            } else
                quoted = 0;
        } else if (c == '"')
            quoted = 1;
        else if (c == ',' || c == '\n') {
            fields++;
            longest = max(longest, length);
            length = 0;
        } else
            length++;
    }
    out[id] = fields << 16 | longest << 8 | length;
}

// case rpn_eval
// 1 << 13, 64, I(1 << 18, 12, np.uint8), F(1 << 13), O(1 << 13), S(32)
kernel void rpn_eval(global const uchar *code, global const float *x, global float *out, int n)
{
    int id = get_global_id(0), sp = 0;
    float st[16];
    for (int i = 0; i < n; i++) {
        uchar op = code[id * n + i];
        if (op < 6) {
            if (sp < 16)
                st[sp++] = op == 0 ? x[id] : (float)op;
        } else if (sp > 1) {
            float b = st[--sp], a = st[sp - 1];
            st[sp - 1] = op == 6 ? a + b : op == 7 ? a - b : op == 8 ? a * b * 0.25f : op == 9 ? fmin(a, b) : op == 10 ? fmax(a, b) : (a + b) * 0.5f;
        }
    }
    float s = 0;
    while (sp > 0)
        s += st[--sp];
    out[id] = s;
}

// case trie_longest
// 1 << 13, 64, I(4096 * 4, 4096), I(4096, 3), I(24 << 13, 4, np.uint8), O(1 << 13, np.int32), S(24)
kernel void trie_longest(global const int *child, global const int *word, global const uchar *text, global int *out, int n)
{
    int id = get_global_id(0), best = 0;
    for (int from = 0; from < n; from += 6) {
        int node = 1, depth = 0;
        for (int i = from; i < n && node % 7 != 0; i++) {
            node = child[node * 4 + text[id * n + i]];
            depth++;
            if (word[node] == 0)
                best = max(best, depth << 16 | node);
        }
    }
    out[id] = best;
}

// case cuckoo_two
// 1 << 14, 64, I(1 << 13, 1 << 14), I(1 << 13, 1 << 14), I(1 << 14, 1 << 14), O(1 << 14, np.int32), S((1 << 13) - 1)
kernel void cuckoo_two(global const int *a, global const int *b, global const int *key, global int *out, int mask)
{
    int id = get_global_id(0);
    uint k = key[id], h = k * 2654435761u;
    if (a[h >> 16 & mask] == k)
        out[id] = h >> 16 & mask;
    else if (b[(h ^ h >> 15) & mask] == k)
        out[id] = ~((h ^ h >> 15) & mask);
    else
        out[id] = -1;
}

// case robin_probe
// 1 << 13, 64, I(1 << 12, 1 << 13), I(1 << 13, 1 << 13), O(1 << 13, np.int32), S((1 << 12) - 1)
kernel void robin_probe(global const int *table, global const int *key, global int *out, int mask)
{
    int id = get_global_id(0), k = key[id], at = (k * 40503 >> 4) & mask, steps = 0;
    while (steps < 64) {
        int here = table[at];
        int distance = (at - ((here * 40503 >> 4) & mask)) & mask;
        if (here == k || (distance & 63) < steps)
            break;
        at = (at + 1) & mask;
        steps++;
    }
    out[id] = steps << 16 | at;
}

// case merge_join
// 1 << 11, 64, sorted_rows(1 << 11, 32), sorted_rows(1 << 11, 32), O(1 << 11, np.int32), S(32)
kernel void merge_join(global const int *left, global const int *right, global int *out, int n)
{
    int id = get_global_id(0), i = 0, j = 0, count = 0;
    global const int *l = left + id * n, *r = right + id * n;
    while (i < n && j < n) {
        int a = l[i] >> 3, b = r[j] >> 3;
        if (a < b)
            i++;
        else if (a > b)
            j++;
        else {
            count += l[i] ^ r[j];
            i++;
            j++;
        }
    }
    out[id] = count;
}

// case skip_list
// 1 << 13, 64, near(1 << 12, 1), near(1 << 12, 16), near(1 << 12, 256), I(1 << 13, 1 << 12), O(1 << 13, np.int32)
kernel void skip_list(global const int *one, global const int *some, global const int *many, global const int *key, global int *out)
{
    int id = get_global_id(0), k = key[id], at = 0, steps = 0;
    while (at + 256 <= k) {
        at = many[at];
        steps++;
    }
    while (at + 16 <= k) {
        at = some[at];
        steps++;
    }
    while (at < k) {
        at = one[at];
        steps++;
    }
    out[id] = steps << 16 | at;
}

// case random_walk
// 1 << 13, 64, row_starts((1 << 12) + 1, 9), I(9 << 12, 1 << 12), O(1 << 13, np.int32), S(24)
kernel void random_walk(global const int *start, global const int *edge, global int *out, int steps)
{
    int id = get_global_id(0), v = id & 4095, sum = 0;
    uint seed = id * 747796405u + 1;
    for (int i = 0; i < steps; i++) {
        int from = start[v], degree = start[v + 1] - from;
        seed = seed * 1664525u + 1013904223u;
        if (degree == 0 || (seed >> 28) == 0)
            v = id & 4095;
        else
            v = edge[from + (seed >> 8) % degree];
        sum += v;
    }
    out[id] = sum;
}

// case union_roots
// 1 << 14, 64, chains(1 << 14), O(1 << 14, np.int32)
kernel void union_roots(global const int *parent, global int *out)
{
    int v = get_global_id(0), steps = 0;
    while (parent[v] >= 0) {
        v = parent[v];
        steps++;
    }
    out[get_global_id(0)] = v << 4 | min(steps, 15);
}

// case triangles_own
// 1 << 11, 64, even_starts(1 << 11, 12 << 11), sorted_rows(1 << 11, 12), O(1 << 11, np.int32)
kernel void triangles_own(global const int *start, global const int *edge, global int *out)
{
    int v = get_global_id(0), count = 0;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int w = edge[e], i = start[v], j = start[w];
        while (i < start[v + 1] && j < start[w + 1]) {
            int a = edge[i], b = edge[j];
            count += a == b;
            i += a <= b;
            j += b <= a;
        }
    }
    out[v] = count;
}

// case dfs_order
// 1 << 10, 64, row_starts((1 << 10) + 1, 4), I(4 << 10, 1 << 10), O(1 << 10, np.int32)
kernel void dfs_order(global const int *start, global const int *edge, global int *out)
{
    int stack[32], sp = 0, seen = 0, sum = 0;
    stack[sp++] = get_global_id(0);
    while (sp > 0 && seen < 40) {
        int v = stack[--sp];
        sum = sum * 31 + v;
        seen++;
        for (int e = start[v]; e < start[v + 1] && sp < 32; e++)
            if (edge[e] > v)
                stack[sp++] = edge[e];
    }
    out[get_global_id(0)] = sum;
}

// case rle_expand
// 1 << 12, 64, I(16 << 12, 9, np.uint8), O(64 << 12, np.uint8)
kernel void rle_expand(global const uchar *in, global uchar *out)
{
    int id = get_global_id(0), to = 0;
    for (int i = 0; i < 16 && to < 64; i += 2) {
        int run = in[id * 16 + i] + 1;
        uchar c = in[id * 16 + i + 1];
        for (int k = 0; k < run && to < 64; k++)
            out[id * 64 + to++] = c;
    }
    while (to < 64)
        out[id * 64 + to++] = 0;
}

// case lz_copy
// 1 << 11, 64, I(48 << 11, 256, np.uint8), O(128 << 11, np.uint8)
kernel void lz_copy(global const uchar *in, global uchar *out)
{
    int id = get_global_id(0), i = 0, to = 0;
    global const uchar *from = in + id * 48;
    global uchar *o = out + id * 128;
    while (i < 47 && to < 128) {
        uchar c = from[i++];
        if (c < 160) {
            o[to++] = c;
        } else {
            int back = min((int)from[i++] % 31 + 1, to), length = c % 14 + 3;
            for (int k = 0; k < length && to < 128 && back > 0; k++, to++)
                o[to] = o[to - back];
        }
    }
}

// case golomb_bits
// 1 << 12, 64, I(8 << 12, 1 << 30, np.uint32), O(16 << 12, np.int32)
kernel void golomb_bits(global const uint *bits, global int *out)
{
    int id = get_global_id(0), at = 0;
    global const uint *b = bits + id * 8;
    for (int i = 0; i < 16; i++) {
        int q = 0, r = 0;
        while (at < 256 && (b[at >> 5] >> (at & 31) & 1) != 0) {
            q++;
            at++;
        }
        at++;
        for (int k = 0; k < 3 && at < 256; k++, at++)
            r = r << 1 | (b[at >> 5] >> (at & 31) & 1);
        int u = q << 3 | r;
        out[id * 16 + i] = u & 1 ? -(u >> 1) - 1 : u >> 1;
    }
}

// case base64_strict
// 1 << 12, 64, I(48 << 12, 128, np.uint8), O(36 << 12, np.uint8), O(1 << 12, np.int32)
kernel void base64_strict(global const uchar *in, global uchar *out, global int *count)
{
    int id = get_global_id(0), to = 0, have = 0;
    uint word = 0;
    for (int i = 0; i < 48; i++) {
        uchar c = in[id * 48 + i];
        int v;
        if (c >= 'A' && c <= 'Z')
            v = c - 'A';
        else if (c >= 'a' && c <= 'z')
            v = c - 'a' + 26;
        else if (c >= '0' && c <= '9')
            v = c - '0' + 52;
        else if (c == '+' || c == '/')
            v = c == '+' ? 62 : 63;
        else
            continue;
        word = word << 6 | v;
        if (++have == 4) {
            out[id * 36 + to++] = word >> 16;
            out[id * 36 + to++] = word >> 8;
            out[id * 36 + to++] = word;
            have = word = 0;
        }
    }
    count[id] = to;
}

// case regex_nfa
// 1 << 12, 64, I(32 << 12, 5, np.uint8), O(1 << 12, np.int32)
kernel void regex_nfa(global const uchar *text, global int *out)
{
    int id = get_global_id(0), hits = 0;
    uint states = 1;
    for (int i = 0; i < 32 && hits < 3; i++) {
        uchar c = text[id * 32 + i];
        uint next = 1;
        for (uint s = states; s != 0; s &= s - 1) {
            int bit = 31 - clz(s & -s);
            if (bit == 5)
                hits++;
            else if (bit == 2 ? c != 0 : c == bit % 3)
                next |= 2u << bit | (bit == 2 ? 4u : 0u);
        }
        states = next;
    }
    out[id] = hits << 8 | (states & 255);
}

// case kmp_search
// 1 << 12, 64, I(64 << 12, 2, np.uint8), I(8, 2, np.uint8), O(1 << 12, np.int32)
kernel void kmp_search(global const uchar *text, constant uchar *pattern, global int *out)
{
    int id = get_global_id(0), fail[9], k = 0, count = 0;
    fail[0] = fail[1] = 0;
    for (int i = 1; i < 8; i++) {
        while (k > 0 && pattern[k] != pattern[i])
            k = fail[k];
        k += pattern[k] == pattern[i];
        fail[i + 1] = k;
    }
    k = 0;
    for (int i = 0; i < 64; i++) {
        uchar c = text[id * 64 + i];
        while (k > 0 && (k == 8 || pattern[k] != c))
            k = fail[k];
        k += pattern[k] == c;
        count += k == 8;
    }
    out[id] = count;
}

// case horspool
// 1 << 12, 64, I(96 << 12, 4, np.uint8), I(6, 4, np.uint8), O(1 << 12, np.int32)
kernel void horspool(global const uchar *text, constant uchar *pattern, global int *out)
{
    int id = get_global_id(0), shift[4] = {6, 6, 6, 6}, at = 0, count = 0;
    for (int i = 0; i < 5; i++)
        shift[pattern[i]] = 5 - i;
    while (at + 6 <= 96) {
        int k = 5;
        while (k >= 0 && text[id * 96 + at + k] == pattern[k])
            k--;
        count += k < 0;
        at += shift[text[id * 96 + at + 5]];
    }
    out[id] = count;
}

// case point_in_polygon
// 1 << 13, 64, F(1 << 14), row_starts(65, 20), F(64 * 20 * 2), O(1 << 13, np.int32)
kernel void point_in_polygon(global const float2 *point, global const int *start, global const float2 *corner, global int *out)
{
    int id = get_global_id(0), p = id & 63, inside = 0;
    float2 q = point[id];
    for (int i = start[p], j = start[p + 1] - 1; i < start[p + 1]; j = i++) {
        float2 a = corner[i], b = corner[j];
        if ((a.y > q.y) != (b.y > q.y) && (q.x - a.x) * (b.y - a.y) < (b.x - a.x) * (q.y - a.y) == (b.y > a.y))
            inside = !inside;
    }
    out[id] = inside;
}

// case quadtree_find
// 1 << 13, 64, I(4 << 11, 1 << 11), F(1 << 14), O(1 << 13, np.int32)
kernel void quadtree_find(global const int *child, global const float2 *point, global int *out)
{
    int id = get_global_id(0), node = 0, depth = 0;
    float2 p = point[id], low = (float2)(0, 0);
    float size = 1;
    while (depth < 20 && node % 5 != 4) {
        size *= 0.5f;
        int quadrant = (p.x >= low.x + size) + 2 * (p.y >= low.y + size);
        low.x += quadrant & 1 ? size : 0;
        low.y += quadrant & 2 ? size : 0;
        node = child[node * 4 + quadrant];
        depth++;
    }
    out[id] = node << 5 | depth;
}

// case clip_polygon
// 1 << 11, 64, F(16 << 11), O(1 << 11)
kernel void clip_polygon(global const float *in, global float *out)
{
    float2 poly[16], next[16];
    int id = get_global_id(0), n = 8;
    for (int i = 0; i < 8; i++)
        poly[i] = (float2)(in[id * 16 + 2 * i], in[id * 16 + 2 * i + 1]);
    for (int side = 0; side < 4; side++) {
        int count = 0;
        for (int i = 0; i < n && count < 15; i++) {
            float2 a = poly[i], b = poly[i + 1 < n ? i + 1 : 0];
            float da = side == 0 ? a.x - 0.2f : side == 1 ? 0.8f - a.x : side == 2 ? a.y - 0.2f : 0.8f - a.y;
            float db = side == 0 ? b.x - 0.2f : side == 1 ? 0.8f - b.x : side == 2 ? b.y - 0.2f : 0.8f - b.y;
            if (da >= 0)
                next[count++] = a;
            if ((da >= 0) != (db >= 0))
                next[count++] = a + (b - a) * (da / (da - db));
        }
        n = count;
        for (int i = 0; i < n; i++)
            poly[i] = next[i];
    }
    float area = 0;
    for (int i = 0; i < n; i++) {
        float2 a = poly[i], b = poly[i + 1 < n ? i + 1 : 0];
        area += a.x * b.y - a.y * b.x;
    }
    out[id] = area * 0.5f;
}

// case insertion_rows
// 1 << 11, 64, I(24 << 11), S(24)
kernel void insertion_rows(global int *a, int n)
{
    global int *x = a + get_global_id(0) * n;
    for (int i = 1; i < n; i++) {
        int v = x[i] * 1103515245 + 12345, j = i;
        while (j > 0 && x[j - 1] > v) {
            x[j] = x[j - 1];
            j--;
        }
        x[j] = v;
    }
}

// case quick_own
// 1 << 11, 64, I(32 << 11), O(32 << 11, np.int32)
kernel void quick_own(global const int *in, global int *out)
{
    int a[32], from[16], to[16], sp = 1, id = get_global_id(0);
    for (int i = 0; i < 32; i++)
        a[i] = in[id * 32 + i];
    from[0] = 0;
    to[0] = 31;
    while (sp > 0) {
        int l = from[--sp], r = to[sp], i = l, j = r, p = a[(l + r) / 2];
        while (i <= j) {
            while (a[i] < p)
                i++;
            while (a[j] > p)
                j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (l < j && sp < 16) {
            from[sp] = l;
            to[sp++] = j;
        }
        if (i < r && sp < 16) {
            from[sp] = i;
            to[sp++] = r;
        }
    }
    for (int i = 0; i < 32; i++)
        out[id * 32 + i] = a[i];
}

// case heap_events
// 1 << 11, 64, F(16 << 11), O(1 << 11)
kernel void heap_events(global const float *delay, global float *out)
{
    float heap[17], now = 0;
    int id = get_global_id(0), n = 0;
    for (int step = 0; step < 40; step++) {
        if (n < 16 && (step < 8 || n == 0 || (step & 1) == 0)) {
            float t = now + delay[id * 16 + (step & 15)];
            int i = n++;
            while (i > 0 && heap[(i - 1) / 2] > t) {
                heap[i] = heap[(i - 1) / 2];
                i = (i - 1) / 2;
            }
            heap[i] = t;
        } else {
            now = heap[0];
            float last = heap[--n];
            int i = 0;
            for (int c = 1; c < n; c = 2 * i + 1) {
                c += c + 1 < n && heap[c + 1] < heap[c];
                if (heap[c] >= last)
                    break;
                heap[i] = heap[c];
                i = c;
            }
            heap[i] = last;
        }
    }
    out[id] = now;
}

// case knapsack_own
// 1 << 10, 64, I(12 << 10, 20, np.uint8), I(12 << 10, 100, np.uint8), O(1 << 10, np.int32)
kernel void knapsack_own(global const uchar *weight, global const uchar *value, global int *out)
{
    int best[65], id = get_global_id(0);
    for (int c = 0; c <= 64; c++)
        best[c] = 0;
    for (int i = 0; i < 12; i++) {
        int w = weight[id * 12 + i] + 1, v = value[id * 12 + i];
        for (int c = 64; c >= w; c--)
            best[c] = max(best[c], best[c - w] + v);
    }
    out[id] = best[64];
}

// case lis_patience
// 1 << 11, 64, I(40 << 11, 1000), O(1 << 11, np.int32)
kernel void lis_patience(global const int *in, global int *out)
{
    int top[40], n = 0, id = get_global_id(0);
    for (int i = 0; i < 40; i++) {
        int v = in[id * 40 + i], low = 0, high = n;
        while (low < high) {
            int mid = (low + high) / 2;
            if (top[mid] < v)
                low = mid + 1;
            else
                high = mid;
        }
        top[low] = v;
        n += low == n;
    }
    out[id] = n;
}

// case coin_change
// 1 << 12, 64, I(1 << 12, 400), O(1 << 12, np.int32)
kernel void coin_change(global const int *amount, global int *out)
{
    int rest = amount[get_global_id(0)], coins = 0, kinds[5] = {100, 50, 20, 5, 2};
    for (int k = 0; k < 5; k++)
        while (rest >= kinds[k]) {
            rest -= kinds[k];
            coins++;
        }
    out[get_global_id(0)] = coins << 4 | rest;
}

// case gc_mark
// 1 << 12, 64, I(2 << 12, 1 << 12), O(1 << 12, np.int32)
kernel void gc_mark(global const int2 *cell, global int *mark)
{
    int id = get_global_id(0), v = id, steps = 0;
    while (steps < 32 && v % 11 != 0) {
        int2 c = cell[v];
        v = (c.x & 1) != 0 ? c.x : c.y;
        steps++;
    }
    atomic_add(&mark[v], steps + 1);
}

// case ant_step
// 1 << 12, 64, I(1 << 16, 4), O(1 << 12, np.int32), S(48)
kernel void ant_step(global const int *world, global int *out, int steps)
{
    int id = get_global_id(0), x = id & 255, y = id >> 4 & 255, dir = id & 3, food = 0;
    for (int i = 0; i < steps; i++) {
        int here = world[y * 256 + x];
        if (here == 3) {
            food++;
            dir = (dir + 2) & 3;
        } else if (here == 2)
            dir = (dir + 1) & 3;
        else if (here == 1)
            dir = (dir + 3) & 3;
        x = (x + (dir == 0) - (dir == 2)) & 255;
        y = (y + (dir == 1) - (dir == 3)) & 255;
        if (food == 7)
            break;
    }
    out[id] = food << 16 | y << 8 | x;
}

// case elevator
// 1 << 12, 64, I(16 << 12, 12, np.uint8), O(1 << 12, np.int32)
kernel void elevator(global const uchar *calls, global int *out)
{
    int id = get_global_id(0), floor = 0, up = 1, time = 0, next = 0;
    uint wanted = 0;
    while (time < 120 && (next < 16 || wanted != 0)) {
        if (next < 16 && time >= next * 3)
            wanted |= 1u << calls[id * 16 + next++];
        if ((wanted >> floor & 1) != 0) {
            wanted &= ~(1u << floor);
            time += 2;
        } else if (wanted != 0) {
            uint above = wanted >> floor >> 1, below = wanted & ((1u << floor) - 1);
            if (up ? above == 0 : below == 0)
                up = !up;
            floor += up ? 1 : -1;
            time++;
        } else
            time++;
    }
    out[id] = time << 4 | floor;
}

// case sudoku_mask
// 1 << 12, 64, I(16 << 12, 5, np.uint8), O(1 << 12, np.int32)
kernel void sudoku_mask(global const uchar *grid, global int *out)
{
    int id = get_global_id(0), cell[16], filled = 0;
    for (int i = 0; i < 16; i++)
        cell[i] = grid[id * 16 + i] == 0 || (i * 7 & 5) != 0 ? 15 : 1 << (grid[id * 16 + i] - 1);
    for (int round = 0, changed = 1; changed && round < 16; round++) {
        changed = 0;
        for (int i = 0; i < 16; i++) {
            int m = cell[i];
            if ((m & (m - 1)) != 0 || m == 0)
                continue;
            for (int k = 0; k < 16; k++)
                if (k != i && (k % 4 == i % 4 || k / 4 == i / 4) && (cell[k] & m) != 0 && popcount(cell[k]) > 1) {
                    cell[k] &= ~m;
                    changed = 1;
                }
        }
    }
    for (int i = 0; i < 16; i++)
        filled = filled * 3 + cell[i];
    out[id] = filled;
}

// case hull_chain
// 1 << 11, 64, F(32 << 11), O(1 << 11, np.int32)
kernel void hull_chain(global const float *in, global int *out)
{
    float hx[17], hy[17];
    int id = get_global_id(0), n = 0;
    for (int i = 0; i < 16; i++) {
        float x = i + in[id * 32 + 2 * i], y = in[id * 32 + 2 * i + 1];
        while (n > 1 && (hx[n - 1] - hx[n - 2]) * (y - hy[n - 2]) <= (hy[n - 1] - hy[n - 2]) * (x - hx[n - 2]))
            n--;
        hx[n] = x;
        hy[n++] = y;
    }
    out[id] = n;
}
