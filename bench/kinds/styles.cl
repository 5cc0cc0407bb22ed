// Kernels written in ways that the other files do not have: memory reached through casts and unions, local memory carved by hand,
// counters of odd types, gotos, tables of structures, long dependent chains of built-ins, groups and sub-groups that vote and scan.
//
// SPDX-License-Identifier: MIT

// case carved_local
// 64 * 128, 128, F(64 * 128), I(64 * 128, 16), O(64 * 16), O(64, np.int32), L(128 * 12 + 128, np.uint8)
kernel void carved_local(global const float *x, global const int *bin, global float *sums, global int *most, local uchar *smem)
{
    local float *vals = (local float *)smem;
    local int *bins = (local int *)(smem + 512);
    local float *acc = (local float *)(smem + 1024);
    local int *peak = (local int *)(smem + 1024 + 64);
    uint t = get_local_id(0), g = get_group_id(0);
    vals[t] = x[get_global_id(0)];
    bins[t] = bin[get_global_id(0)];
    if (t == 0)
        *peak = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16) {
        float s = 0;
        int n = 0;
        for (uint i = 0; i < 128; i++)
            if (bins[i] == (int)t) {
                s += vals[i];
                n++;
            }
        acc[t] = s;
        atomic_max(peak, n);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16)
        sums[g * 16 + t] = acc[15 - t];
    if (t == 0)
        most[g] = *peak;
}

// case punned_pixels
// 1 << 17, 64, I(1 << 17, 1 << 32, np.uint32), O(1 << 17, np.uint32), S(0.6, np.float32)
typedef union {
    uint word;
    uchar b[4];
    uchar4 v;
    ushort2 h;
} Pixel;
kernel void punned_pixels(global uint *in, global uint *out, float gain)
{
    Pixel p, q;
    p.word = in[get_global_id(0)];
    q.h = (ushort2)(p.h.y, p.h.x);
    for (uchar c = 0; c < 3; c++)
        q.b[c] = (uchar)clamp(p.b[c] * gain + q.b[c] * 0.25f, 0.0f, 255.0f);
    q.b[3] = p.v.w;
    out[get_global_id(0)] = q.word;
}

// case float_bits_walk
// 1 << 16, 64, F(1 << 16), O(1 << 16)
kernel void float_bits_walk(global float *x, global float *y)
{
    int i = get_global_id(0);
    float v = x[i];
    int k = *(int *)&v;
    k = 0x5f3759df - (k >> 1);
    float r = *(float *)&k;
    r = r * (1.5f - 0.5f * v * r * r);
    r = r * (1.5f - 0.5f * v * r * r);
    ushort *h = (ushort *)&r;
    h[0] &= 0xff00;
    y[i] = r;
}

// case header_records
// 1 << 13, 64, I(48 << 13, 250, np.uint8), O(1 << 13, np.uint32), O(1 << 13, np.uint32)
typedef struct __attribute__((packed)) {
    uchar version;
    ushort length;
    uint source, target;
    uchar flags[3];
    ulong stamp;
} Header;
kernel void header_records(global const uchar *packets, global uint *hash, global uint *sum)
{
    size_t i = get_global_id(0);
    global const Header *h = (global const Header *)(packets + i * 48);
    Header mine = *h;
    uint v = mine.source ^ mine.target * 31 ^ (uint)mine.stamp ^ (uint)(mine.stamp >> 32);
    for (size_t k = 0; k < sizeof mine.flags; ++k)
        v = rotate(v, 5u) ^ mine.flags[k];
    uint s = 0;
    global const ushort *w = (global const ushort *)(packets + i * 48 + sizeof(Header) + 2);
    for (uchar k = 0; k < (mine.length & 7) + 4; k++)
        s += w[k];
    while (s >> 16)
        s = (s & 0xffff) + (s >> 16);
    hash[i] = v + mine.version;
    sum[i] = ~s & 0xffff;
}

