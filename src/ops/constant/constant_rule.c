/* ops/constant/constant_rule.c -- rules of constants and undefined values.
 *
 * Spec: SPIR-V, "Constant-Creation Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/decoration.h"
#include "module/parts.h"
#include "ops/coop/coop_rule.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

HdStatus hd_rule_undef(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(t->kind != HD_T_VOID && t->kind != HD_T_FUNCTION, "constant.undef-type",
            "a value cannot have this type");
    return HD_OK;
}

HdStatus hd_rule_constant_bool(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "constant.bool",
            "the result type is not bool");
    return HD_OK;
}

HdStatus hd_rule_constant_number(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    uint32_t high;

    if (t->bits >= 32)
        return HD_OK;
    /* Narrow literals: the high-order bits are 0, or the sign's. */
    high = in->w[3] >> t->bits;
    if (t->kind == HD_T_INT && t->is_signed && (in->w[3] >> (t->bits - 1) & 1))
        high ^= UINT32_MAX >> t->bits;
    HD_RULE(high == 0, "constant.narrow",
            "the literal's high-order bits are not an extension of its value");
    return HD_OK;
}

static bool is_spec_constant(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_SpecConstantTrue:
    case HD_OPIX_SpecConstantFalse:
    case HD_OPIX_SpecConstant:
    case HD_OPIX_SpecConstantComposite:
    case HD_OPIX_SpecConstantOp:
    case HD_OPIX_SpecConstantCompositeReplicateEXT:
    case HD_OPIX_SpecConstantArchitectureINTEL:
    case HD_OPIX_SpecConstantTargetINTEL:
    case HD_OPIX_SpecConstantCapabilitiesINTEL:
    case HD_OPIX_SpecConstantStringAMDX:
    case HD_OPIX_SpecConstantDataKHR: return true;
    default: return false;
    }
}

/* Compilers write addresses in tables as OpSpecConstantOp, though they depend on nothing. */
static HdStatus check_plain(HdVal *v, const HdInst *in, uint32_t i, enum HdOpix opix)
{
    if (in->opix != HD_OPIX_ConstantComposite || !is_spec_constant(opix))
        return HD_OK;
    if (opix == HD_OPIX_SpecConstantOp)
        return hd_val_warn(v, in, "constant.constituent-spec",
                           "constituent %u is an OpSpecConstantOp", (unsigned)i);
    return hd_val_fail(v, in, "constant.constituent-spec",
                       "constituent %u is a specialisation constant: use OpSpecConstantComposite",
                       (unsigned)i);
}

HdStatus hd_rule_constant_composite(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    bool counted = true;
    uint32_t count;

    if (t->kind == HD_T_OTHER && in->nwords == 4) {
        HD_RULE(hd_coop_component(v, t) != NULL, "constant.composite",
                "the result type is not a composite");
        HD_RULE(hd_opix_is_constituent(hd_module_opix(v->m, in->w[3])), "constant.constituent",
                "id %u is not a constant", (unsigned)in->w[3]);
        HD_RULE(hd_val_operand(v, in, 3) == hd_coop_component(v, t), "constant.constituent-type",
                "the constituent is not of the matrix' component type");
        return HD_OK;
    }
    if (t->kind == HD_T_OTHER) {
        HD_RULE(hd_coop_component(v, t) == NULL ||
                    hd_type_is_other(t, SpvOpTypeCooperativeVectorNV),
                "constant.count", "a cooperative matrix is made of one constituent");
        return HD_OK;
    }
    HD_RULE(hd_is_composite(t), "constant.composite", "the result type is not a composite");
    if (t->kind == HD_T_ARRAY) {
        const HdConstant *length = hd_module_constant(v->m, hd_type_length_id(v->m, t));

        /* How many there must be is known when specialised. */
        counted = length == NULL || !length->is_spec;
    }
    count = hd_parts_count(v->m, in, 3);
    HD_RULE(!counted || count == hd_type_parts(t), "constant.count",
            "%u constituents for %llu parts", (unsigned)count,
            (unsigned long long)hd_type_parts(t));
    for (uint32_t i = 0; i < count; i++) {
        HdId id = hd_parts_at(in->w, 3, i);
        enum HdOpix opix = hd_module_opix(v->m, id);
        bool global = opix == HD_OPIX_Variable || opix == HD_OPIX_UntypedVariableKHR;

        HD_RULE(hd_opix_is_constituent(opix) || (global && hd_val_opencl(v)),
                "constant.constituent", "id %u is not a constant", (unsigned)id);
        HD_TRY(check_plain(v, in, i, opix));
        if (global) /* shipping producers do this for tables of pointers */
            (void)hd_val_warn(v, in, "constant.constituent-variable",
                              "id %u is a variable, not a constant", (unsigned)id);
        HD_RULE(hd_module_type_of(v->m, id) ==
                    (counted ? hd_type_part(v->m, t, i) : hd_type_element(t)),
                "constant.constituent-type", "constituent %u has another type than its part",
                (unsigned)i);
    }
    return HD_OK;
}

