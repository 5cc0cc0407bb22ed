/* ops/bit/bit_build.c -- shifts, bitwise operations and bit fields to lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

static HdStatus op_of(const HdInst *in, HdIrOp *op)
{
    switch (in->opix) {
    case HD_OPIX_ShiftRightLogical: *op = HD_IR_LSHR; return HD_OK;
    case HD_OPIX_ShiftRightArithmetic: *op = HD_IR_ASHR; return HD_OK;
    case HD_OPIX_ShiftLeftLogical: *op = HD_IR_SHL; return HD_OK;
    case HD_OPIX_BitwiseOr: *op = HD_IR_OR; return HD_OK;
    case HD_OPIX_BitwiseXor: *op = HD_IR_XOR; return HD_OK;
    case HD_OPIX_BitwiseAnd: *op = HD_IR_AND; return HD_OK;
    default: return HD_BUG;
    }
}

/* Shifts may have amounts of another width than the value. clang-22 writes shifts whose base is
 * wider than their result: the low bits of the base are meant.
 * Words: 1 type, 2 result, 3 left or base, 4 right or shift. */
HdStatus hd_build_bitwise(HdBuild *b, const HdInst *in)
{
    const HdType *type;
    HdBuildValue v[2];
    HdIrRef *refs;
    HdIrType t;
    HdIrOp op;

    HD_TRY(op_of(in, &op));
    HD_TRY(hd_build_type(b, in->w[1], &type));
    t = hd_build_scalar(hd_type_scalar(type));
    if (t < HD_IR_I8 || t > HD_IR_I64)
        return hd_build_bad(b, in, "result is not an integer");
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef left = hd_build_resize(b, v[0].at[i], t, false);
        HdIrRef right = hd_build_resize(b, v[1].at[i], t, false);

        refs[i] = hd_build_op2(b, op, t, left, right);
        if (op == HD_IR_SHL)
            hd_build_flag(b, refs[i], hd_build_flags(b, in) & (HD_IR_NSW | HD_IR_NUW));
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

static HdIrRef ones(HdBuild *b, HdIrType t)
{
    unsigned bits = hd_ir_type_bits(t);

    return hd_build_const(b, t, bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1);
}

/* OpNot, OpBitReverse, OpBitCount. Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_bit_unary(HdBuild *b, const HdInst *in)
{
    const HdType *type;
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrType t = hd_build_type_at(b, v.at[i]);

        if (in->opix == HD_OPIX_Not)
            refs[i] = hd_build_op2(b, HD_IR_XOR, t, v.at[i], ones(b, t));
        else if (in->opix == HD_OPIX_BitReverse)
            refs[i] = hd_build_op1(b, HD_IR_BITREVERSE, t, v.at[i]);
        else
            refs[i] = hd_build_resize(b, hd_build_op1(b, HD_IR_POPCOUNT, t, v.at[i]),
                                      hd_build_scalar(hd_type_scalar(type)), false);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* `count` ones from bit 0; count may be 0 and the whole width: shifts alone do neither. */
static HdIrRef low_ones(HdBuild *b, HdIrType t, HdIrRef count)
{
    HdIrRef zero = hd_build_const(b, t, 0);
    HdIrRef rest = hd_build_op2(b, HD_IR_SUB, t, hd_build_const(b, t, hd_ir_type_bits(t)), count);
    HdIrRef mask = hd_build_op2(b, HD_IR_LSHR, t, ones(b, t), rest);

    return hd_build_select(b, t, hd_build_icmp(b, HD_IR_EQ, count, zero), zero, mask);
}

/* Words: 1 type, 2 result, 3 base, 4 insert, 5 offset, 6 count. */
HdStatus hd_build_bit_field_insert(HdBuild *b, const HdInst *in)
{
    HdIrRef offset, count, *refs;
    HdBuildValue v[2];

    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_use1(b, in->w[5], &offset));
    HD_TRY(hd_build_use1(b, in->w[6], &count));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrType t = hd_build_type_at(b, v[0].at[i]);
        HdIrRef at = hd_build_resize(b, offset, t, false);
        HdIrRef mask =
            hd_build_op2(b, HD_IR_SHL, t, low_ones(b, t, hd_build_resize(b, count, t, false)), at);
        HdIrRef moved = hd_build_op2(b, HD_IR_SHL, t, v[1].at[i], at);
        HdIrRef kept = hd_build_op2(b, HD_IR_AND, t, v[0].at[i],
                                    hd_build_op2(b, HD_IR_XOR, t, mask, ones(b, t)));

        refs[i] = hd_build_op2(b, HD_IR_OR, t, kept, hd_build_op2(b, HD_IR_AND, t, moved, mask));
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* Words: 1 type, 2 result, 3 base, 4 offset, 5 count. */
HdStatus hd_build_bit_field_extract(HdBuild *b, const HdInst *in)
{
    HdIrOp shift = in->opix == HD_OPIX_BitFieldSExtract ? HD_IR_ASHR : HD_IR_LSHR;
    HdIrRef offset, count, *refs;
    HdBuildValue v;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_use1(b, in->w[4], &offset));
    HD_TRY(hd_build_use1(b, in->w[5], &count));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrType t = hd_build_type_at(b, v.at[i]);
        HdIrRef n = hd_build_resize(b, count, t, false), zero = hd_build_const(b, t, 0);
        HdIrRef rest = hd_build_op2(b, HD_IR_SUB, t, hd_build_const(b, t, hd_ir_type_bits(t)), n);
        HdIrRef up = hd_build_op2(b, HD_IR_SUB, t, rest, hd_build_resize(b, offset, t, false));
        HdIrRef field = hd_build_op2(b, shift, t, hd_build_op2(b, HD_IR_SHL, t, v.at[i], up), rest);

        refs[i] = hd_build_select(b, t, hd_build_icmp(b, HD_IR_EQ, n, zero), zero, field);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* What a table of 1 << n bits gives for n operands: bit i of it where they have the bits of i. */
static HdIrRef looked_up(HdBuild *b, HdIrType t, const HdIrRef *x, unsigned n, unsigned table)
{
    unsigned half = n > 0 ? 1u << (n - 1) : 0, mask = (1u << half) - 1;
    HdIrRef low, high;

    if (n == 0)
        return (table & 1) != 0 ? ones(b, t) : hd_build_const(b, t, 0);
    low = looked_up(b, t, x, n - 1, table & mask);
    if ((table & mask) == (table >> half & mask))
        return low;
    high = looked_up(b, t, x, n - 1, table >> half & mask);
    high = hd_build_op2(b, HD_IR_XOR, t, low, high);
    return hd_build_op2(b, HD_IR_XOR, t, low, hd_build_op2(b, HD_IR_AND, t, high, x[n - 1]));
}

/* Words: 1 type, 2 result, 3 A, 4 B, 5 C, 6 table. */
HdStatus hd_build_bit_table(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[3];
    uint64_t table;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    if (!hd_module_constant_u64(b->m, in->w[6], &table))
        return hd_build_unsupported(b, in, "a table that is no constant");
    for (uint32_t i = 0; i < v[0].count; i++) {
        const HdIrRef x[3] = {v[0].at[i], v[1].at[i], v[2].at[i]};

        refs[i] = looked_up(b, hd_build_type_at(b, x[0]), x, 3, (unsigned)table & 0xff);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}
