/* ops/arith/arith_rule.c -- rules of arithmetic.
 *
 * Spec: SPIR-V, "Arithmetic Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_rule.h"
#include "ops/rules.h"

/* All operands after the result id have the result's type. Rule id: arith.operand. */
static HdStatus operands_as_result(HdVal *v, const HdInst *in, const HdType *t)
{
    for (uint32_t i = 3; i < in->nwords; i++)
        HD_RULE(hd_val_operand(v, in, i) == t, "arith.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    return HD_OK;
}

/* Operands are integers with the result's shape; signedness is free. */
static HdStatus int_operands(HdVal *v, const HdInst *in, const HdType *t)
{
    for (uint32_t i = 3; i < in->nwords; i++) {
        const HdType *o = hd_val_operand(v, in, i);

        if (o == t)
            continue;
        HD_RULE(o != NULL && hd_is_int(o), "arith.operand", "operand %u is not an integer",
                hd_val_number(in, i));
        HD_RULE(hd_type_lanes(o) == hd_type_lanes(t) && hd_type_bits(o) == hd_type_bits(t),
                "arith.operand",
                "operand %u has another width or number of components than the "
                "result",
                hd_val_number(in, i));
    }
    return HD_OK;
}

/* OpSNegate. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_int_unary(HdVal *v, const HdInst *in)
{
    return hd_rule_int_binary(v, in);
}

/* A divisor that is a constant 0, or has one. */
static HdStatus divisor(HdVal *v, const HdInst *in, const HdType *t)
{
    uint64_t bits, top, mask;

    switch (in->opix) {
    case HD_OPIX_SDiv:
    case HD_OPIX_UDiv:
    case HD_OPIX_SRem:
    case HD_OPIX_SMod:
    case HD_OPIX_UMod: break;
    default: return HD_OK;
    }
    for (uint32_t i = 0; i < hd_type_lanes(t); i++)
        if (hd_val_known_part(v, in->w[4], i, &bits) && bits == 0)
            return hd_val_warn(v, in, "arith.zero-divisor",
                               "the divisor is 0: the result is undefined");
    if (in->opix == HD_OPIX_UDiv || in->opix == HD_OPIX_UMod || hd_type_bits(t) > 64)
        return HD_OK;
    mask = hd_type_bits(t) == 64 ? UINT64_MAX : ((uint64_t)1 << hd_type_bits(t)) - 1;
    for (uint32_t i = 0; i < hd_type_lanes(t); i++)
        if (hd_val_known_part(v, in->w[4], i, &bits) && (bits & mask) == mask &&
            hd_val_known_part(v, in->w[3], i, &top) && (top & mask) == mask / 2 + 1)
            return hd_val_warn(v, in, "arith.overflow-divisor",
                               "the smallest number is divided by -1: the result is undefined");
    return HD_OK;
}

/* OpIAdd, OpISub, OpIMul, OpSDiv, OpSRem, OpSMod. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_int_binary(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    if (t->kind == HD_T_OTHER)
        return hd_rule_coop_arith(v, in, hd_is_int_scalar);
    HD_RULE(hd_is_int(t), "arith.result", "the result is not an integer scalar or vector");
    HD_TRY(int_operands(v, in, t));
    return divisor(v, in, t);
}

static bool is_unsigned_scalar(const HdType *t)
{
    return hd_is_int_scalar(t) && !t->is_signed;
}

/* OpUDiv, OpUMod. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_uint_binary(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    if (t->kind == HD_T_OTHER)
        return hd_rule_coop_arith(v, in, is_unsigned_scalar);
    HD_RULE(hd_is_int(t) && !hd_type_scalar(t)->is_signed, "arith.result",
            "the result is not an unsigned integer scalar or vector");
    HD_TRY(operands_as_result(v, in, t));
    return divisor(v, in, t);
}

/* OpFNegate. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_float_unary(HdVal *v, const HdInst *in)
{
    return hd_rule_float_binary(v, in);
}

/* OpFAdd … OpFMod. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_float_binary(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    if (t->kind == HD_T_OTHER)
        return hd_rule_coop_arith(v, in, hd_is_float_scalar);
    HD_RULE(hd_is_float(t), "arith.result", "the result is not a float scalar or vector");
    return operands_as_result(v, in, t);
}

/* OpFmaKHR. */
HdStatus hd_rule_fma(HdVal *v, const HdInst *in)
{
    return hd_rule_float_binary(v, in);
}

/* OpBFloat16MulAddQCOM. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_bfloat_muladd(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_float_scalar(t) && t->bits == 32, "arith.result",
            "the result is not a float scalar of 32 bits");
    for (uint32_t i = 3; i <= 4; i++) {
        const HdType *o = hd_val_operand(v, in, i);

        HD_RULE(o != NULL && hd_is_float_scalar(o) && hd_is_bfloat16(o), "arith.operand",
                "operand %u is not a bfloat16", hd_val_number(in, i));
    }
    HD_RULE(hd_val_operand(v, in, 5) == t, "arith.operand",
            "the type of the summand differs from the result type");
    return HD_OK;
}

/* OpVectorTimesScalar. */
HdStatus hd_rule_vector_times_scalar(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(t->kind == HD_T_VECTOR && hd_is_float(t), "arith.result",
            "the result is not a float vector");
    HD_RULE(hd_val_operand(v, in, 3) == t, "arith.operand",
            "the type of the vector differs from the result type");
    HD_RULE(hd_val_operand(v, in, 4) == hd_type_element(t), "arith.operand",
            "the type of the scalar is not the component type of the result");
    return HD_OK;
}

/* OpDot. */
HdStatus hd_rule_dot(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_float_scalar(t), "arith.result", "the result is not a float scalar");
    HD_RULE(x != NULL && x->kind == HD_T_VECTOR && hd_type_element(x) == t, "arith.operand",
            "the operands are not vectors of the result type");
    HD_RULE(hd_val_operand(v, in, 4) == x, "arith.operand", "the two vectors have different types");
    return HD_OK;
}

/* OpIAddCarry, OpISubBorrow, OpUMulExtended, OpSMulExtended. */
HdStatus hd_rule_carry(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *part;

    HD_RULE(t->kind == HD_T_STRUCT && t->count == 2 &&
                hd_type_member(v->m, t, 0) == hd_type_member(v->m, t, 1),
            "arith.result", "the result is not a structure of two equal members");
    part = hd_type_member(v->m, t, 0);
    HD_RULE(hd_is_int(part), "arith.result",
            "the result's members are not integer scalars or vectors");
    HD_RULE(in->opix == HD_OPIX_SMulExtended || !hd_type_scalar(part)->is_signed, "arith.result",
            "the result's members must be unsigned");
    return operands_as_result(v, in, part);
}

/* OpExpectKHR: the hint has the value's type. Rule ids: arith.result, arith.operand. */
HdStatus hd_rule_expect(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_int(t) || hd_is_bool(t), "arith.result",
            "the result is not an integer or bool scalar or vector");
    return operands_as_result(v, in, t);
}

/* OpAssumeTrueKHR. Rule id: arith.condition. A constant false is undefined behaviour. */
HdStatus hd_rule_assume(HdVal *v, const HdInst *in)
{
    uint64_t value;

    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 1)), "arith.condition",
            "the condition is not a bool scalar");
    if (hd_val_known_part(v, in->w[1], 0, &value) && value == 0)
        return hd_val_warn(v, in, "arith.assume-false",
                           "the condition is false: the behaviour is undefined");
    return HD_OK;
}
