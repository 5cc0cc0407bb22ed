/* ops/dot/dot_rule.c -- rules of integer dot products, and of those of small floats.
 *
 * Spec: SPV_KHR_integer_dot_product, "Validation Rules"; SPV_VALVE_mixed_float_dot_product.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"
#include "ops/shader_rules.h"

static bool saturates(enum HdOpix opix)
{
    return opix == HD_OPIX_SDotAccSat || opix == HD_OPIX_UDotAccSat || opix == HD_OPIX_SUDotAccSat;
}

/* A vector whose number of components may be specialised (SPV_EXT_long_vector). */
static bool is_open(const HdVal *v, const HdType *t)
{
    const HdConstant *c;

    if (hd_module_opix(v->m, t->id) != HD_OPIX_TypeVectorIdEXT)
        return false;
    c = hd_module_constant(v->m, hd_type_length_id(v->m, t));
    return c == NULL || hd_val_is_open(v, c);
}

/* Bits that the smallest operand component has; 0 when the operands are wrong (reported). */
static HdStatus operands(HdVal *v, const HdInst *in, const HdType *x, const HdType *y,
                         uint32_t packed_at, uint32_t *bits)
{
    HD_RULE(x != NULL && y != NULL && hd_is_int(x) && hd_is_int(y), "dot.operand",
            "the vectors are not integers");
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
    HD_RULE((x->count == y->count || is_open(v, x) || is_open(v, y)) &&
                hd_type_element(x)->bits == hd_type_element(y)->bits,
            "dot.operand", "the vectors have different widths or numbers of components");
    *bits = hd_type_element(x)->bits;
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
    bool u = in->opix == HD_OPIX_UDot || in->opix == HD_OPIX_UDotAccSat,
         su = in->opix == HD_OPIX_SUDot || in->opix == HD_OPIX_SUDotAccSat;

    if (!u && !su)
        return HD_OK;
    HD_RULE(!u || !t->is_signed, "dot.unsigned", "the result must be unsigned");
    HD_RULE(x->kind != HD_T_VECTOR || !u || !hd_type_scalar(x)->is_signed, "dot.unsigned",
            "the first vector must be unsigned");
    HD_RULE(y->kind != HD_T_VECTOR || !hd_type_scalar(y)->is_signed, "dot.unsigned",
            "the second vector must be unsigned");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 and 4 vectors, [5 accumulator], [packed format]. */
HdStatus hd_rule_int_dot(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3),
                 *y = hd_val_operand(v, in, 4);
    bool accumulate = saturates(in->opix);
    uint32_t bits = 0;

    HD_RULE(hd_is_int_scalar(t), "dot.result", "the result is not an integer scalar");
    HD_TRY(operands(v, in, x, y, accumulate ? 6 : 5, &bits));
    HD_RULE(t->bits >= bits, "dot.result", "the result is narrower than the components");
    if (accumulate)
        HD_RULE(hd_val_operand(v, in, 5) == t, "dot.accumulator",
                "the accumulator's type differs from the result type");
    return signs(v, in, t, x, y);
}

/* ---- floats -------------------------------------------------------------------------------- */

/* The capability that lets the operands be; by the width of their components and the result. */
static uint32_t mixed_capability(const HdInst *in, const HdType *component)
{
    if (component->bits == 8)
        return SpvCapabilityDotProductFloat8AccFloat32VALVE;
    if (component->encoding != 0)
        return SpvCapabilityDotProductBFloat16AccVALVE;
    return in->opix == HD_OPIX_FDot2MixAcc16VALVE ? SpvCapabilityDotProductFloat16AccFloat16VALVE
                                                  : SpvCapabilityDotProductFloat16AccFloat32VALVE;
}

/* OpFDot2MixAcc32VALVE, OpFDot2MixAcc16VALVE, OpFDot4MixAcc32VALVE: 3 and 4 vectors, 5 accumulator.
 */
HdStatus hd_rule_mixed_dot(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3),
                 *y = hd_val_operand(v, in, 4);
    uint32_t count = in->opix == HD_OPIX_FDot4MixAcc32VALVE ? 4 : 2,
             bits = in->opix == HD_OPIX_FDot4MixAcc32VALVE ? 8 : 16,
             result = in->opix == HD_OPIX_FDot2MixAcc16VALVE ? 16 : 32;

    HD_RULE(x != NULL && y != NULL && x->kind == HD_T_VECTOR && y->kind == HD_T_VECTOR &&
                x->count == count && y->count == count,
            "dot.operand", "the operands are not vectors of %u components", (unsigned)count);
    HD_RULE(hd_is_float(x) && hd_is_float(y) && hd_type_element(x)->bits == bits &&
                hd_type_element(y)->bits == bits,
            "dot.operand", "the vectors' components are not floats of %u bits", (unsigned)bits);
    HD_RULE(bits == 8 || hd_type_element(x) == hd_type_element(y), "dot.operand",
            "the vectors' components have different encodings");
    HD_RULE(hd_val_cap(v, mixed_capability(in, hd_type_element(x))), "dot.capability",
            "these vectors need capability %s",
            hd_gram_enumerant(HD_KIND_Capability, mixed_capability(in, hd_type_element(x)))->name);
    HD_RULE(hd_is_float_scalar(t) && t->bits == result &&
                (result == 16 ? t == hd_type_element(x) : t->encoding == 0),
            "dot.result", "the result is not a float of %u bits of that encoding",
            (unsigned)result);
    HD_RULE(hd_val_operand(v, in, 5) == t, "dot.accumulator",
            "the accumulator's type differs from the result type");
    return HD_OK;
}
