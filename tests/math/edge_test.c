/* tests/math/edge_test.c -- the edge cases that OpenCL C and C99 annex F prescribe, one row each.
 *
 * "Those values shall produce exactly the prescribed answers, and no other." Every row is tried in
 * all three types and every instruction set, alone and among other lanes.
 *
 * Spec: OpenCL C, "Additional Requirements Beyond C99 TC2", "Changes to C99 TC2 Behavior".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"
#include "rt/math/math.h"

#define INF   ((double)INFINITY)
#define QNAN  ((double)NAN)
#define LANES 17

typedef struct Row {
    HdMathFn fn;
    double x, y;
    double want;
} Row;

#define R1(fn, x, want)    {HD_MATH_##fn, x, 0.0, want},
#define R2(fn, x, y, want) {HD_MATH_##fn, x, y, want},
/* An odd function: both signs. */
#define RS(fn, x, want) R1(fn, x, want) R1(fn, -(x), -(want))
/* Both signs of the second operand, same result. */
#define RB(fn, x, y, want) R2(fn, x, y, want) R2(fn, x, -(y), want)

static const Row rows[] = {
    /* clang-format off */
    R1(acospi, 1.0, 0.0) R1(acospi, 2.0, QNAN) R1(acospi, -1.5, QNAN) R1(acospi, -1.0, 1.0)
    RS(asinpi, 0.0, 0.0) RS(asinpi, 1.0, 0.5) R1(asinpi, 1.25, QNAN)
    RS(atanpi, 0.0, 0.0) RS(atanpi, INF, 0.5) RS(atanpi, 1.0, 0.25)
    R2(atan2pi, 0.0, -0.0, 1.0) R2(atan2pi, -0.0, -0.0, -1.0)
    R2(atan2pi, 0.0, 0.0, 0.0) R2(atan2pi, -0.0, 0.0, -0.0)
    R2(atan2pi, 0.0, -3.0, 1.0) R2(atan2pi, -0.0, -3.0, -1.0)
    R2(atan2pi, 0.0, 3.0, 0.0) R2(atan2pi, -0.0, 3.0, -0.0)
    RB(atan2pi, -2.0, 0.0, -0.5) RB(atan2pi, 2.0, 0.0, 0.5)
    R2(atan2pi, 2.0, -INF, 1.0) R2(atan2pi, -2.0, -INF, -1.0)
    R2(atan2pi, 2.0, INF, 0.0) R2(atan2pi, -2.0, INF, -0.0)
    RB(atan2pi, INF, 5.0, 0.5) RB(atan2pi, -INF, 5.0, -0.5)
    R2(atan2pi, INF, -INF, 0.75) R2(atan2pi, -INF, -INF, -0.75)
    R2(atan2pi, INF, INF, 0.25) R2(atan2pi, -INF, INF, -0.25)
    R2(atan2, 0.0, 0.0, 0.0) R2(atan2, -0.0, 0.0, -0.0) R2(atan2, QNAN, 1.0, QNAN)
    R2(atan2, 1.0, QNAN, QNAN) R2(atan2, 0.0, QNAN, QNAN)
    R1(ceil, -0.3, -0.0) R1(ceil, INF, INF) RS(ceil, 0.0, 0.0) R1(floor, -0.0, -0.0)
    R1(cospi, 0.0, 1.0) R1(cospi, -0.0, 1.0) R1(cospi, 0.5, 0.0) R1(cospi, -0.5, 0.0)
    R1(cospi, 1.5, 0.0) R1(cospi, -1.5, 0.0) R1(cospi, 2.5, 0.0) R1(cospi, 100.5, 0.0)
    R1(cospi, 1.0, -1.0) R1(cospi, 1000.0, 1.0) R1(cospi, INF, QNAN) R1(cospi, -INF, QNAN)
    R1(exp10, -INF, 0.0) R1(exp10, INF, INF) R1(exp10, 0.0, 1.0)
    R1(exp, -INF, 0.0) R1(exp, INF, INF) R1(exp, -0.0, 1.0) R1(exp2, 10.0, 1024.0)
    R1(exp2, -INF, 0.0) RS(expm1, 0.0, 0.0) R1(expm1, -INF, -1.0) R1(expm1, INF, INF)
    R2(fdim, 1.0, QNAN, QNAN) R2(fdim, QNAN, 1.0, QNAN) R2(fdim, INF, INF, 0.0)
    R2(fdim, -INF, 3.0, 0.0) R2(fdim, 3.0, -INF, INF)
    R2(fmod, 0.0, QNAN, QNAN) R2(fmod, -0.0, 3.0, -0.0) R2(fmod, 3.0, 0.0, QNAN)
    R2(fmod, INF, 3.0, QNAN) R2(fmod, 3.0, INF, 3.0) R2(fmod, -7.0, 4.0, -3.0)
    RS(frexp_mant, INF, INF) R1(frexp_exp, INF, 0.0) R1(frexp_exp, QNAN, 0.0)
    R1(frexp_mant, QNAN, QNAN) RS(frexp_mant, 0.0, 0.0) R1(frexp_exp, 0.0, 0.0)
    R1(frexp_mant, 8.0, 0.5) R1(frexp_exp, 8.0, 4.0) R1(frexp_exp, 0x1p-20, -19.0)
    R1(fract_value, 0.0, 0.0) R1(fract_value, -0.0, -0.0) R1(fract_int, 0.0, 0.0)
    R1(fract_int, -0.0, -0.0) R1(fract_value, INF, 0.0) R1(fract_value, -INF, -0.0)
    R1(fract_int, INF, INF) R1(fract_int, -INF, -INF) R1(fract_value, QNAN, QNAN)
    R1(fract_int, QNAN, QNAN) R1(fract_value, -1.25, 0.75) R1(fract_int, -1.25, -2.0)
    R1(fract_value, -2.0, 0.0)
    R2(fmax, QNAN, 2.0, 2.0) R2(fmax, 2.0, QNAN, 2.0) R2(fmax, QNAN, QNAN, QNAN)
    R2(fmin, QNAN, 2.0, 2.0) R2(fmin, 2.0, QNAN, 2.0) R2(fmin, QNAN, QNAN, QNAN)
    R2(fmax, -INF, 2.0, 2.0) R2(fmin, INF, 2.0, 2.0)
    R2(hypot, INF, QNAN, INF) R2(hypot, QNAN, -INF, INF) R2(hypot, 3.0, 4.0, 5.0)
    R2(hypot, -0.0, -0.0, 0.0) R2(hypot, QNAN, 1.0, QNAN)
    R1(ilogb, 0.0, -2147483648.0) R1(ilogb, QNAN, 2147483647.0) R1(ilogb, INF, 2147483647.0)
    R1(ilogb, 0x1p-20, -20.0) R1(logb, 0.0, -INF) R1(logb, -INF, INF) R1(logb, 10.0, 3.0)
    R1(logb, QNAN, QNAN)
    R2(ldexp, 1.0, 2147483647.0, INF) R2(ldexp, -1.0, -2147483648.0, -0.0)
    R2(ldexp, 0.0, 2147483647.0, 0.0) R2(ldexp, INF, -2147483648.0, INF) R2(ldexp, 3.0, 2.0, 12.0)
    R1(lgamma, 1.0, 0.0) R1(lgamma, 2.0, 0.0) R1(lgamma, 0.0, INF) R1(lgamma, -3.0, INF)
    R1(lgamma, -INF, INF) R1(lgamma, INF, INF) R1(lgamma, QNAN, QNAN)
    R1(lgamma_sign, 0.0, 0.0) R1(lgamma_sign, -0.0, 0.0) R1(lgamma_sign, -3.0, 0.0)
    R1(lgamma_sign, -0.5, -1.0) R1(lgamma_sign, -1.5, 1.0) R1(lgamma_sign, 2.5, 1.0)
    R1(log, 0.0, -INF) R1(log, -0.0, -INF) R1(log, 1.0, 0.0) R1(log, -1.0, QNAN)
    R1(log, INF, INF) R1(log2, 8.0, 3.0) R1(log2, 0x1p-14, -14.0) R1(log10, 1000.0, 3.0)
    R1(log2, -0.0, -INF) R1(log10, -0.0, -INF) R1(log2, -INF, QNAN)
    RS(log1p, 0.0, 0.0) R1(log1p, -1.0, -INF) R1(log1p, -2.0, QNAN) R1(log1p, INF, INF)
    R2(maxmag, -3.0, 2.0, -3.0) R2(minmag, -3.0, 2.0, 2.0) R2(maxmag, -3.0, 3.0, 3.0)
    R2(minmag, -3.0, 3.0, -3.0) R2(maxmag, QNAN, 1.0, 1.0) R2(minmag, 1.0, QNAN, 1.0)
    RS(modf_frac, INF, 0.0) RS(modf_int, INF, INF) RS(modf_frac, 2.5, 0.5) RS(modf_int, 2.5, 2.0)
    RS(modf_frac, 2.0, 0.0) RS(modf_int, 0.25, 0.0) R1(modf_frac, QNAN, QNAN)
    R2(nextafter, 1.0, QNAN, QNAN) R2(nextafter, INF, INF, INF)
    R2(nextafter, -0.0, 0.0, 0.0) R2(nextafter, 0.0, -0.0, -0.0)
    R2(pow, 0.0, -INF, INF) R2(pow, -0.0, -INF, INF) R2(pow, -1.0, INF, 1.0)
    R2(pow, -1.0, -INF, 1.0) R2(pow, 1.0, QNAN, 1.0) R2(pow, QNAN, 0.0, 1.0)
    R2(pow, QNAN, -0.0, 1.0) R2(pow, -2.0, 0.5, QNAN) R2(pow, -2.0, 3.0, -8.0)
    R2(pow, -0.0, -3.0, -INF) R2(pow, -0.0, -2.0, INF) R2(pow, -0.0, 3.0, -0.0)
    R2(pow, -0.0, 2.0, 0.0) R2(pow, 0.5, -INF, INF) R2(pow, 2.0, -INF, 0.0)
    R2(pow, 0.5, INF, 0.0) R2(pow, 2.0, INF, INF) R2(pow, -INF, -3.0, -0.0)
    R2(pow, -INF, -2.0, 0.0) R2(pow, -INF, 3.0, -INF) R2(pow, -INF, 2.0, INF)
    R2(pow, INF, -1.0, 0.0) R2(pow, INF, 0.5, INF) R2(pow, -INF, 0.5, INF)
    R2(pown, 0.0, 0.0, 1.0) R2(pown, QNAN, 0.0, 1.0) R2(pown, -INF, 0.0, 1.0)
    R2(pown, 0.0, -3.0, INF) R2(pown, -0.0, -3.0, -INF) R2(pown, -0.0, -2.0, INF)
    R2(pown, 0.0, -2.0, INF) R2(pown, -0.0, 2.0, 0.0) R2(pown, -0.0, 3.0, -0.0)
    R2(pown, -2.0, 5.0, -32.0) R2(pown, -1.0, 2147483647.0, -1.0)
    R2(pown, -1.0, -2147483648.0, 1.0) R2(pown, QNAN, 1.0, QNAN)
    R2(powr, 5.0, 0.0, 1.0) R2(powr, 5.0, -0.0, 1.0) R2(powr, 0.0, -1.5, INF)
    R2(powr, -0.0, -1.5, INF) R2(powr, 0.0, -INF, INF) R2(powr, -0.0, -INF, INF)
    R2(powr, 0.0, 1.5, 0.0) R2(powr, -0.0, 1.0, 0.0) R2(powr, 1.0, 77.0, 1.0)
    R2(powr, -2.0, 2.0, QNAN) RB(powr, 0.0, 0.0, QNAN) RB(powr, -0.0, 0.0, QNAN)
    RB(powr, INF, 0.0, QNAN) RB(powr, 1.0, INF, QNAN) R2(powr, 2.0, QNAN, QNAN)
    R2(powr, QNAN, 0.0, QNAN) R2(powr, 1.0, QNAN, QNAN) R2(powr, -INF, 1.0, QNAN)
    RS(rint, 0.0, 0.0) R1(rint, -0.5, -0.0) R1(rint, -0.25, -0.0) R1(rint, 2.5, 2.0)
    R1(rint, 3.5, 4.0) R1(round, -0.25, -0.0) R1(round, 2.5, 3.0) R1(round, -2.5, -3.0)
    R2(remainder, INF, 2.0, QNAN) R2(remainder, 2.0, 0.0, QNAN) R2(remainder, 2.0, INF, 2.0)
    R2(remainder, -4.0, 2.0, -0.0) R2(remainder, 5.0, 2.0, 1.0) R2(remainder, 3.0, 2.0, -1.0)
    R2(remquo_rem, INF, 2.0, QNAN) R2(remquo_quo, INF, 2.0, 0.0) R2(remquo_rem, 2.0, 0.0, QNAN)
    R2(remquo_quo, 2.0, 0.0, 0.0) R2(remquo_rem, QNAN, 2.0, QNAN) R2(remquo_quo, QNAN, 2.0, 0.0)
    R2(remquo_quo, 2.0, QNAN, 0.0) R2(remquo_quo, -255.0, 2.0, -0.0)
    R2(remquo_quo, 251.0, 2.0, 126.0) R2(remquo_quo, 1000.0, -3.0, -77.0)
    R2(remquo_rem, -4.0, 2.0, -0.0) R2(remquo_quo, 2.0, INF, 0.0)
    R2(rootn, 0.0, -3.0, INF) R2(rootn, -0.0, -3.0, -INF) R2(rootn, -0.0, -2.0, INF)
    R2(rootn, 0.0, -2.0, INF) R2(rootn, -0.0, 2.0, 0.0) R2(rootn, 0.0, 2.0, 0.0)
    R2(rootn, -0.0, 3.0, -0.0) R2(rootn, 0.0, 3.0, 0.0) R2(rootn, -4.0, 2.0, QNAN)
    R2(rootn, 4.0, 0.0, QNAN) R2(rootn, -8.0, 3.0, -2.0) R2(rootn, 0.0, 0.0, QNAN)
    R2(rootn, -INF, 3.0, -INF) R2(rootn, -INF, -3.0, -0.0) R2(rootn, QNAN, 3.0, QNAN)
    R1(rsqrt, 0.0, INF) R1(rsqrt, -0.0, -INF) R1(rsqrt, INF, 0.0) R1(rsqrt, -1.0, QNAN)
    R1(sign, QNAN, 0.0) RS(sign, 0.0, 0.0) RS(sign, INF, 1.0) RS(sign, 0x1p-20, 1.0)
    RS(sin, 0.0, 0.0) R1(sin, INF, QNAN) R1(cos, -INF, QNAN) R1(cos, 0.0, 1.0) RS(tan, 0.0, 0.0)
    RS(sinpi, 0.0, 0.0) RS(sinpi, 1.0, 0.0) RS(sinpi, 2.0, 0.0) RS(sinpi, 1024.0, 0.0)
    RS(sinpi, 0.5, 1.0) RS(sinpi, 1.5, -1.0) R1(sinpi, INF, QNAN)
    RS(sinh, 0.0, 0.0) RS(sinh, INF, INF) R1(cosh, -INF, INF) R1(cosh, 0.0, 1.0)
    RS(tanh, 0.0, 0.0) RS(tanh, INF, 1.0) RS(asinh, 0.0, 0.0) RS(asinh, INF, INF)
    R1(acosh, 1.0, 0.0) R1(acosh, 0.5, QNAN) R1(acosh, INF, INF) R1(acosh, -INF, QNAN)
    RS(atanh, 0.0, 0.0) RS(atanh, 1.0, INF) R1(atanh, 2.0, QNAN) R1(acos, 1.0, 0.0)
    R1(acos, 2.0, QNAN) RS(asin, 0.0, 0.0) RS(atan, 0.0, 0.0) RS(cbrt, 0.0, 0.0)
    RS(cbrt, INF, INF) RS(cbrt, 27.0, 3.0) RS(erf, 0.0, 0.0) RS(erf, INF, 1.0)
    R1(erfc, -INF, 2.0) R1(erfc, INF, 0.0) R1(erfc, 0.0, 1.0)
    R1(sqrt, -0.0, -0.0) R1(sqrt, -1.0, QNAN) R1(sqrt, INF, INF)
    R2(step, 1.0, 1.0, 1.0) R2(step, 1.0, 0.5, 0.0)
    RS(tanpi, 0.0, 0.0) R1(tanpi, INF, QNAN) R1(tanpi, 2.0, 0.0) R1(tanpi, -2.0, -0.0)
    R1(tanpi, 1.0, -0.0) R1(tanpi, -1.0, 0.0) R1(tanpi, 3.0, -0.0) R1(tanpi, 0.5, INF)
    R1(tanpi, 2.5, INF) R1(tanpi, -1.5, INF) R1(tanpi, 1.5, -INF) R1(tanpi, -0.5, -INF)
    RS(tgamma, 0.0, INF) R1(tgamma, -2.0, QNAN) R1(tgamma, INF, INF) R1(tgamma, -INF, QNAN)
    R1(tgamma, 5.0, 24.0) R1(trunc, -0.7, -0.0)
    /* clang-format on */
};

