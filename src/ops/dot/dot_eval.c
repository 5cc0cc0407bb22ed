/* ops/dot/dot_eval.c -- integer dot products in the interpreter, without overflow until the end.
 * Only the last addition saturates: a dot product that its type cannot hold is undefined before it.
 * Those of small floats are computed with floats of 32 bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"
#include "ops/float/bfloat_eval.h"

__extension__ typedef __int128 Big;

typedef struct Shape {
    bool signed_0, signed_1, signed_sum, accumulates;
} Shape;

static Shape shape_of(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_SDot: return (Shape){true, true, true, false};
    case HD_OPIX_UDot: return (Shape){false, false, false, false};
    case HD_OPIX_SUDot: return (Shape){true, false, true, false};
    case HD_OPIX_SDotAccSat: return (Shape){true, true, true, true};
    case HD_OPIX_UDotAccSat: return (Shape){false, false, false, true};
    default: return (Shape){true, false, true, true};
    }
}

static Big component(const unsigned char *at, uint64_t bytes, bool is_signed)
{
    return is_signed ? (Big)hd_int_get(at, bytes) : (Big)hd_bits_get(at, bytes);
}

static Big saturated(Big x, bool is_signed, unsigned bits)
{
    Big most = ((Big)1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;

    return x < least ? least : x > most ? most : x;
}

/* A packed vector is four bytes of a 32-bit integer.
 * Words: 1 type, 2 result, 3 and 4 vectors, [accumulator,] [packed format]. */
HdStatus hd_eval_int_dot(HdEval *e, const HdInst *in)
{
    Shape s = shape_of(in);
    HdSlot r, x[2], sum = {0};
    uint64_t bytes;
    uint32_t count;
    unsigned bits;

    HD_TRY(hd_eval_result(e, in, &r));
    bits = (unsigned)hd_type_size(r.type) * 8;
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    if (s.accumulates)
        HD_TRY(hd_eval_operands(e, in, 5, 1, &sum));
    if (x[0].type->kind == HD_T_VECTOR) {
        bytes = hd_type_size(hd_type_element(x[0].type));
        count = x[0].type->count;
    } else {
        bytes = 1;
        count = (uint32_t)hd_type_size(x[0].type);
    }
    if (hd_type_size(x[0].type) != hd_type_size(x[1].type))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "operands do not fit");
    for (HD_EACH_LANE(lane, e->mask)) {
        Big total = 0;

        for (uint32_t i = 0; i < count; i++)
            total += component(hd_slot_at(&x[0], lane) + i * bytes, bytes, s.signed_0) *
                     component(hd_slot_at(&x[1], lane) + i * bytes, bytes, s.signed_1);
        if (total != saturated(total, s.signed_sum, bits))
            hd_eval_spoil(e, UINT64_C(1) << lane);
        if (s.accumulates) {
            total += component(hd_slot_at(&sum, lane), hd_type_size(r.type), s.signed_sum);
            total = saturated(total, s.signed_sum, bits);
        }
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), (uint64_t)total);
    }
    return HD_OK;
}

static float float_at(const HdSlot *s, unsigned lane, uint32_t i)
{
    const HdType *t = hd_type_scalar(s->type);
    const unsigned char *at = hd_slot_at(s, lane) + i * hd_type_size(t);

    return hd_is_bfloat16(t) ? hd_eval_bfloat16_get((uint32_t)hd_bits_get(at, 2))
                             : (float)hd_float_get(at, hd_type_size(t));
}

/* Words: 1 type, 2 result, 3 and 4 vectors, 5 accumulator. */
HdStatus hd_eval_mixed_dot(HdEval *e, const HdInst *in)
{
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 3, x));
    for (HD_EACH_LANE(lane, e->mask)) {
        float sum = 0;

        for (uint32_t i = 0; i < hd_type_lanes(x[0].type); i++) {
            float product = float_at(&x[0], lane, i) * float_at(&x[1], lane, i);

            sum = i == 0 ? product : sum + product;
        }
        sum += float_at(&x[2], lane, 0);
        if (hd_is_bfloat16(r.type))
            hd_bits_put(hd_slot_at(&r, lane), 2,
                        hd_eval_bfloat16_of((uint32_t)hd_bits_get(&sum, 4)));
        else
            hd_float_put(hd_slot_at(&r, lane), hd_type_size(r.type), (double)sum);
    }
    return HD_OK;
}
