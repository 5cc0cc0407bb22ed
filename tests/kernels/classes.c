/* tests/kernels/classes.c -- small kernels of further classes, one case each.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cl_kernel kernel(Kc *c, const char *name)
{
    kc_program(c, "classes");
    return kc_kernel(c, name);
}

static void rounds(Kc *c, cl_kernel k, size_t n, size_t local)
{
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, local);
        kc_end(c);
    }
}

static void rounds_2d(Kc *c, cl_kernel k, size_t w, size_t h)
{
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, w, h, 0, 0);
        kc_end(c);
    }
}

/* Multiples of 1/256 below 4, which halves hold exactly. */
static uint16_t *halves(Kc *c, size_t n, double *as)
{
    uint16_t *h = kc_alloc(c, n * sizeof *h);

    for (size_t i = 0; i < n; i++) {
        unsigned e = kc_random(c, 4) + 13, m = kc_random(c, 1024);

        h[i] = (uint16_t)(e << 10 | m);
        as[i] = ldexp(1024 + m, (int)e - 25);
    }
    return h;
}

static double half_value(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 1023;
    double x = e == 0 ? ldexp(m, -24) : ldexp(1024 + m, e - 25);

    return h & 0x8000 ? -x : x;
}

static void axpy_halves(Kc *c, const char *name, unsigned each)
{
    size_t n = kc_pick(c, 4004, 1u << 21);
    double *x = kc_alloc(c, n * sizeof *x), *y = kc_alloc(c, n * sizeof *y);
    uint16_t *hx = halves(c, n, x), *hy = halves(c, n, y), *bits = kc_alloc(c, n * sizeof *bits);
    float *got = kc_alloc(c, n * sizeof *got);
    cl_kernel k = kernel(c, name);
    cl_mem a = kc_buffer(c, n * sizeof *hx, hx), b = kc_buffer(c, n * sizeof *hy, hy);

    kc_args(c, k, "mmfu", a, b, 0.5, (cl_uint)n);
    while (kc_again(c)) {
        kc_write(c, b, hy, n * sizeof *hy);
        kc_begin(c);
        kc_launch_1d(c, k, n / each, 0);
        kc_end(c);
    }
    kc_read(c, b, bits, n * sizeof *bits);
    for (size_t i = 0; i < n; i++) {
        got[i] = (float)half_value(bits[i]);
        y[i] += 0.5 * x[i];
    }
    kc_check_f32(c, "y", got, y, n, 5e-4, 0, 0);
}

void case_axpy_half(Kc *c)
{
    axpy_halves(c, "axpy_half", 1);
}

void case_axpy_half4(Kc *c)
{
    axpy_halves(c, "axpy_half4", 4);
}

static int by_value(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

void case_median(Kc *c)
{
    size_t w = kc_pick(c, 50, 1024), h = kc_pick(c, 30, 768);
    uint8_t *in = kc_bytes(c, w * h, 256), *got = kc_alloc(c, w * h), *want = kc_alloc(c, w * h);
    cl_kernel k = kernel(c, "median");
    cl_mem a = kc_buffer(c, w * h, in), out = kc_buffer(c, w * h, NULL);

    kc_args(c, k, "mmii", a, out, (cl_int)w, (cl_int)h);
    rounds_2d(c, k, w, h);
    kc_read(c, out, got, w * h);
    memset(want, 0xA5, w * h);
    for (size_t y = 1; y + 1 < h; y++)
        for (size_t x = 1; x + 1 < w; x++) {
            uint8_t p[9];

            for (size_t i = 0; i < 9; i++)
                p[i] = in[(y + i / 3 - 1) * w + x + i % 3 - 1];
            qsort(p, 9, 1, by_value);
            want[y * w + x] = p[4];
        }
    kc_check_u8(c, "median", got, want, w * h);
}

static double between(double a, double b, double t)
{
    return a + (b - a) * t;
}

void case_resize(Kc *c)
{
    int w = (int)kc_pick(c, 40, 512), h = (int)kc_pick(c, 36, 512), to = (int)kc_pick(c, 64, 1024);
    size_t n = (size_t)to * (size_t)to;
    float *in = kc_floats(c, (size_t)(w * h), 0, 1), *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "resize");
    cl_mem a = kc_buffer(c, (size_t)(w * h) * sizeof *in, in);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmiii", a, out, w, h, to);
    rounds_2d(c, k, (size_t)to, (size_t)to);
    kc_read(c, out, got, n * sizeof *got);
    for (int y = 0; y < to; y++)
        for (int x = 0; x < to; x++) {
            double fx = (x + 0.5) * w / to - 0.5, fy = (y + 0.5) * h / to - 0.5;
            int left = (int)fmin(fmax(floor(fx), 0), w - 2);
            int top = (int)fmin(fmax(floor(fy), 0), h - 2);
            double dx = fmin(fmax(fx - left, 0), 1), dy = fmin(fmax(fy - top, 0), 1);
            const float *p = in + top * w + left;

            want[y * to + x] = between(between((double)p[0], (double)p[1], dx),
                                       between((double)p[w], (double)p[w + 1], dx), dy);
        }
    kc_check_f32(c, "pixel", got, want, n, 0, 1e-4, 0);
}

