/* interp/values.c -- values of ids, numbers in them, loops over their components.
 *
 * Halfs are converted here by separate code: a reference does not use the conversions that it
 * checks.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "base/memory.h"
#include "interp/number.h"
#include "interp/rows.h"
#include "interp/state.h"
#include "module/decoration.h"

/* An id without a place is a built-in that work-items do not have, or our fault or the module's. */
static HdStatus no_value(HdEval *e, HdId id)
{
    const HdDecoration *d = hd_module_decoration(e->m, id, SpvDecorationBuiltIn);
    const HdEnumerant *of = d != NULL && d->operand_count != 0
                                ? hd_gram_enumerant(HD_KIND_BuiltIn, hd_decoration_value(e->m, d))
                                : NULL;

    if (of == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.value", "%%%u has no value here",
                           (unsigned)id);
    return hd_eval_unsupported(e, "built-in variable %%%u, %s, has no value here; pass it %s",
                               (unsigned)id, of->name,
                               e->g->kernel->is_shader ? "in a buffer" : "as an argument");
}

HdStatus hd_eval_use(HdEval *e, HdId id, HdSlot *s)
{
    const HdInterpProgram *p = e->run->p;
    const HdPlace *place = id < p->m->bound ? &p->places[id] : NULL;

    if (place == NULL || place->kind == HD_PLACE_NONE)
        return no_value(e, id);
    s->type = place->type;
    s->stride = place->stride;
    if (e->is_shadow) {
        bool has = place->kind == HD_PLACE_VALUE;

        s->at = has ? e->frame->values + e->frame->shadow + place->offset * e->width
                    : (unsigned char *)e->run->zeros;
        s->stride = has ? place->stride : 0;
        return HD_OK;
    }
    switch (place->kind) {
    case HD_PLACE_VALUE: s->at = e->frame->values + place->offset * e->width; break;
    case HD_PLACE_CONSTANT: s->at = p->constants + place->offset; break;
    case HD_PLACE_FIXED: s->at = e->run->fixed + place->offset; break;
    default: s->at = (unsigned char *)(e->sub->inputs + place->offset * e->width); break;
    }
    return HD_OK;
}

HdStatus hd_eval_use_control(HdEval *e, HdId id, HdSlot *s)
{
    bool is_shadow = e->is_shadow;
    HdStatus st;

    e->is_shadow = false;
    st = hd_eval_use(e, id, s);
    e->is_shadow = is_shadow;
    return st;
}

HdStatus hd_eval_result(HdEval *e, const HdInst *in, HdSlot *s)
{
    HdId id = in->w[2];
    const HdPlace *place = id < e->m->bound ? &e->run->p->places[id] : NULL;

    if (place == NULL || place->kind != HD_PLACE_VALUE)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.value", "the result has no place");
    return hd_eval_use(e, id, s);
}

HdStatus hd_eval_operands(HdEval *e, const HdInst *in, unsigned first, unsigned count, HdSlot *s)
{
    if (first + count > in->nwords)
        return HD_BUG; /* the reader has counted them */
    for (unsigned i = 0; i < count; i++)
        HD_TRY(hd_eval_use(e, in->w[first + i], &s[i]));
    return HD_OK;
}

uint64_t hd_eval_odd(const HdEval *e, const HdSlot *s)
{
    const unsigned char *first = hd_slot_at(s, hd_lane_first(e->mask));
    uint64_t odd = 0;

    for (HD_EACH_LANE(lane, e->mask))
        if (memcmp(hd_slot_at(s, lane), first, (size_t)hd_type_size(s->type)) != 0)
            odd |= UINT64_C(1) << lane;
    return odd;
}

HdStatus hd_eval_needs_uniform(HdEval *e, const HdSlot *s, const char *what)
{
    const uint64_t odd = e->is_checked ? hd_eval_odd(e, s) : 0;

    return odd == 0 ? HD_OK
                    : hd_eval_defect(e, odd, "check.non-uniform",
                                     "all work-items that take part must bring the same value",
                                     "%s that is not the same for all of the sub-group", what);
}

uint64_t hd_bits_get(const void *at, uint64_t bytes)
{
    switch (bytes) {
    case 1: return *(const HdU8 *)at;
    case 2: return *(const HdU16 *)at;
    case 4: return *(const HdU32 *)at;
    default: return *(const HdU64 *)at;
    }
}

