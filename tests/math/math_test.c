/* tests/math/math_test.c -- rt/math against MPFR, for every type and instruction set.
 *
 *   math_test                     everything; all 65536 halves for functions of one operand
 *   math_test NAME                one function
 *   math_test --rounds N          N times as many random operands
 *   math_test --exhaustive NAME   all 2^32 floats, against the double form of the same function
 *   math_test --pairs NAME [N]    all 2^32 pairs of halves, or each Nth second one, likewise
 *   math_test --bench [NAME]      nanoseconds a lane
 *
 * A line per function and type that fails (all of them with -v) gives the largest error in ulps.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/half.h"
#include "math_ref.h"
#include "rt/math/math.h"

#define BATCH 64

static unsigned passed, failed, skipped;
static unsigned rounds = 1;
static bool verbose;
static const char *const isa_names[HD_MATH_ISA_COUNT] = {"base", "v2", "v3", "v4"};

/* ---- numbers of the three types, carried in doubles ---- */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1du;
}

static double from_bits(unsigned bits, uint64_t u)
{
    float f;
    double d;
    uint32_t w = (uint32_t)u;

    if (bits == 16)
        return (double)hd_half_widen((uint16_t)u);
    if (bits == 32) {
        memcpy(&f, &w, sizeof f);
        return (double)f;
    }
    memcpy(&d, &u, sizeof d);
    return d;
}

static double load(unsigned bits, const void *p, unsigned i)
{
    uint64_t u = bits == 16   ? ((const uint16_t *)p)[i]
                 : bits == 32 ? ((const uint32_t *)p)[i]
                              : ((const uint64_t *)p)[i];

    return from_bits(bits, u);
}

static void store(unsigned bits, void *p, unsigned i, double d)
{
    if (bits == 16)
        ((uint16_t *)p)[i] = hd_half_round(d, HD_ROUND_RTE);
    else if (bits == 32)
        ((float *)p)[i] = (float)d;
    else
        ((double *)p)[i] = d;
}

/* ---- one comparison ---- */

typedef struct Worst {
    double ulp;
    double x[3];
    long n;
    double got, want;
    bool wrong; /* beyond the limit, or not of the kind asked for */
} Worst;

/* ---- one function, one type ---- */

typedef struct Case {
    unsigned fn;
    const RefType *t;
    double limit;
    HdMathForm form;
    HdMathLanesFn *f[HD_MATH_ISA_COUNT];
    Worst worst[HD_MATH_ISA_COUNT];
    unsigned n; /* operands collected */
    _Alignas(64) unsigned char in[3][BATCH * 8];
    unsigned long done;
} Case;

static void note(Case *c, unsigned isa, unsigned i, double err, double got, double want)
{
    Worst *w = &c->worst[isa];
    bool wrong = err > c->limit && !(c->limit == HD_MATH_ULP_FREE && err < 1e30);

    if (!(err > w->ulp) && !(wrong && !w->wrong))
        return;
    w->ulp = err;
    w->wrong |= wrong;
    w->got = got;
    w->want = want;
    for (unsigned k = 0; k < 3; k++)
        w->x[k] = load(c->t->bits, c->in[k], i);
    w->n = ((const int32_t *)c->in[1])[i];
}

/* Functions without a limit in ulps: an absolute one, relative to the largest operand or result. */
static bool free_is_good(const Case *c, mpfr_t r, double got, unsigned i)
{
    double want = mpfr_get_d(r, MPFR_RNDN), big = 1.0, eps = ldexp(1.0, 1 - c->t->prec);

    if (c->fn == HD_MATH_lgamma) /* near its zeros an absolute error is all one gets */
        return fabs(got - want) <= fmax(1.0, fabs(want)) * 4.0 * eps || ref_same(want, got) ||
               (isinf(got) && want >= ldexp(1.0 - eps, (int)c->t->emax));
    for (unsigned k = 0; k < 3; k++)
        big = fmax(big, fabs(load(c->t->bits, c->in[k], i)));
    if (c->fn == HD_MATH_mix)
        big = big * big;
    /* "a must be in [0, 1]", "edge0 < edge1", no NaNs: undefined otherwise. */
    if (!(big < ldexp(1.0, (int)c->t->emax / 2 - 2)) || !isfinite(want))
        return true;
    return fabs(got - want) <= 16.0 * eps * big;
}