void case_raymarch(Kc *c)
{
    int w = (int)kc_pick(c, 40, 512), h = (int)kc_pick(c, 30, 384);
    size_t n = (size_t)w * (size_t)h;
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "raymarch");
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mii", out, w, h);
    rounds_2d(c, k, (size_t)w, (size_t)h);
    kc_read(c, out, got, n * sizeof *got);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double dx = (x - w * 0.5) / w, dy = (y - h * 0.5) / h;
            double l = 1 / sqrt(dx * dx + dy * dy + 1), far = 0;

            for (int i = 0; i < 64; i++) {
                double px = 0.5 + far * dx * l, py = far * dy * l, pz = far * l, step;

                px -= floor(px) + 0.5, py -= floor(py) + 0.5, pz -= floor(pz) + 0.5;
                step = sqrt(px * px + py * py + pz * pz) - 0.25;
                if (step < 1e-3 || far > 20)
                    break;
                far += step;
            }
            want[y * w + x] = far;
        }
    /* A ray that just misses a sphere goes on. */
    kc_check_f32(c, "distance", got, want, n, 1e-2, 1e-2, n / 50);
}

void case_divide(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 20);
    int32_t *a = (int32_t *)kc_words(c, n, 0), *b = (int32_t *)kc_words(c, n, 100000);
    int32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "divide");
    cl_mem ba, bb, out = kc_buffer(c, n * sizeof *got, NULL);

    for (size_t i = 0; i < n; i++) {
        b[i] = i & 1 ? b[i] + 1 : -b[i] - 2;
        want[i] = a[i] / b[i] + a[i] % b[i];
    }
    ba = kc_buffer(c, n * sizeof *a, a);
    bb = kc_buffer(c, n * sizeof *b, b);
    kc_args(c, k, "mmmu", ba, bb, out, (cl_uint)n);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    kc_check_i32(c, "result", got, want, n);
}

void case_permute(Kc *c)
{
    size_t w = kc_pick(c, 10, 128), h = kc_pick(c, 11, 96), d = kc_pick(c, 12, 64), n = w * h * d;
    float *in = kc_floats(c, n, 0, 1), *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "permute");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmuuu", a, out, (cl_uint)w, (cl_uint)h, (cl_uint)d);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[(i % w * h + i / w % h) * d + i / (w * h)] = (double)in[i];
    kc_check_f32(c, "permuted", got, want, n, 0, 0, 0);
}

void case_crc(Kc *c)
{
    size_t n = kc_pick(c, 100, 16384), length = kc_pick(c, 33, 128);
    uint8_t *in = kc_bytes(c, n * length, 256);
    uint32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "crc");
    cl_mem a = kc_buffer(c, n * length, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmu", a, out, (cl_uint)length);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        want[i] = UINT32_MAX;
        for (size_t l = 0; l < length; l++) {
            want[i] ^= in[i * length + l];
            for (unsigned bit = 0; bit < 8; bit++)
                want[i] = want[i] >> 1 ^ (want[i] & 1 ? 0xEDB88320u : 0);
        }
        want[i] = ~want[i];
    }
    kc_check_u32(c, "crc", got, want, n);
}

