// Short kernels whose arrays change places: axes that are exchanged, layouts of pictures and tensors, rows and columns by
// number, packed and repeated arrays.
//
// SPDX-License-Identifier: MIT

// case permute_zxy
// (64, 64, 64), None, F(N), O(N), S(64), S(64), S(64)
kernel void permute_zxy(global const float *a, global float *o, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    o[(x * nz + z) * ny + y] = a[(z * ny + y) * nx + x];
}

// case permute_5d
// N, None, F(N), O(N), S(8), S(16), S(32), S(4), S(16)
kernel void permute_5d(global const float *a, global float *o, int n0, int n1, int n2, int n3, int n4)
{
    int i = get_global_id(0), r = i;
    int e = r % n4, d, c, b;
    r /= n4;
    d = r % n3;
    r /= n3;
    c = r % n2;
    r /= n2;
    b = r % n1;
    r /= n1;
    o[(((e * n2 + c) * n0 + r) * n3 + d) * n1 + b] = a[i];
}

// case row_select
// (256, 512), None, F(256 * 512), ('buffer', RANDOM.permutation(512).astype(np.int64)), O(256 * 512), S(256)
kernel void row_select(global const float *a, global const long *row, global float *o, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * width + x] = a[row[y] * width + x];
}

// case column_select
// (256, 512), None, F(256 * 512), ('buffer', RANDOM.permutation(256).astype(np.int32)), O(256 * 512), S(256)
kernel void column_select(global const float *a, global const int *column, global float *o, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * width + x] = a[y * width + column[x]];
}

// case max_unpool
// (128, 128, 8), None, F(128 * 128 * 8), I(128 * 128 * 8, 4), O(256 * 256 * 8), S(128), S(128)
kernel void max_unpool(global const float *a, global const int *which, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2), i = (c * h + y) * w + x, k = which[i];
    o[(c * 2 * h + 2 * y + k / 2) * 2 * w + 2 * x + k % 2] = a[i];
}

// case small_transpose
// 1 << 13, None, F(9 << 13), O(9 << 13)
kernel void small_transpose(global const float *a, global float *o)
{
    int m = get_global_id(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            o[m * 9 + j * 3 + i] = a[m * 9 + i * 3 + j];
}

// case transp_short
// (512, 512), (16, 16), I(1 << 18, 1 << 15, np.int16), O(1 << 18, np.int16), S(512)
kernel void transp_short(global const short *a, global short *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * n + y] = a[y * n + x];
}

// case transp_float4
// (256, 256), (16, 16), F(4 << 16), O(4 << 16), S(256)
kernel void transp_float4(global const float4 *a, global float4 *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * n + y] = a[y * n + x];
}

// case transp_double
// (256, 256), (16, 16), D(1 << 16), O(1 << 16, np.float64), S(256)
kernel void transp_double(global const double *a, global double *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * n + y] = a[y * n + x];
}

// case transp_complex
// (256, 256), (16, 16), F(2 << 16), O(2 << 16), S(256)
kernel void transp_complex(global const float2 *a, global float2 *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[x * n + y] = a[y * n + x];
}

// case nchw_to_nhwc
// (96, 96, 16), None, F(96 * 96 * 16), O(96 * 96 * 16), S(96), S(96), S(16)
kernel void nchw_to_nhwc(global const float *a, global float *o, int w, int h, int ch)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    o[(y * w + x) * ch + c] = a[(c * h + y) * w + x];
}

// case nhwc_to_nchw
// (16, 96, 96), None, F(96 * 96 * 16), O(96 * 96 * 16), S(96), S(96), S(16)
kernel void nhwc_to_nchw(global const float *a, global float *o, int w, int h, int ch)
{
    int c = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
    o[(c * h + y) * w + x] = a[(y * w + x) * ch + c];
}

// case symmetric_fill
// (256, 256), (16, 16), F(1 << 16), S(256)
kernel void symmetric_fill(global float *a, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > y)
        a[x * n + y] = a[y * n + x];
}

