/* ops/convert/convert_eval.c -- conversions in the interpreter, from the numbers themselves: every
 * source is exact in a double or in 64 bits, and is rounded once to where it goes.
 *
 * Floats outside an integer's range (undefined unless saturated) become its nearest number, NaN 0;
 * for signed integers of 32 bits and more all become the smallest number, as on processors.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/number.h"
#include "module/decoration.h"
#include "ops/evals.h"
#include "ops/float/bfloat_eval.h"
#include "ops/float/rounded_eval.h"

typedef struct Shape {
    bool from_signed, to_signed; /* of integers */
    bool saturates;
    HdNumberMode mode;
} Shape;

static Shape shape_of(const HdEval *e, const HdInst *in)
{
    Shape s = {.mode = hd_eval_truncates(e, in->w[1]) ? HD_NUMBER_RTZ : HD_NUMBER_RTE};

    s.saturates = hd_module_decoration(e->m, in->w[2], SpvDecorationSaturatedConversion) != NULL;
    switch (in->opix) {
    case HD_OPIX_ConvertFToU: s.mode = HD_NUMBER_RTZ; break;
    case HD_OPIX_ConvertFToS:
        s.mode = HD_NUMBER_RTZ;
        s.to_signed = true;
        break;
    case HD_OPIX_ConvertSToF: s.from_signed = true; break;
    case HD_OPIX_SConvert: s.from_signed = s.to_signed = true; break;
    case HD_OPIX_SatConvertSToU: s.from_signed = s.saturates = true; break;
    case HD_OPIX_SatConvertUToS: s.to_signed = s.saturates = true; break;
    default: break;
    }
    hd_eval_rounding(e, in->w[2], &s.mode);
    return s;
}

static double to_integer(double x, HdNumberMode mode)
{
    switch (mode) {
    case HD_NUMBER_RTZ: return trunc(x);
    case HD_NUMBER_RTP: return ceil(x);
    case HD_NUMBER_RTN: return floor(x);
    default: return rint(x);
    }
}

static uint64_t float_to_int(double x, const Shape *s, unsigned bits)
{
    double low = s->to_signed ? -ldexp(1, (int)bits - 1) : 0;
    double limit = ldexp(1, s->to_signed ? (int)bits - 1 : (int)bits); /* first that is too large */

    if (s->to_signed && !s->saturates && bits >= 32) {
        x = to_integer(x, s->mode);
        return x >= low && x < limit ? (uint64_t)(int64_t)x : UINT64_C(1) << (bits - 1);
    }
    if (isnan(x))
        return 0;
    x = to_integer(x, s->mode);
    if (x < low)
        return s->to_signed ? UINT64_C(1) << (bits - 1) : 0;
    if (x >= limit)
        return ~UINT64_C(0) >> (64 - bits) >> (s->to_signed ? 1 : 0);
    return s->to_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
}

/* To a float of any width: what a double cannot hold is kept as a sticky last bit, which is far
 * below what halfs and floats keep. A double is rounded here. */