void case_murmur(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 18);
    uint32_t *in = kc_words(c, n, 0), *got = kc_alloc(c, n * sizeof *got), rounds_each = 64;
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "murmur");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmu", a, out, rounds_each);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        uint32_t h = in[i];

        for (uint32_t r = 0; r < rounds_each; r++) {
            h = (h ^ h >> 16) * 0x85ebca6bu;
            h = (h ^ h >> 13) * 0xc2b2ae35u;
            h = (h ^ h >> 16) + r;
        }
        want[i] = h;
    }
    kc_check_u32(c, "hash", got, want, n);
}

void case_fir(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 20);
    float *in = kc_floats(c, n, -1, 1), *taps = kc_floats(c, 16, -1, 1);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "fir");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), t = kc_buffer(c, 64, taps);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmmu", a, t, out, (cl_uint)n);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i + 16 <= n; i++)
        for (size_t l = 0; l < 16; l++)
            want[i] += (double)in[i + l] * (double)taps[l];
    kc_check_f32(c, "sum", got, want, n - 15, 1e-5, 1e-5, 0);
}

void case_gemv(Kc *c)
{
    size_t n = kc_pick(c, 77, 1024);
    float *m = kc_floats(c, n * n, -1, 1), *x = kc_floats(c, n, -1, 1);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "gemv");
    cl_mem a = kc_buffer(c, n * n * sizeof *m, m), b = kc_buffer(c, n * sizeof *x, x);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmmu", a, b, out, (cl_uint)n);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < n; l++)
            want[i] += (double)m[i * n + l] * (double)x[l];
    kc_check_f32(c, "y", got, want, n, 1e-5, 1e-4, 0);
}

void case_dot_char4(Kc *c)
{
    size_t n = kc_pick(c, 100, 8192), quads = kc_pick(c, 9, 256);
    int8_t *x = (int8_t *)kc_bytes(c, n * quads * 4, 256);
    int8_t *y = (int8_t *)kc_bytes(c, quads * 4, 256);
    int32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "dot_char4");
    cl_mem a = kc_buffer(c, n * quads * 4, x), b = kc_buffer(c, quads * 4, y);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmmu", a, b, out, (cl_uint)quads);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t l = 0; l < quads; l++)
        for (size_t i = 0; i < n * 4; i++)
            want[i / 4] += x[l * n * 4 + i] * y[l * 4 + i % 4];
    kc_check_i32(c, "dot", got, want, n);
}

typedef struct Particle {
    float x, y, z, vx, vy, vz, mass;
    int32_t alive;
} Particle;

void case_particles(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 18);
    Particle *p = (Particle *)kc_floats(c, n * 8, -1, 1);
    float *got = kc_alloc(c, n * sizeof *p);
    double *want = kc_alloc(c, n * 6 * sizeof *want);
    cl_kernel k = kernel(c, "particles");
    cl_mem b = kc_buffer(c, n * sizeof *p, NULL);

    for (size_t i = 0; i < n; i++)
        p[i].alive = kc_random(c, 8) != 0;
    kc_args(c, k, "mfu", b, 0.01, (cl_uint)n);
    while (kc_again(c)) {
        kc_write(c, b, p, n * sizeof *p);
        kc_begin(c);
        kc_launch_1d(c, k, n, 0);
        kc_end(c);
    }
    kc_read(c, b, got, n * sizeof *p);
    for (size_t i = 0; i < n; i++) {
        double dt = p[i].alive ? 0.01 : 0, *w = want + 6 * i;
        double y = (double)p[i].y, vy = (double)p[i].vy - 9.8 * dt;

        y += vy * dt;
        if (p[i].alive && y < 0)
            y = -y, vy *= -0.5;
        w[0] = (double)p[i].x + (double)p[i].vx * dt, w[1] = y;
        w[2] = (double)p[i].z + (double)p[i].vz * dt, w[3] = (double)p[i].vx;
        w[4] = vy, w[5] = (double)p[i].vz;
        memmove(got + 6 * i, got + 8 * i, 6 * sizeof *got);
    }
    kc_check_f32(c, "particle", got, want, n * 6, 1e-5, 1e-6, n / 1000 + 2);
}

