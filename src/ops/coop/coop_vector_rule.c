/* ops/coop/coop_vector_rule.c -- rules of cooperative vectors.
 *
 * Spec: SPV_NV_cooperative_vector.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static bool is_vector(const HdType *t)
{
    return t != NULL && t->kind == HD_T_VECTOR;
}

/* A pointer to an array of numbers, or of vectors of them, and an offset. */
static HdStatus memory(HdVal *v, const HdInst *in, uint32_t pointer, uint32_t offset)
{
    const HdType *p = hd_val_operand(v, in, pointer), *o = hd_val_operand(v, in, offset), *t;

    HD_RULE(hd_is_pointer(p), "coop.vector-pointer", "the pointer is none");
    t = p->is_untyped ? NULL : hd_type_element(p);
    HD_RULE(t != NULL && (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY) &&
                hd_is_numeric(hd_type_element(t)),
            "coop.vector-pointer",
            "the pointer is not one to an array of numbers or of vectors of them");
    HD_RULE(hd_is_int_scalar(o) &&
                (o->bits == 32 ||
                 (o->bits == 64 && hd_val_cap(v, SpvCapabilityShader64BitIndexingEXT))),
            "coop.vector-offset", "the offset is not a 32-bit integer");
    return HD_OK;
}

/* OpCooperativeVectorLoadNV: 3 pointer, 4 offset. */
HdStatus hd_rule_coop_vector_load(HdVal *v, const HdInst *in)
{
    HD_RULE(is_vector(hd_val_result(v, in)), "coop.vector",
            "the result is not a cooperative vector");
    return memory(v, in, 3, 4);
}

/* OpCooperativeVectorStoreNV: 1 pointer, 2 offset, 3 object. */
HdStatus hd_rule_coop_vector_store(HdVal *v, const HdInst *in)
{
    HD_RULE(is_vector(hd_val_operand(v, in, 3)), "coop.vector",
            "the object is not a cooperative vector");
    return memory(v, in, 1, 2);
}

static HdStatus constants(HdVal *v, const HdInst *in, uint32_t at, uint32_t count)
{
    for (uint32_t i = at; i < at + count; i++)
        HD_RULE(hd_val_is_constant(v, in->w[i]), "coop.vector-constant",
                "operand %u is not a constant", hd_val_number(in, i));
    return HD_OK;
}

/* OpCooperativeVectorMatrixMulNV, OpCooperativeVectorMatrixMulAddNV: 3 input, 4 its interpretation,
 * 5 matrix, 6 offset, 7 interpretation, [bias, offset, interpretation,] M, K, layout, transpose. */
HdStatus hd_rule_coop_vector_product(HdVal *v, const HdInst *in)
{
    const bool adds = in->opix == HD_OPIX_CooperativeVectorMatrixMulAddNV;
    const HdType *t = hd_val_result(v, in);
    const uint32_t at = adds ? 11 : 8;
    uint64_t rows;

    HD_RULE(is_vector(t), "coop.vector", "the result is not a cooperative vector");
    HD_RULE(is_vector(hd_val_operand(v, in, 3)), "coop.vector",
            "the input is not a cooperative vector");
    HD_TRY(memory(v, in, 5, 6));
    HD_TRY(constants(v, in, 4, 1));
    HD_TRY(constants(v, in, 7, 1));
    if (adds) {
        HD_TRY(memory(v, in, 8, 9));
        HD_TRY(constants(v, in, 10, 1));
    }
    HD_TRY(constants(v, in, at, 4));
    HD_RULE(!hd_val_known_part(v, in->w[at], 0, &rows) || rows == t->count, "coop.vector-rows",
            "the result does not have M components");
    return HD_OK;
}

/* OpCooperativeVectorReduceSumAccumulateNV: 1 pointer, 2 offset, 3 vector. */
HdStatus hd_rule_coop_vector_sum(HdVal *v, const HdInst *in)
{
    HD_RULE(is_vector(hd_val_operand(v, in, 3)), "coop.vector", "V is not a cooperative vector");
    return memory(v, in, 1, 2);
}

/* OpCooperativeVectorOuterProductAccumulateNV: 1 pointer, 2 offset, 3 A, 4 B, 5 layout, 6
 * interpretation. */
HdStatus hd_rule_coop_vector_outer(HdVal *v, const HdInst *in)
{
    const HdType *a = hd_val_operand(v, in, 3), *b = hd_val_operand(v, in, 4);

    HD_RULE(is_vector(a) && is_vector(b) && hd_type_element(a) == hd_type_element(b), "coop.vector",
            "A and B are not cooperative vectors with the same components");
    HD_TRY(memory(v, in, 1, 2));
    return constants(v, in, 5, 1);
}
