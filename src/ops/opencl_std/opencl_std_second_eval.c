/* ops/opencl_std/opencl_std_second_eval.c -- functions of OpenCL.std on a number's bits, and those
 * with a second result.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <math.h>

#include "ops/opencl_std/std_eval.h"

/* ---- bits ---------------------------------------------------------------------------------- */

static uint64_t fraction_bits(const HdType *t)
{
    return t->bits == 16 ? 10 : t->bits == 32 ? 23 : 52;
}

static uint64_t exponent_mask(const HdType *t)
{
    uint64_t exponent = t->bits == 16 ? 31 : t->bits == 32 ? 255 : 2047;

    return exponent << fraction_bits(t);
}

static uint64_t next_after(const HdType *t, const void *x_at, const void *y_at)
{
    double x = hd_float_get(x_at, hd_type_size(t)), y = hd_float_get(y_at, hd_type_size(t));
    uint64_t bits = hd_bits_get(x_at, hd_type_size(t));

    if (isnan(x) || isnan(y))
        return exponent_mask(t) | UINT64_C(1) << (fraction_bits(t) - 1);
    if (x == y)
        return hd_bits_get(y_at, hd_type_size(t));
    if (x == 0)
        return 1 | (y < 0 ? UINT64_C(1) << (t->bits - 1) : 0);
    return (x < y) == (x > 0) ? bits + 1 : bits - 1;
}

/* The numbers that OpenCL C's FP_ILOGB0 and FP_ILOGBNAN have. */
static int32_t exponent_of(double x)
{
    if (x == 0)
        return INT_MIN;
    return isfinite(x) ? ilogb(x) : INT_MAX;
}

HdStatus hd_std_eval_bits(HdEval *e, const HdInst *in)
{
    const HdType *t, *from;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, in->w[4] == OpenCLstd_nextafter ? 2 : 1, x));
    t = hd_type_scalar(r.type);
    from = hd_type_scalar(x[0].type);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            const unsigned char *at = hd_slot_at(&x[0], lane) + i * hd_type_size(from);
            uint64_t bits;

            if (in->w[4] == OpenCLstd_nextafter)
                bits = next_after(t, at, hd_slot_at(&x[1], lane) + i * hd_type_size(from));
            else if (in->w[4] == OpenCLstd_ilogb)
                bits = (uint64_t)exponent_of(hd_float_get(at, hd_type_size(from)));
            else /* nan */
                bits = (hd_bits_get(at, hd_type_size(from)) &
                        ((UINT64_C(1) << fraction_bits(t)) - 1)) |
                       exponent_mask(t) | UINT64_C(1) << (fraction_bits(t) - 1);
            hd_bits_put(hd_slot_at(&r, lane) + i * hd_type_size(t), hd_type_size(t), bits);
        }
    return HD_OK;
}

/* ---- two results --------------------------------------------------------------------------- */

typedef struct Pair {
    double first, second; /* integers as numbers */
} Pair;

/* Never 1: the largest number below is. */
static Pair fract_of(double x, const HdType *t)
{
    double below = t->bits == 16   ? 0x1.ffcp-1
                   : t->bits == 32 ? 0x1.fffffep-1
                                   : 0x1.fffffffffffffp-1;
    Pair p = {.second = floor(x)};

    if (isnan(x))
        return (Pair){x, x};
    if (isinf(x) || x == 0)
        return (Pair){copysign(0, x), x};
    p.first = x - p.second;
    if (p.first > below)
        p.first = below;
    return p;
}

/* Low 7 bits of the quotient, with its sign. Exact: 128 |y| and all that follows fit. */
static Pair remquo_of(long double x, long double y)
{
    long double a = fabsl(x), b = fabsl(y), part;
    unsigned quotient = 0;

    if (isnan(x) || isnan(y) || isinf(x) || y == 0)
        return (Pair){NAN, 0};
    if (isinf(y))
        return (Pair){(double)x, 0};
    a = fmodl(a, b * 128);
    part = b * 64;
    for (unsigned bit = 64; bit != 0; bit /= 2, part /= 2)
        if (a >= part) {
            a -= part;
            quotient |= bit;
        }
    if (a > b - a || (a == b - a && (quotient & 1) != 0)) {
        a -= b;
        quotient = (quotient + 1) & 127;
    }
    return (Pair){(double)(signbit(x) ? -a : a),
                  signbit(x) != signbit(y) ? -(double)quotient : (double)quotient};
}

static Pair pair_of(uint32_t number, const HdType *t, double x, double y)
{
    const long double args[3] = {x, 0, 0};
    Pair p = {0, 0};
    int n = 0;

    switch (number) {
    case OpenCLstd_fract: return fract_of(x, t);
    case OpenCLstd_frexp:
        p.first = frexp(x, &n);
        p.second = isfinite(x) ? n : 0;
        return p;
    case OpenCLstd_lgamma_r:
        p.first = (double)lgammal_r(x, &n);
        p.second = n;
        /* No sign where there is a pole. */
        if (isfinite(x) && x <= 0 && floor(x) == x)
            p.second = 0;
        else if (!isfinite(x))
            p.second = 1;
        return p;
    case OpenCLstd_modf: p.first = modf(x, &p.second); return p;
    case OpenCLstd_remquo: return remquo_of(x, y);
    default: /* sincos */
        hd_std_math_value(OpenCLstd_sin, t, args, &p.first);
        hd_std_math_value(OpenCLstd_cos, t, args, &p.second);
        return p;
    }
}

