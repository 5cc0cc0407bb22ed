/* ops/opencl_std/opencl_std_math_eval.c -- mathematics of OpenCL.std in the interpreter.
 *
 * Halfs and floats are computed in double, doubles in long double, by the C library, and rounded
 * once at the end: on x86-64 the error is below 0.501 units in the last place (what the C library
 * promises for its long double functions is a few units of theirs, 2^-11 of ours). What must be
 * correctly rounded (division, square root …) is computed in the type's own precision or in one
 * whose second rounding cannot matter. Edge cases are those of OpenCL C, "Edge Case Behavior".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ops/float/rounded_eval.h"
#include "ops/opencl_std/std_eval.h"

#define PI 3.14159265358979323846264338327950288L

typedef double InDouble(double x, double y, double z);
typedef long double InLong(long double x, long double y, long double z);

/* Of two equal numbers the first one, whatever the signs of zeros; the number where one is NaN. */
static double least(double x, double y)
{
    return isnan(x) || y < x ? y : x;
}

static double greatest(double x, double y)
{
    return isnan(x) || x < y ? y : x;
}

/* A function in both precisions. */
#define BOTH(name, in_double, in_long)                                       \
    static double name##_d(double x, double y, double z)                     \
    {                                                                        \
        (void)x, (void)y, (void)z;                                           \
        return in_double;                                                    \
    }                                                                        \
    static long double name##_l(long double x, long double y, long double z) \
    {                                                                        \
        (void)x, (void)y, (void)z;                                           \
        return in_long;                                                      \
    }
/* A function that has to be right in double. */
#define ONE(name, in_double)                         \
    static double name(double x, double y, double z) \
    {                                                \
        (void)x, (void)y, (void)z;                   \
        return in_double;                            \
    }
#define LIBM1(name) BOTH(f_##name, name(x), name##l(x))
#define LIBM2(name) BOTH(f_##name, name(x, y), name##l(x, y))

LIBM1(acos)
LIBM1(acosh)
LIBM1(asin)
LIBM1(asinh)
LIBM1(atan)
LIBM1(atanh)
LIBM1(cbrt)
ONE(f_ceil, ceil(x))
LIBM1(cos)
LIBM1(cosh)
LIBM1(erf)
LIBM1(erfc)
LIBM1(exp)
LIBM1(exp2)
LIBM1(exp10)
LIBM1(expm1)
ONE(f_fabs, fabs(x))
ONE(f_floor, floor(x))
LIBM1(log)
LIBM1(log10)
LIBM1(log1p)
LIBM1(log2)
ONE(f_logb, logb(x))
ONE(f_rint, rint(x))
ONE(f_round, round(x))
LIBM1(sin)
LIBM1(sinh)
ONE(f_sqrt, sqrt(x))
LIBM1(tan)
LIBM1(tanh)
LIBM1(tgamma)
ONE(f_trunc, trunc(x))
LIBM2(atan2)
ONE(f_copysign, copysign(x, y))
ONE(f_fdim, fdim(x, y))
ONE(f_fmax, greatest(x, y))
ONE(f_fmin, least(x, y))
ONE(f_fmod, fmod(x, y))
LIBM2(hypot)
LIBM2(pow)
ONE(f_remainder, remainder(x, y))

BOTH(f_acospi, (double)(acosl(x) / PI), acosl(x) / PI)
BOTH(f_asinpi, (double)(asinl(x) / PI), asinl(x) / PI)
BOTH(f_atanpi, (double)(atanl(x) / PI), atanl(x) / PI)
BOTH(f_atan2pi, (double)(atan2l(x, y) / PI), atan2l(x, y) / PI)
BOTH(f_degrees, (double)((long double)x *(180 / PI)), x *(180 / PI))
BOTH(f_radians, (double)((long double)x *(PI / 180)), x *(PI / 180))
BOTH(f_rsqrt, 1 / sqrt(x), 1 / sqrtl(x))
ONE(f_maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : greatest(x, y))
ONE(f_minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : least(x, y))
ONE(f_fmax_common, x < y ? y : x)
ONE(f_fmin_common, y < x ? y : x)
ONE(f_fclamp, least(greatest(x, y), z))
ONE(f_step, y < x ? 0 : 1)
ONE(f_sign, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
ONE(f_mix, x + (y - x) * z)
ONE(f_divide, x / y)
ONE(f_recip, 1 / x)

/* sin(pi x): reduced to [0, 1/2] without error first. Whole numbers give zero with x's sign. */
static long double sinpi_of(long double x)
{
    long double r = fmodl(fabsl(x), 2), s;

    if (!isfinite(x))
        return NAN;
    s = r > 1 ? -1 : 1;
    r = r > 1 ? r - 1 : r;
    r = r > 0.5L ? 1 - r : r;
    if (r == 0)
        return copysignl(0, x);
    s *= sinl(PI * r);
    return signbit(x) ? -s : s;
}

static long double cospi_of(long double x)
{
    long double r = fmodl(fabsl(x), 2);

    if (!isfinite(x))
        return NAN;
    r = r > 1 ? 2 - r : r;
    if (r == 0.5L)
        return 0;
    return r < 0.25L ? cosl(PI * r) : r > 0.75L ? -cosl(PI * (1 - r)) : sinl(PI * (0.5L - r));
}

BOTH(f_sinpi, (double)sinpi_of(x), sinpi_of(x))
BOTH(f_cospi, (double)cospi_of(x), cospi_of(x))
BOTH(f_tanpi, (double)(sinpi_of(x) / cospi_of(x)), sinpi_of(x) / cospi_of(x))

static long double powr_of(long double x, long double y)
{
    if (isnan(x) || isnan(y) || x < 0)
        return NAN;
    x = fabsl(x); /* of -0 */
    if ((x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)))
        return NAN;
    return powl(x, y);
}

