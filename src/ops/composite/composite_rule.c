/* ops/composite/composite_rule.c -- rules of vectors and other composites.
 *
 * Spec: SPIR-V, "Composite Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/parts.h"
#include "ops/coop/coop_rule.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

/* Spec: SPIR-V, "Universal Limits". */
#define MAX_INDEXES 255

/* A component chosen by a constant that the vector has not. */
static HdStatus known_index(HdVal *v, const HdInst *in, uint32_t at, const HdType *vector)
{
    uint64_t i;

    if (hd_val_known_part(v, in->w[at], 0, &i) && i >= vector->count)
        return hd_val_warn(v, in, "composite.out-of-bounds",
                           "component %llu of %u: the behaviour is undefined",
                           (unsigned long long)i, (unsigned)vector->count);
    return HD_OK;
}

HdStatus hd_rule_vector_extract_dynamic(HdVal *v, const HdInst *in)
{
    const HdType *o = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_scalar(hd_val_result(v, in)) || hd_is_pointer(hd_val_result(v, in)),
            "composite.result", "the result is not a scalar");
    HD_RULE(o != NULL && o->kind == HD_T_VECTOR, "composite.vector", "the operand is not a vector");
    HD_RULE(hd_type_element(o) == hd_val_result(v, in), "composite.component",
            "the result type is not the vector's component type");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 4)), "composite.index",
            "the index is not an integer scalar");
    return known_index(v, in, 4, o);
}

HdStatus hd_rule_vector_insert_dynamic(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(t->kind == HD_T_VECTOR, "composite.result", "the result is not a vector");
    HD_RULE(hd_val_operand(v, in, 3) == t, "composite.vector",
            "the type of the vector differs from the result type");
    HD_RULE(hd_val_operand(v, in, 4) == hd_type_element(t), "composite.component",
            "the component's type is not that of the vector");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 5)), "composite.index",
            "the index is not an integer scalar");
    return known_index(v, in, 5, hd_val_result(v, in));
}

/* OpVectorShuffle; the literals are its operands 3 and up (word 5 and up). */
HdStatus hd_rule_vector_shuffle(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3),
                 *y = hd_val_operand(v, in, 4);

    HD_RULE(t->kind == HD_T_VECTOR, "composite.result", "the result is not a vector");
    HD_RULE(x != NULL && y != NULL && x->kind == HD_T_VECTOR && y->kind == HD_T_VECTOR,
            "composite.vector", "the operands are not vectors");
    HD_RULE(hd_type_element(x) == hd_type_element(t) && hd_type_element(y) == hd_type_element(t),
            "composite.component", "the vectors have other component types than the result");
    HD_RULE(in->nwords - 5u == t->count, "composite.count",
            "there must be as many literals as the result has components");
    for (uint32_t i = 5; i < in->nwords; i++)
        HD_RULE(in->w[i] == UINT32_MAX || in->w[i] < (uint64_t)x->count + y->count,
                "composite.shuffle-literal", "literal %u is past the last component",
                (unsigned)in->w[i]);
    return HD_OK;
}

static HdStatus construct_vector(HdVal *v, const HdInst *in, const HdType *t)
{
    uint32_t parts = hd_parts_count(v->m, in, 3);
    uint64_t count = 0;

    HD_RULE(parts >= 2 || hd_val_cap(v, SpvCapabilityLongVectorEXT), "composite.count",
            "a vector is made of two constituents at least");
    for (uint32_t i = 0; i < parts; i++) {
        const HdType *o = hd_module_type_of(v->m, hd_parts_at(in->w, 3, i));

        HD_RULE(o != NULL && hd_type_scalar(o) == hd_type_element(t) &&
                    (o == hd_type_element(t) || o->kind == HD_T_VECTOR),
                "composite.constituent",
                "constituent %u is not a component or vector of components of the result",
                (unsigned)i + 1);
        count += hd_type_lanes(o);
    }
    HD_RULE(count == t->count, "composite.count",
            "the constituents have %u components, the result has %u", (unsigned)count,
            (unsigned)t->count);
    return HD_OK;
}

/* A cooperative matrix is constructed from one scalar, a cooperative vector from scalars. */
static HdStatus construct_coop(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *component = hd_coop_component(v, t);

    HD_RULE(component != NULL, "composite.result", "the result is not a composite");
    HD_RULE(in->nwords == 4 || (hd_type_words(t)[0] & 0xffff) == SpvOpTypeCooperativeVectorNV,
            "composite.count", "a cooperative matrix is made of one constituent");
    for (uint32_t i = 3; i < in->nwords; i++)
        HD_RULE(hd_val_operand(v, in, i) == component ||
                    (hd_val_operand(v, in, i) != NULL &&
                     hd_type_scalar(hd_val_operand(v, in, i)) == component && in->nwords > 4),
                "composite.constituent", "constituent %u is not of the result's component type",
                (unsigned)i - 2);
    return HD_OK;
}

HdStatus hd_rule_composite_construct(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    uint32_t count;
    bool counted;

    if (t->kind == HD_T_VECTOR)
        return construct_vector(v, in, t);
    if (t->kind == HD_T_OTHER)
        return construct_coop(v, in, t);
    HD_RULE(hd_is_composite(t), "composite.result", "the result is not a composite");
    counted = !hd_val_is_open_length(v, t);
    count = hd_parts_count(v->m, in, 3);
    HD_RULE(!counted || count == hd_type_parts(t), "composite.count",
            "there are %u constituents for %llu parts", (unsigned)count,
            (unsigned long long)hd_type_parts(t));
    for (uint32_t i = 0; i < count; i++)
        HD_RULE(hd_module_type_of(v->m, hd_parts_at(in->w, 3, i)) ==
                    (counted ? hd_type_part(v->m, t, i) : hd_type_element(t)),
                "composite.constituent",
                "constituent %u has another type than its part of the result", (unsigned)i + 1);
    return HD_OK;
}

