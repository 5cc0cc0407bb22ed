/* ops/compare/compare_rule.c -- rules of comparisons, logic and selection.
 *
 * Spec: SPIR-V, "Relational and Logical Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/memory/memory_rule.h"
#include "ops/rules.h"

static HdStatus bool_result(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool(hd_val_result(v, in)), "compare.result",
            "the result is not a bool scalar or vector");
    return HD_OK;
}

/* OpAny, OpAll. */
HdStatus hd_rule_any_all(HdVal *v, const HdInst *in)
{
    const HdType *o = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "compare.result",
            "the result is not a bool scalar");
    HD_RULE(o != NULL && o->kind == HD_T_VECTOR && hd_is_bool(o), "compare.operand",
            "the operand is not a bool vector");
    return HD_OK;
}

/* OpIsNan … OpSignBitSet. */
HdStatus hd_rule_float_test(HdVal *v, const HdInst *in)
{
    const HdType *o = hd_val_operand(v, in, 3);

    HD_TRY(bool_result(v, in));
    HD_RULE(o != NULL && hd_is_float(o), "compare.operand", "the operand is not a float");
    HD_RULE(hd_type_lanes(o) == hd_type_lanes(hd_val_result(v, in)), "compare.operand",
            "the operand has another number of components than the result");
    return HD_OK;
}

/* OpFOrd…, OpFUnord…, OpOrdered, OpUnordered, OpLessOrGreater. */
HdStatus hd_rule_float_compare(HdVal *v, const HdInst *in)
{
    HD_TRY(hd_rule_float_test(v, in));
    HD_RULE(hd_val_operand(v, in, 4) == hd_val_operand(v, in, 3), "compare.operand",
            "the operands have different types");
    return HD_OK;
}

/* OpIEqual … OpSLessThanEqual: signedness is free. */
HdStatus hd_rule_int_compare(HdVal *v, const HdInst *in)
{
    const HdType *x = hd_val_operand(v, in, 3), *y = hd_val_operand(v, in, 4);

    HD_TRY(bool_result(v, in));
    HD_RULE(x != NULL && y != NULL && hd_is_int(x) && hd_is_int(y), "compare.operand",
            "the operands are not integers");
    HD_RULE(hd_type_lanes(x) == hd_type_lanes(hd_val_result(v, in)) &&
                hd_type_lanes(y) == hd_type_lanes(x),
            "compare.operand", "the operands have another number of components than the result");
    HD_RULE(hd_type_bits(x) == hd_type_bits(y), "compare.operand",
            "the operands have different widths");
    return HD_OK;
}

/* OpLogicalEqual, OpLogicalNotEqual, OpLogicalOr, OpLogicalAnd. */
HdStatus hd_rule_logical_binary(HdVal *v, const HdInst *in)
{
    HD_TRY(bool_result(v, in));
    for (uint32_t i = 3; i < in->nwords; i++)
        HD_RULE(hd_val_operand(v, in, i) == hd_val_result(v, in), "compare.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    return HD_OK;
}

/* OpLogicalNot. */
HdStatus hd_rule_logical_not(HdVal *v, const HdInst *in)
{
    return hd_rule_logical_binary(v, in);
}

/* What OpSelect chooses between from SPIR-V 1.4 on, besides scalars, vectors and pointers. Images
 * and samplers are values with SPV_NV_bindless_texture. */
static bool is_other_choice(const HdVal *v, const HdType *t)
{
    switch (t->kind) {
    case HD_T_ARRAY:
    case HD_T_STRUCT:
    case HD_T_MATRIX:
    case HD_T_OTHER: return v->m->version >= 0x10400; /* cooperative matrices */
    case HD_T_IMAGE:
    case HD_T_SAMPLER:
    case HD_T_SAMPLED_IMAGE: return hd_val_cap(v, SpvCapabilityBindlessTextureNV);
    default: return false;
    }
}

static HdStatus select_result(HdVal *v, const HdInst *in, const HdType *t)
{
    if (t->kind == HD_T_POINTER) {
        HD_RULE(v->m->addressing != SpvAddressingModelLogical ||
                    hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer) ||
                    t->storage == SpvStorageClassPhysicalStorageBuffer,
                "compare.select-pointer",
                "selecting pointers needs variable pointers or physical addressing");
        return HD_OK;
    }
    HD_RULE(hd_is_scalar(t) || t->kind == HD_T_VECTOR || is_other_choice(v, t),
            "compare.select-result",
            "the result is not a scalar, vector or pointer; other composites need SPIR-V 1.4");
    return HD_OK;
}

/* OpSelect. Rule ids: compare.select-…. */
HdStatus hd_rule_select(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *c = hd_val_operand(v, in, 3);

    HD_TRY(select_result(v, in, t));
    HD_RULE(hd_val_operand(v, in, 4) == t && hd_val_operand(v, in, 5) == t, "compare.select-object",
            "the objects have another type than the result");
    HD_TRY(hd_rule_variable_pointer(v, in, t));
    HD_TRY(hd_rule_variable_source(v, in, in->w[4]));
    HD_TRY(hd_rule_variable_source(v, in, in->w[5]));
    HD_TRY(hd_rule_variable_pair(v, in, in->w[4], in->w[5]));
    HD_RULE(c != NULL && hd_is_bool(c), "compare.select-condition",
            "the condition is not a bool scalar or vector");
    /* Shipping producers of kernels choose between vectors by one condition before the version that
     * has it. */
    if (c->kind != HD_T_VECTOR && t->kind == HD_T_VECTOR && v->m->version < 0x10400 && v->kernel)
        return hd_val_warn(v, in, "compare.select-scalar",
                           "a scalar condition for vectors needs SPIR-V 1.4");
    if (c->kind == HD_T_VECTOR || (v->m->version < 0x10400 && t->kind == HD_T_VECTOR))
        HD_RULE(t->kind == HD_T_VECTOR && hd_type_lanes(c) == hd_type_lanes(t),
                "compare.select-condition",
                "the condition has another number of components than the result");
    return HD_OK;
}
