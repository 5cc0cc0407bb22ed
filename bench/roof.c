/* bench/roof.c -- what this machine could do at best: memory, arithmetic, and kernels by hand.
 *
 *     roof [--threads N] [--cpu]
 *
 * Prints one line of JSON: GB/s that streams reach when they go past the caches and GFLOP/s of
 * multiply-adds, all threads together; and milliseconds (the best of many) that some of
 * tests/kernels take when written with vectors and threads by hand, at the sizes of `--size large`,
 * and streams as a plain loop on as many threads.
 * Built for this machine (-march=native, -fopenmp); bench/run.py --roof runs it.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#define LANES       (VECTOR_BYTES / 4)
#define MAX_THREADS 256
#define ROUNDS      15
#define TRIAD       2000003u /* floats in each of the five arrays of tests/kernels/triad.c */

typedef float F32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t I32 __attribute__((vector_size(VECTOR_BYTES)));
typedef double F64 __attribute__((vector_size(VECTOR_BYTES)));
typedef float F32Loose __attribute__((vector_size(VECTOR_BYTES), aligned(4)));

static unsigned threads;
static bool by_cpu; /* processor time, shared out among the threads: what a busy machine allows */

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(by_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* ---- threads that all do a share ---------------------------------------------------------------
 */

typedef void Share(void *what, size_t first, size_t end);

/* Elements 0 … n - 1, in as many shares as there are threads, each a multiple of `step`. */
static void share_out(Share *fn, void *what, size_t n, size_t step)
{
    size_t each = (n / threads + step - 1) / step * step;

#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (unsigned i = 0; i < threads; i++) {
        size_t first = i * each < n ? i * each : n, end = first + each < n ? first + each : n;

        fn(what, first, i + 1 == threads ? n : end);
    }
}

/* Of functions one after another. */
static double best_of_row_ms(Share *const *fn, unsigned count, void *what, size_t n, size_t step)
{
    double best = 1e300;

    for (int i = 0; i < ROUNDS; i++) {
        double start = now_ms();

        for (unsigned k = 0; k < count; k++)
            share_out(fn[k], what, n, step);
        start = (now_ms() - start) / (by_cpu ? threads : 1);
        best = start < best ? start : best;
    }
    return best;
}

static double best_ms(Share *fn, void *what, size_t n, size_t step)
{
    return best_of_row_ms(&fn, 1, what, n, step);
}

/* ---- streams -----------------------------------------------------------------------------------
 */

typedef struct Arrays {
    float *a, *b, *c, *x, *y, *z;
    float s;
    size_t width, height;
    double sum[MAX_THREADS];
} Arrays;

static void put(float *to, F32 v)
{
#if defined(__clang__)
    __builtin_nontemporal_store(v, (F32 *)(void *)to);
#elif defined(__AVX512F__)
    __asm__ volatile("vmovntps %1, %0" : "=m"(*(F32 *)(void *)to) : "v"(v));
#elif defined(__AVX__)
    __asm__ volatile("vmovntps %1, %0" : "=m"(*(F32 *)(void *)to) : "x"(v));
#elif defined(__SSE2__)
    __asm__ volatile("movntps %1, %0" : "=m"(*(F32 *)(void *)to) : "x"(v));
#else
    *(F32 *)(void *)to = v;
#endif
}

static F32 get(const float *from)
{
    return *(const F32Loose *)(const void *)from;
}

static void stream_triad(void *what, size_t first, size_t end)
{
    Arrays *x = what;
    size_t i = first;

    for (; i + LANES <= end; i += LANES)
        put(x->a + i, get(x->b + i) + x->s * get(x->c + i));
    for (; i < end; i++)
        x->a[i] = x->b[i] + x->s * x->c[i];
    __sync_synchronize();
}

static void stream_copy(void *what, size_t first, size_t end)
{
    Arrays *x = what;
    size_t i = first;

    for (; i + LANES <= end; i += LANES)
        put(x->a + i, get(x->b + i));
    for (; i < end; i++)
        x->a[i] = x->b[i];
    __sync_synchronize();
}

static void saxpy(void *what, size_t first, size_t end)
{
    Arrays *x = what;
    size_t i = first;

    for (; i + LANES <= end; i += LANES)
        *(F32Loose *)(void *)(x->a + i) = x->s * get(x->b + i) + get(x->a + i);
    for (; i < end; i++)
        x->a[i] = x->s * x->b[i] + x->a[i];
}