/* Follow the literal indexes at words `at` and up. */
static HdStatus walk(HdVal *v, const HdInst *in, uint32_t at, const HdType *t, const HdType **out)
{
    HD_RULE(t != NULL, "composite.operand", "the composite has no value");
    HD_RULE(in->nwords > at, "composite.indexes", "at least one index is needed");
    HD_RULE(in->nwords - at <= MAX_INDEXES, "composite.indexes", "more than %u indexes",
            (unsigned)MAX_INDEXES);
    for (; at < in->nwords; at++) {
        *out = NULL;
        HD_RULE(t->kind != HD_T_RUNTIME_ARRAY, "composite.runtime-array",
                "a runtime array has no parts to take");
        if (t->kind == HD_T_OTHER) {
            t = hd_coop_component(v, t);
            HD_RULE(t != NULL, "composite.index-depth", "the indexes go deeper than the composite");
            continue;
        }
        HD_RULE(hd_is_composite(t), "composite.index-depth",
                "the indexes go deeper than the composite");
        if (hd_val_is_open_length(v, t)) {
            t = hd_type_element(t);
            continue;
        }
        HD_RULE(in->w[at] < hd_type_parts(t), "composite.index-range",
                "index %u is past the last part", (unsigned)in->w[at]);
        t = hd_type_part(v->m, t, in->w[at]);
    }
    *out = t;
    return HD_OK;
}

HdStatus hd_rule_composite_extract(HdVal *v, const HdInst *in)
{
    const HdType *part = NULL;

    HD_TRY(walk(v, in, 4, hd_val_operand(v, in, 3), &part));
    HD_RULE(part == NULL || part == hd_val_result(v, in), "composite.result",
            "the result type is not the type of the part");
    return HD_OK;
}

HdStatus hd_rule_composite_insert(HdVal *v, const HdInst *in)
{
    const HdType *part = NULL;

    HD_RULE(hd_val_operand(v, in, 4) == hd_val_result(v, in), "composite.operand",
            "the composite's type differs from the result type");
    HD_TRY(walk(v, in, 5, hd_val_operand(v, in, 4), &part));
    HD_RULE(part == NULL || part == hd_val_operand(v, in, 3), "composite.object",
            "the object's type is not the type of the part");
    return HD_OK;
}

HdStatus hd_rule_copy_object(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(t->kind != HD_T_VOID, "composite.copy-void", "void cannot be copied");
    HD_RULE(hd_val_operand(v, in, 3) == t, "composite.copy-type",
            "the operand's type differs from the result type");
    return HD_OK;
}

HdStatus hd_rule_copy_logical(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    HD_RULE(o != NULL && o != t, "composite.copy-same",
            "operand and result must have different types");
    HD_RULE(hd_type_logically_equal(v, t, o), "composite.copy-match",
            "operand and result do not match logically");
    return HD_OK;
}

/* The constituents of cooperative matrices, cooperative vectors and tensors. */
static const HdType *opaque_part(const HdVal *v, const HdType *t)
{
    return (hd_type_words(t)[0] & 0xffff) == SpvOpTypeTensorARM
               ? hd_module_type(v->m, hd_type_words(t)[2])
               : hd_coop_component(v, t);
}

/* OpCompositeConstructReplicateEXT and its two constant relatives. */
HdStatus hd_rule_replicate(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);
    enum HdOpix opix = hd_module_opix(v->m, in->w[3]);

    if (t->kind == HD_T_OTHER) {
        HD_RULE(o == opaque_part(v, t), "composite.replicate",
                "the value has another type than the result's parts");
        return HD_OK;
    }
    HD_RULE(hd_is_composite(t), "composite.replicate", "the result type is not a composite");
    for (uint32_t i = 0; i < (t->kind == HD_T_STRUCT ? t->count : 1); i++)
        HD_RULE(o == (t->kind == HD_T_STRUCT ? hd_type_member(v->m, t, i) : hd_type_element(t)),
                "composite.replicate", "the value has another type than the result's parts");
    if (in->opix == HD_OPIX_CompositeConstructReplicateEXT)
        return HD_OK;
    HD_RULE(hd_opix_is_constant(opix) || opix == HD_OPIX_Undef, "composite.replicate",
            "the value is not a constant");
    HD_RULE(in->opix == HD_OPIX_SpecConstantCompositeReplicateEXT ||
                strncmp(hd_gram_insts[opix].name, "OpSpec", 6) != 0,
            "composite.replicate-spec",
            "the value is a specialisation constant: use OpSpecConstantCompositeReplicateEXT");
    return HD_OK;
}

/* OpFreezeKHR, OpFPGARegALTERA: 3 value. */
HdStatus hd_rule_freeze(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_operand(v, in, 3) == hd_val_result(v, in), "composite.copy-type",
            "the type of the value differs from the result type");
    return HD_OK;
}

/* OpArithmeticFenceEXT: 3 value. */
HdStatus hd_rule_float_same(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_float(hd_val_result(v, in)), "composite.result",
            "the result is not a float scalar or vector");
    return hd_rule_freeze(v, in);
}