static void check_lane(Case *c, unsigned i, mpfr_t *x, mpfr_t r, unsigned char (*out)[BATCH * 8])
{
    int32_t ri = 0;
    long n = ((const int32_t *)c->in[1])[i];
    double got, want, err;

    for (unsigned k = 0; k < 3; k++) {
        double v = load(c->t->bits, c->in[k], i);

        mpfr_set_d(x[k], v, MPFR_RNDN);
        mpfr_setsign(x[k], x[k], signbit(v) != 0, MPFR_RNDN); /* of NaNs too */
    }
    if (c->fn == HD_MATH_nextafter)
        mpfr_set_prec(r, 80);
    if (c->form == HD_MATH_FORM_F_U)
        return;
    /* Undefined operands are not judged. */
    if (c->fn == HD_MATH_fclamp && !mpfr_lessequal_p(x[1], x[2]))
        return;
    if (c->fn == HD_MATH_smoothstep &&
        (!mpfr_less_p(x[0], x[1]) || mpfr_nan_p(x[2]) || mpfr_inf_p(x[1]) || mpfr_inf_p(x[0])))
        return;
    if (c->fn == HD_MATH_mix && !(mpfr_cmp_ui(x[2], 0) >= 0 && mpfr_cmp_ui(x[2], 1) <= 0))
        return;
    ref_eval(c->fn, c->t, x, n, r, &ri);
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
        if (c->f[isa] == NULL)
            continue;
        if (c->form == HD_MATH_FORM_I_F || c->form == HD_MATH_FORM_I_FF) {
            got = (double)((const int32_t *)out[isa])[i];
            want = (double)ri;
            err = got == want ? 0.0 : (double)INFINITY;
        } else {
            got = load(c->t->bits, out[isa], i);
            want = mpfr_get_d(r, MPFR_RNDN);
            err = ref_error_ulps(c->t, r, got, c->limit);
            if (c->limit == HD_MATH_ULP_FREE)
                err = free_is_good(c, r, got, i) ? 0.0 : (double)INFINITY;
        }
        note(c, isa, i, err, got, want);
    }
}

static void flush(Case *c)
{
    static mpfr_t x[3], r;
    static bool ready;
    static _Alignas(64) unsigned char out[HD_MATH_ISA_COUNT][BATCH * 8];
    bool wide = c->fn == HD_MATH_fma || c->fn == HD_MATH_mad || c->fn == HD_MATH_mix;

    if (!ready) {
        for (unsigned k = 0; k < 3; k++)
            mpfr_init2(x[k], 53);
        mpfr_init2(r, 64);
        ready = true;
    }
    mpfr_set_prec(r, wide ? 4400 : (c->t->prec == 53 ? 120 : 72));
    if (c->fn == HD_MATH_fdim)
        mpfr_set_prec(r, 2200);
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++)
        if (c->f[isa] != NULL)
            c->f[isa](out[isa], c->in[0], c->in[1], c->in[2], c->n);
    for (unsigned i = 0; i < c->n; i++)
        check_lane(c, i, x, r, out);
    c->done += c->n;
    c->n = 0;
}

static void add(Case *c, double a, double b, double d, int32_t k)
{
    store(c->t->bits, c->in[0], c->n, a);
    if (c->form == HD_MATH_FORM_F_FI)
        ((int32_t *)c->in[1])[c->n] = k;
    else
        store(c->t->bits, c->in[1], c->n, b);
    store(c->t->bits, c->in[2], c->n, d);
    if (++c->n == BATCH)
        flush(c);
}

