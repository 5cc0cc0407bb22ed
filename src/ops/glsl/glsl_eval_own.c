/* ops/glsl/glsl_eval_own.c -- instructions of GLSL.std.450 that OpenCL.std has no equal of, in the
 * interpreter.
 *
 * Numbers are computed in double and rounded after each operation, as the processor does: for half
 * and float that is the same as in their own precision, towards zero as to nearest.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/number.h"
#include "ops/glsl/glsl_eval.h"

double hd_glsl_round(const HdType *t, double x)
{
    switch (t->bits) {
    case 16: return hd_half_to_double(hd_half_from_double(x, hd_number_mode()));
    case 32: return (double)(float)x;
    default: return x;
    }
}

/* ---- by component -------------------------------------------------------------------------- */

static uint64_t find(uint32_t what, uint64_t x, unsigned bits)
{
    uint64_t all = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;

    if (what == GLSLstd450FindSMsb && (x >> (bits - 1) & 1) != 0)
        x = ~x & all;
    if (x == 0)
        return ~UINT64_C(0);
    return what == GLSLstd450FindILsb ? (uint64_t)__builtin_ctzll(x)
                                      : 63u - (uint64_t)__builtin_clzll(x);
}

static void unary(uint32_t what, const HdType *t, const HdType *from, const unsigned char *x,
                  unsigned char *r)
{
    uint64_t bytes = hd_type_size(from);
    double number;
    int64_t i;

    switch (what) {
    case GLSLstd450Fract:
        number = hd_float_get(x, bytes);
        hd_float_put(r, bytes, number - floor(number));
        return;
    case GLSLstd450SSign:
        i = hd_int_get(x, bytes);
        hd_bits_put(r, bytes, (uint64_t)((i > 0) - (i < 0)));
        return;
    default: hd_bits_put(r, hd_type_size(t), find(what, hd_bits_get(x, bytes), from->bits));
    }
}

HdStatus hd_glsl_eval_unary(HdEval *e, const HdInst *in)
{
    const HdType *t, *from;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    t = hd_type_scalar(r.type);
    from = hd_type_scalar(x.type);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            unary(in->w[4], t, from, hd_slot_at(&x, lane) + i * hd_type_size(from),
                  hd_slot_at(&r, lane) + i * hd_type_size(t));
    return HD_OK;
}

/* ModfStruct, FrexpStruct: structures of two members, each with as many components. */
HdStatus hd_glsl_eval_pair(HdEval *e, const HdInst *in)
{
    const HdType *second, *from;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    from = hd_type_scalar(x.type);
    second = hd_type_scalar(hd_type_member(e->m, r.type, 1));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(x.type); i++) {
            uint64_t bytes = hd_type_size(from);
            double number = hd_float_get(hd_slot_at(&x, lane) + i * bytes, bytes), whole;
            unsigned char *to = hd_slot_at(&r, lane) + i * bytes,
                          *more = hd_slot_at(&r, lane) + hd_type_offset(e->m, r.type, 1) +
                                  i * hd_type_size(second);
            int exponent = 0;

            if (in->w[4] == GLSLstd450ModfStruct) {
                hd_float_put(to, bytes, modf(number, &whole));
                hd_float_put(more, bytes, whole);
                continue;
            }
            number = frexp(number, &exponent);
            hd_float_put(to, bytes, number);
            hd_bits_put(more, hd_type_size(second),
                        isfinite(number) ? (uint64_t)(int64_t)exponent : 0);
        }
    return HD_OK;
}

/* ---- of whole vectors ---------------------------------------------------------------------- */

#define MOST 16u

typedef struct Vector {
    uint32_t count;
    double at[MOST];
} Vector;

static Vector vector_at(const HdSlot *s, unsigned lane)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(s->type));
    Vector v = {.count = hd_type_lanes(s->type) < MOST ? hd_type_lanes(s->type) : MOST};

    for (uint32_t i = 0; i < v.count; i++)
        v.at[i] = hd_float_get(hd_slot_at(s, lane) + i * bytes, bytes);
    return v;
}