/* Operands: values, then a pointer for the second result. */
HdStatus hd_std_eval_second(HdEval *e, const HdInst *in)
{
    unsigned count = in->w[4] == OpenCLstd_remquo ? 2 : 1;
    bool to_int = in->w[4] == OpenCLstd_frexp || in->w[4] == OpenCLstd_lgamma_r ||
                  in->w[4] == OpenCLstd_remquo;
    uint32_t storage, lanes;
    uint64_t second_size;
    const HdType *t;
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, count + 1, x));
    HD_TRY(hd_eval_storage(e, in->w[HD_STD_AT + count], &storage));
    t = hd_type_scalar(r.type);
    lanes = hd_type_lanes(r.type);
    second_size = to_int ? 4 : hd_type_size(t);
    if (lanes > 16 || t->kind != HD_T_FLOAT)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "a result of this type");
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char second[16 * 8];

        for (uint32_t i = 0; i < lanes; i++) {
            uint64_t at = i * hd_type_size(t);
            double y = count > 1 ? hd_float_get(hd_slot_at(&x[1], lane) + at, hd_type_size(t)) : 0;
            Pair p = pair_of(in->w[4], t,
                             hd_float_get(hd_slot_at(&x[0], lane) + at, hd_type_size(t)), y);

            hd_float_put(hd_slot_at(&r, lane) + at, hd_type_size(t), p.first);
            if (in->w[4] == OpenCLstd_fract &&
                hd_float_get(hd_slot_at(&r, lane) + at, hd_type_size(t)) == 1)
                hd_bits_put(hd_slot_at(&r, lane) + at, hd_type_size(t),
                            hd_bits_get(hd_slot_at(&r, lane) + at, hd_type_size(t)) - 1);
            if (to_int)
                hd_bits_put(second + i * second_size, 4, (uint64_t)(int64_t)p.second);
            else
                hd_float_put(second + i * second_size, hd_type_size(t), p.second);
        }
        HD_TRY(hd_eval_write(e, lane, storage, hd_bits_get(hd_slot_at(&x[count], lane), 8), 1,
                             second, lanes * second_size));
    }
    return HD_OK;
}

/* ---- whole vectors ------------------------------------------------------------------------- */

typedef struct Vector {
    long double at[16];
    uint32_t count;
} Vector;

static HdStatus vector_at(HdEval *e, const HdSlot *s, unsigned lane, Vector *v)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(s->type));

    v->count = hd_type_lanes(s->type);
    if (v->count > 16)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "too many components");
    for (uint32_t i = 0; i < v->count; i++)
        v->at[i] = (long double)hd_float_get(hd_slot_at(s, lane) + i * bytes, bytes);
    return HD_OK;
}

/* Scaled, so that squares of doubles neither overflow nor vanish. An infinity wins over NaN. */
static long double length_of(const Vector *v)
{
    long double largest = 0, sum = 0;

    for (uint32_t i = 0; i < v->count; i++) {
        if (isinf(v->at[i]))
            return INFINITY;
        largest = fmaxl(largest, fabsl(v->at[i]));
    }
    for (uint32_t i = 0; i < v->count; i++) {
        long double x = largest > 0 ? v->at[i] / largest : v->at[i];

        sum += x * x;
    }
    return largest > 0 ? largest * sqrtl(sum) : sqrtl(sum);
}

static void normalize(Vector *v)
{
    bool infinite = false;
    long double length;

    for (uint32_t i = 0; i < v->count; i++)
        infinite = infinite || isinf(v->at[i]);
    for (uint32_t i = 0; infinite && i < v->count; i++)
        v->at[i] = isinf(v->at[i]) ? copysignl(1, v->at[i]) : 0 * v->at[i];
    length = length_of(v);
    for (uint32_t i = 0; length != 0 && i < v->count; i++)
        v->at[i] /= length;
}

/* Each product and difference rounded in the type would be allowed, too. */
static void cross(Vector *a, const Vector *b)
{
    const Vector x = *a;

    a->at[0] = x.at[1] * b->at[2] - x.at[2] * b->at[1];
    a->at[1] = x.at[2] * b->at[0] - x.at[0] * b->at[2];
    a->at[2] = x.at[0] * b->at[1] - x.at[1] * b->at[0];
    a->at[3] = 0;
}

static void geometric(uint32_t number, Vector *a, const Vector *b)
{
    switch (number) {
    case OpenCLstd_cross: cross(a, b); return;
    case OpenCLstd_normalize:
    case OpenCLstd_fast_normalize: normalize(a); return;
    case OpenCLstd_distance:
    case OpenCLstd_fast_distance:
        for (uint32_t i = 0; i < a->count; i++)
            a->at[i] -= b->at[i];
        break;
    default: break;
    }
    a->at[0] = length_of(a);
}

HdStatus hd_std_eval_geometric(HdEval *e, const HdInst *in)
{
    bool two = in->w[4] == OpenCLstd_cross || in->w[4] == OpenCLstd_distance ||
               in->w[4] == OpenCLstd_fast_distance;
    const HdType *t;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, two ? 2 : 1, x));
    t = hd_type_scalar(r.type);
    for (HD_EACH_LANE(lane, e->mask)) {
        Vector v[2] = {{{0}, 0}, {{0}, 0}};

        HD_TRY(vector_at(e, &x[0], lane, &v[0]));
        if (two)
            HD_TRY(vector_at(e, &x[1], lane, &v[1]));
        geometric(in->w[4], &v[0], &v[1]);
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            hd_float_put(hd_slot_at(&r, lane) + i * hd_type_size(t), hd_type_size(t),
                         (double)v[0].at[i]);
    }
    return HD_OK;
}