/* Values that every lane beside the tested one holds: none may disturb another. */
static double other_lane(unsigned i)
{
    return 0.5 + 0.01 * (double)i;
}

static void put(unsigned bits, void *p, unsigned i, double v)
{
    if (bits == 16)
        ((uint16_t *)p)[i] = hd_half_round(v, HD_ROUND_RTE);
    else if (bits == 32)
        ((float *)p)[i] = (float)v;
    else
        ((double *)p)[i] = v;
}

static double get(unsigned bits, const void *p, unsigned i)
{
    return bits == 16   ? (double)hd_half_widen(((const uint16_t *)p)[i])
           : bits == 32 ? (double)((const float *)p)[i]
                        : ((const double *)p)[i];
}

static bool same(double x, double y)
{
    return (x != x && y != y) || (x == y && (signbit(x) != 0) == (signbit(y) != 0));
}

/* Try a row in one lane of n. */
static bool try_row(const Row *row, unsigned bits, HdMathLanesFn *f, unsigned n, unsigned lane,
                    double *got)
{
    _Alignas(64) unsigned char x[LANES * 8], y[LANES * 8], r[LANES * 8];
    HdMathForm form = hd_rt_math_form((unsigned)row->fn);

    memset(y, 0, sizeof y);
    for (unsigned i = 0; i < n; i++) {
        put(bits, x, i, i == lane ? row->x : other_lane(i));
        if (form == HD_MATH_FORM_F_FI)
            ((int32_t *)(void *)y)[i] = i == lane ? (int32_t)row->y : 2;
        else
            put(bits, y, i, i == lane ? row->y : other_lane(i));
    }
    f(r, x, y, NULL, n);
    if (form == HD_MATH_FORM_I_F || form == HD_MATH_FORM_I_FF) {
        *got = (double)((const int32_t *)(const void *)r)[lane];
        return *got == row->want;
    }
    *got = get(bits, r, lane);
    return same(*got, row->want);
}

