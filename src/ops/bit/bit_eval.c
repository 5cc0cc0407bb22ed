/* ops/bit/bit_eval.c -- shifts, bitwise operations and bit fields in the interpreter.
 *
 * Shifts by the width or more are undefined; as in compiled code the amount counts modulo the
 * width.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/loops.h"
#include "interp/rows.h"
#include "ops/evals.h"

HD_INT_LOOPS(bit_or, x | y)
HD_INT_LOOPS(bit_xor, x ^ y)
HD_INT_LOOPS(bit_and, x &y)
HD_INT_LOOPS(bit_not, ~x)

static int64_t widened(uint64_t x, unsigned bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static uint64_t shifted(const HdInst *in, uint64_t x, uint64_t by, unsigned bits)
{
    by %= bits;
    switch (in->opix) {
    case HD_OPIX_ShiftLeftLogical: return x << by;
    case HD_OPIX_ShiftRightLogical: return x >> by;
    default: return (uint64_t)(widened(x, bits) >> by);
    }
}

/* Does a shift give no value: by the width or more, or out of a number that promised to keep all?
 */
static bool is_lost(const HdEval *e, uint64_t x, uint64_t by, unsigned bits)
{
    uint64_t kept;

    if (by >= bits)
        return true;
    if (e->in->opix != HD_OPIX_ShiftLeftLogical)
        return false;
    kept = x << (64 - bits) << by;
    return (e->info->no_unsigned_wrap && kept >> (64 - bits) >> by != x) ||
           (e->info->no_signed_wrap && (int64_t)kept >> (64 - bits) >> by != widened(x, bits));
}

HD_INT_LOOPS(shift_left, (W)x << (y % BITS))
HD_INT_LOOPS(shift_right, (W)x >> (y % BITS))
HD_INT_LOOPS(shift_signed, (S)x >> (y % BITS))

/* All lanes together in the common case: amounts of the value's own width that are less than it.
 */
static bool shift_all(HdEval *e, const HdInst *in, const HdSlot *r, const HdSlot *x)
{
    const HdType *t = hd_type_scalar(r->type);
    unsigned row = hd_lane_row(e->mask);
    HdLoop *const *loops = in->opix == HD_OPIX_ShiftLeftLogical    ? shift_left
                           : in->opix == HD_OPIX_ShiftRightLogical ? shift_right
                                                                   : shift_signed;

    if (row == 0 || x[1].stride == 0 ||
        hd_type_size(hd_type_scalar(x[1].type)) != hd_type_size(t) || e->info->no_signed_wrap ||
        e->info->no_unsigned_wrap ||
        hd_row_leaves(x[1].at, row * (unsigned)(x[1].stride / hd_type_size(t)),
                      (unsigned)hd_type_size(t), hd_type_size(t) * 8))
        return false;
    hd_eval_map_slots(e, r, x, 2, loops[hd_int_size(t)]);
    return true;
}

/* Amounts may have another width than the value. */
static HdStatus shift(HdEval *e, const HdInst *in)
{
    uint64_t bytes, by_bytes;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    by_bytes = hd_type_size(hd_type_scalar(x[1].type));
    if (hd_type_lanes(x[1].type) != hd_type_lanes(r.type))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.components", "operands do not fit");
    if (shift_all(e, in, &r, x))
        return HD_OK;
    for (HD_EACH_LANE(lane, e->is_checked ? e->mask : 0))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            if (is_lost(e, hd_bits_get(hd_slot_at(&x[0], lane) + i * bytes, bytes),
                        hd_bits_get(hd_slot_at(&x[1], lane) + i * by_bytes, by_bytes),
                        (unsigned)bytes * 8))
                hd_eval_spoil(e, UINT64_C(1) << lane);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++)
            hd_bits_put(hd_slot_at(&r, lane) + i * bytes, bytes,
                        shifted(in, hd_bits_get(hd_slot_at(&x[0], lane) + i * bytes, bytes),
                                hd_bits_get(hd_slot_at(&x[1], lane) + i * by_bytes, by_bytes),
                                (unsigned)bytes * 8));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 left or base, 4 right or shift. */
