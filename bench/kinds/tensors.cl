// tensors.cl -- kinds of kernels: tensors with sizes that only the host knows, reductions, elements of every type.
//
// Form: bench/kinds.py.

// case permute4d
// 1 << 17, 256, F(1 << 17), O(1 << 17), ('value', np.array([16, 32, 16, 16], np.int32)), ('value', np.array([256, 1, 8192, 16 * 1], np.int32))
kernel void permute4d(global const float *in, global float *out, int4 size, int4 stride)
{
    int i = get_global_id(0), rest = i;
    int w = rest % size.w;
    rest /= size.w;
    int z = rest % size.z;
    rest /= size.z;
    int y = rest % size.y, x = rest / size.y;
    out[i] = in[(x * stride.x + y * stride.y + z * stride.z + w * stride.w) & 131071];
}

// case broadcast_add
// 1 << 18, 256, F(1 << 18), F(64), O(1 << 18), S(64), S(64)
kernel void broadcast_add(global const float *x, global const float *bias, global float *y, int channels, int inner)
{
    int i = get_global_id(0);
    y[i] = x[i] + bias[i / inner % channels];
}

// case broadcast_cols
// 100003, None, F(100003), F(257), O(100003), S(257), S(100003)
kernel void broadcast_cols(global const float *x, global const float *row, global float *y, int columns, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = x[i] * row[i % columns];
}

// case pad_reflect
// (300, 200, 3), None, F(280 * 180 * 3), O(300 * 200 * 3), S(280), S(180), S(10)
kernel void pad_reflect(global const float *in, global float *out, int w, int h, int pad)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    int sx = abs(x - pad), sy = abs(y - pad);
    sx = sx >= w ? 2 * w - 2 - sx : sx;
    sy = sy >= h ? 2 * h - 2 - sy : sy;
    out[(c * get_global_size(1) + y) * get_global_size(0) + x] = in[(c * h + sy) * w + sx];
}

// case take_axis
// (256, 512), None, F(1024 * 256), I(512, 1024), O(512 * 256)
kernel void take_axis(global const float *table, global const int *index, global float *out)
{
    int c = get_global_id(0), r = get_global_id(1);
    out[r * get_global_size(0) + c] = table[index[r] * (int)get_global_size(0) + c];
}

// case cumsum_axis1
// (64, 64), None, F(64 * 64 * 64), O(64 * 64 * 64), S(64)
kernel void cumsum_axis1(global const float *in, global float *out, int n)
{
    int inner = get_global_id(0), outer = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        int at = (outer * n + k) * get_global_size(0) + inner;
        sum += in[at];
        out[at] = sum;
    }
}

// case one_hot
// (1000, 256), None, I(256, 1000), O(256 * 1000)
kernel void one_hot(global const int *label, global float *out)
{
    int c = get_global_id(0), r = get_global_id(1);
    out[r * (int)get_global_size(0) + c] = label[r] == c ? 1.0f : 0.0f;
}

// case masked_fill
// 1 << 18, None, F(1 << 18), I(1 << 18, 2, np.uint8), O(1 << 18), S(-1e9, np.float32)
kernel void masked_fill(global const float *x, global const uchar *mask, global float *y, float value)
{
    size_t i = get_global_id(0);
    y[i] = mask[i] ? value : x[i];
}

// case index_add
// 1 << 16, 256, F(1 << 16), I(1 << 10, 512), O(512 * 64), 'unordered'
kernel void index_add(global const float *src, global const int *index, volatile global float *dst)
{
    int i = get_global_id(0);
    volatile global uint *p = (volatile global uint *)&dst[index[i >> 6] * 64 + (i & 63)];
    uint old = *p, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(p, seen, as_uint(as_float(seen) + src[i]));
    } while (old != seen);
}

// case roll2d
// (500, 300), None, F(500 * 300), O(500 * 300), S(123), S(77)
kernel void roll2d(global const float *in, global float *out, int dx, int dy)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    out[(y + dy) % h * w + (x + dx) % w] = in[y * w + x];
}

// case upsample_tri
// (64, 64, 32), None, F(34 * 34 * 18), O(64 * 64 * 32)
kernel void upsample_tri(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float fx = x * 0.5f, fy = y * 0.5f, fz = z * 0.5f;
    int ix = (int)fx, iy = (int)fy, iz = (int)fz;
    fx -= ix;
    fy -= iy;
    fz -= iz;
    global const float *p = in + (iz * 34 + iy) * 34 + ix;
    float a = mix(mix(p[0], p[1], fx), mix(p[34], p[35], fx), fy);
    p += 34 * 34;
    float b = mix(mix(p[0], p[1], fx), mix(p[34], p[35], fx), fy);
    out[(z * 64 + y) * 64 + x] = mix(a, b, fz);
}

