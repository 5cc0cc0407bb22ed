// Pictures and video: filters, features, blocks, colours, as textbooks and libraries have them.

// case seam_rows
// 256, 256, F(64 * 256), O(64 * 256), S(64)
kernel void seam_rows(global const float *energy, global float *cost, int h)
{
    local float row[2][258];
    int x = get_local_id(0), now = 0;
    row[0][x + 1] = energy[x];
    if (x == 0)
        row[0][0] = row[1][0] = row[0][257] = row[1][257] = MAXFLOAT;
    cost[x] = energy[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 1; y < h; y++) {
        float v = energy[y * 256 + x] + fmin(fmin(row[now][x], row[now][x + 1]), row[now][x + 2]);
        now ^= 1;
        row[now][x + 1] = v;
        cost[y * 256 + x] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case median5x5_hist
// (200, 120), None, I(204 * 124, 256, np.uint8), O(200 * 120, np.uint8), S(204)
kernel void median5x5_hist(global const uchar *in, global uchar *out, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1), low = 0, high = 255;
    while (low < high) {
        int mid = (low + high) / 2, below = 0;
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 5; i++)
                below += in[(y + j) * pitch + x + i] <= mid;
        if (below >= 13)
            high = mid;
        else
            low = mid + 1;
    }
    out[y * get_global_size(0) + x] = low;
}

// case median5x5_swaps
// (101, 77), None, F(105 * 81), O(101 * 77)
#define SWAP(a, b) { float t = fmin(v[a], v[b]); v[b] = fmax(v[a], v[b]); v[a] = t; }
kernel void median5x5_swaps(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    float v[25];
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            v[j * 5 + i] = in[(y + j) * 105 + x + i];
    for (int r = 0; r < 13; r++)
        for (int k = r + 1; k < 25; k++)
            SWAP(r, k)
    out[y * 101 + x] = v[12];
}

// case guided_coeffs
// (256, 96), (32, 4), F(264 * 104), F(264 * 104), O(256 * 96), O(256 * 96), S(0.01, np.float32)
kernel void guided_coeffs(global const float *guide, global const float *in, global float *a, global float *b, float eps)
{
    int x = get_global_id(0), y = get_global_id(1);
    float si = 0, sp = 0, sii = 0, sip = 0;
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 9; i++) {
            float g = guide[(y + j) * 264 + x + i], p = in[(y + j) * 264 + x + i];
            si += g;
            sp += p;
            sii += g * g;
            sip += g * p;
        }
    float n = 1.0f / 81, mi = si * n, mp = sp * n, k = (sip * n - mi * mp) / (sii * n - mi * mi + eps);
    a[y * 256 + x] = k;
    b[y * 256 + x] = mp - k * mi;
}

// case bilateral_lut
// (160, 100), (16, 4), I(166 * 106, 256, np.uint8), F(256), F(49), I(160 * 100, 1, np.uint8)
kernel void bilateral_lut(global const uchar *in, constant float *range, constant float *space, global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1), centre = in[(y + 3) * 166 + x + 3];
    float sum = 0, weight = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++) {
            int v = in[(y + j) * 166 + x + i];
            float w = range[abs_diff(v, centre)] * space[j * 7 + i];
            sum += w * v;
            weight += w;
        }
    out[y * 160 + x] = convert_uchar_sat(sum / weight);
}

// case hough_circles
// (96, 64), (16, 8), I(96 * 64, 256, np.uint8), F(2 * 96 * 64), O(96 * 64, np.int32), S(200), 'unordered'
kernel void hough_circles(global const uchar *edge, global const float2 *gradient, global int *votes, int least)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (edge[y * 96 + x] < least)
        return;
    float2 g = normalize(gradient[y * 96 + x] - 0.45f);
    for (int s = -1; s <= 1; s += 2)
        for (int r = 6; r < 20; r++) {
            int u = convert_int_rte(x + s * r * g.x), v = convert_int_rte(y + s * r * g.y);
            if (u >= 0 && u < 96 && v >= 0 && v < 64)
                atomic_inc(&votes[v * 96 + u]);
        }
}

// case hog_block_norm
// (31, 23, 36), None, F(32 * 24 * 9), O(31 * 23 * 36)
kernel void hog_block_norm(global const float *cell, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), k = get_global_id(2);
    float s = 1e-3f;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            for (int b = 0; b < 9; b++) {
                float v = cell[((y + j) * 32 + x + i) * 9 + b];
                s += v * v;
            }
    float v = cell[((y + k / 18) * 32 + x + k / 9 % 2) * 9 + k % 9];
    out[(y * 31 + x) * 36 + k] = fmin(v * rsqrt(s), 0.2f);
}

