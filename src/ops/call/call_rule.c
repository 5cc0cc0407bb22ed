/* ops/call/call_rule.c -- rules of functions and calls.
 *
 * Spec: SPIR-V, "Function Instructions", "Universal Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/memory/memory_rule.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

/* Spec: SPIR-V, "Universal Limits". */
#define MAX_PARAMETERS 255u

/* Rule ids: call.function-…. */
HdStatus hd_rule_function(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[4]);

    HD_RULE(t != NULL && t->kind == HD_T_FUNCTION, "call.function-type",
            "id %u is not a function type", (unsigned)in->w[4]);
    HD_RULE(hd_type_element(t) == hd_val_result(v, in), "call.function-result",
            "the result type differs from the return type of the function type");
    if ((in->w[3] & 3) == 3)
        (void)hd_val_warn(v, in, "call.function-control",
                          "Inline and DontInline ask for contrary things");
    HD_RULE(!(in->w[3] & SpvFunctionControlOptNoneEXTMask) ||
                !(in->w[3] & SpvFunctionControlInlineMask),
            "call.function-optnone", "OptNoneEXT excludes Inline");
    if (v->f != NULL && v->f->block_count == 0) {
        const HdDecoration *link =
            hd_module_decoration(v->m, in->w[2], SpvDecorationLinkageAttributes);

        HD_RULE(link != NULL && link->operand_count != 0 &&
                    hd_decoration_last(v->m, link) == SpvLinkageTypeImport,
                "call.function-import", "a function without body must be imported");
    }
    return HD_OK;
}

/* The index of the function's parameter at a word: they are in module order. Their number if there
 * is none. */
static uint32_t parameter_at(const HdVal *v, uint32_t word)
{
    const uint32_t *params = &v->m->params[v->f->first_param];
    uint32_t from = 0, to = v->f->param_count;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (params[middle] < word)
            from = middle + 1;
        else
            to = middle;
    }
    return from < v->f->param_count && params[from] == word ? from : v->f->param_count;
}

HdStatus hd_rule_parameter(HdVal *v, const HdInst *in)
{
    const HdType *t;
    uint32_t i;

    if (v->f == NULL)
        return HD_OK;
    t = hd_module_type(v->m, v->f->type);
    if (t == NULL || t->kind != HD_T_FUNCTION || t->count > MAX_PARAMETERS)
        return HD_OK; /* the function's rule has said it */
    i = parameter_at(v, in->word);
    if (i == v->f->param_count)
        return HD_OK;
    HD_RULE(i < t->count, "call.parameter-count", "the function type has %u parameters",
            (unsigned)t->count);
    HD_RULE(hd_type_member(v->m, t, i) == hd_val_result(v, in), "call.parameter-type",
            "parameter %u has another type than the function type says", (unsigned)i);
    return HD_OK;
}

static bool memory_object(const HdVal *v, HdId id)
{
    enum HdOpix opix = hd_module_opix(v->m, id);

    return opix == HD_OPIX_Variable || opix == HD_OPIX_UntypedVariableKHR ||
           opix == HD_OPIX_FunctionParameter;
}

/* Logical addressing: what pointers may be passed. */
static HdStatus logical_argument(HdVal *v, const HdInst *in, uint32_t at, const HdType *t)
{
    bool variable = hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer);

    if (!hd_is_pointer(t) || v->m->addressing != SpvAddressingModelLogical)
        return HD_OK;
    switch (t->storage) {
    case SpvStorageClassUniformConstant:
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
    case SpvStorageClassWorkgroup:
    case SpvStorageClassAtomicCounter: break;
    case SpvStorageClassStorageBuffer:
        HD_RULE(variable, "call.argument-storage",
                "a pointer of this storage class cannot be passed");
        return HD_OK;
    default:
        HD_RULE(false, "call.argument-storage", "a pointer of this storage class cannot be passed");
    }
    if (t->storage == SpvStorageClassUniformConstant)
        return HD_OK;
    HD_RULE(memory_object(v, in->w[at]) || (t->storage == SpvStorageClassWorkgroup &&
                                            hd_val_cap(v, SpvCapabilityVariablePointers)),
            "call.argument-object", "a pointer argument must be a variable or parameter");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 function, 4… arguments. */
