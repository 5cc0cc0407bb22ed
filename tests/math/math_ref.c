/* tests/math/math_ref.c -- the reference for rt/math, by MPFR and the rules of OpenCL C.
 *
 * Written from the specification; shares nothing with rt/math but the list of names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "math_ref.h"

#include <math.h>
#include <stdlib.h>

#include "rt/math/math.h"

#define N MPFR_RNDN

const RefType ref_types[3] = {
    {16, 11, 16, -23, 0x1.ffcp-1},
    {32, 24, 128, -148, 0x1.fffffep-1},
    {64, 53, 1024, -1073, 0x1.fffffffffffffp-1},
};

typedef int Fn1(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int Fn2(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static int ref_lgamma(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    int sign;

    return mpfr_lgamma(r, &sign, x, rnd);
}

static int ref_rsqrt(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    int ret = mpfr_rec_sqrt(r, x, rnd);

    if (mpfr_zero_p(x)) /* C: 1 / sqrt(-0) is -infinity; MPFR says +infinity */
        mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
    return ret;
}

static int ref_floor(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    (void)rnd;
    return mpfr_floor(r, x);
}

static int ref_ceil(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    (void)rnd;
    return mpfr_ceil(r, x);
}

static int ref_trunc(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    (void)rnd;
    return mpfr_trunc(r, x);
}

static int ref_round(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    (void)rnd;
    return mpfr_round(r, x);
}

static int ref_rint(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    (void)rnd;
    return mpfr_roundeven(r, x);
}

static int ref_degrees(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_const_pi(r, rnd);
    mpfr_ui_div(r, 180, r, rnd);
    return mpfr_mul(r, r, x, rnd);
}

static int ref_radians(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_const_pi(r, rnd);
    mpfr_div_ui(r, r, 180, rnd);
    return mpfr_mul(r, r, x, rnd);
}

static int ref_powr(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    mpfr_t a;

    if (mpfr_nan_p(x) || mpfr_nan_p(y) || (mpfr_sgn(x) < 0) ||
        (mpfr_zero_p(y) && (mpfr_zero_p(x) || mpfr_inf_p(x))) ||
        (mpfr_cmp_ui(x, 1) == 0 && mpfr_inf_p(y))) {
        mpfr_set_nan(r);
        return 0;
    }
    mpfr_init2(a, mpfr_get_prec(x));
    mpfr_abs(a, x, rnd);
    mpfr_pow(r, a, y, rnd);
    mpfr_clear(a);
    return 0;
}

static int ref_fdim(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    if (mpfr_nan_p(x) || mpfr_nan_p(y))
        mpfr_set_nan(r);
    else if (mpfr_greater_p(x, y))
        mpfr_sub(r, x, y, rnd);
    else
        mpfr_set_zero(r, 1);
    return 0;
}

/* "Returns y if x < y, otherwise it returns x", after NaNs have lost. */
static int ref_fmax(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    return mpfr_set(r, mpfr_nan_p(x) || mpfr_less_p(x, y) ? y : x, rnd);
}

static int ref_fmin(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    return mpfr_set(r, mpfr_nan_p(x) || mpfr_less_p(y, x) ? y : x, rnd);
}

static int ref_max_common(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    return mpfr_set(r, mpfr_less_p(x, y) ? y : x, rnd);
}

static int ref_min_common(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    return mpfr_set(r, mpfr_less_p(y, x) ? y : x, rnd);
}

static int ref_maxmag(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    int c = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);

    return c > 0 ? mpfr_set(r, x, rnd) : c < 0 ? mpfr_set(r, y, rnd) : ref_fmax(r, x, y, rnd);
}

static int ref_minmag(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd)
{
    int c = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);

    return c < 0 ? mpfr_set(r, x, rnd) : c > 0 ? mpfr_set(r, y, rnd) : ref_fmin(r, x, y, rnd);
}

static int ref_step(mpfr_ptr r, mpfr_srcptr edge, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    return mpfr_set_ui(r, mpfr_less_p(x, edge) ? 0 : 1, rnd);
}