/* x^(1/n) of a positive number. The rounding of 1/n, which a large logarithm makes larger, is
 * taken back. */
static long double root_of(long double x, long double n)
{
    long double inverse = 1 / n, error = fmal(-inverse, n, 1) / n, r = powl(x, inverse);

    return r == 0 || isinf(r) ? r : r + r * (error * logl(x));
}

static long double rootn_of(long double x, long double n)
{
    bool odd = fmodl(fabsl(n), 2) == 1;
    long double r;

    if (n == 0 || isnan(x) || (x < 0 && !odd))
        return NAN;
    r = n == 3 ? cbrtl(fabsl(x)) : n == 2 ? sqrtl(fabsl(x)) : root_of(fabsl(x), n);
    return odd && signbit(x) ? -r : r;
}

static long double smoothstep_of(long double low, long double high, long double x)
{
    long double t = fminl(fmaxl((x - low) / (high - low), 0), 1);

    return t * t * (3 - 2 * t);
}

static long double lgamma_of(long double x)
{
    int sign;

    return lgammal_r(x, &sign);
}

BOTH(f_powr, (double)powr_of(x, y), powr_of(x, y))
BOTH(f_rootn, (double)rootn_of(x, y), rootn_of(x, y))
BOTH(f_smoothstep, (double)smoothstep_of(x, y, z), smoothstep_of(x, y, z))
BOTH(f_lgamma, (double)lgamma_of(x), lgamma_of(x))
/* In long double for all, so that it is rounded once. GLSL.std.450 has exponents of 64 bits. */
static long double f_ldexp_l(long double x, long double y, long double z)
{
    (void)z;
    return ldexpl(x, (int)fminl(fmaxl(y, -0x1p30L), 0x1p30L));
}

typedef struct Row {
    InDouble *in_double;
    InLong *in_long; /* NULL: doubles in double */
    uint8_t count;
    bool is_long; /* halfs and floats in long double too */
} Row;

#define ROW1(name, like)   [OpenCLstd_##name] = {f_##like##_d, f_##like##_l, 1, false}
#define ROW2(name, like)   [OpenCLstd_##name] = {f_##like##_d, f_##like##_l, 2, false}
#define OWN(name, like, n) [OpenCLstd_##name] = {f_##like, NULL, n, false}