HdStatus hd_rule_constant_sampler(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_val_result(v, in)->kind == HD_T_SAMPLER, "constant.sampler",
            "the result type is not a sampler type");
    HD_RULE(in->w[4] <= 1, "constant.sampler", "Param is 0 or 1");
    return HD_OK;
}

static bool not_nullable(const HdType *t)
{
    switch (t->kind) {
    case HD_T_VOID:
    case HD_T_FUNCTION:
    case HD_T_RUNTIME_ARRAY:
    case HD_T_IMAGE:
    case HD_T_SAMPLER:
    case HD_T_SAMPLED_IMAGE:
    case HD_T_OPAQUE:
    case HD_T_PIPE:
    case HD_T_PIPE_STORAGE:
    case HD_T_NAMED_BARRIER: return true;
    default: return false;
    }
}

HdStatus hd_rule_constant_null(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(!hd_type_holds(v, t, not_nullable), "constant.null", "the type has no null value");
    HD_RULE(t->kind != HD_T_POINTER || t->storage != SpvStorageClassPhysicalStorageBuffer,
            "constant.null", "a pointer to PhysicalStorageBuffer has no null value");
    HD_RULE(t->kind != HD_T_POINTER || v->m->addressing != SpvAddressingModelLogical ||
                hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer),
            "constant.null-pointer",
            "in logical addressing a null pointer is a variable pointer, which needs capability "
            "VariablePointersStorageBuffer");
    HD_RULE(t->kind != HD_T_POINTER || t->storage != SpvStorageClassWorkgroup ||
                v->m->addressing != SpvAddressingModelLogical ||
                hd_val_cap(v, SpvCapabilityVariablePointers),
            "constant.null-pointer",
            "in logical addressing a null pointer of storage class Workgroup needs capability "
            "VariablePointers");
    return HD_OK;
}

HdStatus hd_rule_size_of(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_int_scalar(hd_val_result(v, in)) && hd_val_result(v, in)->bits == 32,
            "constant.size-of", "the result is not a 32-bit integer");
    if (p == NULL) { /* others take the type of a pointer, too */
        p = hd_module_type(v->m, in->w[3]);
        if (hd_is_pointer(p))
            (void)hd_val_warn(v, in, "constant.size-of-type",
                              "the operand is a type, not a pointer");
    }
    HD_RULE(hd_is_pointer(p), "constant.size-of", "the operand is not a pointer");
    HD_RULE(hd_type_element(p) != NULL && hd_is_concrete(v, hd_type_element(p)), "constant.size-of",
            "the operand points to no concrete type");
    return HD_OK;
}

/* ---- OpSpecConstantOp ---------------------------------------------------------------------- */