static Fn1 *const fn1[HD_MATH_COUNT] = {
    [HD_MATH_acos] = mpfr_acos,      [HD_MATH_acosh] = mpfr_acosh, [HD_MATH_acospi] = mpfr_acospi,
    [HD_MATH_asin] = mpfr_asin,      [HD_MATH_asinh] = mpfr_asinh, [HD_MATH_asinpi] = mpfr_asinpi,
    [HD_MATH_atan] = mpfr_atan,      [HD_MATH_atanh] = mpfr_atanh, [HD_MATH_atanpi] = mpfr_atanpi,
    [HD_MATH_cbrt] = mpfr_cbrt,      [HD_MATH_ceil] = ref_ceil,    [HD_MATH_cos] = mpfr_cos,
    [HD_MATH_cosh] = mpfr_cosh,      [HD_MATH_cospi] = mpfr_cospi, [HD_MATH_degrees] = ref_degrees,
    [HD_MATH_erf] = mpfr_erf,        [HD_MATH_erfc] = mpfr_erfc,   [HD_MATH_exp] = mpfr_exp,
    [HD_MATH_exp10] = mpfr_exp10,    [HD_MATH_exp2] = mpfr_exp2,   [HD_MATH_expm1] = mpfr_expm1,
    [HD_MATH_fabs] = mpfr_abs,       [HD_MATH_floor] = ref_floor,  [HD_MATH_fract_int] = ref_floor,
    [HD_MATH_lgamma] = ref_lgamma,   [HD_MATH_log] = mpfr_log,     [HD_MATH_log10] = mpfr_log10,
    [HD_MATH_log1p] = mpfr_log1p,    [HD_MATH_log2] = mpfr_log2,   [HD_MATH_modf_int] = ref_trunc,
    [HD_MATH_radians] = ref_radians, [HD_MATH_rint] = ref_rint,    [HD_MATH_round] = ref_round,
    [HD_MATH_rsqrt] = ref_rsqrt,     [HD_MATH_sin] = mpfr_sin,     [HD_MATH_sinh] = mpfr_sinh,
    [HD_MATH_sinpi] = mpfr_sinpi,    [HD_MATH_sqrt] = mpfr_sqrt,   [HD_MATH_tan] = mpfr_tan,
    [HD_MATH_tanh] = mpfr_tanh,      [HD_MATH_tanpi] = mpfr_tanpi, [HD_MATH_tgamma] = mpfr_gamma,
    [HD_MATH_trunc] = ref_trunc,
};

static Fn2 *const fn2[HD_MATH_COUNT] = {
    [HD_MATH_atan2] = mpfr_atan2,
    [HD_MATH_atan2pi] = mpfr_atan2pi,
    [HD_MATH_copysign] = mpfr_copysign,
    [HD_MATH_div] = mpfr_div,
    [HD_MATH_fdim] = ref_fdim,
    [HD_MATH_fmax] = ref_fmax,
    [HD_MATH_fmax_common] = ref_max_common,
    [HD_MATH_fmin] = ref_fmin,
    [HD_MATH_fmin_common] = ref_min_common,
    [HD_MATH_fmod] = mpfr_fmod,
    [HD_MATH_hypot] = mpfr_hypot,
    [HD_MATH_maxmag] = ref_maxmag,
    [HD_MATH_minmag] = ref_minmag,
    [HD_MATH_pow] = mpfr_pow,
    [HD_MATH_powr] = ref_powr,
    [HD_MATH_remainder] = mpfr_remainder,
    [HD_MATH_remquo_rem] = mpfr_remainder,
    [HD_MATH_step] = ref_step,
};

/* pown, rootn, ldexp: an integer beside the number. */
static void eval_int_operand(unsigned fn, mpfr_srcptr x, long n, mpfr_ptr r)
{
    if (fn == HD_MATH_pown) {
        mpfr_pow_si(r, x, n, N);
    } else if (fn == HD_MATH_ldexp) {
        mpfr_mul_2si(r, x, n, N);
    } else if (n == 0 || (n % 2 == 0 && mpfr_sgn(x) < 0)) {
        mpfr_set_nan(r);
    } else {
        mpfr_rootn_si(r, x, n, N);
        if (mpfr_zero_p(r) || mpfr_inf_p(r)) /* +-0 and +-infinity: odd n keeps the sign */
            mpfr_setsign(r, r, n % 2 != 0 && mpfr_signbit(x), N);
    }
}

