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
    if ((c & 1) != 0)
        return;
    float2 a = z[r * columns / 2 + c / 2], b = w[r * columns / 2 + c / 2];
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

// ---- each work-item goes along a row of its own -------------------------------------------------------------------

// case own_scale
// 2048, None, O(1 << 20), F(1 << 20), S(512)
kernel void own_scale(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] * 2;
}

// case own_scale_far
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_scale_far(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] * 2;
}

// case own_fill
// 1024, None, O(1 << 20), S(1024)
kernel void own_fill(global float *out, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = row + j;
}

// case own_sum
// 1024, None, O(1024), F(1 << 20), S(1024)
kernel void own_sum(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += in[row * n + j];
    out[row] = s;
}

// case own_isum
// 1024, None, O(1024, np.int32), I(1 << 20, 1000), S(1024)
kernel void own_isum(global int *out, global const int *in, int n)
{
    int row = get_global_id(0), s = 0;
    for (int j = 0; j < n; j++)
        s += in[row * n + j];
    out[row] = s;
}

// case own_norm
// 1000, None, O(1000), F(1000 * 300), S(300)
kernel void own_norm(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += in[row * n + j] * in[row * n + j];
    out[row] = sqrt(s);
}

// case own_softmax
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_softmax(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;
    float most = -INFINITY, sum = 0;
    for (int j = 0; j < n; j++)
        most = fmax(most, in[row + j]);
    for (int j = 0; j < n; j++) {
        float e = exp(in[row + j] - most);
        out[row + j] = e;
        sum += e;
    }
    for (int j = 0; j < n; j++)
        out[row + j] /= sum;
}

// case own_layernorm
// 1024, None, O(1 << 19), F(1 << 19), F(512), F(512), S(512)
kernel void own_layernorm(global float *out, global const float *in, global const float *gain,
                          global const float *bias, int n)
{
    global const float *x = in + get_global_id(0) * n;
    global float *y = out + get_global_id(0) * n;
    float mean = 0, square = 0;
    for (int j = 0; j < n; j++)
        mean += x[j];
    mean /= n;
    for (int j = 0; j < n; j++)
        square += (x[j] - mean) * (x[j] - mean);
    float scale = rsqrt(square / n + 1e-5f);
    for (int j = 0; j < n; j++)
        y[j] = (x[j] - mean) * scale * gain[j] + bias[j];
}

// case own_gemv
// 1024, 64, O(1024), F(1 << 20), F(1024), S(1024)
kernel void own_gemv(global float *y, global const float *a, global const float *x, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * x[k];
    y[i] = s;
}

// case own_ger
// 1024, None, F(1 << 20), F(1024), F(1024), S(0.5, np.float32), S(1024)
kernel void own_ger(global float *a, global const float *x, global const float *y, float alpha, int n)
{
    int i = get_global_id(0);
    for (int j = 0; j < n; j++)
        a[i * n + j] += alpha * x[i] * y[j];
}

// case own_prefix
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_prefix(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;
    float s = 0;
    for (int j = 0; j < n; j++) {
        s += in[row + j];
        out[row + j] = s;
    }
}

// case own_iprefix
// 1024, None, O(1 << 19, np.int32), I(1 << 19, 100), S(512)
kernel void own_iprefix(global int *out, global const int *in, int n)
{
    int row = get_global_id(0) * n, s = 0;
    for (int j = 0; j < n; j++) {
        s += in[row + j];
        out[row + j] = s;
    }
}

// case own_argmax
// 1024, None, O(1024, np.int32), F(1 << 20), S(1024)
kernel void own_argmax(global int *out, global const float *in, int n)
{
    int row = get_global_id(0), at = 0;
    float most = in[row * n];
    for (int j = 1; j < n; j++)
        if (in[row * n + j] > most) {
            most = in[row * n + j];
            at = j;
        }
    out[row] = at;
}

// case own_minmax
// 1024, None, O(2048, np.int32), I(1 << 20), S(1024)
kernel void own_minmax(global int *out, global const int *in, int n)
{
    int row = get_global_id(0), least = INT_MAX, most = INT_MIN;
    for (int j = 0; j < n; j++) {
        least = min(least, in[row * n + j]);
        most = max(most, in[row * n + j]);
    }
    out[2 * row] = least;
    out[2 * row + 1] = most;
}

