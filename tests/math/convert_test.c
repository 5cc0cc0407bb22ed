/* tests/math/convert_test.c -- rt/math/convert and half against MPFR.
 *
 * Every value of 8- and 16-bit types, boundaries and random values of the others; every pair of
 * types and rounding mode.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "rt/math/convert.h"

#define BATCH 1024

static unsigned passed, failed;

static const char *const kind_names[HD_NUM_COUNT] = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                     "i64", "u64", "f16", "f32", "f64"};
static const unsigned kind_bytes[HD_NUM_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
static const char *const mode_names[4] = {"rte", "rtz", "rtp", "rtn"};
static const mpfr_rnd_t mpfr_modes[4] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};

static uint64_t seed = 0x2545f4914f6cdd1du;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x9e3779b97f4a7c15u;
}

static bool is_float(HdNumKind k)
{
    return k >= HD_NUM_F16;
}

static bool is_signed(HdNumKind k)
{
    return k < HD_NUM_F16 && k % 2 == 0;
}

/* Raw bits in, raw bits out: little-endian machines only, as the driver itself. */
static uint64_t get(HdNumKind k, const void *p, unsigned i)
{
    uint64_t u = 0;

    memcpy(&u, (const unsigned char *)p + i * kind_bytes[k], kind_bytes[k]);
    return u;
}

static void put(HdNumKind k, void *p, unsigned i, uint64_t u)
{
    memcpy((unsigned char *)p + i * kind_bytes[k], &u, kind_bytes[k]);
}

static int64_t sign_extend(HdNumKind k, uint64_t u)
{
    unsigned shift = 64 - 8 * kind_bytes[k];

    return (int64_t)(u << shift) >> shift;
}

/* A half's value from its definition, not by the code under test. */
static double half_value(uint64_t u)
{
    int exp = (int)(u >> 10 & 31), mant = (int)(u & 1023);
    double v = exp == 31  ? (mant != 0 ? (double)NAN : (double)INFINITY)
               : exp == 0 ? ldexp(mant, -24)
                          : ldexp(mant + 1024, exp - 25);

    return (u & 0x8000u) != 0 ? -v : v;
}

static void to_mpfr(HdNumKind k, uint64_t u, mpfr_t r)
{
    float f;
    double d;

    if (k == HD_NUM_F16) {
        d = half_value(u);
    } else if (k == HD_NUM_F32) {
        memcpy(&f, &u, 4);
        d = (double)f;
    } else if (k == HD_NUM_F64) {
        memcpy(&d, &u, 8);
    } else {
        if (is_signed(k))
            mpfr_set_si(r, sign_extend(k, u), MPFR_RNDN);
        else
            mpfr_set_ui(r, u, MPFR_RNDN);
        return;
    }
    mpfr_set_d(r, d, MPFR_RNDN);
    mpfr_setsign(r, r, signbit(d) != 0, MPFR_RNDN);
}

static double float_from_mpfr(HdNumKind k, mpfr_t r, mpfr_rnd_t rnd)
{
    static const int prec[3] = {11, 24, 53};
    static const long emax[3] = {16, 128, 1024}, emin[3] = {-23, -148, -1073};
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    int t = (int)k - HD_NUM_F16, inexact;
    mpfr_t v;
    double d;

    mpfr_init2(v, prec[t]);
    mpfr_set_emin(emin[t]);
    mpfr_set_emax(emax[t]);
    inexact = mpfr_set(v, r, rnd);
    inexact = mpfr_check_range(v, inexact, rnd);
    mpfr_subnormalize(v, inexact, rnd);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    d = mpfr_get_d(v, MPFR_RNDN);
    mpfr_clear(v);
    return d;
}

typedef struct Pair {
    HdNumKind from, to;
    HdMathLanesFn *fn[4];
    bool wrong;
    unsigned n;
    _Alignas(64) unsigned char in[BATCH * 8];
} Pair;

static bool good(const Pair *p, uint64_t got, unsigned mode, mpfr_t r)
{
    double d = float_from_mpfr(p->to, r, mpfr_modes[mode]), g;
    float f;

    if (p->to == HD_NUM_F16) {
        g = half_value(got);
    } else if (p->to == HD_NUM_F32) {
        memcpy(&f, &got, 4);
        g = (double)f;
    } else {
        memcpy(&g, &got, 8);
    }
    return d != d ? g != g : d == g && (signbit(d) != 0) == (signbit(g) != 0);
}

static void flush(Pair *p)
{
    static _Alignas(64) unsigned char out[4][BATCH * 8];
    static mpfr_t r;
    static bool ready;

    if (!ready)
        mpfr_init2(r, 64);
    ready = true;
    for (unsigned mode = 0; mode < 4; mode++)
        p->fn[mode](out[mode], p->in, NULL, NULL, p->n);
    for (unsigned i = 0; i < p->n; i++) {
        uint64_t x = get(p->from, p->in, i);

        to_mpfr(p->from, x, r);
        for (unsigned mode = 0; mode < 4; mode++) {
            uint64_t got = get(p->to, out[mode], i);

            if (!good(p, got, mode, r) && !p->wrong) {
                printf("FAIL %s to %s %s: %#llx gives %#llx\n", kind_names[p->from],
                       kind_names[p->to], mode_names[mode], (unsigned long long)x,
                       (unsigned long long)got);
                p->wrong = true;
            }
        }
    }
    p->n = 0;
}