// case reduce_2d_group
// (512, 256), (16, 16), F(512 * 256), O(32 * 16 * 2)
kernel void reduce_2d_group(global const float *in, global float2 *out)
{
    local float lo[16][17], hi[16][17];
    int lx = get_local_id(0), ly = get_local_id(1);
    float v = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
    lo[ly][lx] = hi[ly][lx] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s >>= 1) {
        if (lx < s) {
            lo[ly][lx] = fmin(lo[ly][lx], lo[ly][lx + s]);
            hi[ly][lx] = fmax(hi[ly][lx], hi[ly][lx + s]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int s = 8; s > 0; s >>= 1) {
        if (lx == 0 && ly < s) {
            lo[ly][0] = fmin(lo[ly][0], lo[ly + s][0]);
            hi[ly][0] = fmax(hi[ly][0], hi[ly + s][0]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lx == 0 && ly == 0)
        out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = (float2)(lo[0][0], hi[0][0]);
}

// case reduce_strided
// 1 << 14, 128, I(1 << 20, 1 << 20), O(128, np.int64), S(1 << 20), L(128, np.int64)
kernel void reduce_strided(global const int *in, global long *out, int n, local long *part)
{
    int l = get_local_id(0);
    long sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    part[l] = sum;
    for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            part[l] += part[l + s];
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

// case mean_var
// (128, 64), (128, 1), F(1024 * 64), O(64 * 2)
kernel void mean_var(global const float *x, global float2 *out)
{
    local float2 part[128];
    int l = get_local_id(0), row = get_global_id(1);
    float mean = 0, m2 = 0;
    int count = 0;
    for (int i = l; i < 1024; i += 128) {
        float v = x[row * 1024 + i], d = v - mean;
        count++;
        mean += d / count;
        m2 += d * (v - mean);
    }
    part[l] = (float2)(mean, m2);
    for (int s = 64; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) {
            float2 a = part[l], b = part[l + s];
            float d = b.x - a.x, n = 8 * 64 / s;
            part[l] = (float2)(a.x + 0.5f * d, a.y + b.y + d * d * n * 0.5f);
        }
    }
    if (l == 0)
        out[row] = part[0];
}

// case argmin_pairs
// 1 << 14, 256, F(1 << 14), O(64 * 2, np.int32), '-cl-std=CL1.2'
struct least { float value; int index; };
kernel void argmin_pairs(global const float *x, global struct least *out)
{
    local struct least part[256];
    int l = get_local_id(0), i = get_global_id(0);
    struct least mine = {x[i], i};
    part[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 128; s > 0; s >>= 1) {
        if (l < s && (part[l + s].value < part[l].value ||
                      (part[l + s].value == part[l].value && part[l + s].index < part[l].index)))
            part[l] = part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        out[get_group_id(0)].value = as_float(0);
        out[get_group_id(0)].index = part[0].index;
    }
}

// case vload3_short
// 1 << 16, None, I(3 << 16, 1000, np.int16), O(1 << 16, np.int32)
kernel void vload3_short(global const short *p, global int *out)
{
    int i = get_global_id(0);
    int3 v = convert_int3(vload3(i, p));
    out[i] = v.x * 299 + v.y * 587 + v.z * 114;
}

// case vstore16_uchar
// 1 << 13, None, F(16 << 13), O(16 << 13, np.uint8)
kernel void vstore16_uchar(global const float16 *in, global uchar *out)
{
    int i = get_global_id(0);
    vstore16(convert_uchar16_sat_rte(in[i] * 255.0f), i, out);
}

// case double4_axpy
// 1 << 15, None, D(4 << 15), D(4 << 15), S(1.5, np.float64)
kernel void double4_axpy(global double4 *x, global const double4 *y, double a)
{
    int i = get_global_id(0);
    x[i] = fma((double4)a, x[i], y[i]);
}

// case long8_mix
// 1 << 13, None, I(8 << 13, 1 << 62, np.int64), O(8 << 13, np.int64)
kernel void long8_mix(global const ulong8 *in, global ulong8 *out)
{
    ulong8 v = in[get_global_id(0)];
    v ^= v >> 31;
    v *= 0x7fb5d329728ea185ul;
    v ^= rotate(v, (ulong8)27);
    out[get_global_id(0)] = v * 0x81dadef4bc2dd44dul;
}

// case uchar3_blend
// 1 << 16, None, I(4 << 16, 256, np.uint8), I(4 << 16, 256, np.uint8), O(3 << 16, np.uint8)
kernel void uchar3_blend(global const uchar3 *a, global const uchar3 *b, global uchar *out)
{
    int i = get_global_id(0);
    ushort3 x = convert_ushort3(a[i]), y = convert_ushort3(b[i]);
    vstore3(convert_uchar3((x * (ushort)77 + y * (ushort)179) >> (ushort)8), i, out);
}

// case union_keys
// 1 << 16, None, F(1 << 16), O(1 << 16, np.uint32)
union float_bits { float f; uint u; };
kernel void union_keys(global const float *in, global uint *out)
{
    int i = get_global_id(0);
    union float_bits b;
    b.f = in[i] - 0.5f;
    out[i] = b.u ^ ((b.u >> 31) ? 0xffffffffu : 0x80000000u);
}

// case int4_matvec
// 1024, 64, I(1024 * 128, 1 << 30, np.uint32), F(1024 * 8), F(1024), O(1024)
kernel void int4_matvec(global const uint *w, global const float *scale, global const float *x, global float *y)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int b = 0; b < 8; b++) {
        float part = 0;
        for (int k = 0; k < 16; k++) {
            uint v = w[(b * 16 + k) * 1024 + row];
            for (int j = 0; j < 8; j++)
                part += (float)((int)(v >> (4 * j) & 15) - 8) * x[(b * 16 + k) * 8 + j];
        }
        sum += part * scale[b * 1024 + row];
    }
    y[row] = sum;
}

// case bnn_conv
// (64, 64, 4), (8, 8, 1), I(66 * 66 * 2, 1 << 30, np.uint32), I(4 * 9 * 2, 1 << 30, np.uint32), O(64 * 64 * 4)
kernel void bnn_conv(global const uint2 *in, global const uint2 *weights, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), f = get_global_id(2);
    int count = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            uint2 p = popcount(~(in[(y + j) * 66 + x + i] ^ weights[f * 9 + j * 3 + i]));
            count += p.x + p.y;
        }
    out[(f * 64 + y) * 64 + x] = 2 * count - 9 * 64;
}