// case own_insertion
// 4096, None, I(4096 * 32), S(32)
kernel void own_insertion(global int *a, int n)
{
    global int *x = a + get_global_id(0) * n;
    for (int i = 1; i < n; i++) {
        int v = x[i], j = i - 1;
        while (j >= 0 && x[j] > v) {
            x[j + 1] = x[j];
            j--;
        }
        x[j + 1] = v;
    }
}

// case own_bubble
// 4096, None, I(4096 * 32), S(32)
kernel void own_bubble(global int *a, int n)
{
    int row = get_global_id(0) * n;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[row + j] > a[row + j + 1]) {
                int t = a[row + j];
                a[row + j] = a[row + j + 1];
                a[row + j + 1] = t;
            }
}

// case own_matmul
// 256, None, O(1 << 16), F(1 << 16), F(1 << 16), S(256)
kernel void own_matmul(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    for (int j = 0; j < n; j++) {
        float s = 0;
        for (int k = 0; k < n; k++)
            s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
    }
}

// case own_matmul_ikj
// 256, None, O(1 << 16), F(1 << 16), F(1 << 16), S(256)
kernel void own_matmul_ikj(global float *c, global const float *a, global const float *b, int n)
{
    int i = get_global_id(0);
    for (int j = 0; j < n; j++)
        c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// case own_blur
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_blur(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;
    for (int j = 1; j < n - 1; j++)
        out[row + j] = (in[row + j - 1] + in[row + j] + in[row + j + 1]) / 3;
}

// case own_stencil
// 1022, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_stencil(global float *out, global const float *in, int n)
{
    int i = get_global_id(0) + 1;
    for (int j = 1; j < n - 1; j++)
        out[i * n + j] = 0.2f * (in[i * n + j] + in[i * n + j - 1] + in[i * n + j + 1] + in[(i - 1) * n + j] +
                                 in[(i + 1) * n + j]);
}

// case own_threshold
// 1024, None, O(1 << 20, np.uint8), I(1 << 20, 256, np.uint8), S(1024), S(99)
kernel void own_threshold(global uchar *out, global const uchar *in, int n, int limit)
{
    int row = get_global_id(0) * n;
    for (int j = 0; j < n; j++)
        out[row + j] = in[row + j] > limit ? 255 : 0;
}

// case own_grey
// 512, None, O(512 * 512, np.uint8), I(512 * 512 * 4, 256, np.uint8), S(512)
kernel void own_grey(global uchar *out, global const uchar4 *in, int width)
{
    int y = get_global_id(0);
    for (int x = 0; x < width; x++) {
        uchar4 p = in[y * width + x];
        out[y * width + x] = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
    }
}

// case own_copy_double
// 1024, None, O(1 << 19, np.float64), D(1 << 19), S(512)
kernel void own_copy_double(global double *out, global const double *in, int n)
{
    size_t row = get_global_id(0);
    for (size_t j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j];
}

// case own_float4
// 1024, None, O(1 << 20), F(1 << 20), S(256)
kernel void own_float4(global float4 *out, global const float4 *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] * 2 + 1;
}

// case own_chunk
// 1024, None, O(1 << 20), F(1 << 20), F(1 << 20), S(1 << 20)
kernel void own_chunk(global float *c, global const float *a, global const float *b, int n)
{
    int each = n / get_global_size(0), from = get_global_id(0) * each;
    for (int i = from; i < from + each; i++)
        c[i] = a[i] + b[i];
}

// case own_chunk_sum
// 256, 64, O(256), F(1 << 20), S(4096)
kernel void own_chunk_sum(global float *sums, global const float *in, int each)
{
    int begin = get_global_id(0) * each, end = begin + each;
    float s = 0;
    for (int i = begin; i < end; i++)
        s += in[i];
    sums[get_global_id(0)] = s;
}

// case own_chunk_count
// 1024, 64, O(1024, np.int32), I(1 << 20, 4, np.uint8), S(1024), S(2, np.uint8)
kernel void own_chunk_count(global int *counts, global const uchar *in, int each, uchar wanted)
{
    int begin = get_global_id(0) * each, n = 0;
    for (int i = 0; i < each; i++)
        n += in[begin + i] == wanted;
    counts[get_global_id(0)] = n;
}

// case own_write_fixed
// 4096, None, O(4096 * 64)
kernel void own_write_fixed(global float *o)
{
    int s = get_global_id(0) * 64;
    for (int j = 0; j < 64; j++)
        o[s + j] = j * 0.5f;
}