/* floor, ceil … of x and the rest. */
static void eval_parts(unsigned fn, const RefType *t, mpfr_srcptr x, mpfr_ptr r)
{
    mpfr_exp_t e;

    switch (fn) {
    case HD_MATH_fract_value:
        if (mpfr_inf_p(x) || mpfr_zero_p(x)) {
            mpfr_set_zero(r, mpfr_signbit(x) ? -1 : 1);
            return;
        }
        mpfr_floor(r, x);
        mpfr_sub(r, x, r, N);
        mpfr_prec_round(r, t->prec, N);
        if (mpfr_cmp_d(r, t->below) > 0)
            mpfr_set_d(r, t->below, N);
        return;
    case HD_MATH_modf_frac:
        if (mpfr_inf_p(x))
            mpfr_set_zero(r, 1);
        else
            mpfr_frac(r, x, N);
        mpfr_setsign(r, r, mpfr_signbit(x), N);
        return;
    case HD_MATH_frexp_mant:
        mpfr_set(r, x, N);
        if (mpfr_regular_p(x))
            mpfr_set_exp(r, 0);
        return;
    case HD_MATH_logb:
        e = mpfr_regular_p(x) ? mpfr_get_exp(x) - 1 : 0;
        if (mpfr_zero_p(x))
            mpfr_set_inf(r, -1);
        else if (mpfr_regular_p(x))
            mpfr_set_si(r, e, N);
        else
            mpfr_abs(r, x, N);
        return;
    case HD_MATH_sign:
        mpfr_set(r, x, N);
        if (mpfr_nan_p(x))
            mpfr_set_zero(r, 1);
        else if (!mpfr_zero_p(x))
            mpfr_set_si(r, mpfr_sgn(x), N);
        return;
    default: abort();
    }
}

static int32_t eval_int_result(unsigned fn, mpfr_t *x)
{
    mpfr_t r;
    long q = 0;
    int sign = 1;

    switch (fn) {
    case HD_MATH_ilogb:
        return mpfr_zero_p(x[0])      ? INT32_MIN
               : mpfr_regular_p(x[0]) ? (int32_t)(mpfr_get_exp(x[0]) - 1)
                                      : INT32_MAX;
    case HD_MATH_frexp_exp: return mpfr_regular_p(x[0]) ? (int32_t)mpfr_get_exp(x[0]) : 0;
    case HD_MATH_lgamma_sign:
        if (mpfr_zero_p(x[0]) || (mpfr_integer_p(x[0]) && mpfr_sgn(x[0]) < 0))
            return 0;
        if (!mpfr_regular_p(x[0]))
            return 1;
        mpfr_init2(r, 32);
        mpfr_lgamma(r, &sign, x[0], N);
        mpfr_clear(r);
        return sign;
    case HD_MATH_remquo_quo:
        if (!mpfr_number_p(x[0]) || mpfr_zero_p(x[1]) || !mpfr_number_p(x[1]))
            return 0;
        mpfr_init2(r, 64);
        mpfr_remquo(r, &q, x[0], x[1], N);
        mpfr_clear(r);
        sign = (mpfr_signbit(x[0]) != 0) != (mpfr_signbit(x[1]) != 0) ? -1 : 1;
        return (int32_t)(sign * (labs(q) & 0x7f));
    default: abort();
    }
}

static void eval_three(unsigned fn, mpfr_t *x, mpfr_ptr r)
{
    mpfr_t v;

    switch (fn) {
    case HD_MATH_fma:
    case HD_MATH_mad: mpfr_fma(r, x[0], x[1], x[2], N); return;
    case HD_MATH_fclamp:
        ref_fmax(r, x[0], x[1], N);
        mpfr_init2(v, mpfr_get_prec(r));
        mpfr_set(v, r, N);
        ref_fmin(r, v, x[2], N);
        mpfr_clear(v);
        return;
    case HD_MATH_mix:
        mpfr_sub(r, x[1], x[0], N);
        mpfr_fma(r, r, x[2], x[0], N);
        return;
    case HD_MATH_smoothstep:
        mpfr_init2(v, mpfr_get_prec(r));
        mpfr_sub(v, x[1], x[0], N);
        mpfr_sub(r, x[2], x[0], N);
        mpfr_div(v, r, v, N);
        if (mpfr_sgn(v) < 0)
            mpfr_set_zero(v, 1);
        if (mpfr_cmp_ui(v, 1) > 0)
            mpfr_set_ui(v, 1, N);
        mpfr_mul_2ui(r, v, 1, N);
        mpfr_ui_sub(r, 3, r, N);
        mpfr_mul(r, r, v, N);
        mpfr_mul(r, r, v, N);
        mpfr_clear(v);
        return;
    default: abort();
    }
}

