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
};

HdStatus hd_glsl_eval_domain(HdEval *e, const HdInst *in)
{
    const uint32_t number = in->w[4];

    return number < sizeof domains / sizeof *domains ? hd_std_look_at(e, in, &domains[number])
                                                     : HD_OK;
}