// case own_wrapped
// 1024, None, F(1 << 20), S((1 << 20) - 1)
kernel void own_wrapped(global float *out, int mask)
{
    int s = get_global_id(0) * 1024;
    for (int j = 0; j < 1024; j++)
        out[(s + j) & mask] = j;
}

// case own_relu_bias
// 1024, None, O(1 << 19), F(1 << 19), F(512), S(512), S(1024)
kernel void own_relu_bias(global float *out, global const float *in, global const float *bias, int n, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    for (int j = 0; j < n; j++)
        out[row * n + j] = fmax(in[row * n + j] + bias[j], 0.0f);
}

// case own_thomas
// 2048, None, O(1 << 18), F(1 << 18), F(1 << 18), F(1 << 18), S(128)
kernel void own_thomas(global float *x, global const float *a, global const float *b, global float *c, int n)
{
    int r = get_global_id(0) * n;
    c[r] /= b[r] + 2;
    x[r] /= b[r] + 2;
    for (int j = 1; j < n; j++) {
        float m = 1 / (b[r + j] + 2 - a[r + j] * c[r + j - 1]);
        c[r + j] *= m;
        x[r + j] = (x[r + j] + 1 - a[r + j] * x[r + j - 1]) * m;
    }
    for (int j = n - 2; j >= 0; j--)
        x[r + j] -= c[r + j] * x[r + j + 1];
}

// case own_reverse
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_reverse(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;
    for (int j = 0; j < n; j++)
        out[row + j] = in[row + n - 1 - j];
}

// case own_transpose
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void own_transpose(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = in[j * n + row];
}

// case own_hash
// 4096, None, O(4096, np.uint32), I(4096 * 64, 256, np.uint8), S(64)
kernel void own_hash(global uint *out, global const uchar *in, int n)
{
    int row = get_global_id(0);
    uint h = 2166136261u;
    for (int j = 0; j < n; j++)
        h = (h ^ in[row * n + j]) * 16777619u;
    out[row] = h;
}

// case own_poly
// 1024, None, O(1 << 19), F(1 << 19), S(512)
kernel void own_poly(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++) {
        float x = in[row * n + j];
        out[row * n + j] = ((((0.1f * x + 0.3f) * x - 0.7f) * x + 1.1f) * x - 0.2f) * x + 1;
    }
}

// case own_sin
// 512, None, O(1 << 18), F(1 << 18), S(512)
kernel void own_sin(global float *out, global const float *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = sin(in[row * n + j]);
}

// case r_while
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void r_while(global float *out, global const float *in, int n)
{
    global float *o = out + get_global_id(0) * n;
    global const float *p = in + get_global_id(0) * n, *end = p + n;
    while (p < end)
        *o++ = *p++ * 3 + 1;
}

// case r_clamp_if
// 1024, None, F(1 << 20), S(1024)
kernel void r_clamp_if(global float *a, int n)
{
    int row = get_global_id(0) * n;
    for (int j = 0; j < n; j++)
        if (a[row + j] < 0.25f)
            a[row + j] = 0.25f;
}

// case r_count_if
// 1024, None, O(1024, np.int32), F(1 << 20), S(1024), S(0.5, np.float32)
kernel void r_count_if(global int *out, global const float *in, int n, float t)
{
    int row = get_global_id(0), c = 0;
    for (int j = 0; j < n; j++)
        if (in[row * n + j] > t)
            c++;
    out[row] = c;
}

// case r_find
// 1024, None, O(1024, np.int32), I(1 << 20, 1000), S(1024), S(5)
kernel void r_find(global int *out, global const int *in, int n, int what)
{
    int row = get_global_id(0), at = -1;
    for (int j = 0; j < n; j++)
        if (in[row * n + j] == what) {
            at = j;
            break;
        }
    out[row] = at;
}

// case r_hist
// 1024, None, O(1024 * 16, np.int32), I(1 << 20, 16, np.uint8), S(1024)
kernel void r_hist(global int *out, global const uchar *in, int n)
{
    int row = get_global_id(0);
    int h[16];
    for (int k = 0; k < 16; k++)
        h[k] = 0;
    for (int j = 0; j < n; j++)
        h[in[row * n + j] & 15]++;
    for (int k = 0; k < 16; k++)
        out[row * 16 + k] = h[k];
}