/* ---- operands ---- */

static const double specials[] = {
    0.0,
    1.0,
    2.0,
    3.0,
    4.0,
    0.5,
    0.25,
    0.75,
    1.5,
    2.5,
    3.5,
    0.125,
    10.0,
    16.0,
    7.0,
    1e10,
    1e5,
    1e-5,
    0x1p-24,
    0x1p-14,
    0x1p-25,
    0x1p15,
    65504.,
    0x1p-126,
    0x1p-149,
    0x1p-130,
    0x1.fffffep127,
    0x1p-1074,
    0x1p-1022,
    0x1p-1030,
    0x1.fffffffffffffp1023,
    0x1.fffffep-1,
    0x1.fffffffffffffp-1,
    0x1.ffcp-1,
    0x1.000002p0,
    0x1.004p0,
    0x1.0000000000001p0,
    0x1.921fb6p1,
    0x1.921fb54442d18p1,
    0x1.921fb54442d18p0,
    88.7,
    709.7,
    127.5,
    1023.5,
    0x1p23,
    0x1p24,
    0x1p52,
    0x1p53,
    0x1p63,
    8388609.0,
    4503599627370497.0,
    1025.0,
    2049.0,
    100.5,
    0.1,
    33.3,
    171.5,
    35.04,
    INFINITY,
    NAN,
};
#define NSPECIAL (sizeof specials / sizeof specials[0])

static const int32_t ints[] = {0,
                               1,
                               -1,
                               2,
                               -2,
                               3,
                               -3,
                               4,
                               -4,
                               5,
                               -5,
                               10,
                               -10,
                               16,
                               -24,
                               -25,
                               31,
                               100,
                               -100,
                               127,
                               -149,
                               -150,
                               150,
                               277,
                               -1074,
                               -1075,
                               1023,
                               2100,
                               -2100,
                               2147483647,
                               -2147483647 - 1,
                               65536,
                               -65537,
                               1000001};
#define NINTS (sizeof ints / sizeof ints[0])

static double special(size_t i)
{
    return i < NSPECIAL ? specials[i] : -specials[i - NSPECIAL];
}

/* A random number: any bits, or of moderate size, or small integers and halves of them. */
static double random_value(unsigned bits)
{
    uint64_t u = next_random();
    double v = ldexp((double)(next_random() >> 11), -53);

    switch (u & 15u) {
    case 8: /* where circular functions vanish */
        return (double)(next_random() >> (next_random() % 31 + 33)) * 0x1.921fb54442d18p0;
    case 9: return ldexp(1.0 + v, (int)(next_random() % 40) - 20);
    case 10: return -ldexp(1.0 + v, (int)(next_random() % 14) - 3);
    case 0:
    case 1:
    case 2: return from_bits(bits, next_random());
    case 3: return (v - 0.5) * 8.0;
    case 4: return (v - 0.5) * 2.2;
    case 5: return (v - 0.5) * 300.0;
    case 6: return (double)((int64_t)(next_random() % 400) - 200) * 0.5;
    default: return 1.0 + (v - 0.5) * ldexp(1.0, -(int)(next_random() % 20));
    }
}

static int32_t random_int(void)
{
    uint64_t u = next_random();

    switch (u & 3u) {
    case 0: return (int32_t)(next_random() >> 32);
    case 1: return (int32_t)(next_random() % 64) - 32;
    case 2: return (int32_t)(next_random() % 4096) - 2048;
    default: return (int32_t)(next_random() % 400) - 200;
    }
}

