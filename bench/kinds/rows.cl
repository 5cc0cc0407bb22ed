// Arrays in rows, as [i][j] or [i][j][k], with i from dimension 0: neighbours in x are rows apart.

// case row_matmul
// (256, 256), None, O(1 << 16), F(1 << 16), F(1 << 16), S(256)
kernel void row_matmul(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0), j = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
}

// case row_eliminate
// (512, 512), (16, 16), F(1 << 18), F(1 << 18), S(512), S(100)
kernel void row_eliminate(global float *a, global const float *m, int n, int t)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i < n - 1 - t && j < n - t)
        a[n * (i + 1 + t) + (j + t)] -= m[n * (i + 1 + t) + t] * a[n * t + (j + t)];
}

// case row_blur
// (512, 512), (8, 32), O(1 << 18, np.uint8), I(1 << 18, 256, np.uint8), S(512), S(512)
kernel void row_blur(global uchar *out, global const uchar *in, int rows, int columns)
{
    int r = get_global_id(0), c = get_global_id(1);
    if (r < 1 || c < 1 || r >= rows - 1 || c >= columns - 1)
        return;
    int s = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            s += in[(r + y) * columns + c + x];
    out[r * columns + c] = s / 9;
}

// case row_tiles
// (256, 256), (16, 16), O(1 << 16), F(1 << 16), F(1 << 16), S(256)
kernel void row_tiles(global float *c, global const float *a, global const float *b, int n)
{
    local float ta[16][16], tb[16][16];
    int li = get_local_id(0), lj = get_local_id(1), i = get_global_id(0), j = get_global_id(1);
    float s = 0;
    for (int t = 0; t < n; t += 16) {
        ta[li][lj] = a[i * n + t + lj];
        tb[li][lj] = b[(t + li) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            s += ta[li][k] * tb[k][lj];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * n + j] = s;
}

// case volume_ijk
// (64, 64, 64), None, O(1 << 18), F(1 << 18), S(64)
kernel void volume_ijk(global float *out, global const float *in, int n)
{
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    if (i == 0 || j == 0 || k == 0 || i == n - 1 || j == n - 1 || k == n - 1)
        return;
    int p = (i * n + j) * n + k;
    out[p] = 0.4f * in[p] + 0.1f * (in[p - 1] + in[p + 1] + in[p - n] + in[p + n] + in[p - n * n] + in[p + n * n]);
}

// case row_distances
// (256, 256), (4, 64), O(1 << 16), F(256 * 16), F(256 * 16), S(256), S(16)
kernel void row_distances(global float *d, global const float *p, global const float *q, int n, int dim)
{
    int i = get_global_id(0), j = get_global_id(1);
    float s = 0;
    for (int k = 0; k < dim; k++) {
        float x = p[i * dim + k] - q[k * n + j];
        s += x * x;
    }
    d[i * n + j] = sqrt(s);
}

// case row_complex
// (256, 512), None, F(1 << 18), F(1 << 18), S(512), S(0.25, np.float32)
kernel void row_complex(global float2 *z, global const float2 *w, int columns, float step)
{
    int r = get_global_id(0), c = get_global_id(1);
    float2 a = z[r * columns / 2 + c / 2], b = w[r * columns / 2 + c / 2];
    if ((c & 1) == 0)
        z[r * columns / 2 + c / 2] = (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x) * step;
}

// case batched_softmax
// (128, 256), None, O(1 << 15), F(128 * 256), F(128 * 256), S(256)
kernel void batched_softmax(global float *out, global const float *x, global const float *bias, int n)
{
    int b = get_global_id(0), j = get_global_id(1);
    float most = -1e30f, sum = 0;
    for (int k = 0; k < n; k += 8)
        most = fmax(most, x[b * n + k]);
    for (int k = 0; k < n; k += 8)
        sum += exp(x[b * n + k] - most);
    out[b * n + j] = exp(x[b * n + j] - most) / sum + bias[b * n + j];
}

// case axpy_step
// 1 << 18, None, S(1 << 18), S(0.5, np.float32), F(1 << 18), S(0), S(1), F(1 << 18), S(0), S(1)
kernel void axpy_step(int n, float alpha, global const float *x, int x_at, int x_step, global float *y, int y_at,
                      int y_step)
{
    int i = get_global_id(0);
    if (i < n)
        y[y_at + i * y_step] += alpha * x[x_at + i * x_step];
}

// case columns_step
// 1024, 64, O(1024), F(1 << 20), F(1024), S(1024), S(1)
kernel void columns_step(global float *y, global const float *a, global const float *x, int n, int step)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[k * n + i * step] * x[k * step];
    y[i * step] = s;
}

// case byte_steps
// 1 << 17, None, O(1 << 17), F(1 << 17), S(4, np.int64), S(4, np.int64)
kernel void byte_steps(global char *to, global const char *from, long to_step, long from_step)
{
    size_t i = get_global_id(0);
    *(global float *)(to + i * to_step) = 2 * *(global const float *)(from + i * from_step);
}