// case goto_scanner
// 1 << 11, 64, I(64 << 11, 6, np.uint8), O(1 << 11, np.int32)
kernel void goto_scanner(global uchar *text, global int *out)
{
    global uchar *p = text + get_global_id(0) * 64, *end = p + 64;
    int words = 0, depth = 0, bad = 0;
space:
    if (p == end)
        goto done;
    switch (*p++) {
    case 0: goto space;
    case 1: depth++; goto space;
    case 2:
        if (--depth < 0) {
            bad++;
            depth = 0;
        }
        goto space;
    case 3: goto quoted;
    default: goto word;
    }
word:
    words++;
more:
    if (p == end)
        goto done;
    if (*p > 3) {
        p++;
        goto more;
    }
    goto space;
quoted:
    if (p == end) {
        bad += 100;
        goto done;
    }
    if (*p++ != 3)
        goto quoted;
    goto space;
done:
    out[get_global_id(0)] = words * 256 + depth * 16 + bad;
}

// case scene_table
// (128, 96), (16, 8), F(8 * 12), O(128 * 96 * 3), S(8)
typedef struct {
    float3 center;
    float radius;
    float3 color;
    int kind;
} Shape;
float distance_to(constant Shape *s, float3 p)
{
    float3 d = p - s->center * 3.0f;
    if (s->radius > 0.66f) {
        float3 q = fabs(d) - s->radius * 0.5f;
        return length(fmax(q, 0.0f)) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0f);
    }
    if (s->radius > 0.33f) {
        float2 q = (float2)(length(d.xz) - s->radius, d.y);
        return length(q) - 0.1f;
    }
    return length(d) - s->radius;
}
kernel void scene_table(constant float *raw, global float *out, int count)
{
    constant Shape *shapes = (constant Shape *)raw;
    int x = get_global_id(0), y = get_global_id(1), best = -1;
    float3 o = (float3)(1.5f, 1.5f, -4), d = fast_normalize((float3)(x / 64.0f - 1, y / 48.0f - 1, 2));
    float t = 0;
    for (int i = 0; i < 24; i++) {
        float least = 1e9f;
        for (int s = 0; s < 2; s++) {
            float v = distance_to(shapes + s, o + t * d);
            if (v < least) {
                least = v;
                best = s;
            }
        }
        if (least < 0.01f)
            break;
        t += least;
        if (t > 20) {
            best = -1;
            break;
        }
    }
    float3 c = best < 0 ? (float3)(0.1f) : (float3)(1 / (1 + t)) * (best + 1.0f);
    vstore3(c, y * 128 + x, out);
}

// case half_local_conv
// (128, 64), (16, 16), H(144 * 80), H(25), O(128 * 64, np.float16), S(144)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void half_local_conv(global const half *in, constant half *w, global half *out, int stride)
{
    local half tile[20][20];
    int lx = get_local_id(0), ly = get_local_id(1);
    for (int y = ly; y < 20; y += 16)
        for (int x = lx; x < 20; x += 16)
            tile[y][x] = in[(get_group_id(1) * 16 + y) * stride + get_group_id(0) * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    half s = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            s = fma(tile[ly + i][lx + j], w[i * 5 + j], s);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = s;
}

// case double_newton_nd
// 1 << 12, 64, D(3 << 12), O(3 << 12, np.float64), O(1 << 12, np.int32)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void double_newton_nd(global const double *start, global double *root, global int *steps)
{
    size_t i = get_global_id(0);
    double3 v = vload3(i, start) + 0.5;
    int n = 0;
    double err;
    do {
        double3 f = (double3)(v.x * v.x + v.y - 2, v.y * v.y + v.z - 2, v.z * v.z + v.x - 2);
        double a = 2 * v.x, b = 2 * v.y, c = 2 * v.z, det = a * b * c + 1;
        double3 d = (double3)(b * c * f.x - c * f.y + f.z, f.x - 0 + a * c * f.y - a * f.z, -b * f.x + f.y + a * b * f.z) / det;
        v -= d;
        err = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    } while (err > 1e-13 && ++n < 40);
    vstore3(v, i, root);
    steps[i] = n;
}

// case volume_3d_guarded
// (40, 40, 40), (8, 4, 2), F(37 * 38 * 39), O(37 * 38 * 39), ('value', np.array([37, 38, 39, 0], np.uint32))
kernel void volume_3d_guarded(global const float *in, global float *out, uint4 dim)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= dim.x || y >= dim.y || z >= dim.z)
        return;
    size_t at = ((size_t)z * dim.y + y) * dim.x + x;
    float lo = INFINITY, hi = -INFINITY, sum = 0;
    uint n = 0;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                uint xx = x + dx, yy = y + dy, zz = z + dz;
                if (xx >= dim.x || yy >= dim.y || zz >= dim.z)
                    continue;
                float v = in[((size_t)zz * dim.y + yy) * dim.x + xx];
                lo = fmin(lo, v);
                hi = fmax(hi, v);
                sum += v;
                ++n;
            }
    out[at] = (sum - lo - hi) / (n - 2);
}

