/* tests/kernels/loops.c -- small kernels of many classes, one case each.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* Launch k until the time is over and read what it left in `out`. */
static void rounds(Kc *c, cl_kernel k, size_t gx, size_t gy, cl_mem out, void *got, size_t bytes)
{
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, gx, gy, 0, 0);
        kc_end(c);
    }
    kc_read(c, out, got, bytes);
}

static cl_kernel kernel(Kc *c, const char *name)
{
    kc_program(c, "loops");
    return kc_kernel(c, name);
}

void case_gridstride(Kc *c)
{
    size_t n = kc_pick(c, 9001, 4000000);
    float *x = kc_floats(c, n, -10, 10), *y = kc_floats(c, n, -10, 10);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "gridstride");
    cl_mem bx = kc_buffer(c, n * sizeof *x, x), by = kc_buffer(c, n * sizeof *y, y);

    kc_args(c, k, "mmfu", bx, by, 0.5, (cl_uint)n);
    while (kc_again(c)) {
        kc_write(c, by, y, n * sizeof *y);
        kc_begin(c);
        kc_launch_1d(c, k, 4096, 64);
        kc_end(c);
    }
    kc_read(c, by, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = 0.5 * (double)x[i] + (double)y[i];
    kc_check_f32(c, "y", got, want, n, 1e-6, 2e-6, 0);
}

void case_collatz(Kc *c)
{
    size_t n = kc_pick(c, 999, 200000);
    uint32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "collatz");
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mu", out, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        for (uint64_t x = i + 1; x != 1; x = x & 1 ? 3 * x + 1 : x >> 1)
            want[i]++;
    kc_check_u32(c, "steps", got, want, n);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

void case_bsearch_keys(Kc *c)
{
    size_t count = kc_pick(c, 777, 100003), n = kc_pick(c, 999, 1u << 19);
    uint32_t *sorted = kc_words(c, count, 0), *keys = kc_words(c, n, 0);
    uint32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "bsearch_keys");
    cl_mem a, b, out = kc_buffer(c, n * sizeof *got, NULL);

    qsort(sorted, count, sizeof *sorted, by_value);
    a = kc_buffer(c, count * sizeof *sorted, sorted);
    b = kc_buffer(c, n * sizeof *keys, keys);
    kc_args(c, k, "mummu", a, (cl_uint)count, b, out, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = count;

        while (low < high) {
            size_t mid = (low + high) / 2;

            if (sorted[mid] < keys[i])
                low = mid + 1;
            else
                high = mid;
        }
        want[i] = (uint32_t)low;
    }
    kc_check_u32(c, "place", got, want, n);
}

void case_rgb(Kc *c)
{
    size_t n = kc_pick(c, 1001, 3u << 20);
    uint8_t *in = kc_bytes(c, 3 * n, 256), *got = kc_alloc(c, n), *want = kc_alloc(c, n);
    cl_kernel k = kernel(c, "rgb");
    cl_mem a = kc_buffer(c, 3 * n, in), out = kc_buffer(c, n, NULL);

    kc_args(c, k, "mmu", a, out, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n);
    for (size_t i = 0; i < n; i++)
        want[i] = (uint8_t)((77 * in[3 * i] + 151 * in[3 * i + 1] + 28 * in[3 * i + 2]) >> 8);
    kc_check_u8(c, "grey", got, want, n);
}

static int clamped(int x, int most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

void case_clampbox(Kc *c)
{
    int width = (int)kc_pick(c, 37, 1536), height = (int)kc_pick(c, 21, 1024);
    size_t n = (size_t)width * (size_t)height;
    float *in = kc_floats(c, n, 0, 1), *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "clampbox");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmii", a, out, width, height);
    rounds(c, k, (size_t)width, (size_t)height, out, got, n * sizeof *got);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;

            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += (double)
                        in[clamped(y + dy, height - 1) * width + clamped(x + dx, width - 1)];
            want[y * width + x] = sum / 9;
        }
    kc_check_f32(c, "mean", got, want, n, 2e-6, 1e-6, 0);
}

void case_dot8(Kc *c)
{
    size_t n = kc_pick(c, 100, 4096), length = kc_pick(c, 65, 2048);
    uint8_t *rows = kc_bytes(c, n * length, 256), *v = kc_bytes(c, length, 256);
    int32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "dot8");
    cl_mem a = kc_buffer(c, n * length, rows), b = kc_buffer(c, length, v);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmmuu", a, b, out, (cl_uint)length, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n * sizeof *got);
    for (size_t l = 0; l < length; l++)
        for (size_t i = 0; i < n; i++)
            want[i] += (int8_t)rows[l * n + i] * (int8_t)v[l];
    kc_check_i32(c, "dot", got, want, n);
}

