/* Small kernels of further classes: halves, private arrays, structures, tables, divisions.
 * SPDX-License-Identifier: MIT */

/* Halves as storage: y = a x + y. */
__kernel void axpy_half(__global const half *x, __global half *y, float a, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        vstore_half(a * vload_half(i, x) + vload_half(i, y), i, y);
}

__kernel void axpy_half4(__global const half *x, __global half *y, float a, uint n)
{
    uint i = get_global_id(0);

    if (i < n / 4)
        vstore_half4(a * vload_half4(i, x) + vload_half4(i, y), i, y);
}

/* The median of 3x3 pixels by a sorting network over a private array. */
void order(uchar *a, uchar *b)
{
    uchar low = min(*a, *b);

    *b = max(*a, *b);
    *a = low;
}

__kernel void median(__global const uchar *in, __global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar p[9];

    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    for (int i = 0; i < 9; i++)
        p[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 8 - k; i++)
            order(&p[i], &p[i + 1]);
    out[y * width + x] = p[4];
}

/* A pixel between four others. */
__kernel void resize(__global const float *in, __global float *out, int width, int height, int to)
{
    int x = get_global_id(0), y = get_global_id(1);
    float fx = (x + 0.5f) * width / to - 0.5f, fy = (y + 0.5f) * height / to - 0.5f;
    int left = clamp((int)floor(fx), 0, width - 2), top = clamp((int)floor(fy), 0, height - 2);
    float dx = clamp(fx - left, 0.0f, 1.0f), dy = clamp(fy - top, 0.0f, 1.0f);
    __global const float *p = in + top * width + left;

    out[y * to + x] = mix(mix(p[0], p[1], dx), mix(p[width], p[width + 1], dx), dy);
}

/* Steps along a ray until a sphere among waves is near. */
float distance_at(float3 p)
{
    float3 q = p - floor(p) - 0.5f;

    return sqrt(dot(q, q)) - 0.25f;
}

__kernel void raymarch(__global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 d = normalize((float3)((x - width * 0.5f) / width, (y - height * 0.5f) / height, 1.0f));
    float3 p = (float3)(0.5f, 0.0f, 0.0f);
    float far = 0;

    for (int i = 0; i < 64; i++) {
        float step = distance_at(p + far * d);

        if (step < 1e-3f || far > 20)
            break;
        far += step;
    }
    out[y * width + x] = far;
}

/* A number's remainder and quotient by one of another array. */
__kernel void divide(__global const int *a, __global const int *b, __global int *out, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        out[i] = a[i] / b[i] + a[i] % b[i];
}

/* Coordinates by division by numbers known late: a permutation of an array's three dimensions. */
__kernel void permute(__global const float *in, __global float *out, uint w, uint h, uint d)
{
    uint i = get_global_id(0), x = i % w, y = i / w % h, z = i / (w * h);

    out[(x * h + y) * d + z] = in[i];
}