void case_hadamard(Kc *c)
{
    size_t n = kc_pick(c, 1024, 1u << 18), local = 128;
    float *in = kc_floats(c, n, -1, 1), *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "hadamard");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mml", a, out, local * sizeof *in);
    rounds(c, k, n, local);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = (double)in[i];
    for (size_t s = 1; s < local; s <<= 1)
        for (size_t i = 0; i < n; i++)
            if (!(i & s)) {
                double x = want[i], y = want[i | s];

                want[i] = x + y;
                want[i | s] = x - y;
            }
    kc_check_f32(c, "transform", got, want, n, 1e-5, 1e-4, 0);
}

void case_dct8(Kc *c)
{
    size_t n = kc_pick(c, 103, 1u << 16);
    float *in = kc_floats(c, n * 8, -1, 1), *got = kc_alloc(c, n * 8 * sizeof *got), t[64];
    double *want = kc_alloc(c, n * 8 * sizeof *want);
    cl_kernel k = kernel(c, "dct8");
    cl_mem a = kc_buffer(c, n * 8 * sizeof *in, in), b, out;

    for (int u = 0; u < 64; u++)
        t[u] = (float)cos((u % 8 + 0.5) * (u / 8) * 3.141592653589793 / 8);
    b = kc_buffer(c, sizeof t, t);
    out = kc_buffer(c, n * 8 * sizeof *got, NULL);
    kc_args(c, k, "mmm", a, b, out);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * 8 * sizeof *got);
    for (size_t i = 0; i < n; i++)
        for (size_t u = 0; u < 64; u++)
            want[i * 8 + u / 8] += (double)in[i * 8 + u % 8] * (double)t[u];
    kc_check_f32(c, "transform", got, want, n * 8, 1e-5, 1e-5, 0);
}

void case_nbody_double(Kc *c)
{
    size_t n = kc_pick(c, 100, 2048);
    double *p, *got = kc_alloc(c, n * 4 * sizeof *got), *want = kc_alloc(c, n * 4 * sizeof *want);
    cl_kernel k;
    cl_mem a, out;

    if (!kc_needs_fp64(c))
        return;
    p = kc_alloc(c, n * 4 * sizeof *p);
    for (size_t i = 0; i < n * 4; i++)
        p[i] = kc_random(c, 1u << 20) / 1048576.0;
    k = kernel(c, "nbody_double");
    a = kc_buffer(c, n * 4 * sizeof *p, p);
    out = kc_buffer(c, n * 4 * sizeof *got, NULL);
    kc_args(c, k, "mmu", a, out, (cl_uint)n);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * 4 * sizeof *got);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double x = p[4 * j] - p[4 * i], y = p[4 * j + 1] - p[4 * i + 1];
            double z = p[4 * j + 2] - p[4 * i + 2], r = x * x + y * y + z * z + 1e-3;
            double s = p[4 * j + 3] / (r * sqrt(r));

            want[4 * i] += x * s, want[4 * i + 1] += y * s, want[4 * i + 2] += z * s;
        }
    kc_check_f64(c, "force", got, want, n * 4, 1e-9, 1e-6);
}

void case_hamming(Kc *c)
{
    size_t n = kc_pick(c, 100, 8192), words = kc_pick(c, 5, 128);
    uint64_t *x = (uint64_t *)kc_words(c, n * words * 2, 0), *key;
    uint32_t *got = kc_alloc(c, n * sizeof *got), *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "hamming");
    cl_mem a = kc_buffer(c, n * words * 8, x), b, out = kc_buffer(c, n * sizeof *got, NULL);

    key = (uint64_t *)kc_words(c, words * 2, 0);
    b = kc_buffer(c, words * 8, key);
    kc_args(c, k, "mmmu", a, b, out, (cl_uint)words);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t l = 0; l < words; l++)
        for (size_t i = 0; i < n; i++)
            want[i] += (uint32_t)__builtin_popcountll(x[l * n + i] ^ key[l]);
    kc_check_u32(c, "distance", got, want, n);
}

