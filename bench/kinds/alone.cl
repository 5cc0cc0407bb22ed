// Rows of each work-item's own, and groups of few work-items: what scalar code does well. bench/kinds.py runs them; each begins behind
// a line "// case".
//
// SPDX-License-Identifier: MIT

// case wrap_double
//2048, None, D(1 << 20), S((1 << 20) - 1)
kernel void wrap_double(global double *out, int mask)
{
    int s = get_global_id(0) * 512;
    for (int j = 0; j < 512; j++)
        out[(s + j) & mask] = j;
}

// case wrap_mod
//1024, None, I(1 << 20), O(1 << 20, np.int32), S(1 << 20)
kernel void wrap_mod(global const int *in, global int *out, int n)
{
    int s = get_global_id(0) * 1024;
    for (int j = 0; j < 1024; j++)
        out[(s + j) % n] = in[(s + j + 3) % n] + 1;
}

// case wrap_ring
//2048, None, F(1 << 21), O(2048), S(1023)
kernel void wrap_ring(global const float *in, global float *out, int mask)
{
    int id = get_global_id(0);
    float s = 0;
    for (int j = 0; j < 1024; j++)
        s = s * 0.5f + in[id * 1024 + ((id + j) & mask)];
    out[id] = s;
}

// case wrap_ushort
//1024, None, O(1 << 20, np.uint16), S((1 << 20) - 1)
kernel void wrap_ushort(global ushort *out, int mask)
{
    int s = get_global_id(0) * 1024;
    for (int j = 0; j < 1024; j++)
        out[(s + j) & mask] = j;
}

// case wrap_copy
//1024, None, I(1 << 20), O(1 << 20, np.int32), S((1 << 20) - 1)
kernel void wrap_copy(global const int *in, global int *out, uint mask)
{
    uint s = get_global_id(0) * 1024;
    for (uint j = 0; j < 1024; j++)
        out[(s + j) & mask] = in[(s + j + 5) & mask];
}

// case argmin_rows_d
//2048, None, D(2048 * 100), O(2048, np.int32), S(100)
kernel void argmin_rows_d(global const double *in, global int *out, int n)
{
    int id = get_global_id(0), best = 0;
    for (int j = 1; j < n; j++)
        if (in[id * n + j] < in[id * n + best])
            best = j;
    out[id] = best;
}

// case bubble_short
//4096, None, I(4096 * 24, 30000, np.int16), S(24)
kernel void bubble_short(global short *a, int n)
{
    global short *x = a + get_global_id(0) * n;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (x[j] > x[j + 1]) {
                short t = x[j];
                x[j] = x[j + 1];
                x[j + 1] = t;
            }
}

// case bubble_pairs
//4096, None, F(4096 * 32), I(4096 * 32), S(32)
kernel void bubble_pairs(global float *key, global int *value, int n)
{
    int row = get_global_id(0) * n;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (key[row + j] > key[row + j + 1]) {
                float t = key[row + j];
                int v = value[row + j];
                key[row + j] = key[row + j + 1];
                value[row + j] = value[row + j + 1];
                key[row + j + 1] = t;
                value[row + j + 1] = v;
            }
}

// case select_double
//2048, None, D(2048 * 40), S(40)
kernel void select_double(global double *a, int n)
{
    global double *x = a + get_global_id(0) * n;
    for (int i = 0; i < n - 1; i++) {
        int most = i;
        for (int j = i + 1; j < n; j++)
            if (x[j] > x[most])
                most = j;
        double t = x[i];
        x[i] = x[most];
        x[most] = t;
    }
}

// case block32
//16384, None, D(1 << 19), D(1 << 19)
kernel void block32(global double *out, global const double *in)
{
    int at = get_global_id(0) * 32;
    for (int i = 0; i < 32; i++)
        out[at + i] = in[at + (31 - i)] * in[at + (i ^ 3)];
}

// case block_swap
//8192, None, I(1 << 20), O(1 << 20, np.int32)
kernel void block_swap(global const int *in, global int *out)
{
    int at = get_global_id(0) * 128;
    for (int i = 0; i < 128; i++)
        out[at + (i ^ 5)] = in[at + i] ^ in[at + (127 - i)];
}

// case hist32
//1024, None, O(1024 * 32, np.int32), I(1 << 19, 1 << 20), S(512)
kernel void hist32(global int *out, global const int *in, int n)
{
    int row = get_global_id(0), h[32];
    for (int k = 0; k < 32; k++)
        h[k] = 0;
    for (int j = 0; j < n; j++)
        h[in[row * n + j] & 31]++;
    for (int k = 0; k < 32; k++)
        out[row * 32 + k] = h[k];
}

// case hist_weighted
//1024, None, O(1024 * 16), I(1 << 19, 256, np.uint8), F(1 << 19), S(512)
kernel void hist_weighted(global float *out, global const uchar *in, global const float *w, int n)
{
    int row = get_global_id(0);
    float h[16];
    for (int k = 0; k < 16; k++)
        h[k] = 0;
    for (int j = 0; j < n; j++)
        h[in[row * n + j] >> 4] += w[row * n + j];
    for (int k = 0; k < 16; k++)
        out[row * 16 + k] = h[k];
}

// case pair2x2
//(256, 1024), (2, 2), O(256 * 1024, np.int32), I(256 * 1024), S(256)
kernel void pair2x2(global int *out, global const int *in, int w)
{
    local int t[4];
    int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0) + 2 * get_local_id(1);
    t[l] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[0] + t[1] + t[2] + t[3];
}

// case group2x4
//(256, 1024), (2, 4), O(256 * 1024), F(256 * 1024), S(256)
kernel void group2x4(global float *out, global const float *in, int w)
{
    local float t[4][2];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[3 - ly][1 - lx];
}