static void operands(Case *c)
{
    unsigned bits = c->t->bits, arity = hd_rt_math_arity(c->fn);
    size_t all = 2 * NSPECIAL;
    unsigned long count = (arity == 1 ? 2000u : 1500u) * rounds;

    if (c->form == HD_MATH_FORM_F_FI) {
        for (size_t i = 0; i < all; i++)
            for (size_t k = 0; k < NINTS; k++)
                add(c, special(i), 0.0, 0.0, ints[k]);
    } else if (arity == 1) {
        for (size_t i = 0; i < all; i++)
            add(c, special(i), 0.0, 0.0, 0);
        for (uint64_t u = 0; bits == 16 && u < 65536; u++)
            add(c, from_bits(16, u), 0.0, 0.0, 0);
    } else {
        for (size_t i = 0; i < all; i++)
            for (size_t k = 0; k < all; k += arity == 3 ? 4 : 1)
                for (size_t j = 0; j < (arity == 3 ? all : 1); j += 5)
                    add(c, special(i), special(k), special(j), 0);
    }
    if (arity == 1 && bits == 16)
        return;
    for (unsigned long i = 0; i < count; i++) {
        double a = random_value(bits), b = random_value(bits), d = random_value(bits);

        add(c, a, b, d, random_int());
        /* Near cancellation, near equality, and one operand from the ordinary range. */
        if (arity == 3)
            add(c, a, b, -a * b * (1.0 + ldexp(1.0, -(int)(next_random() % 60))), 0);
        if (arity == 2)
            add(c, a, a * (1.0 + ldexp(1.0, -(int)(next_random() % 30))), 0.0, random_int() % 40);
        if (arity == 2)
            add(c, fabs(a), b, 0.0, random_int() % 9);
        if (arity == 2 && isfinite(a) && a != 0.0) {
            /* Powers over the whole range of results. */
            double size = (double)c->t->emax * 2.2 / log2(fabs(a));
            double y = size * ldexp((double)(next_random() >> 11) - 0x1p52, -53);

            if (fabs(y) < 1e300)
                add(c, a, y, 0.0, fabs(y) < 2e9 ? (int32_t)y : 7);
        }
    }
}

static void report(Case *c)
{
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
        Worst *w = &c->worst[isa];

        if (c->f[isa] == NULL) {
            skipped += isa == HD_MATH_ISA_BASE;
            continue;
        }
        passed += !w->wrong;
        failed += w->wrong;
        if (!w->wrong && !verbose)
            continue;
        printf("%s %s_f%u %s: %.4g ulp, limit %g", w->wrong ? "FAIL" : "ok  ",
               hd_rt_math_name(c->fn), c->t->bits, isa_names[isa], w->ulp, c->limit);
        if (w->ulp > 0.0)
            printf(" at %a, %a, %a / %ld: got %a, not %a", w->x[0], w->x[1], w->x[2], w->n, w->got,
                   w->want);
        printf(" (%lu cases)\n", c->done);
    }
}

static void test_function(unsigned fn)
{
    for (unsigned ti = 0; ti < 3; ti++) {
        static Case c;

        memset(&c, 0, sizeof c);
        c.fn = fn;
        c.t = &ref_types[ti];
        c.limit = hd_rt_math_ulp(fn, c.t->bits);
        c.form = hd_rt_math_form(fn);
        for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++)
            c.f[isa] = hd_rt_math_fn_isa(fn, c.t->bits, (HdMathIsa)isa);
        if (c.form == HD_MATH_FORM_F_U)
            continue; /* test_nan */
        operands(&c);
        flush(&c);
        report(&c);
    }
}

/* ---- what is not a matter of ulps ---- */

static void check(bool good, const char *what)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAIL %s\n", what);
}

static void test_nan(void)
{
    uint16_t h = 0x55;
    uint32_t w = 0xffffffffu;
    uint64_t d = 0;

    hd_rt_math_fn(HD_MATH_nan, 16)(&h, &h, NULL, NULL, 1);
    hd_rt_math_fn(HD_MATH_nan, 32)(&w, &w, NULL, NULL, 1);
    hd_rt_math_fn(HD_MATH_nan, 64)(&d, &d, NULL, NULL, 1);
    check(h == 0x7e55, "nan_f16 is quiet and carries its code");
    check(w == 0x7fffffffu, "nan_f32 is quiet and positive");
    check(d == 0x7ff8000000000000u, "nan_f64(0)");
}

