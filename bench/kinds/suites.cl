// Short kernels in the manner of benchmark suites that the other files do not have: cellular, transforms, layers, packing.

// case atax_rows
// 1024, 64, F(1024 * 256), F(256), O(1024), S(256)
kernel void atax_rows(global const float *a, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    y[i] = 0;
    for (int j = 0; j < n; j++)
        y[i] += a[i * n + j] * x[j];
}

// case bicg_columns
// 1024, 64, F(1024 * 256), F(256), O(1024), S(256)
kernel void bicg_columns(global const float *a, global const float *r, global float *s, int n)
{
    int j = get_global_id(0);
    s[j] = 0;
    for (int i = 0; i < n; i++)
        s[j] += a[i * 1024 + j] * r[i];
}

// case syrk
// (128, 128), (16, 16), F(128 * 128), O(128 * 128), S(128)
kernel void syrk(global const float *a, global float *c, int n)
{
    int i = get_global_id(1), j = get_global_id(0);
    c[i * n + j] *= 0.5f;
    for (int k = 0; k < n; k++)
        c[i * n + j] += 1.5f * a[i * n + k] * a[j * n + k];
}

// case fdtd_ey_pitch
// (512, 128), (32, 8), F(512 * 128), F(512 * 128), F(512 * 128), S(512)
kernel void fdtd_ey_pitch(global const float *hz, global float *ey, global const float *fict, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i == 0)
        ey[i * ny + j] = fict[0];
    else
        ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

// case rmsnorm_rows
// 256, 64, F(256 * 128), F(128), O(256 * 128), S(128)
kernel void rmsnorm_rows(global const float *x, global const float *w, global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[row * n + i] * x[row * n + i];
    float r = rsqrt(sum / n + 1e-5f);
    for (int i = 0; i < n; i++)
        y[row * n + i] = x[row * n + i] * r * w[i];
}

// case attention_row
// 256, 64, F(256 * 32), F(64 * 32), F(64 * 32), O(256 * 32)
kernel void attention_row(global const float *q, global const float *k, global const float *v, global float *o)
{
    int row = get_global_id(0);
    float acc[32], most = -1e30f, sum = 0;
    for (int d = 0; d < 32; d++)
        acc[d] = 0;
    for (int j = 0; j < 64; j++) {
        float s = 0;
        for (int d = 0; d < 32; d++)
            s += q[row * 32 + d] * k[j * 32 + d];
        float m = fmax(most, s), scale = exp(most - m), p = exp(s - m);
        sum = sum * scale + p;
        for (int d = 0; d < 32; d++)
            acc[d] = acc[d] * scale + p * v[j * 32 + d];
        most = m;
    }
    for (int d = 0; d < 32; d++)
        o[row * 32 + d] = acc[d] / sum;
}

// case q8_matvec
// 512, 64, I(512 * 8 * 32, 255, np.int8), F(512 * 8), I(256, 255, np.int8), O(512), S(8)
kernel void q8_matvec(global const char *w, global const float *scale, global const char *x, global float *y, int blocks)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int b = 0; b < blocks; b++) {
        int dot = 0;
        for (int i = 0; i < 32; i++)
            dot += w[(row * blocks + b) * 32 + i] * x[b * 32 + i];
        sum += dot * scale[row * blocks + b];
    }
    y[row] = sum;
}

// case dequant_groups
// 1 << 16, 64, I(1 << 16, 255, np.uint8), F(1 << 11), F(1 << 11), O(1 << 16)
kernel void dequant_groups(global const uchar *q, global const float *scale, global const float *zero, global float *y)
{
    int i = get_global_id(0);
    y[i] = (q[i] - zero[i / 32]) * scale[i / 32];
}

// case top8
// 256, 64, F(256 * 64), O(256 * 8)
kernel void top8(global const float *x, global float *y)
{
    int row = get_global_id(0);
    float best[8];
    for (int k = 0; k < 8; k++)
        best[k] = -1e30f;
    for (int i = 0; i < 64; i++) {
        float v = x[row * 64 + i];
        for (int k = 0; k < 8; k++) {
            float hi = fmax(best[k], v);
            v = fmin(best[k], v);
            best[k] = hi;
        }
    }
    for (int k = 0; k < 8; k++)
        y[row * 8 + k] = best[k];
}

// case im2col_row
// (256, 64), (16, 4), F(256 * 66), O(256 * 64 * 9)
kernel void im2col_row(global const float *x, global float *y)
{
    int i = get_global_id(0), j = get_global_id(1);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            y[(j * 256 + i) * 9 + a * 3 + b] = i + b < 256 ? x[(j + a) * 256 + i + b] : 0;
}

