/* ops/subgroup/subgroup_rule_quad.c -- rules of operations in quads, which shaders have.
 *
 * Spec: SPIR-V, "Non-Uniform Instructions"; SPV_KHR_quad_control,
 * SPV_EXT_shader_subgroup_partitioned.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static HdStatus moved_value(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_numeric(t) || hd_is_bool(t), "subgroup.result",
            "the result is not a scalar or vector of numbers or bools");
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_RULE(hd_val_operand(v, in, 4) == t, "subgroup.value",
            "the value's type differs from the result type");
    return HD_OK;
}

static HdStatus index_operand(HdVal *v, const HdInst *in, const char *name)
{
    const HdType *t = hd_val_operand(v, in, 5);

    HD_RULE(hd_is_int_scalar(t) && !t->is_signed, "subgroup.index",
            "%s is not an unsigned integer scalar", name);
    return HD_OK;
}

HdStatus hd_rule_quad_broadcast(HdVal *v, const HdInst *in)
{
    HD_TRY(moved_value(v, in));
    HD_TRY(index_operand(v, in, "Index"));
    HD_RULE(v->m->version >= 0x10500 || hd_val_is_constant(v, in->w[5]), "subgroup.id-constant",
            "before SPIR-V 1.5 Index must be a constant");
    return HD_OK;
}

HdStatus hd_rule_quad_swap(HdVal *v, const HdInst *in)
{
    uint64_t direction;

    HD_TRY(moved_value(v, in));
    HD_TRY(index_operand(v, in, "Direction"));
    HD_RULE(hd_val_is_constant(v, in->w[5]), "subgroup.direction", "Direction is not a constant");
    HD_RULE(!hd_val_known_part(v, in->w[5], 0, &direction) || direction <= 2, "subgroup.direction",
            "Direction is none of 0 (horizontal), 1 (vertical), 2 (diagonal)");
    return HD_OK;
}

/* OpGroupNonUniformQuadAllKHR, …QuadAnyKHR. */
HdStatus hd_rule_quad_vote(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "subgroup.result",
            "the result is not a bool scalar");
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 3)), "subgroup.predicate",
            "the predicate is not a bool scalar");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 value. */
HdStatus hd_rule_nu_partition(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3);

    HD_RULE(t->kind == HD_T_VECTOR && t->count == 4 && hd_type_element(t)->kind == HD_T_INT &&
                hd_type_element(t)->bits == 32,
            "subgroup.result", "the result is not a vector of four 32-bit integers");
    HD_RULE(hd_is_numeric(x) || hd_is_bool(x), "subgroup.value",
            "the value is not a scalar or vector of numbers or bools");
    return HD_OK;
}