int64_t hd_int_get(const void *at, uint64_t bytes)
{
    switch (bytes) {
    case 1: return *(const HdS8 *)at;
    case 2: return *(const HdS16 *)at;
    case 4: return *(const HdS32 *)at;
    default: return *(const HdS64 *)at;
    }
}

void hd_bits_put(void *at, uint64_t bytes, uint64_t bits)
{
    switch (bytes) {
    case 1: *(HdU8 *)at = (uint8_t)bits; break;
    case 2: *(HdU16 *)at = (uint16_t)bits; break;
    case 4: *(HdU32 *)at = (uint32_t)bits; break;
    default: *(HdU64 *)at = bits; break;
    }
}

double hd_float_get(const void *at, uint64_t bytes)
{
    switch (bytes) {
    case 2: return hd_half_to_double(*(const HdU16 *)at);
    case 4: return (double)*(const HdF32 *)at;
    default: return *(const HdF64 *)at;
    }
}

void hd_float_put(void *at, uint64_t bytes, double x)
{
    switch (bytes) {
    case 2: *(HdU16 *)at = hd_half_from_double(x, hd_number_mode()); break;
    case 4: *(HdF32 *)at = (float)x; break;
    default: *(HdF64 *)at = x; break;
    }
}

double hd_half_to_double(uint16_t h)
{
    unsigned exponent = (h >> 10) & 31u, fraction = h & 1023u;
    double x;

    if (exponent == 31) {
        /* NaNs keep their fraction's bits, as the conversions of processors do. */
        uint64_t bits = UINT64_C(0x7ff) << 52 | (uint64_t)fraction << 42;

        if (fraction != 0)
            bits |= UINT64_C(1) << 51;
        memcpy(&x, &bits, sizeof x);
    } else {
        x = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, (int)exponent - 25);
    }
    return (h & 0x8000u) != 0 ? -x : x;
}

/* Should a magnitude with remainder `rest` (of `half` = one half unit) go up? */
static bool rounds_up(HdNumberMode mode, bool negative, bool odd, uint64_t rest, uint64_t half)
{
    switch (mode) {
    case HD_NUMBER_RTE: return rest > half || (rest == half && odd);
    case HD_NUMBER_RTP: return !negative && rest != 0;
    case HD_NUMBER_RTN: return negative && rest != 0;
    default: return false;
    }
}

uint64_t hd_float_round(double x, unsigned fraction_bits, unsigned exponent_bits, HdNumberMode mode)
{
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
    uint64_t bits, sign, significand, rest, unit, result;
    int exponent, shift;
    bool negative;

    memcpy(&bits, &x, sizeof bits);
    negative = bits >> 63;
    sign = (bits >> 63) << (fraction_bits + exponent_bits);
    exponent = (int)(bits >> 52 & 0x7ff);
    significand = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff) {
        if (significand == 0)
            return sign | infinity;
        return sign | infinity | UINT64_C(1) << (fraction_bits - 1) |
               significand >> (52 - fraction_bits);
    }
    if (exponent == 0 && significand == 0)
        return sign;
    /* x = significand * 2^(exponent - 1075); doubles that are denormal are far below the rest. */
    significand |= exponent ? UINT64_C(1) << 52 : 0;
    exponent = exponent ? exponent - 1023 : -1022;
    shift = 52 - (int)fraction_bits;
    if (exponent < 1 - bias)
        shift += 1 - bias - exponent;
    if (shift > 62)
        shift = 62; /* nothing of the significand is left: only the remainder counts */
    unit = UINT64_C(1) << shift;
    rest = significand & (unit - 1);
    significand >>= shift;
    if (rounds_up(mode, negative, significand & 1, rest, unit / 2))
        significand++;
    if (exponent < 1 - bias)
        return sign | significand; /* carries into the exponent automatically */
    result = ((uint64_t)(exponent + bias - 1) << fraction_bits) + significand;
    if (result >= infinity) {
        bool up = mode == HD_NUMBER_RTE || (mode == HD_NUMBER_RTP && !negative) ||
                  (mode == HD_NUMBER_RTN && negative);

        result = up ? infinity : infinity - 1;
    }
    return sign | result;
}