/* No rounding leads past one: all floats near the peaks. */
static void test_peaks(void)
{
    static const struct {
        unsigned fn;
        float from, to;
    } peaks[] = {{HD_MATH_sin, 1.569f, 1.573f},
                 {HD_MATH_cos, -0.003f, -0.002f},
                 {HD_MATH_cos, 3.14f, 3.143f},
                 {HD_MATH_sinpi, 0.499f, 0.501f},
                 {HD_MATH_cospi, 0.999f, 1.001f}};
    float x[BATCH], y[BATCH];

    for (size_t k = 0; k < sizeof peaks / sizeof peaks[0]; k++)
        for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
            HdMathLanesFn *f = hd_rt_math_fn_isa(peaks[k].fn, 32, (HdMathIsa)isa);
            float at = peaks[k].from, most = 0.0f;

            while (f != NULL && at < peaks[k].to) {
                for (unsigned i = 0; i < BATCH; i++)
                    x[i] = at = nextafterf(at, peaks[k].to);
                f(y, x, NULL, NULL, BATCH);
                for (unsigned i = 0; i < BATCH; i++)
                    most = fmaxf(most, fabsf(y[i]));
            }
            check(most <= 1.0f, hd_rt_math_name(peaks[k].fn));
        }
}

static void test_table(void)
{
    char odd[3 * 4 * 70 + 1];
    float *x = (float *)(void *)odd, in[70], want[70];

    check(hd_rt_math_fn(HD_MATH_COUNT, 32) == NULL, "no function beyond the last");
    check(hd_rt_math_fn(HD_MATH_sin, 80) == NULL, "no function of 80 bits");
    check(hd_rt_math_name(HD_MATH_COUNT) == NULL && hd_rt_math_arity(HD_MATH_COUNT) == 0,
          "no name beyond the last");
    check(strcmp(hd_rt_math_name(HD_MATH_fma), "fma") == 0 && hd_rt_math_arity(HD_MATH_fma) == 3,
          "fma has three operands");
    for (unsigned i = 0; i < 70; i++)
        in[i] = (float)i * 0.37f - 9.0f;
    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++) {
        bool good = true;

        if (hd_rt_math_form(fn) != HD_MATH_FORM_F_F)
            continue;
        /* Any number of lanes, in place, and nothing past the last. */
        hd_rt_math_fn(fn, 32)(want, in, NULL, NULL, 70);
        for (unsigned n = 0; n <= 64; n++) {
            memset(x, 0x55, 70 * 4);
            memcpy(x, in, n * 4);
            errno = 77;
            hd_rt_math_fn(fn, 32)(x, x, NULL, NULL, n);
            good &= errno == 77;
            for (unsigned i = 0; i < n; i++)
                good &= ref_same((double)x[i], (double)want[i]);
            for (unsigned i = n * 4; i < 70 * 4; i++)
                good &= ((unsigned char *)x)[i] == 0x55;
        }
        if (!good)
            printf("FAIL %s: depends on n, writes too far or sets errno\n", hd_rt_math_name(fn));
        passed += good;
        failed += !good;
    }
}

/* ---- all floats ---- */

typedef struct Sweep {
    float y[4096];
    double worst, at;
    unsigned long long bad;
    bool differs; /* from the set before */
} Sweep;

/* The largest error of a block in ulps; infinite with anything that is no ordinary number, which
 * sweep_block judges. Straight code, for vectors. */
