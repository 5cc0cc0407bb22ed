/* tests/math/relaxed_test.c -- what -cl-unsafe-math-optimizations, and with it
 * -cl-fast-relaxed-math, leave of the error limits, and those of the half_ functions, against MPFR.
 *
 *   relaxed_test [--rounds N] [-v] [NAME]
 *
 * Each row of the specification's table of relaxed limits is tried in the domain that it gives;
 * what the table does not have, and everything of half and double, keeps the limits of the full
 * profile. Operands and results are finite, and denormals may be zero: that much these options
 * permit.
 *
 * Spec: OpenCL SPIR-V Environment, "ULP Values for Math Instructions - Unsafe Math Optimizations
 * Enabled"; for half_ functions "ULP Values for Math Instructions - Full Profile".
 *
 * SPDX-License-Identifier: MIT
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "math_kernel.h"
#include "math_ref.h"

#define ITEMS 2048u

static MathCounts counts;
static const char *only; /* a row's name; NULL: all */
static unsigned rounds = 1;
static bool verbose;

/* ---- rows ---- */

typedef enum Kind {
    ULP,       /* at most `limit` units in the last place */
    ABSOLUTE,  /* at most `limit` */
    EXPONENT,  /* at most 3 + floor(|2 x|) units */
    LOGARITHM, /* at most 2^-21 in [0.5, 2], else 3 units */
    FUSED      /* rounded once, or twice: behind the product, too */
} Kind;

typedef enum Domain {
    ANY,
    UP_TO,    /* |x| <= limit */
    POSITIVE, /* x > 0 */
    POWER,    /* x != 0; x > 0, or y a whole number of at most 24 bits */
    WHOLE,    /* x != 0 */
    ROOT,     /* x > 0 and y not 0, or x < 0 and y odd */
    QUOTIENT  /* |x| and |y| from 2^-limit to 2^limit */
} Domain;

typedef struct Row {
    MathRow row;
    unsigned fn; /* of math.def, what the result should be near */
    Kind kind;
    double limit;
    Domain domain;
    double reach;
} Row;