uint16_t hd_half_from_double(double x, HdNumberMode mode)
{
    return (uint16_t)hd_float_round(x, 10, 5, mode);
}

void hd_eval_map_slots(HdEval *e, const HdSlot *r, const HdSlot *x, unsigned count, HdLoop *loop)
{
    const void *at[4] = {NULL, NULL, NULL, NULL};
    size_t n = hd_type_lanes(r->type),
           room = hd_type_size(r->type) / hd_type_size(hd_type_scalar(r->type));
    unsigned row = hd_lane_row(e->mask);
    bool dense = row > 0 && r->stride != 0;

    for (unsigned i = 0; i < count; i++)
        dense = dense && x[i].stride != 0;
    if (dense) {
        for (unsigned i = 0; i < count; i++)
            at[i] = x[i].at;
        loop(r->at, at, room * row);
        return;
    }
    for (HD_EACH_LANE(lane, e->mask)) {
        for (unsigned i = 0; i < count; i++)
            at[i] = hd_slot_at(&x[i], lane);
        loop(hd_slot_at(r, lane), at, n);
    }
}

HdStatus hd_eval_map(HdEval *e, const HdInst *in, unsigned first, unsigned count, HdLoop *loop)
{
    HdSlot r, x[4];

    if (loop == NULL)
        return hd_eval_unsupported(e, "operands of this type");
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, first, count, x));
    for (unsigned i = 0; i < count; i++)
        if (hd_type_lanes(x[i].type) != hd_type_lanes(r.type))
            return hd_eval_bad(e, HD_EVAL_LANES, "interp.components",
                               "operands differ in their number of components");
    hd_eval_map_slots(e, &r, x, count, loop);
    return HD_OK;
}

/* Sizes that the compiler knows make one move each. */
#define COPY_EACH(bytes)           \
    for (HD_EACH_LANE(lane, mask)) \
    memmove(hd_slot_at(to, lane), hd_slot_at(from, lane), (bytes))

void hd_eval_copy_lanes(uint64_t mask, const HdSlot *to, const HdSlot *from)
{
    size_t bytes =
        (size_t)(hd_type_size(to->type) < hd_type_size(from->type) ? hd_type_size(to->type)
                                                                   : hd_type_size(from->type));
    unsigned row = to->stride == bytes ? hd_lane_row(mask) : 0;

    if (row > 0 && from->stride == bytes) {
        memmove(to->at, from->at, bytes * row);
        return;
    }
    if (row > 0 && from->stride == 0 && (bytes == 4 || bytes == 8)) {
        hd_row_fill(to->at, from->at, row, (unsigned)bytes);
        return;
    }
    switch (bytes) {
    case 1: COPY_EACH(1); break;
    case 4: COPY_EACH(4); break;
    case 8: COPY_EACH(8); break;
    case 16: COPY_EACH(16); break;
    default: COPY_EACH(bytes); break;
    }
}

void hd_eval_copy(HdEval *e, const HdSlot *to, const HdSlot *from)
{
    hd_eval_copy_lanes(e->mask, to, from);
}

void *hd_eval_scratch(HdEval *e, uint64_t bytes)
{
    HdInterpSub *s = e->sub;

    if (bytes > s->scratch_bytes || s->scratch == NULL) {
        hd_free(s->scratch);
        s->scratch = hd_alloc((size_t)bytes + (bytes == 0));
        s->scratch_bytes = s->scratch ? bytes : 0;
    }
    return s->scratch;
}

uint64_t hd_eval_same_origin(const HdEval *e, uint64_t mask, HdId *label)
{
    const HdFunction *f = e->frame->code->function;
    const uint32_t *from = e->frame->from, first = from[hd_lane_first(mask)];
    unsigned row = hd_lane_row(mask);
    uint64_t same = 0;
    uint32_t odd = 0;

    *label = hd_block_label(e->m, &e->m->blocks[f->first_block + first]);
    for (unsigned i = 0; i < row; i++)
        odd |= from[i] ^ first;
    if (row > 0 && odd == 0)
        return mask;
    for (HD_EACH_LANE(lane, mask))
        if (from[lane] == first)
            same |= UINT64_C(1) << lane;
    return same;
}