__attribute__((optimize("O3"), target_clones("avx512f", "avx2", "default"))) static double
block_error(const float *y, const double *want)
{
    double worst = 0.0;

    for (uint32_t i = 0; i < 4096; i++) {
        double got = (double)y[i], size = fabs(want[i]), off = fabs(got - want[i]), inverse, err;
        uint64_t u, v;

        /* Ends of the range and zeros are for the other one. */
        off = (size < 0x1.fffffep127) & (fabs(got) < 0x1p128) & (size > 0x1p-149)
                  ? off
                  : (double)INFINITY;
        off = size == 0.0 && got == 0.0 ? 0.0 : off;
        size = size < 0x1p-126 ? 0x1p-126 : size;
        memcpy(&u, &size, sizeof u);
        v = 0x7fd0000000000000u - (u & 0x7ff0000000000000u); /* 2^-e */
        memcpy(&inverse, &v, sizeof v);
        err = off * inverse * 0x1p24;
        worst = err > worst ? err : worst;
    }
    return worst;
}

/* Are all errors of a block below `ulps`, for sure? Quick: an ulp is more than 2^-24 of the number.
 */
__attribute__((optimize("O3"), target_clones("avx512f", "avx2", "default"))) static bool
block_is_good(const float *y, const double *want, double ulps)
{
    double share = ulps * 0x1p-24;
    int64_t bad = 0;

    for (uint32_t i = 0; i < 4096; i++) {
        double size = fabs(want[i]), off = fabs((double)y[i] - want[i]);

        bad |= (off <= size * share) & (size > 0x1p-126) ? 0 : 1;
    }
    return bad == 0;
}

/* Compare a block of results with the double form's. */
static void sweep_block(Sweep *s, const double *dx, const double *dy, double limit)
{
    double worst;

    if (s->worst <= limit && block_is_good(s->y, dy, s->worst))
        return;
    worst = block_error(s->y, dy);
    if (worst <= limit && worst <= s->worst)
        return;
    for (uint32_t i = 0; i < 4096; i++) {
        double want = dy[i], got = (double)s->y[i], err;
        int e;

        if (got == (double)(float)want && (signbit(got) != 0) == (signbit(want) != 0))
            continue;
        if (got != got && want != want)
            continue;
        e = ilogb(want) - 23;
        e = e < -149 ? -149 : (e > 104 ? 104 : e);
        if (isinf(got))
            got = copysign(0x1p128, got);
        err = (float)want == 0.0f && got == 0.0 ? (double)INFINITY
                                                : fabs(got - want) * ldexp(1.0, -e);
        s->bad += !(err <= limit);
        if (!(err <= s->worst)) {
            s->worst = err;
            s->at = dx[i];
        }
    }
}

static int exhaustive(const char *name)
{
    static float x[4096];
    static double dx[4096], dy[4096];
    static Sweep sweeps[HD_MATH_ISA_COUNT];
    HdMathLanesFn *f[HD_MATH_ISA_COUNT], *reference;
    unsigned fn = 0;
    double limit;

    while (fn < HD_MATH_COUNT && strcmp(hd_rt_math_name(fn), name) != 0)
        fn++;
    if (fn == HD_MATH_COUNT || hd_rt_math_form(fn) != HD_MATH_FORM_F_F) {
        printf("%s is not a function of one float\n", name);
        return 2;
    }
    limit = hd_rt_math_ulp(fn, 32);
    reference = hd_rt_math_fn(fn, 64);
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++)
        f[isa] = isa < HD_MATH_ISA_V3 ? NULL : hd_rt_math_fn_isa(fn, 32, (HdMathIsa)isa);
    for (uint64_t u = 0; u < 1ull << 32; u += 4096) {
        for (uint32_t i = 0; i < 4096; i++) {
            uint32_t w = (uint32_t)u + i;

            memcpy(&x[i], &w, 4);
            dx[i] = (double)x[i];
        }
        reference(dy, dx, NULL, NULL, 4096);
        for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
            if (f[isa] == NULL)
                continue;
            f[isa](sweeps[isa].y, x, NULL, NULL, 4096);
            /* Most often two sets agree to the bit: judge once then. */
            if (f[isa - 1] == NULL || sweeps[isa].differs ||
                memcmp(sweeps[isa].y, sweeps[isa - 1].y, sizeof x) != 0) {
                if (f[isa - 1] != NULL && !sweeps[isa].differs) {
                    sweeps[isa].worst = sweeps[isa - 1].worst;
                    sweeps[isa].at = sweeps[isa - 1].at;
                    sweeps[isa].bad = sweeps[isa - 1].bad;
                }
                sweeps[isa].differs = true;
                sweep_block(&sweeps[isa], dx, dy, limit);
            }
        }
    }
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
        if (f[isa] == NULL)
            continue;
        if (!sweeps[isa].differs)
            sweeps[isa] = sweeps[isa - 1];
        printf("%s %s_f32 %s: all floats, %.4f ulp at %a, limit %g, %llu beyond\n",
               sweeps[isa].bad != 0 ? "FAIL" : "ok  ", name, isa_names[isa], sweeps[isa].worst,
               sweeps[isa].at, limit, sweeps[isa].bad);
        passed += sweeps[isa].bad == 0;
        failed += sweeps[isa].bad != 0;
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}