static uint64_t int_to_float(uint64_t x, const Shape *s, unsigned from_bits, const HdType *to)
{
    bool negative = s->from_signed && (x >> (from_bits - 1) & 1) != 0;
    uint64_t magnitude = negative ? (~x + 1) & (~UINT64_C(0) >> (64 - from_bits)) : x, rest;
    unsigned shift = 0;
    double value;
    uint64_t bits;

    while (magnitude >> shift >> 53 != 0)
        shift++;
    rest = magnitude & ((UINT64_C(1) << shift) - 1);
    magnitude >>= shift;
    if (rest != 0 && to->bits != 64) {
        magnitude |= 1;
    } else if (rest != 0) {
        uint64_t half = UINT64_C(1) << (shift - 1);

        if ((s->mode == HD_NUMBER_RTE && (rest > half || (rest == half && (magnitude & 1) != 0))) ||
            (s->mode == HD_NUMBER_RTP && !negative) || (s->mode == HD_NUMBER_RTN && negative))
            magnitude++;
    }
    value = ldexp((double)magnitude, (int)shift);
    value = negative ? -value : value;
    if (to->bits == 16)
        return hd_float_round(value, 10, 5, s->mode);
    if (to->bits == 32)
        return hd_float_round(value, 23, 8, s->mode);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t int_to_int(uint64_t x, const Shape *s, unsigned from_bits, unsigned to_bits)
{
    int64_t value = (int64_t)(x << (64 - from_bits)) >> (64 - from_bits);
    uint64_t most = ~UINT64_C(0) >> (64 - to_bits) >> (s->to_signed ? 1 : 0);

    if (!s->from_signed)
        return s->saturates && x > most ? most : x;
    if (s->saturates && value < 0) {
        int64_t least = s->to_signed ? -(int64_t)most - 1 : 0;

        return (uint64_t)(value < least ? least : value);
    }
    return s->saturates && (uint64_t)value > most ? most : (uint64_t)value;
}

/* Of a float, or of what a bfloat16 is the upper half of. */
static double float_at(const void *at, const HdType *t)
{
    return hd_is_bfloat16(t) ? (double)hd_eval_bfloat16_get((uint32_t)hd_bits_get(at, 2))
                             : hd_float_get(at, hd_type_size(t));
}

static uint64_t converted(const void *at, const Shape *s, const HdType *from, const HdType *to)
{
    uint64_t bits = hd_bits_get(at, hd_type_size(from));
    double x;

    if (hd_is_bfloat16(to)) { /* rounded twice, as the specification has it */
        HdType single = *to;

        single.bits = 32;
        single.encoding = 0;
        return hd_eval_bfloat16_of((uint32_t)converted(at, s, from, &single));
    }
    if (from->kind != HD_T_FLOAT)
        return to->kind == HD_T_FLOAT ? int_to_float(bits, s, from->bits, to)
                                      : int_to_int(bits, s, from->bits, to->bits);
    x = float_at(at, from);
    if (to->kind != HD_T_FLOAT)
        return float_to_int(x, s, to->bits);
    if (to->bits == 16)
        return hd_float_round(x, 10, 5, s->mode);
    if (to->bits == 32)
        return hd_float_round(x, 23, 8, s->mode);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Numbers that the integer type has not: OpenCL leaves the result to the implementation. */
static void check_range(HdEval *e, const Shape *s, const HdSlot *x, const HdSlot *r)
{
    const HdType *from = hd_type_scalar(x->type), *to = hd_type_scalar(r->type);
    double low, limit;
    uint64_t outside = 0;

    if (from->kind != HD_T_FLOAT || to->kind == HD_T_FLOAT || s->saturates)
        return;
    low = s->to_signed ? -ldexp(1, (int)to->bits - 1) : 0;
    limit = ldexp(1, s->to_signed ? (int)to->bits - 1 : (int)to->bits);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_eval_components(e, r->type); i++) {
            double v = float_at(hd_slot_at(x, lane) + i * hd_type_size(from), from);

            v = isnan(v) ? limit : to_integer(v, s->mode);
            if (v < low || v >= limit)
                outside |= UINT64_C(1) << lane;
        }
    if (outside != 0)
        hd_eval_note(e, outside, "check.conversion", "use a saturating conversion",
                     "a number is converted to an integer type that does not have it: what comes "
                     "of it depends on the implementation");
}

/* ---- integers of another width ---------------------------------------------------------------
 */

#define RESIZE(from, to)                                              \
    static void from##_##to(void *r, const void *const *x, size_t n)  \
    {                                                                 \
        for (size_t i = 0; i < n; i++)                                \
            ((HdU##to *)r)[i] = (HdU##to)((const Hd##from *)x[0])[i]; \
    }
#define RESIZES(from) RESIZE(from, 8) RESIZE(from, 16) RESIZE(from, 32) RESIZE(from, 64)
#define ROW(from)                                 \
    {                                             \
        from##_8, from##_16, from##_32, from##_64 \
    }

RESIZES(U8)
RESIZES(U16)
RESIZES(U32)
RESIZES(U64)
RESIZES(S8)
RESIZES(S16)
RESIZES(S32)
RESIZES(S64)

static HdLoop *resize_loop(const Shape *s, const HdType *from, const HdType *to)
{
    static HdLoop *const loops[2][4][4] = {{ROW(U8), ROW(U16), ROW(U32), ROW(U64)},
                                           {ROW(S8), ROW(S16), ROW(S32), ROW(S64)}};

    if (s->saturates || from->kind != HD_T_INT || to->kind != HD_T_INT)
        return NULL;
    return loops[s->from_signed][__builtin_ctzll(hd_type_size(from))]
                [__builtin_ctzll(hd_type_size(to))];
}

/* Of cooperative matrices, whose rows become columns: element i, counted along rows, is component
 * i / width of lane i % width. */
static void convert_turned(HdEval *e, const Shape *s, const HdSlot *x, const HdSlot *r)
{
    const HdType *from = hd_type_scalar(x->type), *to = hd_type_scalar(r->type);
    uint32_t rows, columns;

    hd_type_shape(e->m, r->type, &rows, &columns);
    for (uint32_t i = 0; i < rows * columns; i++) {
        uint32_t n = i % columns * rows + i / columns;

        if ((e->mask >> (i % e->width) & 1) != 0)
            hd_bits_put(hd_slot_at(r, i % e->width) + i / e->width * hd_type_size(to),
                        hd_type_size(to),
                        converted(hd_slot_at(x, n % e->width) + n / e->width * hd_type_size(from),
                                  s, from, to));
    }
}

/* Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_convert(HdEval *e, const HdInst *in)
{
    Shape s = shape_of(e, in);
    const HdType *from, *to;
    HdLoop *loop;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    from = hd_type_scalar(x.type);
    to = hd_type_scalar(r.type);
    if (hd_type_lanes(x.type) != hd_type_lanes(r.type))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.components", "operand does not fit");
    if (hd_is_cooperative(r.type) &&
        hd_module_decoration(e->m, in->w[2], SpvDecorationCooperativeMatrixTransposeEXT) != NULL) {
        convert_turned(e, &s, &x, &r);
        return HD_OK;
    }
    loop = resize_loop(&s, from, to);
    if (loop != NULL) {
        hd_eval_map_slots(e, &r, &x, 1, loop);
        return HD_OK;
    }
    if (e->is_checked)
        check_range(e, &s, &x, &r);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_eval_components(e, r.type); i++)
            hd_bits_put(hd_slot_at(&r, lane) + i * hd_type_size(to), hd_type_size(to),
                        converted(hd_slot_at(&x, lane) + i * hd_type_size(from), &s, from, to));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 operand. Halfs that would be denormal become zero. */
HdStatus hd_eval_quantize(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            double value = hd_float_get(hd_slot_at(&x, lane) + i * UINT64_C(4), 4);
            uint16_t half = hd_half_from_double(value, HD_NUMBER_RTE);

            if ((half & 0x7c00u) == 0)
                half &= 0x8000u;
            hd_float_put(hd_slot_at(&r, lane) + i * UINT64_C(4), 4, hd_half_to_double(half));
        }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 value. */
HdStatus hd_eval_bfloat16(HdEval *e, const HdInst *in)
{
    bool back = in->opix == HD_OPIX_ConvertBF16ToFINTEL;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            const unsigned char *from = hd_slot_at(&x, lane) + i * UINT64_C(2) * (back ? 1 : 2);
            unsigned char *to = hd_slot_at(&r, lane) + i * UINT64_C(2) * (back ? 2 : 1);

            if (back)
                hd_bits_put(to, 4, hd_bits_get(from, 2) << 16);
            else
                hd_bits_put(to, 2, hd_eval_bfloat16_of((uint32_t)hd_bits_get(from, 4)));
        }
    return HD_OK;
}

/* Ten bits of a fraction stay: the number between the two that are nearest is theirs to share out,
 * and a carry goes into the exponent.
 * Words: 1 type, 2 result, 3 value. */
HdStatus hd_eval_tf32(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint32_t bits = (uint32_t)hd_bits_get(hd_slot_at(&x, lane) + i * UINT64_C(4), 4);
            uint32_t behind = bits % 0x2000, kept = bits - behind;

            if ((bits & 0x7fffffff) > 0x7f800000)
                kept |= 0x400000;
            else if (behind > 0x1000 || (behind == 0x1000 && (kept & 0x2000) != 0))
                kept += 0x2000;
            hd_bits_put(hd_slot_at(&r, lane) + i * UINT64_C(4), 4, kept);
        }
    return HD_OK;
}

/* OpConvertPtrToU, OpConvertUToPtr, by zero extension or truncation.
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_pointer_convert(HdEval *e, const HdInst *in)
{
    uint64_t to, from;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    to = hd_type_size(hd_type_scalar(r.type));
    from = hd_type_size(hd_type_scalar(x.type));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            hd_bits_put(hd_slot_at(&r, lane) + i * to, to,
                        hd_bits_get(hd_slot_at(&x, lane) + i * from, from));
    return HD_OK;
}

/* The same bits; vectors of 3 have no fourth component to take along.
 * Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_bitcast(HdEval *e, const HdInst *in)
{
    uint64_t bytes;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    bytes = hd_type_lanes(r.type) * hd_type_size(hd_type_scalar(r.type));
    if (bytes != hd_type_lanes(x.type) * hd_type_size(hd_type_scalar(x.type)))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "types differ in their number of bits");
    if (hd_type_size(r.type) == hd_type_size(x.type))
        hd_eval_copy(e, &r, &x);
    else
        for (HD_EACH_LANE(lane, e->mask))
            memcpy(hd_slot_at(&r, lane), hd_slot_at(&x, lane), (size_t)bytes);
    return HD_OK;
}