/* CRC-32 of a message by a table in constant memory. */
__constant uint nibbles[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                               0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                               0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                               0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
__kernel void crc(__global const uchar *in, __global uint *out, uint length)
{
    uint i = get_global_id(0), c = ~0u;

    for (uint k = 0; k < length; k++) {
        c ^= in[i * length + k];
        c = nibbles[c & 15] ^ (c >> 4);
        c = nibbles[c & 15] ^ (c >> 4);
    }
    out[i] = ~c;
}

/* MurmurHash's final mix over words. */
__kernel void murmur(__global const uint *in, __global uint *out, uint rounds)
{
    uint i = get_global_id(0), h = in[i];

    for (uint k = 0; k < rounds; k++) {
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        h += k;
    }
    out[i] = h;
}

/* A filter of sixteen taps. */
__kernel void fir(__global const float *in, __constant float *taps, __global float *out, uint n)
{
    uint i = get_global_id(0);
    float sum = 0;

    if (i + 16 > n)
        return;
    for (uint k = 0; k < 16; k++)
        sum += in[i + k] * taps[k];
    out[i] = sum;
}

/* A matrix times a vector: a row for each item. */
__kernel void gemv(__global const float *a, __global const float *x, __global float *y, uint n)
{
    uint row = get_global_id(0);
    float sum = 0;

    for (uint k = 0; k < n; k++)
        sum += a[row * n + k] * x[k];
    y[row] = sum;
}

/* Dot products of int8 vectors, four at a time. */
__kernel void dot_char4(__global const char4 *a, __global const char4 *b, __global int *out, uint n)
{
    uint i = get_global_id(0);
    int sum = 0;

    for (uint k = 0; k < n; k++) {
        char4 x = a[k * get_global_size(0) + i], y = b[k];

        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    out[i] = sum;
}

/* Structures side by side: particles move. */
typedef struct {
    float x, y, z, vx, vy, vz, mass;
    int alive;
} Particle;

__kernel void particles(__global Particle *p, float dt, uint n)
{
    uint i = get_global_id(0);

    if (i >= n || !p[i].alive)
        return;
    p[i].vy -= 9.8f * dt;
    p[i].x += p[i].vx * dt;
    p[i].y += p[i].vy * dt;
    p[i].z += p[i].vz * dt;
    if (p[i].y < 0) {
        p[i].y = -p[i].y;
        p[i].vy = -0.5f * p[i].vy;
    }
}

/* Sums and exchanges in sub-groups' size by shuffles through local memory: Walsh and Hadamard. */
__kernel void hadamard(__global const float *in, __global float *out, __local float *t)
{
    uint l = get_local_id(0), size = get_local_size(0);
    float x = in[get_global_id(0)];

    for (uint s = 1; s < size; s <<= 1) {
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = l & s ? t[l ^ s] - x : x + t[l ^ s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}

/* Cosine transforms of eight numbers in registers. */
__kernel void dct8(__global const float *in, __constant float *c, __global float *out)
{
    uint i = get_global_id(0);
    float x[8], y[8];

    for (uint k = 0; k < 8; k++)
        x[k] = in[i * 8 + k];
    for (uint u = 0; u < 8; u++) {
        y[u] = 0;
        for (uint k = 0; k < 8; k++)
            y[u] += x[k] * c[u * 8 + k];
    }
    for (uint k = 0; k < 8; k++)
        out[i * 8 + k] = y[k];
}

/* All pairs in double precision. */
__kernel void nbody_double(__global const double4 *p, __global double4 *out, uint n)
{
    uint i = get_global_id(0);
    double4 me = p[i];
    double3 force = 0;

    for (uint k = 0; k < n; k++) {
        double3 d = p[k].xyz - me.xyz;
        double r = dot(d, d) + 1e-3;

        force += d * (p[k].w / (r * sqrt(r)));
    }
    out[i] = (double4)(force, 0);
}

/* Does a bit string lie near another: population counts of 64-bit words. */
__kernel void hamming(__global const ulong *a, __global const ulong *key, __global uint *out,
                      uint words)
{
    uint i = get_global_id(0), sum = 0;

    for (uint k = 0; k < words; k++)
        sum += (uint)popcount(a[k * get_global_size(0) + i] ^ key[k]);
    out[i] = sum;
}

/* Brighter with saturation. */
__kernel void brighten(__global const uchar4 *in, __global uchar4 *out, uchar by)
{
    uint i = get_global_id(0);

    out[i] = add_sat(in[i], (uchar4)by);
}

/* Heat in three dimensions. */
__kernel void heat(__global const float *in, __global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int i = (z * n + y) * n + x;

    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
        return;
    out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] +
                             in[i + n * n] - 6 * in[i]);
}

/* What a small machine computes: a switch in a loop. */
__kernel void machine(__global const uchar *code, __global const uint *in, __global uint *out,
                      uint length)
{
    uint i = get_global_id(0), acc = in[i], b = i;

    for (uint pc = 0; pc < length; pc++) {
        switch (code[pc] & 7) {
        case 0: acc += b; break;
        case 1: acc ^= b << 3; break;
        case 2: b = acc >> 5; break;
        case 3: acc *= 2654435761u; break;
        case 4: b += 7; break;
        case 5: acc = rotate(acc, 11u); break;
        case 6: acc -= b; break;
        default: b ^= acc; break;
        }
    }
    out[i] = acc ^ b;
}

/* Complex numbers, multiplied. */
__kernel void complex_product(__global const float2 *a, __global const float2 *b,
                              __global float2 *out)
{
    uint i = get_global_id(0);
    float2 x = a[i], y = b[i];

    out[i] = (float2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

/* Sums along the columns of a matrix. */
__kernel void columns(__global const float *in, __global float *out, uint rows, uint width)
{
    uint x = get_global_id(0);
    float sum = 0, most = -INFINITY;

    for (uint y = 0; y < rows; y++) {
        float v = in[y * width + x];

        sum += v;
        most = fmax(most, v);
    }
    out[x] = sum / rows + most;
}

/* Rows turned into shares: softmax with a row for each work-group. */
__kernel void softmax(__global const float *in, __global float *out, uint width, __local float *t)
{
    uint l = get_local_id(0), size = get_local_size(0), row = get_group_id(0);
    float most = -INFINITY, sum = 0;

    for (uint x = l; x < width; x += size)
        most = fmax(most, in[row * width + x]);
    t[l] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = size / 2; s > 0; s /= 2) {
        if (l < s)
            t[l] = fmax(t[l], t[l + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = t[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint x = l; x < width; x += size) {
        float e = exp(in[row * width + x] - most);

        out[row * width + x] = e;
        sum += e;
    }
    t[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = size / 2; s > 0; s /= 2) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = t[0];
    for (uint x = l; x < width; x += size)
        out[row * width + x] /= sum;
}
