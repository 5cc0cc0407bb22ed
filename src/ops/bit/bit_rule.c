/* ops/bit/bit_rule.c -- rules of bit operations.
 *
 * Spec: SPIR-V, "Bit Instructions"; SPV_INTEL_ternary_bitwise_function.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

/* An integer operand with the result's components, and its width when `width`. */
static HdStatus int_operand(HdVal *v, const HdInst *in, uint32_t i, bool width)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, i);

    HD_RULE(o != NULL && hd_is_int(o), "bit.operand", "operand %u is not an integer",
            hd_val_number(in, i));
    HD_RULE(hd_type_lanes(o) == hd_type_lanes(t), "bit.operand",
            "operand %u has another number of components than the result", hd_val_number(in, i));
    HD_RULE(!width || hd_type_bits(o) == hd_type_bits(t), "bit.operand",
            "operand %u has another width than the result", hd_val_number(in, i));
    return HD_OK;
}

static HdStatus int_result(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_int(hd_val_result(v, in)), "bit.result",
            "the result is not an integer scalar or vector");
    return HD_OK;
}

/* OpShift…: the amount's width is free. A constant amount past the width is undefined. */
HdStatus hd_rule_shift(HdVal *v, const HdInst *in)
{
    uint64_t by;

    HD_TRY(int_result(v, in));
    HD_TRY(int_operand(v, in, 3, true));
    HD_TRY(int_operand(v, in, 4, false));
    for (uint32_t i = 0; i < hd_type_lanes(hd_val_result(v, in)); i++)
        if (hd_val_known_part(v, in->w[4], i, &by) && by >= hd_type_bits(hd_val_result(v, in)))
            return hd_val_warn(v, in, "bit.shift-amount",
                               "shifting by %llu bits, the value has %u: the result is undefined",
                               (unsigned long long)by,
                               (unsigned)hd_type_bits(hd_val_result(v, in)));
    return HD_OK;
}

/* OpBitwiseOr, OpBitwiseXor, OpBitwiseAnd, OpNot. */
HdStatus hd_rule_bitwise(HdVal *v, const HdInst *in)
{
    HD_TRY(int_result(v, in));
    for (uint32_t i = 3; i < in->nwords; i++)
        HD_TRY(int_operand(v, in, i, true));
    return HD_OK;
}

static HdStatus int_scalar(HdVal *v, const HdInst *in, uint32_t i, const char *what)
{
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, i)), "bit.operand",
            "%s is not an integer scalar", what);
    return HD_OK;
}

static HdStatus base_as_result(HdVal *v, const HdInst *in)
{
    HD_TRY(int_result(v, in));
    HD_RULE(hd_val_operand(v, in, 3) == hd_val_result(v, in), "bit.operand",
            "the type of Base differs from the result type");
    return HD_OK;
}

/* A field whose known bits do not all lie in the value. */
static HdStatus known_field(HdVal *v, const HdInst *in, uint32_t at)
{
    uint64_t offset = 0, count = 0, bits = hd_type_bits(hd_val_result(v, in));

    if ((hd_val_known_part(v, in->w[at], 0, &offset) && offset > bits) ||
        (hd_val_known_part(v, in->w[at + 1], 0, &count) && count > bits) || offset + count > bits)
        return hd_val_warn(v, in, "bit.field",
                           "%llu bits from bit %llu on, the value has %llu: the result is "
                           "undefined",
                           (unsigned long long)count, (unsigned long long)offset,
                           (unsigned long long)bits);
    return HD_OK;
}

/* OpBitFieldInsert. */
HdStatus hd_rule_bit_field_insert(HdVal *v, const HdInst *in)
{
    HD_TRY(base_as_result(v, in));
    HD_RULE(hd_val_operand(v, in, 4) == hd_val_result(v, in), "bit.operand",
            "the type of Insert differs from the result type");
    HD_TRY(int_scalar(v, in, 5, "Offset"));
    HD_TRY(int_scalar(v, in, 6, "Count"));
    return known_field(v, in, 5);
}

/* OpBitFieldSExtract, OpBitFieldUExtract. */
HdStatus hd_rule_bit_field_extract(HdVal *v, const HdInst *in)
{
    HD_TRY(base_as_result(v, in));
    HD_TRY(int_scalar(v, in, 4, "Offset"));
    HD_TRY(int_scalar(v, in, 5, "Count"));
    return known_field(v, in, 4);
}

/* OpBitReverse. */
HdStatus hd_rule_bit_unary(HdVal *v, const HdInst *in)
{
    return base_as_result(v, in);
}

/* OpBitCount: the result's width is free. */
HdStatus hd_rule_bit_count(HdVal *v, const HdInst *in)
{
    HD_TRY(int_result(v, in));
    return int_operand(v, in, 3, false);
}

/* OpBitwiseFunctionINTEL: 3 A, 4 B, 5 C, 6 table, whose eight bits are all that has a meaning. */
HdStatus hd_rule_bit_table(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 6);
    uint64_t table;

    HD_TRY(int_result(v, in));
    for (uint32_t i = 3; i < 6; i++)
        HD_RULE(hd_val_operand(v, in, i) == hd_val_result(v, in), "bit.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    HD_RULE(hd_is_int_scalar(t) && t->bits == 32 && hd_val_is_constant(v, in->w[6]), "bit.table",
            "the table is not a constant of a 32-bit integer type");
    if (hd_val_known_part(v, in->w[6], 0, &table) && table > 0xff)
        return hd_val_warn(v, in, "bit.table-bits", "the table has more bits than eight");
    return HD_OK;
}
