/* val/ids.c -- ids are defined before they are used, and are of the required kind.
 *
 * One pass in module order. An error in an instruction prevents that instruction's own rule from
 * running, so that rules may rely on defined operands. Dominance is checked with the bodies
 * (body.c), which know the control-flow graph.
 *
 * Spec: SPIR-V, "Universal Validation Rules": SSA.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "gen/extinst.h"
#include "module/extset.h"
#include "val/rule.h"

#define SPEC "Universal Validation Rules"

/* Debug information names functions and members that come later. The non-semantic sets have
 * OpExtInstWithForwardRefsKHR for it.
 * Spec: OpenCL.DebugInfo.100, "Forward references"; SPV_KHR_relaxed_extended_instruction. */
static bool may_debug_forward(const HdVal *v, const HdInst *in, uint32_t at)
{
    unsigned set = hd_module_extset(v->m, in->w[3]);
    bool older = set == HD_EXTSET_DebugInfo, kernels = set == HD_EXTSET_OpenCL_DebugInfo_100;

    if (v->options->to_build)
        return at > 4 && (older || kernels || set == HD_EXTSET_NonSemantic_Shader_DebugInfo_100);
    if (in->w[4] == OpenCLDebugInfo100DebugTypeComposite) /* its members */
        return (kernels && at >= 14) || (older && at >= 13);
    return (kernels || older) && in->w[4] == OpenCLDebugInfo100DebugFunction && at == 14;
}

/* May operand word `at` name an id that is defined further on? */
static bool may_be_forward(const HdVal *v, const HdInst *in, uint32_t at)
{
    switch (in->opix) {
    case HD_OPIX_EntryPoint:
    case HD_OPIX_ExecutionMode:
    case HD_OPIX_ExecutionModeId:
    case HD_OPIX_Name:
    case HD_OPIX_MemberName:
    case HD_OPIX_Decorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_MemberDecorate:
    case HD_OPIX_MemberDecorateIdEXT:
    case HD_OPIX_MemberDecorateString: return true;
    case HD_OPIX_GroupDecorate:
    case HD_OPIX_GroupMemberDecorate: return at != 1;
    case HD_OPIX_ConditionalCapabilityINTEL:
    case HD_OPIX_ConditionalExtensionINTEL:
    case HD_OPIX_ConditionalEntryPointINTEL:
    case HD_OPIX_TypeForwardPointer:
    case HD_OPIX_SelectionMerge:
    case HD_OPIX_LoopMerge:
    case HD_OPIX_Branch: return true;
    case HD_OPIX_BranchConditional:
    case HD_OPIX_Switch: return at != 1;
    case HD_OPIX_Phi: return at != 1;
    case HD_OPIX_FunctionCall: return at == 3;
    case HD_OPIX_CooperativeMatrixLoadTensorNV:
    case HD_OPIX_CooperativeMatrixPerElementOpNV:
    case HD_OPIX_CooperativeMatrixReduceNV: return true; /* they name functions */
    case HD_OPIX_ConstantFunctionPointerINTEL: return at == 3;
    case HD_OPIX_EnqueueKernel: return at == 9;
    case HD_OPIX_GetKernelNDrangeSubGroupCount:
    case HD_OPIX_GetKernelNDrangeMaxSubGroupSize: return at == 4;
    case HD_OPIX_GetKernelWorkGroupSize:
    case HD_OPIX_GetKernelPreferredWorkGroupSizeMultiple: return at == 3;
    case HD_OPIX_GetKernelLocalSizeForSubgroupCount: return at == 4;
    case HD_OPIX_TaskSequenceCreateALTERA:
    case HD_OPIX_GetKernelMaxNumSubgroups: return at == 3;
    case HD_OPIX_ExtInstWithForwardRefsKHR: return at > 4;
    case HD_OPIX_ExtInst: return may_debug_forward(v, in, at);
    default: return false;
    }
}

static bool is_type(enum HdOpix opix)
{
    return hd_gram_forms[opix].is_type;
}

/* Instructions whose plain id operands need not be values: they name types, labels, strings,
 * imports, groups, functions. Their rules check them. */
static bool takes_any(const HdInst *in)
{
    if (is_type(in->opix))
        return true;
    switch (hd_gram_insts[in->opix].klass) {
    case HD_CLASS_Debug:
    case HD_CLASS_Annotation:
    case HD_CLASS_Extension:
    case HD_CLASS_Mode_Setting:
    case HD_CLASS_Type_Declaration: return true;
    default: break;
    }
    switch (in->opix) {
    case HD_OPIX_Phi:
    case HD_OPIX_LoopMerge:
    case HD_OPIX_SelectionMerge:
    case HD_OPIX_Branch:
    case HD_OPIX_BranchConditional:
    case HD_OPIX_Switch:
    case HD_OPIX_Function:
    case HD_OPIX_FunctionCall:
    case HD_OPIX_UntypedVariableKHR:
    case HD_OPIX_UntypedImageTexelPointerEXT:
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR:
    case HD_OPIX_UntypedArrayLengthKHR:
    case HD_OPIX_UntypedVariableLengthArrayINTEL:
    case HD_OPIX_CooperativeMatrixLengthKHR:
    case HD_OPIX_CooperativeMatrixLengthNV:
    case HD_OPIX_SizeOf:
    case HD_OPIX_AsmINTEL:
    case HD_OPIX_AbortKHR:
    case HD_OPIX_ConstantSizeOfEXT:
    case HD_OPIX_SpecConstantOp: return true;
    default: return false;
    }
}