/* ---- all pairs of halves ---- */

/* The error of a half in ulps of what it should be. */
static double half_error(uint16_t bits, double want)
{
    double got = (double)hd_half_widen(bits);
    int e;

    if (got == (double)hd_half_widen(hd_half_round(want, HD_ROUND_RTE)))
        return 0.0; /* rounded right */
    if (got != got || want != want || isinf(want) || want == 0.0)
        return got != got && want != want ? 0.0 : (double)INFINITY;
    e = ilogb(want) - 10;
    e = e < -24 ? -24 : (e > 5 ? 5 : e);
    return fabs((isinf(got) ? copysign(0x1p16, got) : got) - want) * ldexp(1.0, -e);
}

static void judge_halves(Sweep *s, const uint16_t *got, const double *want, const double *x,
                         double limit)
{
    for (uint32_t i = 0; i < 4096; i++) {
        double err = half_error(got[i], want[i]);

        s->bad += !(err <= limit);
        if (err > s->worst) {
            s->worst = err;
            s->at = x[i];
        }
    }
}

/* One second operand with all 2^16 first ones, for each instruction set. */
static void sweep_pairs(Sweep *sweeps, HdMathLanesFn *const *f, HdMathLanesFn *reference,
                        uint32_t second, double limit)
{
    static uint16_t x[4096], y[4096], got[HD_MATH_ISA_COUNT][4096];
    static double dx[4096], dy[4096], want[4096];

    for (uint32_t u = 0; u < 1u << 16; u += 4096) {
        for (uint32_t i = 0; i < 4096; i++) {
            x[i] = (uint16_t)(u + i);
            y[i] = (uint16_t)second;
            dx[i] = (double)hd_half_widen(x[i]);
            dy[i] = (double)hd_half_widen(y[i]);
        }
        reference(want, dx, dy, NULL, 4096);
        for (unsigned isa = HD_MATH_ISA_V3; isa < HD_MATH_ISA_COUNT; isa++) {
            if (f[isa] == NULL)
                continue;
            f[isa](got[isa], x, y, NULL, 4096);
            judge_halves(&sweeps[isa], got[isa], want, dx, limit);
        }
    }
}