// case r_cummax
// 1024, None, O(1 << 20, np.int32), I(1 << 20), S(1024)
kernel void r_cummax(global int *out, global const int *in, int n)
{
    int row = get_global_id(0) * n, m = INT_MIN;
    for (int j = 0; j < n; j++) {
        m = max(m, in[row + j]);
        out[row + j] = m;
    }
}

// case r_ema
// 1024, None, O(1 << 20), F(1 << 20), S(1024)
kernel void r_ema(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;
    float s = in[row];
    for (int j = 0; j < n; j++) {
        s = 0.9f * s + 0.1f * in[row + j];
        out[row + j] = s;
    }
}

// case r_fir
// 1000, None, O(1000 * 500), F(1000 * 500), F(8), S(500)
kernel void r_fir(global float *out, global const float *in, constant float *c, int n)
{
    int row = get_global_id(0) * n;
    for (int j = 7; j < n; j++) {
        float s = 0;
        for (int k = 0; k < 8; k++)
            s += c[k] * in[row + j - k];
        out[row + j] = s;
    }
}

// case r_fir_n
// 1000, None, O(1000 * 500), F(1000 * 500), F(8), S(500), S(8)
kernel void r_fir_n(global float *out, global const float *in, constant float *c, int n, int taps)
{
    int row = get_global_id(0) * n;
    for (int j = taps; j < n; j++) {
        float s = 0;
        for (int k = 0; k < taps; k++)
            s += c[k] * in[row + j - k];
        out[row + j] = s;
    }
}

// case r_select_sort
// 4096, None, F(4096 * 32), S(32)
kernel void r_select_sort(global float *a, int n)
{
    global float *x = a + get_global_id(0) * n;
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (x[j] < x[least])
                least = j;
        float t = x[i];
        x[i] = x[least];
        x[least] = t;
    }
}

// case r_heap
// 2048, None, I(2048 * 64), S(64)
void sift(global int *x, int i, int n)
{
    for (;;) {
        int c = 2 * i + 1;
        if (c >= n)
            return;
        if (c + 1 < n && x[c + 1] > x[c])
            c++;
        if (x[i] >= x[c])
            return;
        int t = x[i];
        x[i] = x[c];
        x[c] = t;
        i = c;
    }
}
kernel void r_heap(global int *a, int n)
{
    global int *x = a + get_global_id(0) * n;
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(x, i, n);
    for (int i = n - 1; i > 0; i--) {
        int t = x[0];
        x[0] = x[i];
        x[i] = t;
        sift(x, 0, i);
    }
}

// case r_cholesky
// 1024, None, F(1024 * 64), S(8)
kernel void r_cholesky(global float *all, int n)
{
    global float *a = all + get_global_id(0) * n * n;
    for (int i = 0; i < n; i++)
        a[i * n + i] += n;
    for (int j = 0; j < n; j++) {
        float s = a[j * n + j];
        for (int k = 0; k < j; k++)
            s -= a[j * n + k] * a[j * n + k];
        s = sqrt(s);
        a[j * n + j] = s;
        for (int i = j + 1; i < n; i++) {
            float t = a[i * n + j];
            for (int k = 0; k < j; k++)
                t -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = t / s;
        }
    }
}

// case r_lu
// 1024, None, F(1024 * 256), S(16)
kernel void r_lu(global float *all, int n)
{
    global float *a = all + get_global_id(0) * n * n;
    for (int i = 0; i < n; i++)
        a[i * n + i] += n;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            float f = a[i * n + k] / a[k * n + k];
            a[i * n + k] = f;
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
        }
}

// case r_dot_double
// 1024, None, O(1024, np.float64), D(1 << 19), D(512), S(512)
kernel void r_dot_double(global double *y, global const double *a, global const double *x, int n)
{
    int i = get_global_id(0);
    double s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * x[k];
    y[i] = s;
}

// case r_attend
// 512, None, O(512 * 64), F(512 * 64), F(512 * 64), F(512 * 64), S(512), S(64)
kernel void r_attend(global float *o, global const float *q, global const float *k, global const float *v, int n, int d)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int c = 0; c < d; c++)
        o[i * d + c] = 0;
    for (int j = 0; j < n; j++) {
        float s = 0;
        for (int c = 0; c < d; c++)
            s += q[i * d + c] * k[j * d + c];
        s = exp(s * 0.05f);
        sum += s;
        for (int c = 0; c < d; c++)
            o[i * d + c] += s * v[j * d + c];
    }
    for (int c = 0; c < d; c++)
        o[i * d + c] /= sum;
}