/* Is the word an operand that can be nothing but a value? */
static bool takes_values(const HdVal *v, const HdInst *in, uint32_t at)
{
    switch (in->opix) {
    case HD_OPIX_Phi: return at >= 3 && at % 2 == 1;
    case HD_OPIX_BranchConditional:
    case HD_OPIX_Switch: return at == 1;
    case HD_OPIX_FunctionCall: return at >= 4;
    case HD_OPIX_UntypedVariableKHR: return at >= 5;
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR:
    case HD_OPIX_UntypedArrayLengthKHR:
    case HD_OPIX_UntypedVariableLengthArrayINTEL: return at >= 4;
    case HD_OPIX_ExtInst: return at >= 5 && hd_extset_computes(hd_module_extset(v->m, in->w[3]));
    default: return false;
    }
}

/* Variables that belong into the interfaces of the entry points that reach a use of them: all of
 * module scope from SPIR-V 1.4 on, before that those of the pipeline. */
HdStatus hd_val_listed(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (v->m->entry_count == 0)
        return HD_OK;
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        if (!hd_inst_is_variable(&in))
            continue;
        if (v->m->version < 0x10400 && in.w[3] != SpvStorageClassInput &&
            in.w[3] != SpvStorageClassOutput)
            continue;
        if (v->listed == NULL) {
            HD_TAKE(v->listed, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(v->m->bound)));
            HD_TAKE(v->last_user, HD_NEW(v->a, uint32_t, v->m->bound));
        }
        hd_bit_add(v->listed, in.w[2]);
    }
    return HD_OK;
}

static void note_use(HdVal *v, const HdInst *in, HdId id)
{
    HdValUse use = {v->function, id, in->word};

    if (v->listed == NULL || v->m->def[id] >= v->m->first_function ||
        in->word < v->m->first_function || !hd_bit_has(v->listed, id) ||
        v->last_user[id] == v->function + 1)
        return;
    v->last_user[id] = v->function + 1;
    v->stop |= !HD_PUSH(v->a, &v->uses, use);
}

/* A value that is defined further up, with nothing wrong known of it: the usual case. */
static bool is_sound_value(const HdVal *v, const HdInst *in, HdId id)
{
    uint32_t def = v->m->def[id];

    return def != 0 && def < in->word && !hd_bit_has(v->failed, id) &&
           (def < v->m->first_function
                ? hd_gram_forms[hd_gram_find(v->m->words[def] & 0xffff)].type_at != 0
                : hd_operand_types_value(&v->m->operand_types, id) != 0) &&
           v->m->function_of[id] == 0;
}

/* A type above, likewise. */
static bool is_sound_type(const HdVal *v, const HdInst *in, HdId id)
{
    uint32_t def = v->m->def[id];

    return def != 0 && def < in->word && !hd_bit_has(v->failed, id) &&
           hd_module_type(v->m, id) != NULL;
}

/* Is the word an operand that names a function? */
static bool names_function(const HdInst *in, uint32_t at)
{
    const HdGramInst *g = &hd_gram_insts[in->opix];
    const HdOperand *last = &g->operands[g->operand_count - 1];
    const char *name = at <= g->operand_count              ? g->operands[at - 1].name
                       : last->quantifier == HD_ANY_NUMBER ? last->name
                                                           : "";

    return hd_val_names_things(in->opix, HD_OPIX_Function) &&
           (strcmp(name, "Invoke") == 0 || strstr(name, "Func") != NULL || name[0] == '\0');
}