HdStatus hd_rule_function_call(HdVal *v, const HdInst *in)
{
    const HdFunction *callee = hd_module_function(v->m, in->w[3]);
    HdInst f;
    const HdType *t;

    HD_RULE(hd_module_def(v->m, in->w[3], &f) && f.opix == HD_OPIX_Function, "call.callee",
            "id %u is not a function", (unsigned)in->w[3]);
    t = hd_module_type(v->m, f.w[4]);
    if (t == NULL || t->kind != HD_T_FUNCTION)
        return HD_OK;
    HD_RULE(hd_type_element(t) == hd_val_result(v, in), "call.result",
            "the result type differs from the function's return type");
    HD_RULE(in->nwords - 4u == t->count, "call.argument-count", "%u arguments for %u parameters",
            (unsigned)in->nwords - 4, (unsigned)t->count);
    for (uint32_t i = 0; i < t->count; i++) {
        HD_RULE(hd_val_operand(v, in, 4 + i) == hd_type_member(v->m, t, i), "call.argument-type",
                "argument %u has another type than the parameter", (unsigned)i);
        HD_TRY(logical_argument(v, in, 4 + i, hd_type_member(v->m, t, i)));
        if (callee != NULL)
            HD_TRY(hd_rule_variable_argument(v, in, in->w[4 + i], callee, i));
    }
    return HD_OK;
}

/* What an instruction gives and takes from word `first` on, against the function type that it
 * calls. */
static HdStatus as_called(HdVal *v, const HdInst *in, const HdType *t, uint32_t first)
{
    HD_RULE(hd_type_element(t) == hd_val_result(v, in), "call.result",
            "the result type differs from the function's return type");
    HD_RULE(in->nwords - first == t->count, "call.argument-count", "%u arguments for %u parameters",
            (unsigned)(in->nwords - first), (unsigned)t->count);
    for (uint32_t i = 0; i < t->count; i++)
        HD_RULE(hd_val_operand(v, in, first + i) == hd_type_member(v->m, t, i),
                "call.argument-type", "argument %u has another type than the parameter",
                (unsigned)i);
    return HD_OK;
}

/* OpConstantFunctionPointerINTEL: 3 function. Spec: SPV_INTEL_function_pointers. */
HdStatus hd_rule_function_pointer(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_result(v, in);
    bool is_built = v->options->to_build;
    HdInst f;

    HD_RULE(hd_module_def(v->m, in->w[3], &f) && f.opix == HD_OPIX_Function, "call.callee",
            "id %u is not a function", (unsigned)in->w[3]);
    /* LLVM's back end guesses the pointees of parameters once for each. */
    if (is_built && hd_is_pointer(p) && hd_type_element(p) != NULL &&
        hd_type_element(p)->kind == HD_T_FUNCTION)
        return HD_OK;
    HD_RULE(hd_is_pointer(p) &&
                (p->is_untyped || hd_type_element(p) == hd_module_type(v->m, f.w[4])),
            "call.function-pointer", "the result is not a pointer to the function's type");
    return HD_OK;
}

/* OpFunctionPointerCallINTEL: 3 pointer, 4 … arguments. Spec: SPV_INTEL_function_pointers. */
HdStatus hd_rule_pointer_call(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_pointer(p), "call.function-pointer", "id %u is not a pointer",
            (unsigned)in->w[3]);
    if (p->is_untyped)
        return HD_OK;
    HD_RULE(hd_type_element(p) != NULL && hd_type_element(p)->kind == HD_T_FUNCTION,
            "call.function-pointer", "the pointer points to no function type");
    return as_called(v, in, hd_type_element(p), 4);
}

/* OpAsmINTEL: 3 function type, 4 target. Spec: SPV_INTEL_inline_assembly. */
HdStatus hd_rule_assembly(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_module_opix(v->m, in->w[4]) == HD_OPIX_AsmTargetINTEL, "call.assembly-target",
            "id %u is not a target of assembly", (unsigned)in->w[4]);
    return HD_OK;
}

/* OpAsmCallINTEL: 3 assembly, 4 … arguments. Spec: SPV_INTEL_inline_assembly. */
HdStatus hd_rule_asm_call(HdVal *v, const HdInst *in)
{
    HdInst code;
    const HdType *t;

    HD_RULE(hd_module_def(v->m, in->w[3], &code) && code.opix == HD_OPIX_AsmINTEL, "call.callee",
            "id %u is not an assembly", (unsigned)in->w[3]);
    t = hd_module_type(v->m, code.w[3]);
    return t != NULL && t->kind == HD_T_FUNCTION ? as_called(v, in, t, 4) : HD_OK;
}