// case wg_scan_compact
// 64 * 256, 256, I(64 * 256, 1000), O(64 * 256, np.int32), O(64, np.int32), S(400), '-cl-std=CL3.0'
kernel void wg_scan_compact(global const int *in, global int *out, global int *counts, int limit)
{
    size_t l = get_local_id(0), g = get_group_id(0);
    int v = in[get_global_id(0)], keep = v < limit;
    int at = work_group_scan_exclusive_add(keep), total = work_group_broadcast(at + keep, get_local_size(0) - 1);
    if (work_group_all(v >= 0) && keep)
        out[g * 256 + at] = v;
    if (l == 0)
        counts[g] = total;
}

// case wg_softmax_online
// 128 * 64, 64, F(128 * 500), O(128 * 500), S(500), '-cl-std=CL3.0'
kernel void wg_softmax_online(global const float *x, global float *y, int n)
{
    global const float *row = x + get_group_id(0) * n;
    float m = -INFINITY, s = 0;
    for (size_t i = get_local_id(0); i < n; i += get_local_size(0)) {
        float v = row[i] * 8, nm = fmax(m, v);
        s = s * exp(m - nm) + exp(v - nm);
        m = nm;
    }
    float top = work_group_reduce_max(m);
    s = work_group_reduce_add(m == -INFINITY ? 0 : s * exp(m - top));
    for (size_t i = get_local_id(0); i < n; i += get_local_size(0))
        y[get_group_id(0) * n + i] = exp(row[i] * 8 - top) / s;
}

// case sg_row_reduce
// 256 * 64, 64, F(256 * 300), F(300), O(256), S(300), '-cl-std=CL3.0'
kernel void sg_row_reduce(global const float *a, global const float *x, global float *y, int n)
{
    local float part[64];
    int t = get_local_id(0), row = get_group_id(0);
    float s = 0;
    for (int i = t; i < n; i += 64)
        s = fma(a[row * n + i], x[i], s);
    s = sub_group_reduce_add(s);
    if (get_sub_group_local_id() == 0)
        part[get_sub_group_id()] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        float all = 0;
        for (uint i = 0; i < get_num_sub_groups(); i++)
            all += part[i];
        y[row] = all;
    }
}

// case spin_lock_local
// 32 * 64, 64, I(32 * 64, 8), I(32 * 64, 100), O(32 * 8, np.int32), O(32 * 8, np.int32)
kernel void spin_lock_local(global const int *slot, global const int *value, global int *sum, global int *count)
{
    volatile local int lock[8];
    local int total[8], n[8];
    int t = get_local_id(0), g = get_group_id(0);
    if (t < 8)
        lock[t] = total[t] = n[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = slot[get_global_id(0)], done = 0;
    while (!done) {
        if (atomic_cmpxchg(&lock[s], 0, 1) == 0) {
            total[s] += value[get_global_id(0)];
            n[s]++;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&lock[s], 0);
            done = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 8) {
        sum[g * 8 + t] = total[t];
        count[g * 8 + t] = n[t];
    }
}

// case local_work_stack
// 32 * 64, 64, I(32 * 8, 1 << 20), O(32, np.int32), O(32, np.int32)
kernel void local_work_stack(global const int *seeds, global int *sum, global int *tasks)
{
    local int stack[2][512], count[2], total, handled;
    int t = get_local_id(0), g = get_group_id(0);
    if (t < 8)
        stack[0][t] = seeds[g * 8 + t] % 4096 + 16;
    if (t == 0) {
        count[0] = 8;
        count[1] = total = handled = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; count[round & 1] > 0; round++) {
        int here = round & 1, n = min(count[here], 512);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0)
            count[here] = 0;
        for (int i = t; i < n; i += 64) {
            int v = stack[here][i];
            atomic_add(&total, v & 15);
            atomic_inc(&handled);
            if (v > 64)
                for (int k = 2; k <= 3; k++) {
                    int at = atomic_inc(&count[!here]);
                    if (at < 512)
                        stack[!here][at] = v / k;
                }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) {
        sum[g] = total;
        tasks[g] = handled;
    }
}

// case builtin_chain
// 1 << 16, 64, I(1 << 16, 1 << 31, np.uint32), O(1 << 16, np.uint32)
kernel void builtin_chain(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)], acc = 0;
    for (ushort i = 0; i < 12; i++) {
        uint a = mul_hi(x, 0x9e3779b9u + i), b = rotate(x, (uint)i + 3), c = abs_diff(a, b);
        acc += hadd(a, b) ^ rhadd(b, c);
        acc = add_sat(acc, clz(a | 1)) + popcount(c) + mad24(a & 0xfff, b & 0xff, c);
        x = bitselect(a, b, c) ^ mad_hi(a, b, c);
        acc ^= upsample((ushort)x, (ushort)(x >> 16));
    }
    out[get_global_id(0)] = acc;
}