static const Row rows[] = {
    ROW1(acos, acos),
    ROW1(acosh, acosh),
    ROW1(acospi, acospi),
    ROW1(asin, asin),
    ROW1(asinh, asinh),
    ROW1(asinpi, asinpi),
    ROW1(atan, atan),
    ROW2(atan2, atan2),
    ROW1(atanh, atanh),
    ROW1(atanpi, atanpi),
    ROW2(atan2pi, atan2pi),
    ROW1(cbrt, cbrt),
    OWN(ceil, ceil, 1),
    OWN(copysign, copysign, 2),
    ROW1(cos, cos),
    ROW1(cosh, cosh),
    ROW1(cospi, cospi),
    ROW1(erfc, erfc),
    ROW1(erf, erf),
    ROW1(exp, exp),
    ROW1(exp2, exp2),
    ROW1(exp10, exp10),
    ROW1(expm1, expm1),
    OWN(fabs, fabs, 1),
    OWN(fdim, fdim, 2),
    OWN(floor, floor, 1),
    OWN(fmax, fmax, 2),
    OWN(fmin, fmin, 2),
    OWN(fmod, fmod, 2),
    ROW2(hypot, hypot),
    [OpenCLstd_ldexp] = {NULL, f_ldexp_l, 2, true},
    ROW1(lgamma, lgamma),
    ROW1(log, log),
    ROW1(log2, log2),
    ROW1(log10, log10),
    ROW1(log1p, log1p),
    OWN(logb, logb, 1),
    OWN(maxmag, maxmag, 2),
    OWN(minmag, minmag, 2),
    ROW2(pow, pow),
    ROW2(pown, pow),
    ROW2(powr, powr),
    OWN(remainder, remainder, 2),
    OWN(rint, rint, 1),
    ROW2(rootn, rootn),
    OWN(round, round, 1),
    ROW1(rsqrt, rsqrt),
    ROW1(sin, sin),
    ROW1(sinh, sinh),
    ROW1(sinpi, sinpi),
    OWN(sqrt, sqrt, 1),
    ROW1(tan, tan),
    ROW1(tanh, tanh),
    ROW1(tanpi, tanpi),
    ROW1(tgamma, tgamma),
    OWN(trunc, trunc, 1),
    ROW1(half_cos, cos),
    OWN(half_divide, divide, 2),
    ROW1(half_exp, exp),
    ROW1(half_exp2, exp2),
    ROW1(half_exp10, exp10),
    ROW1(half_log, log),
    ROW1(half_log2, log2),
    ROW1(half_log10, log10),
    ROW2(half_powr, powr),
    OWN(half_recip, recip, 1),
    ROW1(half_rsqrt, rsqrt),
    ROW1(half_sin, sin),
    OWN(half_sqrt, sqrt, 1),
    ROW1(half_tan, tan),
    ROW1(native_cos, cos),
    OWN(native_divide, divide, 2),
    ROW1(native_exp, exp),
    ROW1(native_exp2, exp2),
    ROW1(native_exp10, exp10),
    ROW1(native_log, log),
    ROW1(native_log2, log2),
    ROW1(native_log10, log10),
    ROW2(native_powr, powr),
    OWN(native_recip, recip, 1),
    ROW1(native_rsqrt, rsqrt),
    ROW1(native_sin, sin),
    OWN(native_sqrt, sqrt, 1),
    ROW1(native_tan, tan),
    OWN(fclamp, fclamp, 3),
    ROW1(degrees, degrees),
    OWN(fmax_common, fmax_common, 2),
    OWN(fmin_common, fmin_common, 2),
    OWN(mix, mix, 3),
    ROW1(radians, radians),
    OWN(step, step, 2),
    [OpenCLstd_smoothstep] = {f_smoothstep_d, f_smoothstep_l, 3, false},
    OWN(sign, sign, 1),
};

static const Row *row_of(uint32_t number)
{
    if (number >= sizeof rows / sizeof *rows || rows[number].count == 0)
        return NULL;
    return &rows[number];
}

/* A long double result of ldexp goes to a narrow type in two steps; the first must not round where
 * the second will: make it odd. */
static double to_odd(long double x)
{
    double r = (double)x;
    uint64_t bits;

    if (!isfinite(r) || (long double)r == x)
        return r;
    memcpy(&bits, &r, sizeof bits);
    if ((bits & 1) == 0) {
        bits = fabsl((long double)r) < fabsl(x) ? bits + 1 : bits - 1; /* r may be -0 */
        memcpy(&r, &bits, sizeof r);
    }
    return r;
}

bool hd_std_math_value(uint32_t number, const HdType *t, const long double x[3], double *result)
{
    const Row *row = row_of(number);

    if (row == NULL)
        return false;
    if (t->bits == 64)
        *result = row->in_long ? (double)row->in_long(x[0], x[1], x[2])
                               : row->in_double((double)x[0], (double)x[1], (double)x[2]);
    else
        *result = row->is_long ? to_odd(row->in_long(x[0], x[1], x[2]))
                               : row->in_double((double)x[0], (double)x[1], (double)x[2]);
    return true;
}

/* One component of an operand: a number of whatever type. */
static long double number_at(const HdSlot *s, unsigned lane, uint32_t i)
{
    const HdType *t = hd_type_scalar(s->type);
    const unsigned char *at;

    if (i >= hd_type_lanes(s->type))
        i = 0;
    at = hd_slot_at(s, lane) + i * hd_type_size(t);
    if (t->kind == HD_T_FLOAT)
        return (long double)hd_float_get(at, hd_type_size(t));
    return (long double)hd_int_get(at, hd_type_size(t));
}

HdStatus hd_std_eval_math(HdEval *e, const HdInst *in)
{
    const Row *row = row_of(in->w[4]);
    long double value[3] = {0, 0, 0};
    const HdType *t;
    HdSlot r, x[3];
    double result = 0;
    HdNumberMode mode;

    if (row == NULL)
        return hd_eval_unsupported(e,
                                   "the interpreter does not know this instruction of OpenCL.std");
    if (in->w[4] == OpenCLstd_sqrt && hd_eval_rounding(e, in->w[2], &mode))
        return hd_eval_rounded(e, in, HD_STD_AT, 1, mode);
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, row->count, x));
    t = hd_type_scalar(r.type);
    if (t->kind != HD_T_FLOAT)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the result is not a float");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            for (unsigned k = 0; k < row->count; k++)
                value[k] = number_at(&x[k], lane, i);
            hd_std_math_value(in->w[4], t, value, &result);
            hd_float_put(hd_slot_at(&r, lane) + i * hd_type_size(t), hd_type_size(t), result);
        }
    return HD_OK;
}