static void add(Pair *p, uint64_t u)
{
    put(p->from, p->in, p->n++, u);
    if (p->n == BATCH)
        flush(p);
}

/* The bits of a double in the pair's source type, and its neighbours. */
static void add_near(Pair *p, double d)
{
    float f = (float)d;
    uint64_t u = 0;

    if (p->from == HD_NUM_F64)
        memcpy(&u, &d, 8);
    else
        memcpy(&u, &f, 4);
    for (uint64_t k = 0; k < 5; k++)
        add(p, u + k - 2);
}

static void add_wide(Pair *p)
{
    unsigned bits = 8 * kind_bytes[p->from];

    for (unsigned i = 0; i < 5000; i++)
        add(p, next_random() >> (next_random() % bits));
    if (!is_float(p->from)) {
        for (unsigned s = 0; s < 64; s++)
            for (unsigned t = 0; t <= s; t++)
                for (uint64_t k = 0; k < 5; k++) {
                    add(p, (1ull << s) + (t < s ? 1ull << t : 0) + k - 2);
                    add(p, 0u - ((1ull << s) + (t < s ? 1ull << t : 0) + k - 2));
                }
        return;
    }
    for (int e = -1080; e < 1030; e++)
        for (int m = 0; m < 8; m++) {
            add_near(p, ldexp(1.0 + m * 0.125, e));
            add_near(p, -ldexp(1.0 + m * 0.125, e));
        }
    /* Halves of integers, and where halves and floats have their ties. */
    for (int i = -2000; i < 2000; i++)
        add_near(p, i * 0.5);
    for (unsigned u = 0; u < 0x7c00; u += 7)
        add_near(p, (half_value(u) + half_value(u + 1)) * 0.5);
    for (unsigned i = 0; i < 20000; i++) {
        double d = ldexp((double)(next_random() >> 11), (int)(next_random() % 100) - 100);

        add_near(p, next_random() % 2 != 0 ? d : -d);
    }
}

/* Are there results that must be rounded? */
static bool is_needed(HdNumKind from, HdNumKind to)
{
    return is_float(to) && (!is_float(from) || kind_bytes[from] > kind_bytes[to]);
}

static void test_pair(HdNumKind from, HdNumKind to, HdMathIsa isa)
{
    static Pair p;

    memset(&p, 0, sizeof p);
    p.from = from;
    p.to = to;
    for (unsigned mode = 0; mode < 4; mode++) {
        p.fn[mode] = hd_rt_convert_fn_isa(from, to, (HdRound)mode, isa);
        if ((p.fn[mode] != NULL) != is_needed(from, to)) {
            printf("FAIL %s to %s: a function is missing, or too many\n", kind_names[from],
                   kind_names[to]);
            failed++;
            return;
        }
    }
    if (p.fn[0] == NULL) {
        passed++;
        return;
    }
    if (kind_bytes[from] <= 2)
        for (uint64_t u = 0; u < 1ull << (8 * kind_bytes[from]); u++)
            add(&p, u);
    else
        add_wide(&p);
    flush(&p);
    passed += !p.wrong;
    failed += p.wrong;
}

/* The float form of the half conversion agrees with the double form, judged above. */
static void test_float_to_half(void)
{
    bool ok = true;

    for (uint64_t i = 0; i < 1u << 22; i++) {
        uint32_t u = (uint32_t)(i << 10 | (next_random() & 1023));
        float f;

        if (i % 3 == 0)
            u = u & ~0xfffu; /* ties */
        memcpy(&f, &u, 4);
        for (unsigned mode = 0; mode < 4; mode++)
            ok &= hd_half_round_float(f, (HdRound)mode) == hd_half_round((double)f, (HdRound)mode);
    }
    if (!ok)
        printf("FAIL float_to_half differs from double_to_half\n");
    passed += ok;
    failed += !ok;
    ok = hd_rt_convert_fn(HD_NUM_COUNT, HD_NUM_F32, HD_ROUND_RTE) == NULL &&
         hd_rt_convert_fn(HD_NUM_I8, HD_NUM_COUNT, HD_ROUND_RTE) == NULL &&
         hd_rt_convert_fn(HD_NUM_I8, HD_NUM_F16, (HdRound)4) == NULL;
    if (!ok)
        printf("FAIL out-of-range kinds and modes have no function\n");
    passed += ok;
    failed += !ok;
}

int main(void)
{
    for (unsigned isa = 0; isa < HD_MATH_ISA_COUNT; isa++)
        for (unsigned k = 0; k < HD_NUM_COUNT * HD_NUM_COUNT; k++)
            if (hd_rt_math_has_isa((HdMathIsa)isa))
                test_pair((HdNumKind)(k / HD_NUM_COUNT), (HdNumKind)(k % HD_NUM_COUNT),
                          (HdMathIsa)isa);
    test_float_to_half();
    mpfr_free_cache();
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