// case dog_extrema
// (126, 94, 3), None, F(128 * 96 * 5), O(126 * 94 * 3, np.int32)
kernel void dog_extrema(global const float *d, global int *flag)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
    float v = d[(z * 96 + y) * 128 + x];
    bool most = true, least = true;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                if (!i && !j && !k)
                    continue;
                float u = d[((z + k) * 96 + y + j) * 128 + x + i];
                most = most && v > u;
                least = least && v < u;
            }
    int r = 0;
    if ((most || least) && fabs(v) > 0.03f) {
        float xx = d[(z * 96 + y) * 128 + x + 1] + d[(z * 96 + y) * 128 + x - 1] - 2 * v, yy = d[(z * 96 + y + 1) * 128 + x] + d[(z * 96 + y - 1) * 128 + x] - 2 * v;
        r = xx * yy > 0 ? 2 : 1;
    }
    flag[((z - 1) * 94 + y - 1) * 126 + x - 1] = r;
}

// case horn_schunck
// (127, 95), None, F(129 * 97), F(129 * 97), F(129 * 97), F(2 * 129 * 97), O(2 * 129 * 97), S(0.1, np.float32)
kernel void horn_schunck(global const float *ix, global const float *iy, global const float *it, global const float2 *flow, global float2 *next, float alpha)
{
    int i = (get_global_id(1) + 1) * 129 + get_global_id(0) + 1;
    float2 mean = (flow[i - 1] + flow[i + 1] + flow[i - 129] + flow[i + 129]) / 6 + (flow[i - 130] + flow[i - 128] + flow[i + 128] + flow[i + 130]) / 12;
    float k = (ix[i] * mean.x + iy[i] * mean.y + it[i]) / (alpha + ix[i] * ix[i] + iy[i] * iy[i]);
    next[i] = mean - k * (float2)(ix[i], iy[i]);
}

// case label_step
// (128, 96), (32, 8), I(128 * 96, 2, np.uint8), I(128 * 96, 128 * 96), O(128 * 96, np.int32), O(1, np.int32), 'unordered'
kernel void label_step(global const uchar *mask, global const int *label, global int *next, global int *changed)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 128 + x, l = label[i];
    if (mask[i]) {
        if (x > 0 && mask[i - 1])
            l = min(l, label[i - 1]);
        if (x < 127 && mask[i + 1])
            l = min(l, label[i + 1]);
        if (y > 0 && mask[i - 128])
            l = min(l, label[i - 128]);
        if (y < 95 && mask[i + 128])
            l = min(l, label[i + 128]);
        if (l != label[i])
            *changed = 1;
    }
    next[i] = l;
}

// case idct8_columns
// (8, 1024), (8, 8), I(64 * 1024, 400, np.int16), I(64, 100, np.uint16), O(64 * 1024, np.uint8)
constant short basis[8][8] = {
    {64, 64, 64, 64, 64, 64, 64, 64}, {89, 75, 50, 18, -18, -50, -75, -89}, {83, 36, -36, -83, -83, -36, 36, 83}, {75, -18, -89, -50, 50, 89, 18, -75},
    {64, -64, -64, 64, 64, -64, -64, 64}, {50, -89, 18, 75, -75, -18, 89, -50}, {36, -83, 83, -36, -36, 83, -83, 36}, {18, -50, 75, -89, 89, -75, 50, -18}};
kernel void idct8_columns(global const short *in, global const ushort *quant, global uchar *out)
{
    local int t[8][8][9];
    int x = get_local_id(0), b = get_local_id(1);
    size_t base = get_global_id(1) * 64;
    for (int y = 0; y < 8; y++) {
        int s = 0;
        for (int k = 0; k < 8; k++)
            s += basis[k][y] * in[base + k * 8 + x] * quant[k * 8 + x] >> 4;
        t[b][y][x] = s >> 4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 0; y < 8; y++) {
        int s = 1 << 15;
        for (int k = 0; k < 8; k++)
            s += basis[k][x] * t[b][y][k];
        out[base + y * 8 + x] = convert_uchar_sat((s >> 16) + 128);
    }
}