// case r_batchnorm
// 1024, None, O(1 << 19), F(1 << 19), F(512), F(512), S(512)
kernel void r_batchnorm(global float *o, global const float *x, global const float *m, global const float *s, int n)
{
    size_t row = get_global_id(0);
    for (uint j = 0; j < n; ++j)
        o[row * n + j] = (x[row * n + j] - m[j]) / sqrt(s[j] + 1e-5f);
}

// case r_gelu
// 1024, None, O(1 << 18), F(1 << 18), S(256)
kernel void r_gelu(global float *o, global const float *x, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++) {
        float v = x[row * n + j];
        o[row * n + j] = 0.5f * v * (1 + tanh(0.797885f * (v + 0.044715f * v * v * v)));
    }
}

// case r_dp
// 1024, None, O(1024, np.int32), I(1024 * 64, 4, np.uint8), I(1024 * 64, 4, np.uint8), S(64), O(1024 * 65, np.int32)
kernel void r_dp(global int *out, global const uchar *s, global const uchar *t, int n, global int *rows)
{
    int id = get_global_id(0);
    global int *row = rows + id * (n + 1);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int before = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int keep = row[j], c = before + (s[id * n + i - 1] != t[id * n + j - 1]);
            row[j] = min(min(row[j] + 1, row[j - 1] + 1), c);
            before = keep;
        }
    }
    out[id] = row[n];
}

// case r_pad
// 1024, None, O(1024 * 520), F(1 << 19), S(512), S(520), S(4)
kernel void r_pad(global float *out, global const float *in, int n, int m, int pad)
{
    int row = get_global_id(0);
    for (int j = 0; j < m; j++)
        out[row * m + j] = j < pad || j >= pad + n ? 0 : in[row * n + j - pad];
}

// case r_two_d
// (64, 16), None, O(1 << 20), F(1 << 20), S(1024)
kernel void r_two_d(global float *out, global const float *in, int n)
{
    int row = get_global_id(1) * get_global_size(0) + get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] + 1;
}

// case r_rle
// 1024, None, O(1024, np.int32), I(1 << 20, 3, np.uint8), S(1024)
kernel void r_rle(global int *runs, global const uchar *in, int n)
{
    int row = get_global_id(0), c = 1;
    for (int j = 1; j < n; j++)
        c += in[row * n + j] != in[row * n + j - 1];
    runs[row] = c;
}

// case r_block8
// 16384, None, O(1 << 20), F(1 << 20)
kernel void r_block8(global float *out, global const float *in)
{
    int at = get_global_id(0) * 64;
    for (int i = 0; i < 64; i++)
        out[at + i] = in[at + (63 - i)] + in[at + (i ^ 1)];
}

// case r_bitpack
// 4096, None, O(4096 * 8, np.uint32), I(1 << 20, 256, np.uint8), S(8)
kernel void r_bitpack(global uint *out, global const uchar *in, int words)
{
    int row = get_global_id(0);
    for (int w = 0; w < words; w++) {
        uint bits = 0;
        for (int b = 0; b < 32; b++)
            bits |= (in[(row * words + w) * 32 + b] & 1u) << b;
        out[row * words + w] = bits;
    }
}

// case r_xor
// 4096, None, I(1 << 20, 256, np.uint8), I(256, 256, np.uint8), S(256)
kernel void r_xor(global uchar *data, global const uchar *key, int n)
{
    int row = get_global_id(0) * n;
    for (int j = 0; j < n; j++)
        data[row + j] ^= key[j];
}

// case r_rows_cols
// 512, None, F(1 << 18), S(512)
kernel void r_rows_cols(global float *a, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += a[i * n + j];
    s /= n;
    for (int j = 0; j < n; j++)
        a[i * n + j] -= s;
}

// case r_half_scale
// 1024, None, H(1 << 19), S(512)
kernel void r_half_scale(global half *a, int n)
{
    int row = get_global_id(0) * n;
    for (int j = 0; j < n; j++)
        vstore_half(vload_half(row + j, a) * 0.5f, row + j, a);
}