/* ---- plain loops: what the compiler makes of them ----------------------------------------------
 */

static void plain_copy(void *what, size_t first, size_t end)
{
    const Arrays *x = what;
    float *restrict a = x->a;
    const float *restrict b = x->b;

    for (size_t i = first; i < end; i++)
        a[i] = b[i];
}

static void plain_saxpy(void *what, size_t first, size_t end)
{
    const Arrays *x = what;
    float *restrict a = x->a, s = x->s;
    const float *restrict b = x->b;

    for (size_t i = first; i < end; i++)
        a[i] = s * b[i] + a[i];
}

static void scale(const float *restrict b, float *restrict a, float s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = s * b[i];
}

static void add(const float *restrict b, const float *restrict c, float *restrict a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + c[i];
}

static void triad(const float *restrict b, const float *restrict c, float *restrict a, float s,
                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

/* The three launches of tests/kernels/triad.c on its five arrays, whose results the next one reads.
 */
static void plain_scale(void *what, size_t first, size_t end)
{
    const Arrays *x = what;

    scale(x->a + first, x->x + first, x->s, end - first);
}

static void plain_add(void *what, size_t first, size_t end)
{
    const Arrays *x = what;

    add(x->x + first, x->b + first, x->y + first, end - first);
}

static void plain_sum(void *what, size_t first, size_t end)
{
    const Arrays *x = what;

    triad(x->y + first, x->b + first, x->z + first, x->s, end - first);
}

static Share *const plain_triad[] = {plain_scale, plain_add, plain_sum};

/* ---- by hand -----------------------------------------------------------------------------------
 */

static void reduce(void *what, size_t first, size_t end)
{
    Arrays *x = what;
    F32 sum[4] = {{0}}, most[4] = {{0}};
    size_t i = first;
    double total = 0;

    for (; i + 4 * LANES <= end; i += 4 * LANES)
        for (int k = 0; k < 4; k++) {
            F32 v = get(x->b + i + k * LANES);
            I32 is_more = v > most[k];

            sum[k] += v;
            most[k] = (F32)(((I32)v & is_more) | ((I32)most[k] & ~is_more));
        }
    for (; i < end; i++)
        total += x->b[i];
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < LANES; l++)
            total += sum[k][l] + most[k][l] * 1e-9;
    x->sum[first * MAX_THREADS / (end + 1) % MAX_THREADS] = total;
}

static void stencil(void *what, size_t first, size_t end)
{
    Arrays *x = what;

    for (size_t y = first > 0 ? first : 1; y < end && y + 1 < x->height; y++) {
        const float *up = x->b + (y - 1) * x->width, *at = up + x->width, *down = at + x->width;
        float *to = x->a + y * x->width;

        for (size_t i = 1; i + LANES < x->width; i += LANES) {
            F32 near = get(at + i - 1) + get(at + i + 1) + get(up + i) + get(down + i);
            F32 far = get(up + i - 1) + get(up + i + 1) + get(down + i - 1) + get(down + i + 1);

            *(F32Loose *)(void *)(to + i) = 0.25f * get(at + i) + 0.125f * near + 0.0625f * far;
        }
    }
}

/* ---- arithmetic --------------------------------------------------------------------------------
 */

/* Enough chains that do not wait for each other, each in a register. */
#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define CHAINS  12
#define FMAS    100000u

#define BEGIN(k)  v##k = a * (k + 1);
#define STEP(k)   v##k = v##k * b + a;
#define ADD(k)    sum += v##k;
#define F32_OF(k) F32 v##k;
#define F64_OF(k) F64 v##k;

static void fma_f32(void *what, size_t first, size_t end)
{
    Arrays *x = what;
    F32 a = x->s - (F32){0}, b = a * 0.5f, sum = {0};
    EACH(F32_OF)

    EACH(BEGIN)
    for (size_t i = first * FMAS; i < end * FMAS; i++) {
        EACH(STEP)
    }
    EACH(ADD)
    x->sum[first % MAX_THREADS] = sum[0];
}

static void fma_f64(void *what, size_t first, size_t end)
{
    Arrays *x = what;
    F64 a = (double)x->s - (F64){0}, b = a * 0.5, sum = {0};
    EACH(F64_OF)

    EACH(BEGIN)
    for (size_t i = first * FMAS; i < end * FMAS; i++) {
        EACH(STEP)
    }
    EACH(ADD)
    x->sum[first % MAX_THREADS] = sum[0];
}