void case_matmul_blocked(Kc *c)
{
    size_t n = kc_pick(c, 36, 384);
    float *a = kc_floats(c, n * n, -1, 1), *b = kc_floats(c, n * n, -1, 1);
    float *got = kc_alloc(c, n * n * sizeof *got);
    double *want = kc_alloc(c, n * n * sizeof *want);
    cl_kernel k = kernel(c, "matmul_blocked");
    cl_mem ba = kc_buffer(c, n * n * sizeof *a, a), bb = kc_buffer(c, n * n * sizeof *b, b);
    cl_mem out = kc_buffer(c, n * n * sizeof *got, NULL);

    kc_args(c, k, "mmmu", ba, bb, out, (cl_uint)n);
    rounds(c, k, n, n / 4, out, got, n * n * sizeof *got);
    for (size_t r = 0; r < n; r++)
        for (size_t l = 0; l < n; l++)
            for (size_t i = 0; i < n; i++)
                want[r * n + i] += (double)a[r * n + l] * (double)b[l * n + i];
    kc_check_f32(c, "product", got, want, n * n, 1e-5, 1e-4, 0);
}

void case_bithash(Kc *c)
{
    size_t n = kc_pick(c, 999, 3u << 17);
    uint32_t *in = kc_words(c, n, 0), *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "bithash");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmu", a, out, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        want[i] = in[i];
        for (unsigned r = 0; r < 64; r++) {
            uint32_t h = want[i] * 0xCC9E2D51u;

            h = (h << 15 | h >> 17) * 0x1B873593u;
            want[i] = h ^ (uint32_t)(__builtin_popcount(h) + __builtin_clz(h | 1));
        }
    }
    kc_check_u32(c, "hash", got, want, n);
}

void case_reversed(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 21);
    int32_t divisor = 7, *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    int32_t *in = (int32_t *)kc_words(c, n, 0);
    cl_kernel k = kernel(c, "reversed");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmiu", a, out, divisor, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = in[n - 1 - i] / divisor + in[i] % (divisor + 2);
    kc_check_i32(c, "sum", got, want, n);
}

void case_gather(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 21), size = kc_pick(c, 100, 65536);
    float *table = kc_floats(c, size, -1, 1), *got = kc_alloc(c, n * sizeof *got);
    uint32_t *index = kc_words(c, n, (uint32_t)size);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "gather");
    cl_mem a = kc_buffer(c, size * sizeof *table, table),
           b = kc_buffer(c, n * sizeof *index, index);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmmu", a, b, out, (cl_uint)n);
    rounds(c, k, n, 1, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = (double)table[index[i]];
    kc_check_f32(c, "number", got, want, n, 0, 0, 0);
}

void case_tickets(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1000003), odd = 0;
    uint32_t *in = kc_words(c, n, 0), *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want), counts[2] = {0}, expected[2] = {0};
    cl_kernel k = kernel(c, "tickets");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);
    cl_mem counter = kc_buffer(c, 4, NULL), largest = kc_buffer(c, 4, NULL);

    kc_args(c, k, "mmmmu", a, counter, largest, out, (cl_uint)n);
    while (kc_again(c)) {
        memset(counts, 0, sizeof counts);
        kc_write(c, counter, counts, 4);
        kc_write(c, largest, counts, 4);
        kc_begin(c);
        kc_launch_1d(c, k, n, 64);
        kc_end(c);
    }
    kc_read(c, out, got, n * sizeof *got);
    kc_read(c, counter, &counts[0], 4);
    kc_read(c, largest, &counts[1], 4);
    for (size_t i = 0; i < n; i++) {
        if (in[i] & 1)
            want[odd++] = in[i];
        expected[1] = in[i] > expected[1] ? in[i] : expected[1];
    }
    expected[0] = (uint32_t)odd;
    kc_check_u32(c, "counts", counts, expected, 2);
    qsort(got, odd, sizeof *got, by_value); /* who comes first is open */
    qsort(want, odd, sizeof *want, by_value);
    kc_check_u32(c, "odd numbers", got, want, odd);
}