HdStatus hd_eval_bitwise(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));

    if (t == NULL)
        return HD_BUG;
    switch (in->opix) {
    case HD_OPIX_BitwiseOr: return hd_eval_map(e, in, 3, 2, bit_or[hd_int_size(t)]);
    case HD_OPIX_BitwiseXor: return hd_eval_map(e, in, 3, 2, bit_xor[hd_int_size(t)]);
    case HD_OPIX_BitwiseAnd: return hd_eval_map(e, in, 3, 2, bit_and[hd_int_size(t)]);
    default: return shift(e, in);
    }
}

/* Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_bit_not(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_type_scalar(hd_module_type(e->m, in->w[1]));

    return t == NULL ? HD_BUG : hd_eval_map(e, in, 3, 1, bit_not[hd_int_size(t)]);
}

static uint64_t reversed(uint64_t x, unsigned bits)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

/* `count` bits from `offset` on; `count` may be 0 and the whole width. */
static uint64_t field_mask(uint64_t offset, uint64_t count, unsigned bits)
{
    uint64_t ones = count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;

    return offset >= bits ? 0 : ones << offset;
}

typedef struct Field {
    uint64_t base, insert, offset, count;
} Field;

static uint64_t bits_of(const HdInst *in, const Field *f, unsigned bits)
{
    uint64_t mask = field_mask(f->offset, f->count, bits), x;

    switch (in->opix) {
    case HD_OPIX_BitReverse: return reversed(f->base, bits);
    case HD_OPIX_BitCount: return (uint64_t)__builtin_popcountll(f->base);
    case HD_OPIX_BitFieldInsert:
        x = f->offset >= bits ? 0 : f->insert << f->offset;
        return (f->base & ~mask) | (x & mask);
    default: break;
    }
    if (f->count == 0 || f->offset >= bits)
        return 0;
    x = (f->base & mask) >> f->offset;
    if (in->opix == HD_OPIX_BitFieldSExtract && f->count < 64 && (x >> (f->count - 1) & 1) != 0)
        x |= ~UINT64_C(0) << f->count;
    return x;
}

/* OpBitReverse, OpBitCount, OpBitFieldInsert, OpBitFieldSExtract, OpBitFieldUExtract.
 * Words: 1 type, 2 result, 3 base, [insert, offset, count | offset, count]. */
HdStatus hd_eval_bit_field(HdEval *e, const HdInst *in)
{
    unsigned count = in->nwords - 3u;
    uint64_t bytes, base_bytes;
    HdSlot r, x[4];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, count < 4 ? count : 4, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    base_bytes = hd_type_size(hd_type_scalar(x[0].type));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            Field f = {hd_bits_get(hd_slot_at(&x[0], lane) + i * base_bytes, base_bytes), 0, 0, 0};

            if (count == 4)
                f.insert = hd_bits_get(hd_slot_at(&x[1], lane) + i * base_bytes, base_bytes);
            if (count >= 3) {
                const HdSlot *at = &x[count - 2], *of = &x[count - 1];

                f.offset = hd_bits_get(hd_slot_at(at, lane), hd_type_size(at->type));
                f.count = hd_bits_get(hd_slot_at(of, lane), hd_type_size(of->type));
                if (f.offset > base_bytes * 8 || f.count > base_bytes * 8 - f.offset)
                    hd_eval_spoil(e, UINT64_C(1) << lane);
            }
            hd_bits_put(hd_slot_at(&r, lane) + i * bytes, bytes,
                        bits_of(in, &f, (unsigned)base_bytes * 8));
        }
    return HD_OK;
}

/* The rows of the table that are true, each for the bits of three operands that it is for.
 * Words: 1 type, 2 result, 3 A, 4 B, 5 C, 6 table. */
HdStatus hd_eval_bit_table(HdEval *e, const HdInst *in)
{
    uint64_t table, bytes;
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 3, x));
    if (!hd_module_constant_u64(e->m, in->w[6], &table))
        return hd_eval_unsupported(e, "a table that is no constant");
    bytes = hd_type_size(hd_type_scalar(r.type));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t sum = 0;

            for (unsigned row = 0; row < 8; row++) {
                uint64_t here = ~UINT64_C(0);

                for (unsigned k = 0; k < 3; k++) {
                    uint64_t bits = hd_bits_get(hd_slot_at(&x[k], lane) + i * bytes, bytes);

                    here &= (row >> k & 1) != 0 ? bits : ~bits;
                }
                sum |= (table >> row & 1) != 0 ? here : 0;
            }
            hd_bits_put(hd_slot_at(&r, lane) + i * bytes, bytes, sum);
        }
    return HD_OK;
}