#define F_F  .form = HD_MATH_FORM_F_F
#define F_FF .form = HD_MATH_FORM_F_FF
#define F_FI .form = HD_MATH_FORM_F_FI
#define ONE(name, ...)                                           \
    {                                                            \
        {.instruction = #name, F_F}, HD_MATH_##name, __VA_ARGS__ \
    }
#define TWO(name, ...)                                            \
    {                                                             \
        {.instruction = #name, F_FF}, HD_MATH_##name, __VA_ARGS__ \
    }
#define POWER_OF(name, d)                                             \
    {                                                                 \
        {.instruction = #name, F_FI}, HD_MATH_##name, ULP, 8192, d, 0 \
    }
#define PI 3.14159274101257324 /* as a float */

static const Row relaxed[] = {
    {{.instruction = "1/x", F_F, .body = "%r0 = OpFDiv %f %one %xa0\n"},
     HD_MATH_div,
     ULP,
     2.5,
     QUOTIENT,
     126},
    {{.instruction = "x/y", F_FF, .body = "%r0 = OpFDiv %f %xa0 %xb0\n"},
     HD_MATH_div,
     ULP,
     2.5,
     QUOTIENT,
     62},
    {{.instruction = "x*y+z",
      .form = HD_MATH_FORM_F_FFF,
      .body = "%m = OpFMul %f %xa0 %xb0\n%r0 = OpFAdd %f %m %xc0\n"},
     HD_MATH_mad,
     FUSED,
     HD_MATH_ULP_ROUNDED,
     ANY,
     0},
    ONE(acos, ULP, 4096, ANY, 0),
    ONE(acosh, ULP, 8192, ANY, 0),
    ONE(acospi, ULP, 8192, ANY, 0),
    ONE(asin, ULP, 4096, ANY, 0),
    ONE(asinh, ULP, 8192, ANY, 0),
    ONE(asinpi, ULP, 8192, ANY, 0),
    ONE(atan, ULP, 4096, ANY, 0),
    ONE(atanh, ULP, 8192, UP_TO, 0x1.fffffep-1),
    ONE(atanpi, ULP, 8192, ANY, 0),
    TWO(atan2, ULP, 8192, ANY, 0),
    TWO(atan2pi, ULP, 8192, ANY, 0),
    ONE(cbrt, ULP, 8192, ANY, 0),
    ONE(cos, ABSOLUTE, 0x1p-11, UP_TO, PI),
    ONE(cosh, ULP, 8192, UP_TO, 88),
    ONE(cospi, ABSOLUTE, 0x1p-11, UP_TO, 1),
    ONE(exp, EXPONENT, 3, ANY, 0),
    ONE(exp2, EXPONENT, 3, ANY, 0),
    ONE(exp10, ULP, 8192, ANY, 0),
    ONE(expm1, ULP, 8192, ANY, 0),
    ONE(log, LOGARITHM, 3, POSITIVE, 0),
    ONE(log2, LOGARITHM, 3, POSITIVE, 0),
    ONE(log10, LOGARITHM, 3, POSITIVE, 0),
    ONE(log1p, ULP, 8192, ANY, 0),
    TWO(pow, ULP, 8192, POWER, 0),
    POWER_OF(pown, WHOLE),
    TWO(powr, ULP, 8192, POSITIVE, 0),
    POWER_OF(rootn, ROOT),
    ONE(sin, ABSOLUTE, 0x1p-11, UP_TO, PI),
    {{.instruction = "sincos", F_F, .is_pair = true}, HD_MATH_sin, ABSOLUTE, 0x1p-11, UP_TO, PI},
    {{.instruction = "sincos", F_F, .is_pair = true, .is_second = true},
     HD_MATH_cos,
     ABSOLUTE,
     0x1p-11,
     UP_TO,
     PI},
    ONE(sinh, ULP, 8192, UP_TO, 88),
    ONE(sinpi, ABSOLUTE, 0x1p-11, UP_TO, 1),
    ONE(tan, ULP, 8192, ANY, 0),
    ONE(tanh, ULP, 8192, ANY, 0),
    ONE(tanpi, ULP, 8192, UP_TO, 1),
};

#define HALF(name, like, form, d, reach)                                          \
    {                                                                             \
        {.instruction = "half_" #name, form}, HD_MATH_##like, ULP, 8192, d, reach \
    }

static const Row halfs[] = {
    HALF(cos, cos, F_F, UP_TO, 0x1p16),
    HALF(divide, div, F_FF, ANY, 0),
    HALF(exp, exp, F_F, ANY, 0),
    HALF(exp2, exp2, F_F, ANY, 0),
    HALF(exp10, exp10, F_F, ANY, 0),
    HALF(log, log, F_F, POSITIVE, 0),
    HALF(log2, log2, F_F, POSITIVE, 0),
    HALF(log10, log10, F_F, POSITIVE, 0),
    HALF(powr, powr, F_FF, POSITIVE, 0),
    HALF(recip, div, F_F, ANY, 0),
    HALF(rsqrt, rsqrt, F_F, POSITIVE, 0),
    HALF(sin, sin, F_F, UP_TO, 0x1p16),
    HALF(sqrt, sqrt, F_F, POSITIVE, 0),
    HALF(tan, tan, F_F, UP_TO, 0x1p16),
    /* Nobody limits these; Fourier transforms are as good as their twiddle factors by them. */
    {{.instruction = "native_cos", F_F}, HD_MATH_cos, ABSOLUTE, 0x1p-23, UP_TO, 2 * PI},
    {{.instruction = "native_sin", F_F}, HD_MATH_sin, ABSOLUTE, 0x1p-23, UP_TO, 2 * PI},
};

static bool is_whole(double y)
{
    return y == floor(y) && fabs(y) <= 0x1p24;
}

static bool is_defined(const Row *r, double x, double y)
{
    double size = fabs(x), other = fabs(y), most = ldexp(1.0, (int)r->reach);

    switch (r->domain) {
    case UP_TO: return size <= r->reach;
    case POSITIVE: return x > 0.0;
    case POWER: return x > 0.0 || (x < 0.0 && is_whole(y));
    case WHOLE: return x != 0.0;
    case ROOT: return (x > 0.0 && y != 0.0) || (x < 0.0 && fmod(y, 2.0) != 0.0);
    case QUOTIENT:
        return size * most >= 1.0 && size <= most &&
               (r->row.form == HD_MATH_FORM_F_F || (other * most >= 1.0 && other <= most));
    default: return true;
    }
}

/* ---- operands ---- */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}

/* Of any size, of ordinary size, near one, near where circular functions vanish, small integers. */
static double operand(void)
{
    double unit = (double)(int64_t)next_random() * 0x1p-63;
    int scale = (int)(next_random() % 24);

    switch (next_random() % 8) {
    case 0:
    case 1: return ldexp(1.0 + fabs(unit), (int)(next_random() % 250) - 125) * (unit < 0 ? -1 : 1);
    case 2: return (unit < 0.0 ? -1.0 : 1.0) + ldexp(unit, -scale);
    case 3: return (double)(int64_t)(next_random() >> (34 + scale)) * 0x1.921fb54442d18p0;
    case 4: return (double)(int64_t)(next_random() % 400) - 200.0;
    case 5: return unit * 3.2;
    default: return unit * 100.0;
    }
}

static _Alignas(64) unsigned char in[3][ITEMS * 8], out[ITEMS * 8];

static double load(unsigned bits, const void *p, unsigned i)
{
    return bits == 16   ? (double)hd_half_widen(((const uint16_t *)p)[i])
           : bits == 32 ? (double)((const float *)p)[i]
                        : ((const double *)p)[i];
}

static void store(unsigned bits, void *p, unsigned i, double v)
{
    if (bits == 16)
        ((uint16_t *)p)[i] = hd_half_round(v, HD_ROUND_RTE);
    else if (bits == 32)
        ((float *)p)[i] = (float)v;
    else
        ((double *)p)[i] = v;
}

static void fill(HdMathForm form, unsigned bits)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        double x = operand();

        store(bits, in[0], i, x);
        store(bits, in[2], i, operand());
        /* Powers over the whole range of results. */
        if (form == HD_MATH_FORM_F_FI)
            ((int32_t *)(void *)in[1])[i] = (int32_t)(next_random() % 61) - 30;
        else if (i % 4 == 0 && fabs(x) != 1.0)
            store(bits, in[1], i, operand() * 1.28 / log2(fabs(x)));
        else
            store(bits, in[1], i, operand());
    }
}

/* ---- judgement ---- */

static double round_to(unsigned bits, double v)
{
    return bits == 16   ? (double)hd_half_widen(hd_half_round(v, HD_ROUND_RTE))
           : bits == 32 ? (double)(float)v
                        : v;
}

/* x * y + z of numbers of a type, rounded twice. A product of halfs or floats, and a sum of two
 * halfs, is exact as double; a sum of floats rounds to float as it should by way of a double. */
static double rounded_twice(unsigned bits, double x, double y, double z)
{
    volatile double product = round_to(bits, x * y);

    return round_to(bits, product + z);
}

static double allowed(const Row *r, double x)
{
    if (r->kind == EXPONENT)
        return 3.0 + floor(fabs(2.0 * x));
    return r->limit;
}

/* How much too large the error of one result is: at most 1 is good. */
static double judge(const Row *r, const RefType *t, mpfr_t want, double got, double x)
{
    double exact = mpfr_get_d(want, MPFR_RNDN);
    double least = ldexp(1.0, (int)t->emin + t->prec - 2);

    /* Results are not infinite, and denormals may be zero. */
    if (!isfinite(exact) || mpfr_get_exp(want) > t->emax)
        return 0.0;
    if (t->bits == 32 && fabs(exact) < least && got == 0.0)
        return 0.0;
    if (r->kind == ABSOLUTE)
        return isnan(got) ? (double)INFINITY : fabs(got - exact) / r->limit;
    if (r->kind == LOGARITHM && x >= 0.5 && x <= 2.0)
        return isnan(got) ? (double)INFINITY : fabs(got - exact) * 0x1p21;
    if (exact == got)
        return 0.0; /* nor do signs of zeros matter */
    return ref_error_ulps(t, want, got, r->limit) / fmax(allowed(r, x), 0x1p-60);
}

/* One operand; the integer one is y, too. */
static double try_one(const Row *r, const RefType *t, unsigned i, mpfr_t *x, mpfr_t want)
{
    double a = load(t->bits, in[0], i), b = load(t->bits, in[1], i), c = load(t->bits, in[2], i);
    long n = ((const int32_t *)(const void *)in[1])[i];
    double values[3] = {a, b, c}, least = ldexp(1.0, (int)t->emin + t->prec - 2);
    bool is_inverse = r->fn == HD_MATH_div && r->row.form == HD_MATH_FORM_F_F;
    unsigned arity = r->row.form == HD_MATH_FORM_F_FFF  ? 3
                     : r->row.form == HD_MATH_FORM_F_FF ? 2
                                                        : 1;
    int32_t unused;

    for (unsigned k = 0; k < arity; k++)
        if (!isfinite(values[k]) || (values[k] != 0.0 && fabs(values[k]) < least))
            return 0.0;
    if (!is_defined(r, a, r->row.form == HD_MATH_FORM_F_FI ? (double)n : b))
        return 0.0;
    for (unsigned k = 0; k < 3; k++)
        mpfr_set_d(x[k], isfinite(values[k]) ? values[k] : 1.0, MPFR_RNDN);
    if (is_inverse) {
        mpfr_set_d(x[0], 1.0, MPFR_RNDN);
        mpfr_set_d(x[1], a, MPFR_RNDN);
    }
    if (r->fn == HD_MATH_fclamp && !mpfr_lessequal_p(x[1], x[2]))
        return 0.0;
    if (r->kind == FUSED && rounded_twice(t->bits, a, b, c) == load(t->bits, out, i))
        return 0.0;
    ref_eval(r->fn, t, x, n, want, &unused);
    return judge(r, t, want, load(t->bits, out, i), a);
}

static void test(const MathMachine *m, const Row *r, const RefType *t, unsigned width, bool fast)
{
    MathRun run = {.bits = t->bits,
                   .items = ITEMS,
                   .operands = r->row.form == HD_MATH_FORM_F_FFF ? 3
                               : r->row.form == HD_MATH_FORM_F_F ? 1
                                                                 : 2,
                   .copies = 1,
                   .width = width,
                   .engine = HD_ENGINE_COMPILED,
                   .fast = fast,
                   .out = out,
                   .in = {in[0], in[1], in[2]}};
    double worst = 0.0;
    unsigned at = 0, wrong = 0;
    mpfr_t x[3], want;
    bool good = true;

    if (only != NULL && strcmp(only, r->row.instruction) != 0)
        return;
    for (unsigned k = 0; k < 3; k++)
        mpfr_init2(x[k], 53);
    mpfr_init2(want, r->fn == HD_MATH_fma || r->fn == HD_MATH_mad ? 4400 : 128);
    for (unsigned round = 0; round < rounds && good && wrong == 0; round++) {
        fill(r->row.form, t->bits);
        good = math_kernel_run(&r->row, &run);
        for (unsigned i = 0; i < ITEMS && good; i++) {
            double share = try_one(r, t, i, x, want);

            wrong += !(share <= 1.0);
            if (!(share <= worst)) {
                worst = share;
                at = i;
            }
        }
    }
    for (unsigned k = 0; k < 3; k++)
        mpfr_clear(x[k]);
    mpfr_clear(want);
    good &= wrong == 0;
    counts.passed += good;
    counts.failed += !good;
    if (!good || verbose)
        printf("%s %s_f%u%s, %s, width %u: %.3g of the limit, %u wrong; %a, %a / %d: %a\n",
               good ? "ok  " : "FAILED:", r->row.instruction, t->bits, fast ? " relaxed" : "",
               m->cpu, width, worst, wrong, load(t->bits, in[0], at), load(t->bits, in[1], at),
               ((const int32_t *)(const void *)in[1])[at], load(t->bits, out, at));
}

static bool is_relaxed(unsigned fn)
{
    for (unsigned i = 0; i < sizeof relaxed / sizeof *relaxed; i++)
        if (relaxed[i].fn == fn)
            return true;
    return false;
}

/* What keeps the limits of the full profile. */
static void test_others(const MathMachine *m)
{
    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++)
        for (unsigned ti = 0; ti < 3; ti++) {
            const RefType *t = &ref_types[ti];
            Row r = {.row = math_rows[fn], .fn = fn, .kind = fn == HD_MATH_mad ? FUSED : ULP};

            r.limit = hd_rt_math_ulp(fn, t->bits);
            if (r.limit == HD_MATH_ULP_FREE || r.row.form == HD_MATH_FORM_F_U ||
                r.row.form == HD_MATH_FORM_I_F || r.row.form == HD_MATH_FORM_I_FF ||
                (t->bits == 32 && is_relaxed(fn)))
                continue;
            test(m, &r, t, m->widths[0], true);
        }
}

static void test_all(const MathMachine *m)
{
    for (unsigned i = 0; i < sizeof relaxed / sizeof *relaxed; i++)
        for (unsigned w = 0; w < 2; w++)
            test(m, &relaxed[i], &ref_types[1], m->widths[w], true);
    for (unsigned i = 0; i < sizeof halfs / sizeof *halfs; i++)
        test(m, &halfs[i], &ref_types[1], m->widths[0], false);
    test_others(m);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else
            only = argv[i];
    math_rows_open();
    setenv("HEDDLE_CACHE", "0", 1);
    math_each_machine(&counts, test_all);
    mpfr_free_cache();
    printf("%u passed, %u failed, %u skipped\n", counts.passed, counts.failed, counts.skipped);
    return counts.failed != 0;
}