// case r_to_float
// 1024, None, O(1 << 20), I(1 << 20, 256, np.uint8), S(1024)
kernel void r_to_float(global float *out, global const uchar *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = in[row * n + j] / 255.0f;
}

// case r_to_byte
// 1024, None, O(1 << 20, np.uint8), F(1 << 20), S(1024)
kernel void r_to_byte(global uchar *out, global const float *in, int n)
{
    int row = get_global_id(0);
    for (int j = 0; j < n; j++)
        out[row * n + j] = convert_uchar_sat(in[row * n + j] * 255);
}

// ---- x is a few work-items long ----------------------------------------------------------------------------------

// case narrow4
// (4, 1 << 18), None, O(1 << 20), F(1 << 20)
kernel void narrow4(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 4 + x] = in[y * 4 + x] * 2;
}

// case narrow_size
// (4, 1 << 18), None, O(1 << 20), F(1 << 20)
kernel void narrow_size(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    out[y * w + x] = in[y * w + x] * 2;
}

// case narrow_arg
// (8, 1 << 17), None, O(1 << 20), F(1 << 20), S(8)
kernel void narrow_arg(global float *out, global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[y * w + x] * 2;
}

// case narrow_rgb
// (3, 640, 480), None, O(3 * 640 * 480, np.uint8), I(3 * 640 * 480, 256, np.uint8), S(640)
kernel void narrow_rgb(global uchar *out, global const uchar *in, int w)
{
    int c = get_global_id(0), x = get_global_id(1), y = get_global_id(2), i = (y * w + x) * 3 + c;
    out[i] = 255 - in[i];
}

// case narrow_group
// (4, 1 << 16), (4, 16), O(1 << 18), F(1 << 18)
kernel void narrow_group(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 4 + x] = in[y * 4 + x] * 2;
}

// case narrow_bias
// (10, 1 << 15), None, O(10 << 15), F(10 << 15), F(10), S(10)
kernel void narrow_bias(global float *out, global const float *in, global const float *bias, int classes)
{
    int c = get_global_id(0), b = get_global_id(1);
    out[b * classes + c] = fmax(in[b * classes + c] + bias[c], 0.0f);
}

// case narrow_dense
// (10, 4096), None, O(10 * 4096), F(4096 * 64), F(640), S(64)
kernel void narrow_dense(global float *out, global const float *in, global const float *w, int n)
{
    int c = get_global_id(0), b = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += in[b * n + k] * w[k * 10 + c];
    out[b * 10 + c] = s;
}

// case narrow_rows
// (1, 4096), None, O(4096), F(1 << 18), S(64)
kernel void narrow_rows(global float *out, global const float *in, int n)
{
    int b = get_global_id(1), w = get_global_size(0);
    out[b * w + get_global_id(0)] = in[b * w + get_global_id(0)] + n;
}

// case narrow_point
// (3, 1 << 17), None, F(3 << 17), F(3 << 17), S(0.1, np.float32)
kernel void narrow_point(global float *p, global const float *v, float dt)
{
    int d = get_global_id(0), i = get_global_id(1);
    p[i * 3 + d] += v[i * 3 + d] * dt;
}

// case narrow_complex
// (2, 1 << 18), None, O(2 << 18), F(2 << 18), S(0.5, np.float32)
kernel void narrow_complex(global float *o, global const float *a, float s)
{
    int part = get_global_id(0), i = get_global_id(1);
    o[2 * i + part] = part == 0 ? a[2 * i] * s : -a[2 * i + 1] * s;
}

// ---- x is no multiple of a sub-group, or groups are small and two-dimensional -------------------------------------

// case odd20
// (20, 1 << 16), None, O(20 << 16), F(20 << 16), S(20)
kernel void odd20(global float *out, global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[y * w + x] * 2;
}

// case odd17
// (17, 1 << 16), None, O(17 << 16), F(17 << 16), S(17)
kernel void odd17(global float *out, global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[y * w + x] * 2;
}

// case odd100
// (100, 1 << 14), None, O(100 << 14), F(100 << 14), S(100)
kernel void odd100(global float *out, global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[y * w + x] * 2;
}

// case odd28
// (28, 28, 2000), None, O(28*28*2000), F(28*28*2000)
kernel void odd28(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int i = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[i] = fmax(in[i], 0.0f);
}