/* The neighbour of x towards y in the type, denormals included. */
static void eval_nextafter(const RefType *t, mpfr_srcptr x, mpfr_srcptr y, mpfr_ptr r)
{
    long e;
    mpfr_t v;

    if (mpfr_unordered_p(x, y)) {
        mpfr_set_nan(r);
        return;
    }
    if (mpfr_equal_p(x, y)) {
        mpfr_set(r, y, N);
        return;
    }
    if (mpfr_inf_p(x)) {
        mpfr_set_inf(r, mpfr_sgn(x));
        mpfr_set_ui_2exp(r, 1, t->emax, N);
        mpfr_set_prec(r, t->prec);
        mpfr_set_ui_2exp(r, 1, t->emax, N);
        mpfr_nextbelow(r);
        mpfr_setsign(r, r, mpfr_sgn(x) < 0, N);
        return;
    }
    /* A step of one unit; the binade below has finer units, when going down from a power of two. */
    e = mpfr_zero_p(x) ? t->emin - 1 : mpfr_get_exp(x) - t->prec;
    mpfr_init2(v, 2);
    mpfr_set_ui_2exp(v, 1, 0, N);
    if (!mpfr_zero_p(x) && mpfr_cmpabs(x, y) > 0 && mpfr_min_prec(x) == 1)
        e--;
    else if (!mpfr_zero_p(x) && mpfr_sgn(x) * mpfr_cmp(y, x) < 0 && mpfr_min_prec(x) == 1)
        e--;
    if (e < t->emin - 1)
        e = t->emin - 1;
    mpfr_set_si_2exp(v, mpfr_greater_p(y, x) ? 1 : -1, e, N);
    mpfr_add(r, x, v, N);
    if (mpfr_zero_p(r))
        mpfr_setsign(r, r, mpfr_signbit(x), N);
    if (mpfr_regular_p(r) && mpfr_get_exp(r) > t->emax)
        mpfr_set_inf(r, mpfr_sgn(r));
    mpfr_clear(v);
}

void ref_eval(unsigned fn, const RefType *t, mpfr_t *x, long n, mpfr_t r, int32_t *ri)
{
    HdMathForm form = hd_rt_math_form(fn);

    if (form == HD_MATH_FORM_I_F || form == HD_MATH_FORM_I_FF) {
        *ri = eval_int_result(fn, x);
        return;
    }
    if (form == HD_MATH_FORM_F_FI) {
        eval_int_operand(fn, x[0], n, r);
        return;
    }
    if (fn1[fn] != NULL) {
        fn1[fn](r, x[0], N);
    } else if (fn2[fn] != NULL) {
        fn2[fn](r, x[0], x[1], N);
    } else if (form == HD_MATH_FORM_F_FFF) {
        eval_three(fn, x, r);
    } else if (fn == HD_MATH_nextafter) {
        eval_nextafter(t, x[0], x[1], r);
    } else {
        eval_parts(fn, t, x[0], r);
    }
}

/* Round an exact or almost exact value to the type. */
static double round_to_type(const RefType *t, mpfr_t r)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t v;
    int inexact;
    double d;

    mpfr_init2(v, t->prec);
    mpfr_set_emin(t->emin);
    mpfr_set_emax(t->emax);
    inexact = mpfr_set(v, r, MPFR_RNDN);
    inexact = mpfr_check_range(v, inexact, MPFR_RNDN);
    mpfr_subnormalize(v, inexact, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    d = mpfr_get_d(v, MPFR_RNDN);
    mpfr_clear(v);
    return d;
}

bool ref_same(double x, double y)
{
    return (x != x && y != y) || (x == y && (signbit(x) != 0) == (signbit(y) != 0));
}

double ref_error_ulps(const RefType *t, mpfr_t r, double got, double limit)
{
    static mpfr_t g;
    static bool ready;
    long e;

    if (limit == HD_MATH_ULP_EXACT || limit == HD_MATH_ULP_ROUNDED) {
        double want = round_to_type(t, r);

        /* Zero signs are free for the choices between two numbers only: those are exact too. */
        return ref_same(want, got) ? 0.0 : (double)INFINITY;
    }
    if (!mpfr_regular_p(r))
        return ref_same(mpfr_get_d(r, MPFR_RNDN), got) ? 0.0 : (double)INFINITY;
    if (got != got)
        return (double)INFINITY;
    if (!ready) {
        mpfr_init2(g, 64);
        ready = true;
    }
    if (isinf(got)) {
        mpfr_set_ui_2exp(g, 1, t->emax, MPFR_RNDN);
        mpfr_setsign(g, g, got < 0.0, MPFR_RNDN);
        if (mpfr_cmpabs(r, g) >= 0 && (mpfr_sgn(r) < 0) == (got < 0.0))
            return 0.0;
    } else {
        mpfr_set_d(g, got, MPFR_RNDN);
    }
    e = mpfr_get_exp(r) - t->prec;
    if (e < t->emin - 1)
        e = t->emin - 1;
    if (e > t->emax - t->prec)
        e = t->emax - t->prec;
    mpfr_sub(g, g, r, MPFR_RNDN);
    mpfr_abs(g, g, MPFR_RNDN);
    mpfr_mul_2si(g, g, -e, MPFR_RNDN);
    return mpfr_get_d(g, MPFR_RNDN);
}