void case_brighten(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 20);
    uint8_t *in = kc_bytes(c, n * 4, 256), *got = kc_alloc(c, n * 4), *want = kc_alloc(c, n * 4);
    uint8_t by = 77;
    cl_kernel k = kernel(c, "brighten");
    cl_mem a = kc_buffer(c, n * 4, in), out = kc_buffer(c, n * 4, NULL);

    kc_args(c, k, "mmv", a, out, (size_t)1, &by);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * 4);
    for (size_t i = 0; i < n * 4; i++)
        want[i] = (uint8_t)(in[i] + by > 255 ? 255 : in[i] + by);
    kc_check_u8(c, "pixel", got, want, n * 4);
}

void case_heat(Kc *c)
{
    size_t n = kc_pick(c, 17, 96), all = n * n * n, size[3] = {n, n, n};
    float *in = kc_floats(c, all, 0, 1), *got = kc_alloc(c, all * sizeof *got);
    double *want = kc_alloc(c, all * sizeof *want);
    cl_kernel k = kernel(c, "heat");
    cl_mem a = kc_buffer(c, all * sizeof *in, in), out = kc_buffer(c, all * sizeof *got, in);

    kc_args(c, k, "mmi", a, out, (cl_int)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch(c, k, 3, NULL, size, NULL);
        kc_end(c);
    }
    kc_read(c, out, got, all * sizeof *got);
    for (size_t i = 0; i < all; i++) {
        size_t x = i % n, y = i / n % n, z = i / n / n;

        want[i] = (double)in[i];
        if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
            continue;
        want[i] +=
            0.1 * ((double)in[i - 1] + (double)in[i + 1] + (double)in[i - n] + (double)in[i + n] +
                   (double)in[i - n * n] + (double)in[i + n * n] - 6 * (double)in[i]);
    }
    kc_check_f32(c, "heat", got, want, all, 1e-5, 1e-6, 0);
}

void case_machine(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 16), length = 256;
    uint8_t *code = kc_bytes(c, length, 8);
    uint32_t *in = kc_words(c, n, 0), *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kernel(c, "machine");
    cl_mem p = kc_buffer(c, length, code), a = kc_buffer(c, n * sizeof *in, in);
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmmu", p, a, out, (cl_uint)length);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++) {
        uint32_t acc = in[i], b = (uint32_t)i;

        for (size_t pc = 0; pc < length; pc++)
            switch (code[pc] & 7) {
            case 0: acc += b; break;
            case 1: acc ^= b << 3; break;
            case 2: b = acc >> 5; break;
            case 3: acc *= 2654435761u; break;
            case 4: b += 7; break;
            case 5: acc = acc << 11 | acc >> 21; break;
            case 6: acc -= b; break;
            default: b ^= acc; break;
            }
        want[i] = acc ^ b;
    }
    kc_check_u32(c, "state", got, want, n);
}

void case_complex_product(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 20);
    float *a = kc_floats(c, n * 2, -1, 1), *b = kc_floats(c, n * 2, -1, 1);
    float *got = kc_alloc(c, n * 2 * sizeof *got);
    double *want = kc_alloc(c, n * 2 * sizeof *want);
    cl_kernel k = kernel(c, "complex_product");
    cl_mem ba = kc_buffer(c, n * 8, a), bb = kc_buffer(c, n * 8, b),
           out = kc_buffer(c, n * 8, NULL);

    kc_args(c, k, "mmm", ba, bb, out);
    rounds(c, k, n, 0);
    kc_read(c, out, got, n * 8);
    for (size_t i = 0; i < n; i++) {
        double xr = (double)a[2 * i], xi = (double)a[2 * i + 1];
        double yr = (double)b[2 * i], yi = (double)b[2 * i + 1];

        want[2 * i] = xr * yr - xi * yi;
        want[2 * i + 1] = xr * yi + xi * yr;
    }
    kc_check_f32(c, "product", got, want, n * 2, 1e-5, 1e-6, 0);
}