// case odd_filter
// (28, 28, 2000), None, O(28*28*2000), F(28*28*2000+100)
kernel void odd_filter(global float *out, global const float *in)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float s = 0;
    if (x > 0 && x < 27 && y > 0 && y < 27)
    for (int j = -1; j < 2; j++) for (int i = -1; i < 2; i++) s += in[(z * 28 + y + j) * 28 + x + i];
    out[(z * 28 + y) * 28 + x] = s;
}

// case group8x8
// (256, 2048), (8, 8), O(256 * 2048), F(256 * 2048), S(256)
kernel void group8x8(global float *out, global const float *in, int w)
{
    local float t[8][9];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][7 - lx] + t[7 - ly][lx];
}

// case group4x4
// (256, 2048), (4, 4), O(256 * 2048), F(256 * 2048), S(256)
kernel void group4x4(global float *out, global const float *in, int w)
{
    local float t[4][5];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][3 - lx] + t[3 - ly][lx];
}

// case group_product8
// (256, 256), (8, 8), O(256 * 256), F(256 * 256), F(256 * 256), S(256)
kernel void group_product8(global float *c, global const float *a, global const float *b, int n)
{
    local float ta[8][8], tb[8][8];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float s = 0;
    for (int t = 0; t < n; t += 8) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++) s += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = s;
}

// case size3
// (3, 1 << 17), None, O(3 << 17), F(3 << 17)
kernel void size3(global float *out, global const float *in)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = in[i] * 2;
}

// case size12
// (12, 1 << 15), None, O(12 << 15), F(12 << 15)
kernel void size12(global float *out, global const float *in)
{
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = in[i] * 2;
}

// case size3_linear
// (3, 1 << 17), None, O(3 << 17), F(3 << 17), '-cl-std=CL2.0'
kernel void size3_linear(global float *out, global const float *in)
{
    int i = get_global_linear_id();
    out[i] = in[i] * 2;
}

// case narrow_matmul3
// (3, 3, 16384), None, O(9 << 14), F(9 << 14), F(9 << 14)
kernel void narrow_matmul3(global float *c, global const float *a, global const float *b)
{
    int x = get_global_id(0), y = get_global_id(1), m = get_global_id(2) * 9;
    float s = 0;
    for (int k = 0; k < 3; k++)
        s += a[m + y * 3 + k] * b[m + k * 3 + x];
    c[m + y * 3 + x] = s;
}

// case tile2_copy
// (512, 512), (2, 32), O(1 << 18), F(1 << 18), S(512)
kernel void tile2_copy(global float *out, global const float *in, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = in[y * w + x] * 2;
}

// case tile4_blur
// (512, 512), (4, 4), O(1 << 18, np.uint8), I(1 << 18, 256, np.uint8), S(512), S(512)
kernel void tile4_blur(global uchar *out, global const uchar *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), s = 0;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            s += in[(y + j) * w + x + i];
    out[y * w + x] = s / 9;
}

// case tile8_mandel
// (256, 256), (8, 8), O(1 << 16, np.int32), S(256)
kernel void tile8_mandel(global int *out, int n)
{
    int px = get_global_id(0), py = get_global_id(1), k = 0;
    float cx = px * 3.0f / n - 2, cy = py * 2.0f / n - 1, x = 0, y = 0;
    for (; k < 100 && x * x + y * y < 4; k++) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    out[py * n + px] = k;
}

// case tile4_matmul
// (256, 256), (4, 4), O(1 << 16), F(1 << 16), F(1 << 16), S(256)
kernel void tile4_matmul(global float *c, global const float *a, global const float *b, int n)
{
    local float ta[4][4], tb[4][4];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int t = 0; t < n; t += 4) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 4; k++)
            s += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = s;
}

// case tile8_transpose
// (512, 512), (8, 8), O(1 << 18), F(1 << 18), S(512)
kernel void tile8_transpose(global float *out, global const float *in, int n)
{
    local float t[8][9];
    int lx = get_local_id(0), ly = get_local_id(1), bx = get_group_id(0) * 8, by = get_group_id(1) * 8;
    t[ly][lx] = in[(by + ly) * n + bx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(bx + ly) * n + by + lx] = t[lx][ly];
}

// case tile8_dct
// (512, 512), (8, 8), O(1 << 18), F(1 << 18), F(64), S(512)
kernel void tile8_dct(global float *out, global const float *in, constant float *m, int w)
{
    local float t[8][8], u[8][8];
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * w + get_global_id(0);
    t[y][x] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k < 8; k++)
        s += m[y * 8 + k] * t[k][x];
    u[y][x] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    s = 0;
    for (int k = 0; k < 8; k++)
        s += u[y][k] * m[x * 8 + k];
    out[at] = s;
}