enum { STEPS = 6 }; /* of the stencil */

/* Rows of a 333 x 350 by 350 x 401 product, four at a time. */
enum { ROWS = 333, INNER = 350, COLUMNS = 401 };

static void tile(const Arrays *x, size_t row, size_t rows, size_t column)
{
    F32 sum[4][2] = {{{0}}};

    for (size_t k = 0; k < INNER; k++) {
        const float *b = x->c + k * COLUMNS + column;
        F32 left = get(b), right = get(b + LANES);

        for (size_t r = 0; r < rows; r++) {
            sum[r][0] += x->b[(row + r) * INNER + k] * left;
            sum[r][1] += x->b[(row + r) * INNER + k] * right;
        }
    }
    for (size_t r = 0; r < rows; r++) {
        *(F32Loose *)(void *)(x->a + (row + r) * COLUMNS + column) = sum[r][0];
        *(F32Loose *)(void *)(x->a + (row + r) * COLUMNS + column + LANES) = sum[r][1];
    }
}

static void matmul(void *what, size_t first, size_t end)
{
    Arrays *x = what;

    for (size_t row = first; row < end; row += 4) {
        size_t rows = end - row < 4 ? end - row : 4, column = 0;

        for (; column + 2 * LANES <= COLUMNS; column += 2 * LANES)
            if (rows == 4)
                tile(x, row, 4, column);
            else
                tile(x, row, rows, column);
        if (column < COLUMNS) /* the last columns once more, with some of those before */
            tile(x, row, rows, COLUMNS - 2 * LANES);
    }
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

static float *floats(size_t n)
{
    float *at = aligned_alloc(4096, (n * sizeof *at + 4095) / 4096 * 4096);

    if (at == NULL)
        exit(1);
    for (size_t i = 0; i < n; i++)
        at[i] = (float)(i % 1000) * 0.001f;
    return at;
}

static unsigned processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

int main(int argc, char **argv)
{
    const size_t large = 32u << 20; /* floats in each array of the streams */
    Arrays x = {.s = 1.5f};
    double fmas, copy, stream, f32, f64;

    threads = processors();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--cpu") == 0)
            by_cpu = true;
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            threads = (unsigned)atoi(argv[++i]);
        else
            return 2;
    }
    if (threads == 0 || threads > MAX_THREADS)
        return 2;
    x.a = floats(large);
    x.b = floats(large);
    x.c = floats(large);
    x.x = floats(TRIAD);
    x.y = floats(TRIAD);
    x.z = floats(TRIAD);
    fmas = 2.0 * CHAINS * FMAS * threads;
    copy = best_ms(stream_copy, &x, large, LANES * 64);
    stream = best_ms(stream_triad, &x, large, LANES * 64);
    f32 = best_ms(fma_f32, &x, threads, 1);
    f64 = best_ms(fma_f64, &x, threads, 1);
    printf("{\"threads\": %u, \"copy_gbs\": %.3f, \"triad_gbs\": %.3f, \"f32_gflops\": %.2f, "
           "\"f64_gflops\": %.2f, \"hand_ms\": {",
           threads, 8e-6 * (double)large / copy, 12e-6 * (double)large / stream,
           fmas * LANES / f32 / 1e6, fmas * LANES / 2 / f64 / 1e6);
    printf("\"copy\": %.5f, ", best_ms(stream_copy, &x, 8000005, LANES * 64));
    printf("\"saxpy\": %.5f, ", best_ms(saxpy, &x, 6000037, LANES * 64));
    printf("\"reduction\": %.5f, ", best_ms(reduce, &x, 4000037, LANES * 64));
    x.width = 1003;
    x.height = 701;
    printf("\"stencil\": %.5f, ", STEPS * best_ms(stencil, &x, x.height, 1));
    printf("\"matmul\": %.5f}, \"plain_ms\": {", best_ms(matmul, &x, ROWS, 4));
    printf("\"copy\": %.5f, ", best_ms(plain_copy, &x, 8000005, LANES * 64));
    printf("\"saxpy\": %.5f, ", best_ms(plain_saxpy, &x, 6000037, LANES * 64));
    printf("\"triad\": %.5f}}\n", best_of_row_ms(plain_triad, 3, &x, TRIAD, LANES * 64));
    return 0;
}