/* Whole powers of whole numbers that a double holds come out as they are, and so do their roots:
 * programs compare them. Returns how many do not. */
static unsigned wrong_powers(HdMathFn fn, HdMathIsa isa)
{
    HdMathLanesFn *f = hd_rt_math_fn_isa((unsigned)fn, 64, isa);
    unsigned wrong = 0;

    for (int e = 1; f != NULL && e < 53; e++)
        for (double b = 2.0; b < 3000.0 && pow(b, e) <= 0x1p53; b++) {
            bool root = fn == HD_MATH_rootn;
            double power = pow(b, e),
                   got; /* the C library's is exact where there is nothing to round */
            Row row = {fn, root ? power : b, e, root ? b : power};

            wrong += !try_row(&row, 64, f, 1, 0, &got);
        }
    return wrong;
}

int main(void)
{
    static const HdMathFn powers[] = {HD_MATH_pow, HD_MATH_powr, HD_MATH_pown, HD_MATH_rootn};
    unsigned passed = 0, failed = 0;

    for (size_t k = 0; k < sizeof powers / sizeof powers[0]; k++)
        /* Not the interpreter's roots, which a second step corrects. */
        for (unsigned isa = powers[k] == HD_MATH_rootn; isa < HD_MATH_ISA_COUNT; isa++) {
            unsigned wrong = wrong_powers(powers[k], (HdMathIsa)isa);

            passed += wrong == 0;
            failed += wrong != 0;
            if (wrong != 0)
                printf("FAIL %s_f64 isa %u: %u of the powers that a double holds are off\n",
                       hd_rt_math_name((unsigned)powers[k]), isa, wrong);
        }

    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (unsigned bits = 16; bits <= 64; bits *= 2)
            for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
                HdMathLanesFn *f = hd_rt_math_fn_isa((unsigned)rows[k].fn, bits, (HdMathIsa)isa);
                double got;
                bool good;

                if (f == NULL)
                    continue;
                good = try_row(&rows[k], bits, f, 1, 0, &got) &&
                       try_row(&rows[k], bits, f, 16, 5, &got) &&
                       try_row(&rows[k], bits, f, 17, 16, &got);
                passed += good;
                failed += !good;
                if (!good)
                    printf("FAIL %s_f%u isa %u: (%g, %g) gives %a, not %a\n",
                           hd_rt_math_name((unsigned)rows[k].fn), bits, isa, rows[k].x, rows[k].y,
                           got, rows[k].want);
            }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