// case pack_triangle
// (256, 256), (16, 16), F(1 << 16), O(1 << 15 | 128), S(256)
kernel void pack_triangle(global const float *a, global float *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x <= y)
        o[y * (y + 1) / 2 + x] = a[y * n + x];
}

// case space_to_depth
// (256, 256, 4), None, F(1 << 18), O(1 << 18), S(256), S(256)
kernel void space_to_depth(global const float *a, global float *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    o[(((y & 1) * 2 + (x & 1)) * 4 + c) * (w / 2) * (h / 2) + (y / 2) * (w / 2) + x / 2] = a[(c * h + y) * w + x];
}

// case fft_shift
// (256, 256), None, F(2 << 16), O(2 << 16), S(256), S(256)
kernel void fft_shift(global const float2 *a, global float2 *o, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[(y + h / 2) % h * w + (x + w / 2) % w] = a[y * w + x];
}

// case block_cyclic
// 1 << 17, None, F(1 << 17), O(1 << 17), S(512), S(256)
kernel void block_cyclic(global const float *a, global float *o, int b, int n)
{
    int i = get_global_id(0);
    o[i % b * n + i / b] = a[i];
}

// case row_sums_d
// 512, 64, D(1 << 17), O(512, np.float64), S(256)
kernel void row_sums_d(global const double *a, global double *o, int n)
{
    int y = get_global_id(0);
    double s = 0;
    for (int x = 0; x < n; x++)
        s += a[y * n + x];
    o[y] = s;
}

// case outer_product_d
// (256, 256), (16, 16), D(256), D(256), O(1 << 16, np.float64), S(256)
kernel void outer_product_d(global const double *a, global const double *b, global double *o, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    o[i * n + j] += a[i] * b[j];
}

// case repeat_each
// 1 << 17, None, F(1 << 15), O(1 << 17), S(4)
kernel void repeat_each(global const float *a, global float *o, int each)
{
    int i = get_global_id(0);
    o[i] = a[i / each];
}

// case split_heads
// (64, 128, 8), None, F(64 * 128 * 8), O(64 * 128 * 8), S(128), S(8)
kernel void split_heads(global const float *a, global float *o, int tokens, int heads)
{
    int x = get_global_id(0), t = get_global_id(1), h = get_global_id(2);
    o[(h * tokens + t) * 64 + x] = a[(t * heads + h) * 64 + x];
}

// case keys_transposed
// (128, 64, 8), None, F(64 * 128 * 8), O(64 * 128 * 8), S(128), S(64)
kernel void keys_transposed(global const float *k, global float *o, int tokens, int d)
{
    int t = get_global_id(0), x = get_global_id(1), h = get_global_id(2);
    o[(h * d + x) * tokens + t] = k[(h * tokens + t) * d + x];
}

// case image_columns
// (128, 9, 128), None, F(130 * 130), O(9 << 14), S(130)
kernel void image_columns(global const float *a, global float *o, int pitch)
{
    int x = get_global_id(0), k = get_global_id(1), y = get_global_id(2);
    o[(y * 128 + x) * 9 + k] = a[(y + k / 3) * pitch + x + k % 3];
}

// case lower_solve_rows
// 256, 64, D(64 * 64), D(64 * 256), S(64), S(256)
kernel void lower_solve_rows(global const double *l, global double *b, int n, int m)
{
    int c = get_global_id(0);
    for (int i = 0; i < n; i++) {
        double s = b[i * m + c];
        for (int k = 0; k < i; k++)
            s -= l[i * n + k] * b[k * m + c];
        b[i * m + c] = s / l[i * n + i];
    }
}

// case transp_add
// (512, 512), (32, 8), F(1 << 18), F(1 << 18), O(1 << 18), S(512)
kernel void transp_add(global const float *a, global const float *b, global float *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[y * n + x] = a[y * n + x] + b[x * n + y];
}

// case axis_flip_d
// (256, 256), None, D(1 << 16), O(1 << 16, np.float64), S(256)
kernel void axis_flip_d(global const double *a, global double *o, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    o[(n - 1 - x) * n + y] = a[y * n + x];
}
