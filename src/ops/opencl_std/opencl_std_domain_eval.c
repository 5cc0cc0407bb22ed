/* ops/opencl_std/opencl_std_domain_eval.c -- checked runs: arguments for which functions of
 * OpenCL.std have no defined result.
 *
 * If implementations differ in practice, the result is undefined and its use is reported; if all
 * give the expected result, it is a note.
 *
 * check.domain: a function of OpenCL.std, or a ballot, has no result for its arguments.
 *
 * Spec: OpenCL Extended Instruction Set; OpenCL C, "Built-in Scalar and Vector Argument Functions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <float.h>
#include <math.h>

#include "ops/opencl_std/std_eval.h"

#define HALF_MAX 65504.0

bool hd_std_reversed(const long double x[3])
{
    return x[1] > x[2];
}

static bool without_step(const long double x[3])
{
    return !(x[0] < x[1]) || isnan(x[2]);
}

static bool far_angle(const long double x[3])
{
    return !(fabsl(x[0]) <= 65536);
}

static bool not_finite(const long double x[3])
{
    return !isfinite(x[0]) || !isfinite(x[1]);
}

static bool beyond(const long double x[3])
{
    return !(x[2] >= 0 && x[2] <= 1);
}

static bool above_24_bits(const long double x[3])
{
    return fmaxl(x[0], x[1]) >= 16777216;
}

static bool above_23_bits(const long double x[3])
{
    return fmaxl(x[0], x[1]) >= 8388608 || fminl(x[0], x[1]) < -8388608;
}

#define INFINITE          "max or min of what is infinite or no number: the specification promises nothing"
#define BLEND             "mix with a weight outside 0 to 1: the specification promises nothing"
#define WIDE              "a factor of more than 24 bits: the product depends on the implementation"
#define DOMAIN(name, ...) [OpenCLstd_##name] = {__VA_ARGS__}

static const HdStdDomain domains[] = {
    DOMAIN(s_clamp, hd_std_reversed, NULL, 3, false),
    DOMAIN(u_clamp, hd_std_reversed, NULL, 3, true),
    DOMAIN(fclamp, hd_std_reversed, NULL, 3, false),
    DOMAIN(smoothstep, without_step, NULL, 3, false),
    DOMAIN(half_cos, far_angle, NULL, 1, false),
    DOMAIN(half_sin, far_angle, NULL, 1, false),
    DOMAIN(half_tan, far_angle, NULL, 1, false),
    DOMAIN(fmax_common, not_finite, INFINITE, 2, false),
    DOMAIN(fmin_common, not_finite, INFINITE, 2, false),
    DOMAIN(mix, beyond, BLEND, 3, false),
    DOMAIN(s_mul24, above_23_bits, WIDE, 2, false),
    DOMAIN(s_mad24, above_23_bits, WIDE, 2, false),
    DOMAIN(u_mul24, above_24_bits, WIDE, 2, true),
    DOMAIN(u_mad24, above_24_bits, WIDE, 2, true),
};

static long double number_at(const HdSlot *s, unsigned lane, uint32_t i, bool is_unsigned)
{
    const HdType *t = hd_type_scalar(s->type);
    const unsigned char *at = hd_slot_at(s, lane) + i * hd_type_size(t);

    return t->kind == HD_T_FLOAT ? (long double)hd_float_get(at, hd_type_size(t))
           : is_unsigned         ? (long double)hd_bits_get(at, hd_type_size(t))
                                 : (long double)hd_int_get(at, hd_type_size(t));
}

/* The sum of squares must be a number of the type (for floats the words name FLT_MAX). */
static HdStatus look_at_normalize(HdEval *e, const HdInst *in)
{
    HdSlot p;

    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &p));
    for (HD_EACH_LANE(lane, e->mask)) {
        const uint64_t bytes = hd_type_size(hd_type_scalar(p.type));
        const double most = bytes == 4 ? (double)FLT_MAX : bytes == 2 ? HALF_MAX : DBL_MAX;
        double sum = 0;

        for (uint32_t i = 0; i < hd_type_lanes(p.type); i++)
            sum += pow((double)number_at(&p, lane, i, false), 2);
        if (sum > most)
            hd_eval_spoil(e, UINT64_C(1) << lane);
    }
    return HD_OK;
}

HdStatus hd_std_look_at(HdEval *e, const HdInst *in, const HdStdDomain *d)
{
    uint64_t outside = 0;
    HdSlot x[3];

    if (d->outside == NULL)
        return HD_OK;
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, d->count, x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(x[0].type); i++) {
            long double value[3] = {0, 0, 0};

            for (unsigned k = 0; k < d->count; k++)
                value[k] = number_at(&x[k], lane, i, d->is_unsigned);
            if (!d->outside(value))
                continue;
            outside |= UINT64_C(1) << lane;
            if (d->note == NULL)
                hd_eval_spoil_part(e, UINT64_C(1) << lane, i);
        }
    if (outside != 0 && d->note != NULL)
        hd_eval_note(e, outside, "check.domain", "keep the arguments in the function's range", "%s",
                     d->note);
    return HD_OK;
}

HdStatus hd_std_eval_domain(HdEval *e, const HdInst *in)
{
    const uint32_t number = in->w[4];

    if (number == OpenCLstd_fast_normalize)
        return look_at_normalize(e, in);
    return number < sizeof domains / sizeof *domains ? hd_std_look_at(e, in, &domains[number])
                                                     : HD_OK;
}