// case conv_nhwc
// (16, 56, 56), (16, 1, 1), F(58 * 58 * 8), F(16 * 9 * 8), O(56 * 56 * 16)
kernel void conv_nhwc(global const float *in, global const float *w, global float *out)
{
    int f = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
    float sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 8; c++)
                sum += in[((y + j) * 58 + x + i) * 8 + c] * w[((f * 3 + j) * 3 + i) * 8 + c];
    out[(y * 56 + x) * 16 + f] = fmax(sum, 0.0f);
}

// case conv_bounds
// (60, 60), None, F(60 * 60 * 4), F(4 * 25), O(60 * 60), S(60), S(60), S(2)
kernel void conv_bounds(global const float *in, global const float *w, global float *out, int width, int height, int pad)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int c = 0; c < 4; c++)
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 5; i++) {
                int sx = x + i - pad, sy = y + j - pad;
                if (sx >= 0 && sx < width && sy >= 0 && sy < height)
                    sum += in[(c * height + sy) * width + sx] * w[(c * 5 + j) * 5 + i];
            }
    out[y * width + x] = sum;
}

// case layernorm_sub
// (64, 256), (64, 1), F(256 * 512), F(512), F(512), O(256 * 512)
kernel void layernorm_sub(global const float *x, global const float *gamma, global const float *beta, global float *y)
{
    local float part[64];
    int l = get_local_id(0), row = get_group_id(1);
    float sum = 0, squares = 0;
    for (int i = l; i < 512; i += 64) {
        float v = x[row * 512 + i];
        sum += v;
        squares += v * v;
    }
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        float all = 0;
        for (int i = 0; i < 64; i++)
            all += part[i];
        part[0] = all / 512;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float mean = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    part[l] = squares;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        float all = 0;
        for (int i = 0; i < 64; i++)
            all += part[i];
        part[0] = rsqrt(all / 512 - mean * mean + 1e-5f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float scale = part[0];
    for (int i = l; i < 512; i += 64)
        y[row * 512 + i] = (x[row * 512 + i] - mean) * scale * gamma[i] + beta[i];
}