static double dot(const HdType *t, const Vector *x, const Vector *y)
{
    double sum = hd_glsl_round(t, x->at[0] * y->at[0]);

    for (uint32_t i = 1; i < x->count; i++)
        sum = hd_glsl_round(t, sum + hd_glsl_round(t, x->at[i] * y->at[i]));
    return sum;
}

static void cross(const HdType *t, const Vector *x, const Vector *y, Vector *r)
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;

        r->at[i] = hd_glsl_round(t, hd_glsl_round(t, x->at[j] * y->at[k]) -
                                        hd_glsl_round(t, x->at[k] * y->at[j]));
    }
}

static void reflect(const HdType *t, const Vector *x, const Vector *n, Vector *r)
{
    double twice = hd_glsl_round(t, dot(t, n, x) * 2);

    for (uint32_t i = 0; i < r->count; i++)
        r->at[i] = hd_glsl_round(t, x->at[i] - hd_glsl_round(t, twice * n->at[i]));
}

static void refract(const HdType *t, const Vector *x, const Vector *n, double eta, Vector *r)
{
    double d = dot(t, n, x), k = hd_glsl_round(t, 1 - hd_glsl_round(t, d * d)), by;

    k = hd_glsl_round(t, 1 - hd_glsl_round(t, hd_glsl_round(t, eta * eta) * k));
    by = hd_glsl_round(t, hd_glsl_round(t, eta * d) + hd_glsl_round(t, sqrt(k)));
    for (uint32_t i = 0; i < r->count; i++)
        r->at[i] = k < 0 ? 0
                         : hd_glsl_round(t, hd_glsl_round(t, eta * x->at[i]) -
                                                hd_glsl_round(t, by * n->at[i]));
}

/* Cross (x, y), FaceForward (N, I, Nref), Reflect (I, N), Refract (I, N, eta). */
HdStatus hd_glsl_eval_vectors(HdEval *e, const HdInst *in)
{
    unsigned count = in->w[4] == GLSLstd450Reflect || in->w[4] == GLSLstd450Cross ? 2 : 3;
    const HdType *t;
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, count, x));
    t = hd_type_scalar(r.type);
    for (HD_EACH_LANE(lane, e->mask)) {
        Vector v[3] = {vector_at(&x[0], lane), vector_at(&x[1], lane)}, to = v[0];

        if (count == 3)
            v[2] = vector_at(&x[2], lane);
        if (in->w[4] == GLSLstd450Cross)
            cross(t, &v[0], &v[1], &to);
        else if (in->w[4] == GLSLstd450Reflect)
            reflect(t, &v[0], &v[1], &to);
        else if (in->w[4] == GLSLstd450Refract)
            refract(t, &v[0], &v[1], v[2].at[0], &to);
        else
            for (uint32_t i = 0; i < to.count; i++)
                to.at[i] = dot(t, &v[2], &v[1]) < 0 ? v[0].at[i] : -v[0].at[i];
        for (uint32_t i = 0; i < to.count; i++)
            hd_float_put(hd_slot_at(&r, lane) + i * hd_type_size(t), hd_type_size(t), to.at[i]);
    }
    return HD_OK;
}

/* ---- packed numbers ------------------------------------------------------------------------ */

static uint64_t packed(uint32_t what, double x)
{
    switch (what) {
    case GLSLstd450PackSnorm4x8:
        return (uint64_t)(int64_t)rint((double)((float)fmin(fmax(x, -1), 1) * 127.0F)) & 0xff;
    case GLSLstd450PackUnorm4x8:
        return (uint64_t)rint((double)((float)fmin(fmax(x, 0), 1) * 255.0F));
    case GLSLstd450PackSnorm2x16:
        return (uint64_t)(int64_t)rint((double)((float)fmin(fmax(x, -1), 1) * 32767.0F)) & 0xffff;
    case GLSLstd450PackUnorm2x16:
        return (uint64_t)rint((double)((float)fmin(fmax(x, 0), 1) * 65535.0F));
    default: return hd_half_from_double(x, HD_NUMBER_RTE);
    }
}

