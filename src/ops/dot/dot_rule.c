/* ops/dot/dot_rule.c -- rules of integer dot products.
 *
 * Spec: SPV_KHR_integer_dot_product, "Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static bool saturates(enum HdOpix opix)
{
    return opix == HD_OPIX_SDotAccSat || opix == HD_OPIX_UDotAccSat || opix == HD_OPIX_SUDotAccSat;
}

/* Bits that the smallest operand component has; 0 when the operands are wrong (reported). */
static HdStatus operands(HdVal *v, const HdInst *in, const HdType *x, const HdType *y,
                         uint32_t packed_at, uint32_t *bits)
{
    HD_RULE(x != NULL && y != NULL && hd_is_int(x) && hd_is_int(y), "dot.operand",
            "the vectors are no integers");
    HD_RULE(x->kind == y->kind, "dot.operand", "one vector is packed and the other is not");
    if (x->kind == HD_T_INT) {
        HD_RULE(x->bits == 32 && y->bits == 32, "dot.packed", "packed vectors have 32 bits");
        HD_RULE(packed_at < in->nwords, "dot.packed-format",
                "packed vectors need a packed vector format");
        HD_RULE(hd_val_cap(v, SpvCapabilityDotProductInput4x8BitPacked), "dot.capability",
                "packed vectors need capability DotProductInput4x8BitPacked");
        *bits = 8;
        return HD_OK;
    }
    HD_RULE(packed_at >= in->nwords, "dot.packed-format",
            "a packed vector format is for packed vectors only");
    HD_RULE(x->count == y->count && x->element->bits == y->element->bits, "dot.operand",
            "the vectors have different widths or numbers of components");
    *bits = x->element->bits;
    if (*bits == 8 && x->count == 4)
        HD_RULE(hd_val_cap(v, SpvCapabilityDotProductInput4x8Bit) ||
                    hd_val_cap(v, SpvCapabilityDotProductInputAll),
                "dot.capability",
                "vectors of four 8-bit integers need capability DotProductInput4x8Bit");
    else
        HD_RULE(hd_val_cap(v, SpvCapabilityDotProductInputAll), "dot.capability",
                "these vectors need capability DotProductInputAll");
    return HD_OK;
}

/* Signedness that an operation demands where types carry it (not in kernels). */
static HdStatus signs(HdVal *v, const HdInst *in, const HdType *t, const HdType *x, const HdType *y)
{
    bool u = in->opix == HD_OPIX_UDot || in->opix == HD_OPIX_UDotAccSat;

    if (!u)
        return HD_OK;
    HD_RULE(!t->is_signed, "dot.unsigned", "the result must be unsigned");
    HD_RULE(!hd_type_scalar(x)->is_signed && !hd_type_scalar(y)->is_signed, "dot.unsigned",
            "the vectors must be unsigned");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 and 4 vectors, [5 accumulator], [packed format]. */
HdStatus hd_rule_int_dot(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3),
                 *y = hd_val_operand(v, in, 4);
    bool accumulate = saturates(in->opix);
    uint32_t bits = 0;

    HD_RULE(hd_is_int_scalar(t), "dot.result", "the result is no integer scalar");
    HD_TRY(operands(v, in, x, y, accumulate ? 6 : 5, &bits));
    HD_RULE(t->bits >= bits, "dot.result", "the result is narrower than the components");
    if (accumulate)
        HD_RULE(hd_val_operand(v, in, 5) == t, "dot.accumulator",
                "the accumulator's type differs from the result type");
    return signs(v, in, t, x, y);
}
