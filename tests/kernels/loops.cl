/* Small kernels, each of another class of control flow or memory access.
 * SPDX-License-Identifier: MIT */
__kernel void gridstride(__global const float *x, __global float *y, float a, uint n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = a * x[i] + y[i];
}

/* Steps until Collatz' sequence reaches 1. */
__kernel void collatz(__global uint *out, uint n)
{
    uint i = get_global_id(0), steps = 0;
    ulong x = i + 1;

    if (i >= n)
        return;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    out[i] = steps;
}

/* Place of each key among sorted numbers: how many are smaller. */
__kernel void bsearch_keys(__global const uint *sorted, uint count, __global const uint *keys,
                           __global uint *out, uint n)
{
    uint i = get_global_id(0), low = 0, high = count;

    if (i >= n)
        return;
    while (low < high) {
        uint mid = (low + high) / 2;

        if (sorted[mid] < keys[i])
            low = mid + 1;
        else
            high = mid;
    }
    out[i] = low;
}

/* Grey of packed RGB: steps of three bytes. */
__kernel void rgb(__global const uchar *in, __global uchar *out, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        out[i] = (uchar)((77 * in[3 * i] + 151 * in[3 * i + 1] + 28 * in[3 * i + 2]) >> 8);
}

/* A box of 3x3 with coordinates clamped at the edges. */
__kernel void clampbox(__global const float *in, __global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;

    if (x >= width || y >= height)
        return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += in[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
    out[y * width + x] = sum / 9;
}

/* Dot products of rows of bytes with a vector. */
__kernel void dot8(__global const char *rows, __global const char *v, __global int *out, uint length,
                   uint n)
{
    uint i = get_global_id(0);
    int sum = 0;

    if (i >= n)
        return;
    for (uint k = 0; k < length; k++)
        sum += rows[k * n + i] * v[k];
    out[i] = sum;
}

/* Two rows and columns of a product in registers. */
__kernel void matmul_blocked(__global const float *a, __global const float *b, __global float *out,
                             uint n)
{
    uint col = get_global_id(0), row = get_global_id(1) * 4;
    float sum[4] = {0, 0, 0, 0};

    for (uint k = 0; k < n; k++) {
        float x = b[k * n + col];

        for (uint r = 0; r < 4; r++)
            sum[r] += a[(row + r) * n + k] * x;
    }
    for (uint r = 0; r < 4; r++)
        out[(row + r) * n + col] = sum[r];
}

/* Hashes with multiplications, rotations and population counts. */
__kernel void bithash(__global const uint *in, __global uint *out, uint n)
{
    uint i = get_global_id(0), h;

    if (i >= n)
        return;
    h = in[i];
    for (uint k = 0; k < 64; k++) {
        h = rotate(h * 0xCC9E2D51u, 15u) * 0x1B873593u;
        h ^= popcount(h) + clz(h | 1u);
    }
    out[i] = h;
}

/* Every item's neighbour from the other end, divided. */
__kernel void reversed(__global const int *in, __global int *out, int divisor, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        out[i] = in[n - 1 - i] / divisor + in[i] % (divisor + 2);
}

/* One of a table's numbers for each index. */
__kernel void gather(__global const float *table, __global const uint *index, __global float *out,
                     uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        out[i] = table[index[i]];
}

/* Tickets from one counter, and the largest number seen. */
__kernel void tickets(__global const uint *in, volatile __global uint *counter,
                      volatile __global uint *largest, __global uint *out, uint n)
{
    uint i = get_global_id(0);

    if (i >= n)
        return;
    if (in[i] & 1)
        out[atomic_inc(counter)] = in[i];
    atomic_max(largest, in[i]);
}