/* The operations that only kernels may specialise with. Spec: OpSpecConstantOp. */
static bool kernel_only(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_ConvertFToS:
    case HD_OPIX_ConvertSToF:
    case HD_OPIX_ConvertFToU:
    case HD_OPIX_ConvertUToF:
    case HD_OPIX_ConvertPtrToU:
    case HD_OPIX_ConvertUToPtr:
    case HD_OPIX_GenericCastToPtr:
    case HD_OPIX_PtrCastToGeneric:
    case HD_OPIX_Bitcast:
    case HD_OPIX_FNegate:
    case HD_OPIX_FAdd:
    case HD_OPIX_FSub:
    case HD_OPIX_FMul:
    case HD_OPIX_FDiv:
    case HD_OPIX_FRem:
    case HD_OPIX_FMod: return true;
    default: return hd_operands_is_chain(opix);
    }
}

/* Words: 1 type, 2 result, 3 opcode, 4… its operands. The operation's own rule runs on the
 * instruction as it would stand alone. */
HdStatus hd_rule_spec_constant_op(HdVal *v, const HdInst *in)
{
    enum HdOpix opix = hd_gram_find(in->w[3]);
    uint32_t few[16], *w = few;
    HdInst alone = *in;

    HD_RULE(!kernel_only(opix) || v->kernel, "constant.spec-op-kernel",
            "specialising with %s needs capability Kernel", hd_gram_insts[opix].name);
    HD_RULE(opix != HD_OPIX_UConvert || v->kernel || v->m->version >= 0x10400 ||
                hd_val_ext(v, HD_EXT_SPV_AMD_gpu_shader_int16),
            "constant.spec-op-kernel", "specialising with OpUConvert needs SPIR-V 1.4");
    HD_RULE(opix != HD_OPIX_QuantizeToF16 || v->shader, "constant.spec-op-shader",
            "specialising with OpQuantizeToF16 needs capability Shader");
    for (uint32_t i = 4; i < in->nwords; i++) {
        bool literal = (opix == HD_OPIX_CompositeExtract && i >= 5) ||
                       (opix == HD_OPIX_CompositeInsert && i >= 6) ||
                       (opix == HD_OPIX_VectorShuffle && i >= 6);
        enum HdOpix def = literal ? HD_OPIX_NONE : hd_module_opix(v->m, in->w[i]);

        HD_RULE(literal || hd_opix_is_constant(def) || def == HD_OPIX_Undef ||
                    def == HD_OPIX_Variable || def == HD_OPIX_UntypedVariableKHR ||
                    def == HD_OPIX_Function || hd_module_type(v->m, in->w[i]) != NULL,
                "constant.spec-op-operand", "operand %u is not a constant", hd_val_number(in, i));
    }
    if (hd_val_rules[opix] == NULL || in->nwords < 5)
        return HD_OK;
    if (in->nwords > sizeof few / sizeof *few)
        HD_TAKE(w, HD_NEW(v->a, uint32_t, in->nwords));
    w[0] = (uint32_t)(in->nwords - 1) << 16 | (in->w[3] & 0xffff);
    w[1] = in->w[1];
    w[2] = in->w[2];
    for (uint32_t i = 4; i < in->nwords; i++)
        w[i - 1] = in->w[i];
    alone.opix = opix;
    alone.opcode = (uint16_t)in->w[3];
    alone.nwords = (uint16_t)(in->nwords - 1);
    alone.w = w;
    return hd_val_rules[opix](v, &alone);
}

/* OpConstantDataKHR, OpSpecConstantDataKHR: words of an array of integers. */
HdStatus hd_rule_constant_data(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    const HdConstant *c;
    uint64_t length;

    HD_RULE(t->kind == HD_T_ARRAY && hd_is_int_scalar(hd_type_element(t)), "constant.data-type",
            "the result is not an array of integers");
    HD_RULE(hd_module_decoration(v->m, t->id, SpvDecorationArrayStride) == NULL,
            "constant.data-type", "the array has an ArrayStride");
    c = hd_module_constant(v->m, hd_type_length_id(v->m, t));
    if (c != NULL && c->is_spec)
        return HD_OK; /* how many there must be is known when specialised */
    length = hd_type_length(t);
    HD_RULE(length < UINT32_MAX && in->nwords - 3u == (length * hd_type_element(t)->bits + 31) / 32,
            "constant.data-count", "%u words for %llu integers", (unsigned)in->nwords - 3,
            (unsigned long long)length);
    return HD_OK;
}
