/* tests/kernels/halfstore.c -- floats of all magnitudes to half and back: overflow, denormal
 * results, ties, infinities. NaNs are compared as NaNs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>
#include <string.h>

typedef enum { NEAREST, TO_ZERO, UP, DOWN, MODES } Mode;

/* `value` rounded to a whole number. */
static double rounded(double value, Mode mode)
{
    switch (mode) {
    case TO_ZERO: return trunc(value);
    case UP: return ceil(value);
    case DOWN: return floor(value);
    default: return nearbyint(value);
    }
}

static uint16_t to_half(float value, Mode mode)
{
    double v = (double)value;
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double unit; /* of the last place */
    int exponent;
    double whole;

    if (isnan(value))
        return 0x7E00;
    if (isinf(value))
        return sign | 0x7C00;
    if (v == 0)
        return sign;
    frexp(v, &exponent);
    unit = ldexp(1, (exponent < -13 ? -13 : exponent) - 11);
    whole = fabs(rounded(v / unit, mode)) * unit;
    if (whole > 65504) {
        bool stays = mode == TO_ZERO || (mode == UP && v < 0) || (mode == DOWN && v > 0);

        return sign | (stays ? 0x7BFF : 0x7C00);
    }
    if (whole < ldexp(1, -14))
        return sign | (uint16_t)ldexp(whole, 24);
    frexp(whole, &exponent);
    return sign | (uint16_t)((unsigned)(exponent + 14) << 10) |
           (uint16_t)((unsigned)ldexp(whole, 11 - exponent) & 0x3FF);
}

static float from_half(uint16_t h)
{
    int exponent = h >> 10 & 31;
    double fraction = h & 0x3FF;
    double v = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);

    if (exponent == 31)
        v = (h & 0x3FF) != 0 ? (double)NAN : (double)INFINITY;
    return (float)(h & 0x8000 ? -v : v);
}

/* Bit patterns: random ones around the range of half, and the notable values. */
static float *make_inputs(Kc *c, size_t n)
{
    static const uint32_t notable[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                       0x477FEFFF, 0x477FF000, 0x33000000, 0x33000001, 0x32FFFFFF,
                                       0xB3000000, 0x38800000, 0x387FFFFF, 0x00000001, 0x80000001};
    float *in = kc_alloc(c, n * sizeof *in);

    for (size_t i = 0; i < n; i++) {
        uint32_t exponent = kc_random(c, 8) == 0 ? kc_random(c, 256) : 98 + kc_random(c, 50);
        uint32_t bits = kc_random(c, 2) << 31 | exponent << 23 | kc_random(c, 1 << 23);

        if (kc_random(c, 4) == 0)
            bits &= 0xFFFFF000; /* ties and exact values */
        if (i < sizeof notable / sizeof notable[0])
            bits = notable[i];
        memcpy(in + i, &bits, sizeof bits);
    }
    return in;
}

static void check_halves(Kc *c, const float *in, size_t n, Mode mode, cl_mem buffer)
{
    static const char *const names[MODES] = {"to nearest", "to zero", "up", "down"};
    uint16_t *got = kc_alloc(c, n * sizeof *got);
    size_t wrong = n;

    kc_read(c, buffer, got, n * sizeof *got);
    for (size_t i = 0; i < n && wrong == n; i++) {
        if (isnan(in[i]) ? (got[i] & 0x7FFF) <= 0x7C00 : got[i] != to_half(in[i], mode))
            wrong = i;
    }
    if (wrong < n)
        kc_expect(c, false, "half %s: first mismatch at %zu of %zu, %a: got 0x%04x, want 0x%04x",
                  names[mode], wrong, n, (double)in[wrong], got[wrong], to_half(in[wrong], mode));
    kc_expect(c, true, "-");
}

void case_halfstore(Kc *c)
{
    size_t n = kc_pick(c, 4001, 500009);
    float *in = make_inputs(c, n);
    uint16_t *halves = kc_alloc(c, n * sizeof *halves);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel store = kc_kernel(c, "half_store");
    cl_kernel load = kc_kernel(c, "half_load");
    cl_mem b = kc_buffer(c, n * sizeof *in, in);
    cl_mem out[MODES];
    cl_mem again = kc_buffer(c, n * sizeof *in, NULL);
    cl_mem source;

    for (size_t i = 0; i < n; i++)
        halves[i] = (uint16_t)i;
    source = kc_buffer(c, n * sizeof *halves, halves);
    for (int m = 0; m < MODES; m++)
        out[m] = kc_buffer(c, n * sizeof *halves, NULL);
    kc_args(c, store, "mmmmmu", b, out[NEAREST], out[TO_ZERO], out[UP], out[DOWN], (cl_uint)n);
    kc_args(c, load, "mmu", source, again, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, store, n, 64);
        kc_launch_1d(c, load, kc_ceil_div(n, 4), 50);
        kc_end(c);
    }
    for (int m = 0; m < MODES; m++)
        check_halves(c, in, n, (Mode)m, out[m]);
    kc_read(c, again, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = (double)from_half(halves[i]);
    kc_check_f32(c, "float of half", got, want, n, 0, 0, 0);
}