// case group3x3
//(300, 600), (3, 3), O(300 * 600), F(300 * 600), S(300)
kernel void group3x3(global float *out, global const float *in, int w)
{
    local float t[3][3];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[2 - ly][lx] + t[1][1];
}

// case group4
//1 << 18, 4, O(1 << 18), F(1 << 18)
kernel void group4(global float *out, global const float *in)
{
    local float t[4];
    int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[3 - l] + t[0];
}

// case last_seen
//2048, None, I(2048 * 256, 50, np.uint8), O(2048, np.int32), S(256)
kernel void last_seen(global const uchar *in, global int *out, int n)
{
    int id = get_global_id(0), longest = 0, from = 0, seen[50];
    for (int k = 0; k < 50; k++)
        seen[k] = -1;
    for (int j = 0; j < n; j++) {
        int c = in[id * n + j];
        if (seen[c] >= from)
            from = seen[c] + 1;
        seen[c] = j;
        longest = max(longest, j - from + 1);
    }
    out[id] = longest;
}

// case task_sobel_lines
//1, 1, I(256 * 256, 256, np.uint8), O(256 * 256, np.uint8), S(256 * 256)
__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void task_sobel_lines(global const uchar *restrict in, global uchar *restrict out, int n)
{
    uchar rows[2 * 256 + 3];
    for (int i = 0; i < 2 * 256 + 3; i++)
        rows[i] = 0;
    for (int t = 0; t < n; t++) {
        for (int i = 2 * 256 + 2; i > 0; --i)
            rows[i] = rows[i - 1];
        rows[0] = in[t];
        int gx = rows[0] - rows[2] + 2 * (rows[256] - rows[258]) + rows[512] - rows[514];
        int gy = rows[0] + 2 * rows[1] + rows[2] - rows[512] - 2 * rows[513] - rows[514];
        out[t] = min(abs(gx) + abs(gy), 255u);
    }
}

// case task_matmul
//1, 1, F(128 * 128), F(128 * 128), O(128 * 128), S(128)
kernel void task_matmul(global const float *a, global const float *b, global float *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

// case lanes_shift_scan
//4096, 64, I(16 << 12, 100), O(16 << 12, np.int32)
kernel void lanes_shift_scan(global const int *in, global int *out)
{
    int id = get_global_id(0);
    int16 v = vload16(id, in);
    v += (int16)(0, v.s01234567, v.s89ab, v.scd, v.se);
    v += (int16)(0, 0, v.s01234567, v.s89ab, v.sc, v.sd);
    v += (int16)(0, 0, 0, 0, v.s01234567, v.s89ab);
    v += (int16)((int8)(0), v.lo);
    vstore16(v, id, out);
}

// case shuffle_transpose8
//4096, 64, I(64 << 12, 1 << 15, np.int16), O(64 << 12, np.int16)
kernel void shuffle_transpose8(global const short *in, global short *out)
{
    int id = get_global_id(0);
    short8 r[8], t[8];
    for (int i = 0; i < 8; i++)
        r[i] = vload8(id * 8 + i, in);
    for (int i = 0; i < 4; i++) {
        t[2 * i] = (short8)(r[i].s0, r[i + 4].s0, r[i].s1, r[i + 4].s1, r[i].s2, r[i + 4].s2, r[i].s3, r[i + 4].s3);
        t[2 * i + 1] = (short8)(r[i].s4, r[i + 4].s4, r[i].s5, r[i + 4].s5, r[i].s6, r[i + 4].s6, r[i].s7, r[i + 4].s7);
    }
    for (int i = 0; i < 4; i++) {
        r[2 * i] = (short8)(t[i].s0, t[i + 4].s0, t[i].s1, t[i + 4].s1, t[i].s2, t[i + 4].s2, t[i].s3, t[i + 4].s3);
        r[2 * i + 1] = (short8)(t[i].s4, t[i + 4].s4, t[i].s5, t[i + 4].s5, t[i].s6, t[i + 4].s6, t[i].s7, t[i + 4].s7);
    }
    for (int i = 0; i < 4; i++) {
        t[2 * i] = (short8)(r[i].s0, r[i + 4].s0, r[i].s1, r[i + 4].s1, r[i].s2, r[i + 4].s2, r[i].s3, r[i + 4].s3);
        t[2 * i + 1] = (short8)(r[i].s4, r[i + 4].s4, r[i].s5, r[i + 4].s5, r[i].s6, r[i + 4].s6, r[i].s7, r[i + 4].s7);
    }
    for (int i = 0; i < 8; i++)
        vstore8(t[i], id * 8 + i, out);
}

// case maxpool_short8
//(32, 256), (32, 4), I(512 * 512, 30000, np.int16), O(256 * 256, np.int16)
kernel void maxpool_short8(global const short *in, global short *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    short16 a = vload16(x, in + 2 * y * 512), b = vload16(x, in + (2 * y + 1) * 512), m = max(a, b);
    vstore8(max(m.even, m.odd), x, out + y * 256);
}

// case transpose_uchar4
//(128, 128), (32, 8), I(512 * 512, 256, np.uint8), O(512 * 512, np.uint8)
kernel void transpose_uchar4(global const uchar4 *in, global uchar4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const uchar4 *p = in + 4 * y * 128 + x;
    global uchar4 *q = out + 4 * x * 128 + y;
    uchar4 a = p[0], b = p[128], c = p[256], d = p[384];
    q[0] = (uchar4)(a.x, b.x, c.x, d.x);
    q[128] = (uchar4)(a.y, b.y, c.y, d.y);
    q[256] = (uchar4)(a.z, b.z, c.z, d.z);
    q[384] = (uchar4)(a.w, b.w, c.w, d.w);
}
