/* ops/compare/compare_build.c -- comparisons, logic and selection to lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/float/bfloat_build.h"

typedef struct Compare {
    enum HdOpix opix;
    HdIrOp op; /* ICMP or FCMP */
    unsigned how;
} Compare;

static const Compare compares[] = {
    {HD_OPIX_IEqual, HD_IR_ICMP, HD_IR_EQ},
    {HD_OPIX_INotEqual, HD_IR_ICMP, HD_IR_NE},
    {HD_OPIX_UGreaterThan, HD_IR_ICMP, HD_IR_UGT},
    {HD_OPIX_SGreaterThan, HD_IR_ICMP, HD_IR_SGT},
    {HD_OPIX_UGreaterThanEqual, HD_IR_ICMP, HD_IR_UGE},
    {HD_OPIX_SGreaterThanEqual, HD_IR_ICMP, HD_IR_SGE},
    {HD_OPIX_ULessThan, HD_IR_ICMP, HD_IR_ULT},
    {HD_OPIX_SLessThan, HD_IR_ICMP, HD_IR_SLT},
    {HD_OPIX_ULessThanEqual, HD_IR_ICMP, HD_IR_ULE},
    {HD_OPIX_SLessThanEqual, HD_IR_ICMP, HD_IR_SLE},
    {HD_OPIX_FOrdEqual, HD_IR_FCMP, HD_IR_OEQ},
    {HD_OPIX_FUnordEqual, HD_IR_FCMP, HD_IR_UEQ},
    {HD_OPIX_FOrdNotEqual, HD_IR_FCMP, HD_IR_ONE},
    {HD_OPIX_FUnordNotEqual, HD_IR_FCMP, HD_IR_UNE},
    {HD_OPIX_FOrdLessThan, HD_IR_FCMP, HD_IR_OLT},
    {HD_OPIX_FUnordLessThan, HD_IR_FCMP, HD_IR_ULT_F},
    {HD_OPIX_FOrdGreaterThan, HD_IR_FCMP, HD_IR_OGT},
    {HD_OPIX_FUnordGreaterThan, HD_IR_FCMP, HD_IR_UGT_F},
    {HD_OPIX_FOrdLessThanEqual, HD_IR_FCMP, HD_IR_OLE},
    {HD_OPIX_FUnordLessThanEqual, HD_IR_FCMP, HD_IR_ULE_F},
    {HD_OPIX_FOrdGreaterThanEqual, HD_IR_FCMP, HD_IR_OGE},
    {HD_OPIX_FUnordGreaterThanEqual, HD_IR_FCMP, HD_IR_UGE_F},
    {HD_OPIX_LessOrGreater, HD_IR_FCMP, HD_IR_ONE},
    {HD_OPIX_Ordered, HD_IR_FCMP, HD_IR_ORD},
    {HD_OPIX_Unordered, HD_IR_FCMP, HD_IR_UNO},
};

/* Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_build_compare(HdBuild *b, const HdInst *in)
{
    const Compare *c = NULL;
    HdBuildValue v[2];
    HdIrRef *refs;

    for (size_t i = 0; i < sizeof compares / sizeof *compares; i++)
        if (compares[i].opix == in->opix)
            c = &compares[i];
    if (c == NULL)
        return HD_BUG;
    HD_TRY(hd_build_floats(b, in, 3, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        const HdIrRef args[2] = {v[0].at[i], v[1].at[i]};

        refs[i] = hd_ir_emit_sub(b->fn, b->block, c->op, HD_IR_BOOL, c->how, 0, args, 2);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

static uint64_t infinity(HdIrType t)
{
    return t == HD_IR_F16 ? 0x7c00 : t == HD_IR_F32 ? 0x7f800000 : UINT64_C(0x7ff0000000000000);
}

static uint64_t smallest_normal(HdIrType t)
{
    return t == HD_IR_F16 ? 0x0400 : t == HD_IR_F32 ? 0x00800000 : UINT64_C(0x0010000000000000);
}

/* Tests on the bits: comparisons could flush denormal numbers. */
static HdIrRef float_test(HdBuild *b, const HdInst *in, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x), as = hd_build_int(hd_ir_type_bits(t));
    HdIrRef bits = hd_build_bitcast(b, x, as);
    HdIrRef magnitude, inf, low;

    if (in->opix == HD_OPIX_SignBitSet)
        return hd_build_icmp(b, HD_IR_SLT, bits, hd_build_const(b, as, 0));
    magnitude = hd_build_op2(b, HD_IR_AND, as, bits,
                             hd_build_const(b, as, (UINT64_C(1) << (hd_ir_type_bits(t) - 1)) - 1));
    inf = hd_build_const(b, as, infinity(t));
    switch (in->opix) {
    case HD_OPIX_IsNan: return hd_build_icmp(b, HD_IR_UGT, magnitude, inf);
    case HD_OPIX_IsInf: return hd_build_icmp(b, HD_IR_EQ, magnitude, inf);
    case HD_OPIX_IsFinite: return hd_build_icmp(b, HD_IR_ULT, magnitude, inf);
    default: /* OpIsNormal */
        low = hd_build_const(b, as, smallest_normal(t));
        return hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, hd_build_icmp(b, HD_IR_UGE, magnitude, low),
                            hd_build_icmp(b, HD_IR_ULT, magnitude, inf));
    }
}

/* Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_float_test(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_floats(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        if (!hd_ir_is_float(hd_build_type_at(b, v.at[i])))
            return hd_build_bad(b, in, "operand is not a float");
        refs[i] = float_test(b, in, v.at[i]);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

static HdIrRef negate(HdBuild *b, HdIrRef x)
{
    return hd_build_op2(b, HD_IR_XOR, HD_IR_BOOL, x, hd_build_const(b, HD_IR_BOOL, 1));
}

static HdIrRef logical(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y)
{
    switch (in->opix) {
    case HD_OPIX_LogicalOr: return hd_build_op2(b, HD_IR_OR, HD_IR_BOOL, x, y);
    case HD_OPIX_LogicalAnd: return hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, x, y);
    case HD_OPIX_LogicalNotEqual: return hd_build_op2(b, HD_IR_XOR, HD_IR_BOOL, x, y);
    default: /* OpLogicalEqual */ return negate(b, hd_build_op2(b, HD_IR_XOR, HD_IR_BOOL, x, y));
    }
}

/* Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_build_logical(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[2];
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = logical(b, in, v[0].at[i], v[1].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

HdStatus hd_build_logical_not(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = negate(b, v.at[i]);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 vector. */
HdStatus hd_build_any_all(HdBuild *b, const HdInst *in)
{
    HdIrOp op = in->opix == HD_OPIX_Any ? HD_IR_OR : HD_IR_AND;
    HdBuildValue v;
    HdIrRef r;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    if (v.count == 0)
        return hd_build_bad(b, in, "operand has no components");
    r = v.at[0];
    for (uint32_t i = 1; i < v.count; i++)
        r = hd_build_op2(b, op, HD_IR_BOOL, r, v.at[i]);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* One condition for the whole value or one per component.
 * Words: 1 type, 2 result, 3 condition, 4 true, 5 false. */
HdStatus hd_build_select_value(HdBuild *b, const HdInst *in)
{
    HdBuildValue cond, v[2];
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, in->w[3], &cond));
    HD_TRY(hd_build_operands(b, in, 4, 2, v));
    if (cond.count != 1 && cond.count != v[0].count)
        return hd_build_bad(b, in, "condition does not fit the objects");
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_select(b, hd_build_type_at(b, v[0].at[i]),
                                  cond.at[cond.count == 1 ? 0 : i], v[0].at[i], v[1].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}