// case shader_math
// (128, 64), (8, 8), O(4 * 128 * 64), S(0.7, np.float32)
float noise(float2 p)
{
    float unused;
    return fract(sin(dot(p, (float2)(12.9898f, 78.233f))) * 43758.547f, &unused);
}
kernel void shader_math(global float4 *out, float time)
{
    float2 uv = (float2)(get_global_id(0), get_global_id(1)) / (float2)(128, 64);
    float4 c = 0;
    for (int octave = 0; octave < 4; octave++) {
        float2 i, f = fract(uv * (float)(4 << octave), &i);
        f = f * f * (3 - 2 * f);
        float n = mix(mix(noise(i), noise(i + (float2)(1, 0)), f.x), mix(noise(i + (float2)(0, 1)), noise(i + (float2)(1, 1)), f.x), f.y);
        c.x += n / (1 << octave) * 0.01f;
        c.yz += smoothstep((float2)(0.2f), (float2)(0.8f), f) * native_powr(0.5f, (float)octave);
    }
    c.w = step(0.5f, c.y) + degrees(atan2pi(uv.y - 0.5f, uv.x + 0.01f)) * 0.001f + time;
    out[get_global_id(1) * 128 + get_global_id(0)] = c;
}

// case no_inline_tree
// 1 << 13, 64, F(1 << 13), O(1 << 13)
__attribute__((noinline)) float leaf(float x, int k)
{
    return k & 1 ? sqrt(fabs(x)) : x * 0.5f + k;
}
__attribute__((noinline)) float inner(float x, int k)
{
    float s = 0;
    for (int i = 0; i < 3; i++)
        s += leaf(x + i, k + i);
    return s;
}
__attribute__((noinline)) void outer(float *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = inner(v[i], i) - v[(i + 1) % n];
}
kernel void no_inline_tree(global float *in, global float *out)
{
    float v[6];
    for (int i = 0; i < 6; i++)
        v[i] = in[get_global_id(0)] * i;
    outer(v, 6);
    outer(v, 5);
    out[get_global_id(0)] = v[0] + v[1] + v[2] + v[3] + v[4] + v[5];
}

// case plain_o0_gemv
// 1024, 64, F(1024 * 128), F(128), O(1024), S(128), '-cl-std=CL1.2 -cl-opt-disable'
kernel void plain_o0_gemv(global float *a, global float *x, global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    int j;
    for (j = 0; j < n; j++) {
        float left = a[row * n + j];
        float right = x[j];
        sum = sum + left * right;
    }
    y[row] = sum;
}

// case plain_o0_tile
// (128, 128), (8, 8), F(128 * 128), O(128 * 128), S(128), '-cl-std=CL1.2 -cl-opt-disable'
float weight(int d)
{
    if (d == 0)
        return 0.5f;
    return 0.125f;
}
kernel void plain_o0_tile(global float *in, global float *out, int n)
{
    local float tile[8][8];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    tile[ly][lx] = in[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int d = -1; d <= 1; d++) {
        int k = (lx + d + 8) % 8;
        s += tile[ly][k] * weight(d);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[lx][ly] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * n + x] = tile[ly][lx];
}