void case_columns(Kc *c)
{
    size_t rows = kc_pick(c, 33, 512), w = kc_pick(c, 77, 2048);
    float *in = kc_floats(c, rows * w, -1, 1), *got = kc_alloc(c, w * sizeof *got);
    double *want = kc_alloc(c, w * sizeof *want);
    cl_kernel k = kernel(c, "columns");
    cl_mem a = kc_buffer(c, rows * w * sizeof *in, in), out = kc_buffer(c, w * sizeof *got, NULL);

    kc_args(c, k, "mmuu", a, out, (cl_uint)rows, (cl_uint)w);
    rounds(c, k, w, 0);
    kc_read(c, out, got, w * sizeof *got);
    for (size_t x = 0; x < w; x++) {
        double sum = 0, most = -2;

        for (size_t y = 0; y < rows; y++) {
            sum += (double)in[y * w + x];
            most = fmax(most, (double)in[y * w + x]);
        }
        want[x] = sum / (double)rows + most;
    }
    kc_check_f32(c, "column", got, want, w, 1e-5, 1e-5, 0);
}

void case_softmax(Kc *c)
{
    size_t rows = kc_pick(c, 5, 256), w = kc_pick(c, 333, 1000), local = 64;
    float *in = kc_floats(c, rows * w, -5, 5), *got = kc_alloc(c, rows * w * sizeof *got);
    double *want = kc_alloc(c, rows * w * sizeof *want);
    cl_kernel k = kernel(c, "softmax");
    cl_mem a = kc_buffer(c, rows * w * sizeof *in, in);
    cl_mem out = kc_buffer(c, rows * w * sizeof *got, NULL);

    kc_args(c, k, "mmul", a, out, (cl_uint)w, local * sizeof *in);
    rounds(c, k, rows * local, local);
    kc_read(c, out, got, rows * w * sizeof *got);
    for (size_t y = 0; y < rows; y++) {
        double sum = 0;

        for (size_t x = 0; x < w; x++)
            sum += exp((double)in[y * w + x]);
        for (size_t x = 0; x < w; x++)
            want[y * w + x] = exp((double)in[y * w + x]) / sum;
    }
    kc_check_f32(c, "share", got, want, rows * w, 1e-4, 1e-8, 0);
}

/* ---- groups.cl --------------------------------------------------------------------------------
 */

static cl_kernel group_kernel(Kc *c, const char *name)
{
    kc_program(c, "groups");
    return kc_kernel(c, name);
}

void case_group_sum(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 20), local = 128, groups = kc_ceil_div(n, local);
    int32_t *in = (int32_t *)kc_words(c, n, 1000), *got = kc_alloc(c, groups * sizeof *got);
    int32_t *want = kc_alloc(c, groups * sizeof *want);
    cl_kernel k = group_kernel(c, "group_sum");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, groups * sizeof *got, NULL);

    kc_args(c, k, "mmu", a, out, (cl_uint)n);
    rounds(c, k, groups * local, local);
    kc_read(c, out, got, groups * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i / local] += in[i];
    kc_check_i32(c, "sum", got, want, groups);
}

void case_group_scan(Kc *c)
{
    size_t n = kc_pick(c, 1003, 1u << 20), local = 128;
    int32_t *in = (int32_t *)kc_words(c, n, 1000), *got = kc_alloc(c, n * sizeof *got), sum = 0;
    int32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = group_kernel(c, "group_scan");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mmu", a, out, (cl_uint)n);
    rounds(c, k, kc_ceil_div(n, local) * local, local);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = sum = i % local == 0 ? 0 : sum + in[i];
    kc_check_i32(c, "scan", got, want, n);
}

void case_pointers(Kc *c)
{
    size_t local = 64, n = kc_pick(c, 3, 512) * local;
    int32_t *in = (int32_t *)kc_words(c, n, 1000), *got = kc_alloc(c, n * sizeof *got);
    int32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = group_kernel(c, "pointers");
    cl_mem a = kc_buffer(c, n * sizeof *in, in), out = kc_buffer(c, n * sizeof *got, NULL);

    kc_args(c, k, "mml", a, out, local * sizeof *in);
    rounds(c, k, n, local);
    kc_read(c, out, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < local; l++)
            want[i] += in[i / local * local + l] ^ (int32_t)l;
    kc_check_i32(c, "sum", got, want, n);
}