HdStatus hd_glsl_eval_pack(HdEval *e, const HdInst *in)
{
    bool is_double = in->w[4] == GLSLstd450PackDouble2x32;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint32_t count = hd_type_lanes(x.type), bits = (is_double ? 64 : 32) / count;
        uint64_t all = 0;

        for (uint32_t i = 0; i < count; i++) {
            const unsigned char *at = hd_slot_at(&x, lane) + i * UINT64_C(4);
            uint64_t part = is_double ? hd_bits_get(at, 4) : packed(in->w[4], hd_float_get(at, 4));

            all |= part << (i * bits);
        }
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), all);
    }
    return HD_OK;
}

static double unpacked(uint32_t what, uint64_t x)
{
    switch (what) {
    case GLSLstd450UnpackSnorm4x8: return fmax((double)((float)(int8_t)x / 127.0F), -1);
    case GLSLstd450UnpackUnorm4x8: return (double)((float)(uint8_t)x / 255.0F);
    case GLSLstd450UnpackSnorm2x16: return fmax((double)((float)(int16_t)x / 32767.0F), -1);
    case GLSLstd450UnpackUnorm2x16: return (double)((float)(uint16_t)x / 65535.0F);
    default: return hd_half_to_double((uint16_t)x);
    }
}

HdStatus hd_glsl_eval_unpack(HdEval *e, const HdInst *in)
{
    bool is_double = in->w[4] == GLSLstd450UnpackDouble2x32;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t all = hd_bits_get(hd_slot_at(&x, lane), hd_type_size(x.type));
        uint32_t count = hd_type_lanes(r.type), bits = (is_double ? 64 : 32) / count;

        for (uint32_t i = 0; i < count; i++) {
            unsigned char *to = hd_slot_at(&r, lane) + i * UINT64_C(4);

            if (is_double)
                hd_bits_put(to, 4, all >> (i * bits));
            else
                hd_float_put(to, 4, unpacked(in->w[4], all >> (i * bits)));
        }
    }
    return HD_OK;
}

/* ---- matrices ------------------------------------------------------------------------------ */

/* Halves are computed as floats, floats as doubles. */
static double step(const HdType *t, double x)
{
    return t->bits == 16 ? (double)(float)x : x;
}

/* Expanded along the first of the columns that are left, as bits. */
static double determinant(const HdType *t, const double *m, uint32_t size, unsigned rows,
                          unsigned columns)
{
    unsigned column = (unsigned)__builtin_ctz(columns), sign = 0;
    double sum = 0;

    if ((columns & (columns - 1)) == 0)
        return m[column * size + (unsigned)__builtin_ctz(rows)];
    for (uint32_t row = 0; row < size; row++) {
        double term;

        if ((rows >> row & 1) == 0)
            continue;
        term = step(t, m[column * size + row] *
                           determinant(t, m, size, rows & ~(1u << row), columns & ~(1u << column)));
        sum = sign == 0 ? term : step(t, sign % 2 != 0 ? sum - term : sum + term);
        sign++;
    }
    return sum;
}

HdStatus hd_glsl_eval_matrix(HdEval *e, const HdInst *in)
{
    uint32_t size, all;
    const HdType *t;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    size = x.type->count;
    if (x.type->kind != HD_T_MATRIX || size > 4 || hd_type_element(x.type)->count != size)
        return hd_eval_unsupported(e, "a matrix of this shape");
    t = hd_type_scalar(hd_type_element(x.type));
    all = (1u << size) - 1;
    for (HD_EACH_LANE(lane, e->mask)) {
        double m[16], d, by;

        for (uint32_t i = 0; i < size * size; i++)
            m[i] = hd_float_get(hd_slot_at(&x, lane) + i * hd_type_size(t), hd_type_size(t));
        d = determinant(t, m, size, all, all);
        if (in->w[4] == GLSLstd450Determinant) {
            hd_float_put(hd_slot_at(&r, lane), hd_type_size(t), d);
            continue;
        }
        by = step(t, 1 / d);
        for (uint32_t i = 0; i < size * size; i++) {
            uint32_t column = i / size, row = i % size;
            double cofactor =
                step(t, determinant(t, m, size, all & ~(1u << column), all & ~(1u << row)) * by);

            hd_float_put(hd_slot_at(&r, lane) + i * hd_type_size(t), hd_type_size(t),
                         (column + row) % 2 != 0 ? -cofactor : cofactor);
        }
    }
    return HD_OK;
}
