// images.cl -- kinds of kernels: images with samplers, video, filters that run along rows.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case image_gauss
// (512, 256), (16, 8), image(512, 256), target(512, 256)
constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant float weights[9] = {1 / 16.0f, 2 / 16.0f, 1 / 16.0f, 2 / 16.0f, 4 / 16.0f,
                             2 / 16.0f, 1 / 16.0f, 2 / 16.0f, 1 / 16.0f};
kernel void image_gauss(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(in, clamped, at + (int2)(x, y)) * weights[(y + 1) * 3 + x + 1];
    write_imagef(out, at, sum);
}

// case image_rotate
// (512, 256), (16, 8), image(512, 256), target(512, 256), S(0.8, np.float32), S(0.6, np.float32)
constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
kernel void image_rotate(read_only image2d_t in, write_only image2d_t out, float c, float s)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 uv = (convert_float2(at) + 0.5f) / (float2)(get_image_width(in), get_image_height(in)) - 0.5f;
    float2 from = (float2)(uv.x * c - uv.y * s, uv.x * s + uv.y * c) + 0.5f;
    write_imagef(out, at, read_imagef(in, smooth, from));
}

// case image_ui
// (512, 256), (16, 8), image(512, 256, 'UNSIGNED_INT8'), target(512, 256, 'UNSIGNED_INT8')
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void image_ui(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 low = (uint4)255, high = 0;
    for (int k = 0; k < 9; k++) {
        uint4 v = read_imageui(in, edge, at + (int2)(k % 3 - 1, k / 3 - 1));
        low = min(low, v);
        high = max(high, v);
    }
    write_imageui(out, at, (uint4)(high.xyz - low.xyz, 255));
}

// case image_flow
// (256, 128), (16, 8), image(256, 128, 'FLOAT'), image(256, 128, 'FLOAT'), O(2 * 256 * 128)
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void image_flow(read_only image2d_t a, read_only image2d_t b, global float2 *flow)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float xx = 0.01f, xy = 0, yy = 0.01f, xt = 0, yt = 0;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            float2 p = convert_float2(at) + (float2)(x + 0.5f, y + 0.5f);
            float dx = read_imagef(a, linear, p + (float2)(1, 0)).x - read_imagef(a, linear, p - (float2)(1, 0)).x;
            float dy = read_imagef(a, linear, p + (float2)(0, 1)).x - read_imagef(a, linear, p - (float2)(0, 1)).x;
            float dt = read_imagef(b, linear, p).x - read_imagef(a, linear, p).x;
            xx += dx * dx, xy += dx * dy, yy += dy * dy, xt += dx * dt, yt += dy * dt;
        }
    float det = xx * yy - xy * xy;
    flow[at.y * get_global_size(0) + at.x] = (float2)((yt * xy - xt * yy) / det, (xt * xy - yt * xx) / det);
}

// case h264_dct
// 1 << 14, 64, I(16 << 14, 256, np.uint8), I(16 << 14, 256, np.uint8), O(16 << 14, np.int16), S(24)
constant int quant[6][3] = {{13107, 5243, 8066}, {11916, 4660, 7490}, {10082, 4194, 6554},
                            {9362, 3647, 5825}, {8192, 3355, 5243}, {7282, 2893, 4559}};
kernel void h264_dct(global const uchar *source, global const uchar *prediction, global short *levels, int qp)
{
    int id = get_global_id(0);
    int d[16];
    for (int i = 0; i < 16; i++)
        d[i] = source[id * 16 + i] - prediction[id * 16 + i];
    for (int pass = 0; pass < 2; pass++) {
        int step = pass ? 4 : 1, line = pass ? 1 : 4;
        for (int i = 0; i < 4; i++) {
            int a = d[i * line], b = d[i * line + step], c = d[i * line + 2 * step], e = d[i * line + 3 * step];
            int s03 = a + e, d03 = a - e, s12 = b + c, d12 = b - c;
            d[i * line] = s03 + s12;
            d[i * line + step] = 2 * d03 + d12;
            d[i * line + 2 * step] = s03 - s12;
            d[i * line + 3 * step] = d03 - 2 * d12;
        }
    }
    int bits = 15 + qp / 6, round = (1 << bits) / 3;
    for (int i = 0; i < 16; i++) {
        int odd = (i & 1) + (i >> 2 & 1);
        int mf = quant[qp % 6][odd == 0 ? 0 : odd == 2 ? 1 : 2];
        int level = (abs(d[i]) * mf + round) >> bits;
        levels[id * 16 + i] = d[i] < 0 ? -level : level;
    }
}