// case async_rows
// 128 * 64, 64, F(128 * 256), O(128 * 256), S(256)
kernel void async_rows(global const float *in, global float *out, int n)
{
    local float a[256], b[256];
    int g = get_group_id(0), t = get_local_id(0);
    event_t e = async_work_group_copy(a, in + g * n, n, 0);
    e = async_work_group_strided_copy(b, in + g, n, get_num_groups(0), e);
    wait_group_events(1, &e);
    for (int i = t; i < n; i += 64)
        a[i] = a[i] * 2 - b[n - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + g * n, a, n, 0);
    wait_group_events(1, &e);
}

// case radix4_subgroup
// 64 * 64, 64, I(64 * 64, 1 << 16, np.uint32), O(64 * 64, np.uint32)
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void radix4_subgroup(global const uint *in, global uint *out)
{
    local uint keys[64], next[64];
    local uchar flags[64];
    uint t = get_local_id(0);
    keys[t] = in[get_global_id(0)];
    for (uchar bit = 0; bit < 16; bit++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = keys[t];
        flags[t] = !((k >> bit) & 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = 0, zeros = 0;
        for (uchar i = 0; i < 64; i++) {
            before += i < t ? flags[i] : 0;
            zeros += flags[i];
        }
        next[flags[t] ? before : zeros + t - before] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        keys[t] = next[t];
    }
    out[get_global_id(0)] = keys[t];
}

// case oddeven_blocks8
// 64 * 64, 64, I(64 * 512, 1 << 20), O(64 * 512, np.int32)
void order(int *a, int *b)
{
    int lo = min(*a, *b), hi = max(*a, *b);
    *a = lo;
    *b = hi;
}
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void oddeven_blocks8(global const int *in, global int *out)
{
    local int keys[512];
    int t = get_local_id(0), v[8];
    size_t base = get_group_id(0) * 512;
    for (int i = 0; i < 8; i++)
        v[i] = in[base + t * 8 + i];
    for (int r = 0; r < 8; r++)
        for (int i = r & 1; i + 1 < 8; i += 2)
            order(&v[i], &v[i + 1]);
    for (int i = 0; i < 8; i++)
        keys[t * 8 + i] = v[i];
    for (int width = 8; width < 512; width *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int pair = t * 8 / (2 * width) * 2 * width, diag = t * 8 - pair;
        local int *a = keys + pair, *b = a + width;
        int lo = max(0, diag - width), hi = min(diag, width);
        while (lo < hi) {
            int m = (lo + hi) / 2;
            if (a[m] <= b[diag - 1 - m])
                lo = m + 1;
            else
                hi = m;
        }
        int i = lo, j = diag - lo;
        for (int k = 0; k < 8; k++) {
            bool left = j >= width || (i < width && a[i] <= b[j]);
            v[k] = left ? a[i++] : b[j++];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            keys[t * 8 + k] = v[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < 512; i += 64)
        out[base + i] = keys[i];
}

// case triplet_force
// 1 << 11, 64, F(3 << 11), I(8 << 11, 1 << 11), O(3 << 11)
typedef struct {
    float x, y, z;
} Vec;
Vec minus(Vec a, Vec b)
{
    Vec r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}
float inner3(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
kernel void triplet_force(global Vec *pos, global int *near, global Vec *force)
{
    int i = get_global_id(0);
    Vec f = {0, 0, 0};
    for (int a = 0; a < 8; a++) {
        Vec u = minus(pos[near[i * 8 + a]], pos[i]);
        float ru = sqrt(inner3(u, u)) + 0.01f;
        for (int b = a + 1; b < 8; b++) {
            Vec v = minus(pos[near[i * 8 + b]], pos[i]);
            float rv = sqrt(inner3(v, v)) + 0.01f, c = inner3(u, v) / (ru * rv), h = (c + 1.0f / 3) * exp(-ru - rv);
            f.x += h * (u.x / ru + v.x / rv);
            f.y += h * (u.y / ru + v.y / rv);
            f.z += h * (u.z / ru + v.z / rv);
        }
    }
    force[i] = f;
}