static HdStatus check_id(HdVal *v, const HdInst *in, uint32_t at, unsigned klass)
{
    HdId id = in->w[at];
    uint32_t def = v->m->def[id];

    if (hd_bit_has(v->failed, id))
        return HD_BAD_INPUT; /* reported where it is defined */
    if (def == 0 || (def >= in->word && !may_be_forward(v, in, at))) {
        /* Types may refer to forward-declared pointers (OpTypeForwardPointer: "must be a
         * type-declaration instruction"). */
        if (def != 0 && def != in->word && is_type(in->opix) && hd_module_type(v->m, id) != NULL &&
            hd_module_type(v->m, id)->kind == HD_T_POINTER && hd_bit_has(v->announced, id))
            return HD_OK;
        if (def == 0 && in->opix == HD_OPIX_Name && v->options->to_build)
            return HD_OK; /* names of nothing mislead no implementation */
        if (def == 0)
            hd_bit_add(v->failed, id);
        return hd_val_fail_spec(v, in, def == 0 ? "id.undefined" : "id.order", SPEC,
                                def == 0 ? "id %u is not defined"
                                         : "id %u is used before its definition",
                                (unsigned)id);
    }
    if (klass == HD_OPERAND_TYPE_ID) {
        if (!is_type(hd_module_opix(v->m, id)) ||
            hd_module_opix(v->m, id) == HD_OPIX_TypeForwardPointer)
            return hd_val_fail_spec(v, in, "id.result-type", SPEC, "id %u is not a type",
                                    (unsigned)id);
        return HD_OK;
    }
    if (takes_any(in) && !takes_values(v, in, at))
        return HD_OK;
    if (is_type(hd_module_opix(v->m, id)))
        return hd_val_fail_spec(v, in, "id.type-as-value", SPEC, "id %u is a type, not a value",
                                (unsigned)id);
    if (hd_module_opix(v->m, id) == HD_OPIX_Function && klass == HD_OPERAND_ID &&
        !names_function(in, at))
        return hd_val_fail_spec(v, in, "id.function-as-value", SPEC,
                                "id %u is a function, not a value", (unsigned)id);
    if (hd_module_type_id(v->m, id) == 0 && hd_module_opix(v->m, id) != HD_OPIX_NONE &&
        klass == HD_OPERAND_ID && !hd_val_names_things(in->opix, hd_module_opix(v->m, id)))
        return hd_val_fail_spec(v, in, "id.no-value", SPEC, "id %u has no value", (unsigned)id);
    return HD_OK;
}

/* A label that the word may name, wherever it is; to which function it belongs is for the graph. */
static bool is_sound_label(const HdVal *v, const HdInst *in, uint32_t at)
{
    uint32_t number;

    switch (in->opix) {
    case HD_OPIX_LoopMerge:
    case HD_OPIX_SelectionMerge:
    case HD_OPIX_Branch: break;
    case HD_OPIX_Phi:
    case HD_OPIX_BranchConditional:
    case HD_OPIX_Switch:
        if (at == 1)
            return false;
        break;
    default: return false;
    }
    return hd_operand_types_label(&v->m->operand_types, in->w[at], &number) &&
           !hd_bit_has(v->failed, in->w[at]);
}

static bool check_value(HdVal *v, const HdInst *in, uint32_t at, unsigned klass)
{
    note_use(v, in, in->w[at]);
    return is_sound_value(v, in, in->w[at]) || is_sound_label(v, in, at) ||
           check_id(v, in, at, klass) == HD_OK;
}

/* Every id of an instruction; false when one is wrong. */
static bool check_ids(HdVal *v, const HdInst *in)
{
    const HdForm *form = &hd_gram_forms[in->opix];
    const HdOperand *rows = hd_gram_insts[in->opix].operands;
    bool fine = true, plain;

    for (uint32_t left = hd_form_used(form); left != 0; left &= left - 1) {
        uint32_t at = (uint32_t)__builtin_ctz(left);

        if (at == form->type_at)
            fine &=
                is_sound_type(v, in, in->w[at]) || check_id(v, in, at, HD_OPERAND_TYPE_ID) == HD_OK;
        else
            fine &= check_value(v, in, at, rows[at - 1].klass);
    }
    if (in->nwords <= form->prefix + 1u)
        return fine;
    plain = hd_form_is_plain(form, in->nwords);
    for (uint32_t i = form->prefix + 1u; i < in->nwords; i++)
        if (plain ? hd_form_is_id(form, i) : hd_bit_has(v->m->id_words, in->word + i))
            fine &= check_value(v, in, i, HD_OPERAND_ID);
    return fine;
}

HdStatus hd_val_ids_range(HdVal *v, uint32_t word, uint32_t end, bool probing)
{
    for (HdInst in; word < end && hd_module_next(v->m, &word, &in);) {
        if (in.opix == HD_OPIX_NONE)
            continue;
        v->function += in.opix == HD_OPIX_Function;
        /* Only before functions, where types belong, is one thread alone with what is announced. */
        if (probing && in.word >= v->m->first_function && is_type(in.opix))
            return HD_BAD_INPUT;
        if (in.opix == HD_OPIX_TypeForwardPointer)
            hd_bit_add(v->announced, in.w[1]);
        if (!check_ids(v, &in)) {
            if (probing)
                return HD_BAD_INPUT;
            hd_bit_add(v->bad_words, in.word);
            if (hd_inst_result(&in) != 0)
                hd_bit_add(v->failed, hd_inst_result(&in));
        }
    }
    return v->stop ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_val_ids(HdVal *v)
{
    v->function = UINT32_MAX;
    return hd_val_ids_range(v, HD_MODULE_FIRST_WORD, v->m->nwords, false);
}