// case motion_sad
// (16, 16, 60), (16, 16, 1), I(1 << 17, 256, np.uint8), I((1 << 17) + 8192, 256, np.uint8), O(256 * 60, np.uint16), S(512)
kernel void motion_sad(global const uchar *current, global const uchar *reference, global ushort *sads, int stride)
{
    int dx = get_global_id(0), dy = get_global_id(1), block = get_global_id(2);
    int at = (block / 30) * 16 * stride + (block % 30) * 16;
    ushort sum = 0;
    for (int y = 0; y < 16; y++) {
        uchar16 c = vload16(0, current + at + y * stride);
        uchar16 r = vload16(0, reference + at + (y + dy) * stride + dx);
        ushort16 d = convert_ushort16(abs_diff(c, r));
        ushort8 s8 = d.lo + d.hi;
        ushort4 s4 = s8.lo + s8.hi;
        ushort2 s2 = s4.lo + s4.hi;
        sum += s2.x + s2.y;
    }
    sads[(block * 16 + dy) * 16 + dx] = sum;
}

// case deblock
// (512, 60), (64, 4), I(1 << 18, 256, np.uint8), O(1 << 18, np.uint8), S(512), S(40), S(12)
kernel void deblock(global const uchar *in, global uchar *out, int stride, int alpha, int beta)
{
    int x = get_global_id(0), at = (get_global_id(1) * 8 + 8) * stride + x;
    int p1 = in[at - 2 * stride], p0 = in[at - stride], q0 = in[at], q1 = in[at + stride];
    if (abs(p0 - q0) < alpha && abs(p1 - p0) < beta && abs(q1 - q0) < beta) {
        int delta = clamp(((q0 - p0) * 4 + (p1 - q1) + 4) >> 3, -4, 4);
        p0 = clamp(p0 + delta, 0, 255);
        q0 = clamp(q0 - delta, 0, 255);
    }
    out[at - stride] = p0;
    out[at] = q0;
}

// case nv12_planes
// (512, 256), None, I(1024 * 512, 256, np.uint8), I(1024 * 256, 256, np.uint8), O(1024 * 512, np.uint8), O(1024 * 512, np.uint8), O(1024 * 512, np.uint8), S(1024)
kernel void nv12_planes(global const uchar *luma, global const uchar *chroma, global uchar *red, global uchar *green,
                        global uchar *blue, int width)
{
    int x = get_global_id(0) * 2, y = get_global_id(1) * 2;
    int u = chroma[y / 2 * width + x] - 128, v = chroma[y / 2 * width + x + 1] - 128;
    int r = 409 * v + 128, g = -100 * u - 208 * v + 128, b = 516 * u + 128;
    for (int k = 0; k < 4; k++) {
        int at = (y + k / 2) * width + x + k % 2;
        int l = 298 * (luma[at] - 16);
        red[at] = clamp((l + r) >> 8, 0, 255);
        green[at] = clamp((l + g) >> 8, 0, 255);
        blue[at] = clamp((l + b) >> 8, 0, 255);
    }
}

// case gauss_recursive
// 512, 64, F(4 * 512 * 128), O(4 * 512 * 128), S(512), S(128)
kernel void gauss_recursive(global const float4 *in, global float4 *out, int w, int h)
{
    const float a0 = 0.06f, a1 = 0.05f, a2 = 0.04f, a3 = -0.02f, b1 = -1.4f, b2 = 0.52f;
    int x = get_global_id(0);
    float4 xp = in[x], yp = xp, yb = xp;
    for (int y = 0; y < h; y++) {
        float4 xc = in[y * w + x], yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
        out[y * w + x] = yc;
        xp = xc;
        yb = yp;
        yp = yc;
    }
    float4 xn = 0, xa = 0, yn = 0, ya = 0;
    for (int y = h - 1; y >= 0; y--) {
        float4 xc = in[y * w + x], yc = a2 * xn + a3 * xa - b1 * yn - b2 * ya;
        xa = xn;
        xn = xc;
        ya = yn;
        yn = yc;
        out[y * w + x] += yc;
    }
}

// case floyd_steinberg
// 512, 64, F(512 * 16 * 16), O(512 * 256, np.uint8)
kernel void floyd_steinberg(global const float *in, global uchar *out)
{
    int id = get_global_id(0);
    float errors[18];
    for (int i = 0; i < 18; i++)
        errors[i] = 0;
    for (int y = 0; y < 16; y++) {
        float right = 0, below = 0, next = 0;
        for (int x = 0; x < 16; x++) {
            float v = in[id * 256 + y * 16 + x] + errors[x + 1] + right;
            uchar bit = v > 0.5f;
            float e = v - bit;
            out[id * 256 + y * 16 + x] = bit * 255;
            right = e * (7 / 16.0f);
            errors[x] = below + e * (3 / 16.0f);
            below = next + e * (5 / 16.0f);
            next = e * (1 / 16.0f);
        }
        errors[16] = below;
    }
}