// case sad_search16
// (16, 9, 25), (1, 1, 25), I(288 * 176, 256, np.uint8), I(288 * 176, 256, np.uint8), O(16 * 9 * 25, np.int32), S(288)
kernel void sad_search16(global const uchar *now, global const uchar *ref, global int *sad, int pitch)
{
    int x = get_group_id(0) * 16 + 8, y = get_group_id(1) * 16 + 8, k = get_local_id(2), dx = k % 5 - 2, dy = k / 5 - 2;
    uint s = 0;
    for (int j = 0; j < 16; j++) {
        ushort16 d = convert_ushort16(abs_diff(vload16(0, now + (y + j) * pitch + x), vload16(0, ref + (y + j + dy) * pitch + x + dx)));
        ushort8 e = d.lo + d.hi;
        ushort4 f = e.lo + e.hi;
        s += f.x + f.y + f.z + f.w;
    }
    sad[(get_group_id(1) * 16 + get_group_id(0)) * 25 + k] = s;
}

// case loop_filter_edges
// (512, 32), None, I(512 * 256, 256, np.uint8), I(512 * 256, 1, np.uint8), S(40), S(8)
kernel void loop_filter_edges(global const uchar *in, global uchar *out, int alpha, int beta)
{
    int x = get_global_id(0), at = get_global_id(1) * 8 * 512 + x;
    int p[4], q[4];
    for (int k = 0; k < 4; k++) {
        p[k] = in[at + (3 - k) * 512];
        q[k] = in[at + (4 + k) * 512];
    }
    if (abs(p[0] - q[0]) < alpha && abs(p[1] - p[0]) < beta && abs(q[1] - q[0]) < beta) {
        if (abs(p[2] - p[0]) < beta) {
            int a = (p[2] + 2 * p[1] + 2 * p[0] + 2 * q[0] + q[1] + 4) >> 3;
            p[1] = (p[2] + p[1] + p[0] + q[0] + 2) >> 2;
            p[0] = a;
        } else {
            int d = clamp(((q[0] - p[0]) * 4 + p[1] - q[1] + 4) >> 3, -6, 6);
            p[0] = clamp(p[0] + d, 0, 255);
            q[0] = clamp(q[0] - d, 0, 255);
        }
    }
    for (int k = 0; k < 4; k++) {
        out[at + (3 - k) * 512] = p[k];
        out[at + (4 + k) * 512] = q[k];
    }
}

// case lut_tetra
// (300, 50), None, F(4 * 300 * 50), F(4 * 17 * 17 * 17), O(4 * 300 * 50)
kernel void lut_tetra(global const float4 *in, global const float4 *cube, global float4 *out)
{
    int i = get_global_id(1) * 300 + get_global_id(0);
    float4 v = clamp(in[i], 0.0f, 0.9999f) * 16;
    int4 c = convert_int4(v);
    float4 f = v - convert_float4(c);
    global const float4 *p = cube + (c.z * 17 + c.y) * 17 + c.x;
    float4 a = p[0], b = p[290 + 17], r;
    if (f.x > f.y)
        r = f.y > f.z ? a + f.x * (p[1] - a) + f.y * (p[18] - p[1]) + f.z * (b - p[18])
            : f.x > f.z ? a + f.x * (p[1] - a) + f.z * (p[290] - p[1]) + f.y * (b - p[290])
            : a + f.z * (p[289] - a) + f.x * (p[290] - p[289]) + f.y * (b - p[290]);
    else
        r = f.z > f.y ? a + f.z * (p[289] - a) + f.y * (p[306] - p[289]) + f.x * (b - p[306])
            : f.z > f.x ? a + f.y * (p[17] - a) + f.z * (p[306] - p[17]) + f.x * (b - p[306])
            : a + f.y * (p[17] - a) + f.x * (p[18] - p[17]) + f.z * (b - p[18]);
    r.w = in[i].w;
    out[i] = r;
}

// case retinex_scales
// (96, 64), (16, 16), F(128 * 96), O(96 * 64)
kernel void retinex_scales(global const float *in, global float *out)
{
    local float t[24][25];
    int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
    for (int j = y; j < 24; j += 16)
        for (int i = x; i < 24; i += 16)
            t[j][i] = in[(gy + j) * 128 + gx + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float centre = log(t[y + 4][x + 4] + 1), r = 0;
    for (int s = 1; s <= 4; s++) {
        float m = 0;
        for (int j = -s; j <= s; j++)
            for (int i = -s; i <= s; i++)
                m += t[y + 4 + j][x + 4 + i];
        r += centre - log(m / ((2 * s + 1) * (2 * s + 1)) + 1);
    }
    out[get_global_id(1) * 96 + get_global_id(0)] = r * 0.25f;
}
