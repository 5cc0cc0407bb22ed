/* ops/glsl/glsl_eval_domain.c -- checked runs: arguments for which functions of GLSL.std.450 have
 * no defined result.
 *
 * Where implementations differ (polynomials outside of their range, pow as exp2 of a product) the
 * use of the result is reported; where all give the infinity or NaN that IEEE 754 has, it is a
 * note.
 *
 * Spec: SPIR-V Extended Instructions for GLSL, "Result is undefined if".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ops/glsl/glsl_eval.h"

static bool above_one(const long double x[3])
{
    return fabsl(x[0]) > 1;
}

static bool one_or_above(const long double x[3])
{
    return fabsl(x[0]) >= 1;
}

static bool below_one(const long double x[3])
{
    return x[0] < 1;
}

static bool negative(const long double x[3])
{
    return x[0] < 0;
}

static bool not_positive(const long double x[3])
{
    return x[0] <= 0;
}

static bool without_angle(const long double x[3])
{
    return x[0] == 0 && x[1] == 0;
}

static bool without_power(const long double x[3])
{
    return x[0] < 0 || (x[0] == 0 && x[1] <= 0);
}

static bool without_step(const long double x[3])
{
    return x[0] >= x[1];
}

static bool one_is_nan(const long double x[3])
{
    return isnan(x[0]) != isnan(x[1]);
}

static bool some_is_nan(const long double x[3])
{
    return isnan(x[0]) || isnan(x[1]) || isnan(x[2]);
}

static bool without_exponent(const long double x[3])
{
    return !isfinite(x[0]);
}

#define NO_CHOICE                                                                             \
    "a minimum or maximum of a number and a NaN: the specification leaves open which of the " \
    "two it is"
#define NO_LOGARITHM      "a logarithm of no positive number: the specification promises nothing"
#define NO_ROOT           "a root of a negative number: the specification promises nothing"
#define NO_INVERSE        "an inverse root of no positive number: the specification promises nothing"
#define DOMAIN(name, ...) [GLSLstd450##name] = {__VA_ARGS__}

static const HdStdDomain domains[] = {
    DOMAIN(Asin, above_one, NULL, 1, false),
    DOMAIN(Acos, above_one, NULL, 1, false),
    DOMAIN(Acosh, below_one, NULL, 1, false),
    DOMAIN(Atanh, one_or_above, NULL, 1, false),
    DOMAIN(Atan2, without_angle, NULL, 2, false),
    DOMAIN(Pow, without_power, NULL, 2, false),
    DOMAIN(Log, not_positive, NO_LOGARITHM, 1, false),
    DOMAIN(Log2, not_positive, NO_LOGARITHM, 1, false),
    DOMAIN(Sqrt, negative, NO_ROOT, 1, false),
    DOMAIN(InverseSqrt, not_positive, NO_INVERSE, 1, false),
    DOMAIN(FClamp, hd_std_reversed, NULL, 3, false),
    DOMAIN(UClamp, hd_std_reversed, NULL, 3, true),
    DOMAIN(SClamp, hd_std_reversed, NULL, 3, false),
    DOMAIN(NClamp, hd_std_reversed, NULL, 3, false),
    DOMAIN(SmoothStep, without_step, NULL, 3, false),
    DOMAIN(Frexp, without_exponent, NULL, 1, false),
};

/* The clamps of GLSL are minima of maxima. */
static const HdStdDomain of_nans[] = {
    DOMAIN(FMin, one_is_nan, NO_CHOICE, 2, false),
    DOMAIN(FMax, one_is_nan, NO_CHOICE, 2, false),
    DOMAIN(FClamp, some_is_nan, NO_CHOICE, 3, false),
};

#define ENTRIES(table) (sizeof(table) / sizeof *(table))

/* All components of a vector or matrix of floats. */
static bool is_finite(const HdSlot *x, unsigned lane)
{
    const bool is_matrix = x->type->kind == HD_T_MATRIX;
    const HdType *part = is_matrix ? hd_type_element(x->type) : x->type;
    const uint32_t count = hd_type_lanes(part) * (is_matrix ? x->type->count : 1);
    const uint64_t bytes = hd_type_size(hd_type_scalar(part));

    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(hd_float_get(hd_slot_at(x, lane) + i * bytes, bytes)))
            return false;
    return true;
}

/* Ldexp: a product that the type does not have, or an exponent beyond those of its numbers. */
static HdStatus look_at_ldexp(HdEval *e, const HdInst *in)
{
    const HdType *t, *of_exponent;
    HdSlot x[2];
    uint64_t bytes;
    int most;

    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 2, x));
    t = hd_type_scalar(x[0].type);
    of_exponent = hd_type_scalar(x[1].type);
    bytes = hd_type_size(t);
    most = t->bits == 16 ? 16 : t->bits == 32 ? 128 : 1024;
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(x[0].type); i++) {
            const double number = hd_float_get(hd_slot_at(&x[0], lane) + i * bytes, bytes);
            const int64_t exponent = hd_int_get(
                hd_slot_at(&x[1], lane) + i * hd_type_size(of_exponent), hd_type_size(of_exponent));

            if ((t->bits != 16 && exponent > most) ||
                (isfinite(number) && number != 0 && ilogb(number) + exponent >= most))
                hd_eval_spoil_part(e, UINT64_C(1) << lane, i);
        }
    return HD_OK;
}

/* FrexpStruct, both of whose members have no value. */
static HdStatus look_at_pair(HdEval *e, const HdInst *in)
{
    HdSlot x;

    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    for (HD_EACH_LANE(lane, e->mask))
        if (!is_finite(&x, lane))
            hd_eval_spoil(e, UINT64_C(1) << lane);
    return HD_OK;
}

/* MatrixInverse: that of a singular matrix is not finite. */
static HdStatus look_at_inverse(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    for (HD_EACH_LANE(lane, e->mask))
        if (is_finite(&x, lane) && !is_finite(&r, lane))
            hd_eval_spoil(e, UINT64_C(1) << lane);
    return HD_OK;
}

HdStatus hd_glsl_eval_domain(HdEval *e, const HdInst *in)
{
    const uint32_t number = in->w[4];

    switch (number) {
    case GLSLstd450Ldexp: return look_at_ldexp(e, in);
    case GLSLstd450FrexpStruct: return look_at_pair(e, in);
    case GLSLstd450MatrixInverse: return look_at_inverse(e, in);
    default: break;
    }
    if (number < ENTRIES(of_nans))
        HD_TRY(hd_std_look_at(e, in, &of_nans[number]));
    return number < ENTRIES(domains) ? hd_std_look_at(e, in, &domains[number]) : HD_OK;
}
