/* tests/math/interp_math_test.c -- the reference interpreter's mathematics against MPFR: a judge
 * has to be right. Halfs and floats must be within 0.501 units in the last place, doubles within
 * 0.51, and where the specification asks for one answer, that answer.
 *
 *   interp_math_test [NAME] [-v]
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "interp/number.h"
#include "math_ref.h"
#include "ops/opencl_std/std_eval.h"
#include "rt/math/math.h"

#define TRIES 4000u

typedef struct Row {
    const char *name;
    unsigned fn;
    HdMathForm form;
    bool exact[3], is_free; /* is_free: the specification gives no limit */
} Row;

#define F_F           HD_MATH_FORM_F_F
#define F_FF          HD_MATH_FORM_F_FF
#define F_FFF         HD_MATH_FORM_F_FFF
#define F_FI          HD_MATH_FORM_F_FI
#define F_U           HD_MATH_FORM_F_U
#define I_F           HD_MATH_FORM_I_F
#define I_FF          HD_MATH_FORM_I_FF
#define EXACT         HD_MATH_ULP_EXACT
#define ROUNDED       HD_MATH_ULP_ROUNDED
#define FREE          HD_MATH_ULP_FREE
#define IS_EXACT(ulp) ((ulp) == HD_MATH_ULP_EXACT || (ulp) == HD_MATH_ULP_ROUNDED)
static const Row rows[] = {
#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) \
    {inst,                                                    \
     HD_MATH_##name,                                          \
     form,                                                    \
     {IS_EXACT(ulp16), IS_EXACT(ulp32), IS_EXACT(ulp64)},     \
     (ulp64) == FREE},
#include "rt/math/math.def"
#undef MATH
};

static const HdType types[3] = {
    {.kind = HD_T_FLOAT, .bits = 16, .align = 2},
    {.kind = HD_T_FLOAT, .bits = 32, .align = 4},
    {.kind = HD_T_FLOAT, .bits = 64, .align = 8},
};

static uint64_t seed = 0x2545f4914f6cdd1du;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x9e3779b97f4a7c15u;
}

/* Any bits at all, or a number of common size. */
static double operand(const HdType *t)
{
    uint64_t bits = next_random();
    double x;

    if (next_random() % 3 == 0) {
        x = ((double)(int64_t)bits) * 0x1p-63 * (double)(1u << next_random() % 8);
        bits = 0;
        hd_float_put(&bits, hd_type_size(t), x);
    }
    return hd_float_get(&bits, hd_type_size(t));
}

static bool same(double x, double y)
{
    return (isnan(x) && isnan(y)) || (x == y && !signbit(x) == !signbit(y));
}

/* Distance in units of the last place of what the reference is; `got` is of the type. */
static double distance(const RefType *ref, mpfr_t r, double got)
{
    double want = mpfr_get_d(r, MPFR_RNDN);
    long e;
    mpfr_t d;

    if (!mpfr_regular_p(r) || isnan(got))
        return same(want, got) ? 0 : (double)INFINITY;
    if (isinf(got)) /* right when rounding goes there */
        return mpfr_get_exp(r) > ref->emax ||
                       (mpfr_get_exp(r) == ref->emax &&
                        fabs(want) >= ldexp(1 - ldexp(1, -ref->prec - 1), (int)ref->emax))
                   ? 0
                   : (double)INFINITY;
    e = mpfr_get_exp(r) - ref->prec;
    e = e < ref->emin - 1 ? ref->emin - 1 : e;
    mpfr_init2(d, mpfr_get_prec(r) + 64);
    mpfr_sub_d(d, r, got, MPFR_RNDN);
    mpfr_abs(d, d, MPFR_RNDN);
    mpfr_mul_2si(d, d, -e, MPFR_RNDN);
    want = mpfr_get_d(d, MPFR_RNDN);
    mpfr_clear(d);
    return want;
}

/* One of many answers is allowed, or the question is not. */
static bool is_undefined(const Row *row, const double x[3])
{
    switch (row->fn) {
    case HD_MATH_fclamp: return !(x[1] <= x[2]);
    case HD_MATH_fmax_common:
    case HD_MATH_fmin_common: return isnan(x[0]) || isnan(x[1]);
    default: return row->is_free && row->fn != HD_MATH_lgamma;
    }
}

static bool try_one(const Row *row, unsigned size, uint32_t number, double *worst, bool verbose)
{
    const RefType *ref = &ref_types[size];
    const HdType *t = &types[size];
    double x[3] = {operand(t), operand(t), operand(t)}, got, limit, d;
    long n = (long)(int32_t)(next_random() % 2 ? next_random() : next_random() % 9 - 4);
    bool integer = row->form == HD_MATH_FORM_F_FI;
    long double args[3] = {x[0], integer ? (long double)n : x[1], x[2]};
    uint64_t bits = 0;
    int32_t ri;
    mpfr_t m[3], r;

    if (is_undefined(row, x) || !hd_std_math_value(number, t, args, &got))
        return true;
    hd_float_put(&bits, hd_type_size(t), got);
    got = hd_float_get(&bits, hd_type_size(t));
    for (unsigned i = 0; i < 3; i++)
        mpfr_init2(m[i], 53);
    for (unsigned i = 0; i < 3; i++) {
        mpfr_set_d(m[i], x[i], MPFR_RNDN);
        mpfr_setsign(m[i], m[i], signbit(x[i]) != 0, MPFR_RNDN);
    }
    mpfr_init2(r, 160);
    ref_eval(row->fn, ref, m, n, r, &ri);
    d = distance(ref, r, got);
    if (row->fn == HD_MATH_lgamma) /* near its zeros an absolute error is all one gets */
        d = fabs(got - mpfr_get_d(r, MPFR_RNDN)) <= ldexp(4, -ref->prec) ? 0 : d;
    limit = size < 2 || row->exact[size] ? 0.501 : 0.51;
    *worst = d > *worst ? d : *worst;
    if (!(d <= limit) && verbose)
        printf("%s f%u(%a, %a, %a; %ld) = %a, not %a: %.3f ulp\n", row->name, t->bits, x[0], x[1],
               x[2], n, got, mpfr_get_d(r, MPFR_RNDN), d);
    for (unsigned i = 0; i < 3; i++)
        mpfr_clear(m[i]);
    mpfr_clear(r);
    return d <= limit;
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0;
    const char *only = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    bool verbose = argc > 1 && strcmp(argv[argc - 1], "-v") == 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const HdExtInst *inst =
            hd_gram_extinst_name(HD_EXTSET_OpenCL_std, rows[i].name, strlen(rows[i].name));
        const long double zero[3] = {0, 0, 0};
        double unused;

        if (only != NULL && strcmp(only, rows[i].name) != 0)
            continue;
        /* Division is an instruction of its own; what has two results or looks at bits is run by
         * code_test. */
        if (inst == NULL || !hd_std_math_value(inst->number, &types[2], zero, &unused))
            continue;
        for (unsigned size = 0; size < 3; size++) {
            double worst = 0;
            unsigned wrong = 0;

            for (unsigned k = 0; k < TRIES; k++)
                wrong += !try_one(&rows[i], size, inst->number, &worst, verbose && wrong < 5);
            if (wrong == 0) {
                passed++;
                continue;
            }
            failed++;
            printf("FAILED %s of f%u: %u of %u wrong, by %g ulp at most\n", rows[i].name,
                   types[size].bits, wrong, TRIES, worst);
        }
    }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