// case tile8_stencil
// (512, 512), (8, 8), O(514 * 514), F(514 * 514), S(514)
kernel void tile8_stencil(global float *out, global const float *in, int w)
{
    local float t[10][10];
    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    t[ly][lx] = in[y * w + x];
    if (lx == 1)
        t[ly][0] = in[y * w + x - 1];
    if (lx == 8)
        t[ly][9] = in[y * w + x + 1];
    if (ly == 1)
        t[0][lx] = in[(y - 1) * w + x];
    if (ly == 8)
        t[9][lx] = in[(y + 1) * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = 0.2f * (t[ly][lx] + t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx]);
}

// case tile8_reduce
// (512, 512), (8, 8), O(4096), F(1 << 18), S(512)
kernel void tile8_reduce(global float *out, global const float *in, int w)
{
    local float t[64];
    int l = get_local_id(1) * 8 + get_local_id(0);
    t[l] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k /= 2) {
        if (l < k)
            t[l] += t[l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = t[0];
}

// case tile4_batch
// (4, 4, 16384), (4, 4, 1), O(1 << 18), F(1 << 18), F(1 << 18)
kernel void tile4_batch(global float *c, global const float *a, global const float *b)
{
    int x = get_local_id(0), y = get_local_id(1), m = get_global_id(2) * 16;
    float s = 0;
    for (int k = 0; k < 4; k++)
        s += a[m + y * 4 + k] * b[m + k * 4 + x];
    c[m + y * 4 + x] = s;
}

// case group4x64
// (256, 2048), (4, 64), O(256 * 2048), F(256 * 2048), S(256)
kernel void group4x64(global float *out, global const float *in, int w)
{
    local float t[64][5];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][3 - lx] + t[63 - ly][lx];
}

// case group12x4
// (384, 1024), (12, 4), O(384 * 1024), F(384 * 1024), S(384)
kernel void group12x4(global float *out, global const float *in, int w)
{
    local float t[4][13];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][11 - lx] + t[3 - ly][lx];
}

// case group20x10
// (400, 1000), (20, 10), O(400 * 1000), F(400 * 1000), S(400)
kernel void group20x10(global float *out, global const float *in, int w)
{
    local float t[10][21];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][19 - lx] + t[9 - ly][lx];
}

// case group2x32
// (256, 2048), (2, 32), O(256 * 2048), F(256 * 2048), S(256)
kernel void group2x32(global float *out, global const float *in, int w)
{
    local float t[32][3];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][1 - lx] + t[31 - ly][lx];
}

// case group2x2
// (256, 1024), (2, 2), O(256 * 1024), F(256 * 1024), S(256)
kernel void group2x2(global float *out, global const float *in, int w)
{
    local float t[2][3];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][1 - lx] + t[1 - ly][lx];
}

// case group4x4_math
// (256, 1024), (4, 4), O(256 * 1024), F(256 * 1024), S(256)
kernel void group4x4_math(global float *out, global const float *in, int w)
{
    local float t[4][5];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k < 4; k++) s += sin(t[ly][k]) * exp(t[k][lx]) + pow(t[k][lx], t[ly][k]);
    out[y * w + x] = s;
}

// case group4x4x4
// (64, 64, 64), (4, 4, 4), O(262144), F(262144)
kernel void group4x4x4(global float *out, global const float *in)
{
    local float t[4][4][4];
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
    t[lz][ly][lx] = in[(z * 64 + y) * 64 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(z * 64 + y) * 64 + x] = t[lz][ly][3 - lx] + t[lz][3 - ly][lx] + t[3 - lz][ly][lx];
}

// case group6x6
// (384, 384), (6, 6), O(384 * 384), F(384 * 384), S(384)
kernel void group6x6(global float *out, global const float *in, int w)
{
    local float t[6][7];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][5 - lx] + t[5 - ly][lx];
}

// case group10x10
// (400, 400), (10, 10), O(160000), F(160000), S(400)
kernel void group10x10(global float *out, global const float *in, int w)
{
    local float t[10][11];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    t[ly][lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * w + x] = t[ly][9 - lx] + t[9 - ly][lx];
}