// case chacha_block
// 4096, 64, I(4096 * 16, 1 << 30, np.uint32), O(4096 * 16, np.uint32)
#define QR(a, b, c, d) a += b; d = rotate(d ^ a, 16u); c += d; b = rotate(b ^ c, 12u); a += b; d = rotate(d ^ a, 8u); c += d; b = rotate(b ^ c, 7u)
kernel void chacha_block(global const uint *in, global uint *out)
{
    int g = get_global_id(0);
    uint x[16];
    for (int i = 0; i < 16; i++)
        x[i] = in[g * 16 + i];
    for (int r = 0; r < 10; r++) {
        QR(x[0], x[4], x[8], x[12]); QR(x[1], x[5], x[9], x[13]); QR(x[2], x[6], x[10], x[14]); QR(x[3], x[7], x[11], x[15]);
        QR(x[0], x[5], x[10], x[15]); QR(x[1], x[6], x[11], x[12]); QR(x[2], x[7], x[8], x[13]); QR(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        out[g * 16 + i] = x[i] + in[g * 16 + i];
}

// case xtea
// 1 << 14, 64, I(1 << 15, 1 << 30, np.uint32), I(4, 1 << 30, np.uint32), O(1 << 15, np.uint32)
kernel void xtea(global const uint *in, global const uint *key, global uint *out)
{
    int g = get_global_id(0);
    uint a = in[g * 2], b = in[g * 2 + 1], sum = 0;
    for (int i = 0; i < 32; i++) {
        a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
    }
    out[g * 2] = a;
    out[g * 2 + 1] = b;
}

// case siphash_array
// 1 << 14, 64, I(1 << 14, 1 << 62, np.uint64), O(1 << 14, np.uint64)
kernel void siphash_array(global const ulong *m, global ulong *o)
{
    int g = get_global_id(0);
    ulong v[4] = {0x736f6d6570736575UL, 0x646f72616e646f6dUL, 0x6c7967656e657261UL, 0x7465646279746573UL}, x = m[g];
    v[3] ^= x;
    for (int i = 0; i < 6; i++) {
        v[0] += v[1]; v[1] = rotate(v[1], 13UL) ^ v[0]; v[0] = rotate(v[0], 32UL);
        v[2] += v[3]; v[3] = rotate(v[3], 16UL) ^ v[2];
        v[0] += v[3]; v[3] = rotate(v[3], 21UL) ^ v[0];
        v[2] += v[1]; v[1] = rotate(v[1], 17UL) ^ v[2]; v[2] = rotate(v[2], 32UL);
        if (i == 1) {
            v[0] ^= x;
            v[2] ^= 0xff;
        }
    }
    o[g] = v[0] ^ v[1] ^ v[2] ^ v[3];
}

// case moving_average
// 2048, 64, F(2048 * 32), O(2048 * 32)
kernel void moving_average(global const float *x, global float *y)
{
    int g = get_global_id(0);
    float window[8];
    for (int i = 0; i < 8; i++)
        window[i] = 0;
    for (int i = 0; i < 32; i++) {
        float sum = 0;
        for (int k = 7; k > 0; k--)
            window[k] = window[k - 1];
        window[0] = x[g * 32 + i];
        for (int k = 0; k < 8; k++)
            sum += window[k];
        y[g * 32 + i] = sum / 8;
    }
}

// case lattice_d2q9
// (256, 64), (32, 4), F(256 * 64 * 9), O(256 * 64 * 9)
kernel void lattice_d2q9(global const float *f, global float *g)
{
    int x = get_global_id(0), y = get_global_id(1), n = 256 * 64, at = y * 256 + x;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    float rho = 0, ux = 0, uy = 0, in[9];
    for (int i = 0; i < 9; i++) {
        in[i] = f[i * n + at] + 0.1f;
        rho += in[i];
        ux += in[i] * cx[i];
        uy += in[i] * cy[i];
    }
    ux /= rho;
    uy /= rho;
    for (int i = 0; i < 9; i++) {
        float cu = 3 * (cx[i] * ux + cy[i] * uy), eq = w[i] * rho * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
        int tx = (x + cx[i]) & 255, ty = (y + cy[i]) & 63;
        g[i * n + ty * 256 + tx] = in[i] - (in[i] - eq) * 0.6f;
    }
}

// case sepia
// 1 << 15, 64, I(4 << 15, 255, np.uint8), O(4 << 15, np.uint8)
kernel void sepia(global const uchar4 *in, global uchar4 *out)
{
    int i = get_global_id(0);
    float4 p = convert_float4(in[i]);
    float3 q = (float3)(dot(p.xyz, (float3)(.393f, .769f, .189f)), dot(p.xyz, (float3)(.349f, .686f, .168f)), dot(p.xyz, (float3)(.272f, .534f, .131f)));
    out[i] = (uchar4)(convert_uchar3_sat(q), in[i].w);
}

// case box3_uchar4
// (256, 64), (32, 4), I(4 * 258 * 66, 255, np.uint8), O(4 * 256 * 64, np.uint8)
kernel void box3_uchar4(global const uchar4 *in, global uchar4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint4 sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            sum += convert_uint4(in[(y + j) * 258 + x + i]);
    out[y * 256 + x] = convert_uchar4(sum / 9);
}

// case pi_mc
// 4096, 64, O(4096, np.uint32), S(64)
kernel void pi_mc(global uint *hits, int n)
{
    uint s = get_global_id(0) * 747796405u + 1, h = 0;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * 0x1p-24f;
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * 0x1p-24f;
        if (x * x + y * y < 1)
            h++;
    }
    hits[get_global_id(0)] = h;
}

// case small_rows
// (4, 8192), None, F(4 * 8192), F(4), O(4 * 8192)
kernel void small_rows(global const float *x, global const float *b, global float *y)
{
    int i = get_global_id(0), j = get_global_id(1);
    y[j * 4 + i] = x[j * 4 + i] + b[i];
}

// case tile_copy_local
// (256, 64), (16, 16), F(256 * 64), O(256 * 64)
kernel void tile_copy_local(global const float *x, global float *y)
{
    local float t[18][18];
    int i = get_local_id(0), j = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    t[j + 1][i + 1] = x[gy * 256 + gx];
    if (i == 0)
        t[j + 1][0] = t[j + 1][17] = 0;
    if (j == 0)
        t[0][i + 1] = t[17][i + 1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[gy * 256 + gx] = 4 * t[j + 1][i + 1] - t[j][i + 1] - t[j + 2][i + 1] - t[j + 1][i] - t[j + 1][i + 2];
}