static int pairs(const char *name, uint32_t step)
{
    static Sweep sweeps[HD_MATH_ISA_COUNT];
    HdMathLanesFn *f[HD_MATH_ISA_COUNT];
    unsigned fn = 0;
    double limit;

    while (fn < HD_MATH_COUNT && strcmp(hd_rt_math_name(fn), name) != 0)
        fn++;
    if (fn == HD_MATH_COUNT || hd_rt_math_form(fn) != HD_MATH_FORM_F_FF ||
        fn == HD_MATH_nextafter || step == 0) {
        printf("%s is not a function of two halves that doubles can judge\n", name);
        return 2;
    }
    limit = fmax(hd_rt_math_ulp(fn, 16), 0.0);
    limit = limit == HD_MATH_ULP_ROUNDED ? 0.0 : limit;
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++)
        f[isa] = hd_rt_math_fn_isa(fn, 16, (HdMathIsa)isa);
    for (uint32_t second = 0; second < 1u << 16; second += step)
        sweep_pairs(sweeps, f, hd_rt_math_fn(fn, 64), second, limit);
    for (unsigned isa = HD_MATH_ISA_V3; isa < HD_MATH_ISA_COUNT; isa++) {
        if (f[isa] == NULL)
            continue;
        printf("%s %s_f16 %s: %u second operands with all first ones, %.4f ulp at %a, limit %g, "
               "%llu beyond\n",
               sweeps[isa].bad != 0 ? "FAIL" : "ok  ", name, isa_names[isa],
               ((1u << 16) + step - 1) / step, sweeps[isa].worst, sweeps[isa].at, limit,
               sweeps[isa].bad);
        passed += sweeps[isa].bad == 0;
        failed += sweeps[isa].bad != 0;
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}

static void bench(const char *name)
{
    static _Alignas(64) unsigned char in[3][BATCH * 8], out[BATCH * 8];

    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++) {
        if (name != NULL && strcmp(name, hd_rt_math_name(fn)) != 0)
            continue;
        printf("%-12s", hd_rt_math_name(fn));
        for (unsigned bits = 16; bits <= 64; bits *= 2) {
            for (unsigned k = 0; k < 3; k++)
                for (unsigned i = 0; i < BATCH; i++)
                    store(bits, in[k], i, 0.3 + (double)i * (k == 1 ? 0.07 : 0.013));
            if (hd_rt_math_form(fn) == HD_MATH_FORM_F_FI)
                for (unsigned i = 0; i < BATCH; i++)
                    ((int32_t *)in[1])[i] = (int32_t)i - 20;
            for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++) {
                HdMathLanesFn *f = hd_rt_math_fn_isa(fn, bits, (HdMathIsa)isa);
                struct timespec t0, t1;
                double best = 1e30;

                if (f == NULL)
                    continue;
                /* The best of many short runs: others use this machine, too. */
                for (unsigned run = 0; run < 200; run++) {
                    clock_gettime(CLOCK_MONOTONIC, &t0);
                    for (unsigned i = 0; i < 50; i++)
                        f(out, in[0], in[1], in[2], 16);
                    clock_gettime(CLOCK_MONOTONIC, &t1);
                    best = fmin(best, (double)(t1.tv_sec - t0.tv_sec) * 1e9 +
                                          (double)(t1.tv_nsec - t0.tv_nsec));
                }
                printf("  f%u %s %.2f", bits, isa_names[isa], best / 50.0 / 16.0);
            }
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const char *only = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--exhaustive") == 0 && i + 1 < argc)
            return exhaustive(argv[i + 1]);
        if (strcmp(argv[i], "--pairs") == 0 && i + 1 < argc)
            return pairs(argv[i + 1], i + 2 < argc ? (uint32_t)strtoul(argv[i + 2], NULL, 10) : 1);
        if (strcmp(argv[i], "--bench") == 0) {
            bench(i + 1 < argc ? argv[i + 1] : NULL);
            return 0;
        }
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-v") == 0)
            verbose = true;
        else
            only = argv[i];
    }
    for (unsigned fn = 0; fn < HD_MATH_COUNT; fn++)
        if (only == NULL || strcmp(only, hd_rt_math_name(fn)) == 0)
            test_function(fn);
    if (only == NULL) {
        test_nan();
        test_peaks();
        test_table();
    }
    mpfr_free_cache();
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