// case canny_thin
// (510, 254), None, F(1 << 17), F(1 << 17), O(1 << 17, np.uint8), S(512), S(0.4, np.float32), S(1.1, np.float32)
kernel void canny_thin(global const float *gx, global const float *gy, global uchar *out, int stride, float low, float high)
{
    int at = (get_global_id(1) + 1) * stride + get_global_id(0) + 1;
    float x = gx[at], y = gy[at] - 0.5f, m = hypot(x, y), angle = atan2(y, x);
    int sector = (int)floor(angle * (4 / M_PI_F) + 0.5f) & 3;
    int step = 0;
    switch (sector) {
    case 0: step = 1; break;
    case 1: step = stride + 1; break;
    case 2: step = stride; break;
    case 3: step = stride - 1; break;
    }
    float a = hypot(gx[at + step], gy[at + step] - 0.5f), b = hypot(gx[at - step], gy[at - step] - 0.5f);
    out[at] = m > a && m >= b ? (m > high ? 255 : m > low ? 128 : 0) : 0;
}

// case jump_flood
// (256, 256), (16, 16), I(2 * 65536, 256, np.int16), O(2 * 65536, np.int16), S(8)
kernel void jump_flood(global const short2 *seeds, global short2 *out, int step)
{
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
    float least = 1e9f;
    short2 best = (short2)-1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int px = x + dx * step, py = y + dy * step;
            if (px < 0 || py < 0 || px >= n || py >= n)
                continue;
            short2 s = seeds[py * n + px];
            if (s.x < 0)
                continue;
            float d = (float)((s.x - x) * (s.x - x) + (s.y - y) * (s.y - y));
            if (d < least) {
                least = d;
                best = s;
            }
        }
    out[y * n + x] = best;
}

// case nlm
// (128, 64), (16, 8), F(160 * 96), O(128 * 64), S(160), S(10, np.float32)
kernel void nlm(global const float *in, global float *out, int stride, float h)
{
    int x = get_global_id(0) + 8, y = get_global_id(1) + 8;
    float sum = 0, weights = 0;
    for (int j = -4; j <= 4; j++)
        for (int i = -4; i <= 4; i++) {
            float d = 0;
            for (int v = -1; v <= 1; v++)
                for (int u = -1; u <= 1; u++) {
                    float t = in[(y + v) * stride + x + u] - in[(y + j + v) * stride + x + i + u];
                    d += t * t;
                }
            float w = native_exp(-d * h);
            sum += w * in[(y + j) * stride + x + i];
            weights += w;
        }
    out[get_global_id(1) * 128 + get_global_id(0)] = sum / weights;
}

// case lut3d
// (512, 256), None, F(3 << 17), F(4 * 17 * 17 * 17), O(3 << 17)
kernel void lut3d(global const float *in, global const float4 *table, global float *out)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float3 c = vload3(i, in) * 16;
    float3 whole = fmin(floor(c), 15.0f), f = c - whole;
    int at = (int)whole.x + 17 * ((int)whole.y + 17 * (int)whole.z);
    float4 a = mix(table[at], table[at + 1], f.x), b = mix(table[at + 17], table[at + 18], f.x);
    float4 d = mix(table[at + 289], table[at + 290], f.x), e = mix(table[at + 306], table[at + 307], f.x);
    vstore3(mix(mix(a, b, f.y), mix(d, e, f.y), f.z).xyz, i, out);
}

// case bicubic
// (512, 256), None, F(300 * 160), O(512 * 256), S(300), S(160), S(0.55, np.float32)
float cubic(float p0, float p1, float p2, float p3, float t)
{
    return p1 + 0.5f * t * (p2 - p0 + t * (2.0f * p0 - 5.0f * p1 + 4.0f * p2 - p3 + t * (3.0f * (p1 - p2) + p3 - p0)));
}
kernel void bicubic(global const float *in, global float *out, int w, int h, float scale)
{
    float sx = get_global_id(0) * scale, sy = get_global_id(1) * scale;
    int ix = (int)sx, iy = (int)sy;
    float rows[4];
    for (int j = 0; j < 4; j++) {
        int y = clamp(iy + j - 1, 0, h - 1);
        rows[j] = cubic(in[y * w + clamp(ix - 1, 0, w - 1)], in[y * w + clamp(ix, 0, w - 1)],
                        in[y * w + clamp(ix + 1, 0, w - 1)], in[y * w + clamp(ix + 2, 0, w - 1)], sx - ix);
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = cubic(rows[0], rows[1], rows[2], rows[3], sy - iy);
}

// case integral_rows
// 256, 64, I(256 * 512, 256, np.uint8), O(256 * 512, np.uint32), O(256 * 512, np.uint64), S(512)
kernel void integral_rows(global const uchar *in, global uint *sums, global ulong *squares, int w)
{
    int y = get_global_id(0);
    uint s = 0;
    ulong q = 0;
    for (int x = 0; x < w; x++) {
        uint v = in[y * w + x];
        s += v;
        q += v * v;
        sums[y * w + x] = s;
        squares[y * w + x] = q;
    }
}
