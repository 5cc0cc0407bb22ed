/* val/layout.c -- the order of sections, and the structure of functions and blocks.
 *
 * Spec: SPIR-V, "Logical Layout of a Module".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "val/rule.h"

#define SPEC        "Logical Layout of a Module"
#define MAX_GLOBALS 65535u
#define MAX_LOCALS  524287u

typedef enum Section {
    CAPABILITIES,
    EXTENSIONS,
    IMPORTS,
    MEMORY_MODEL,
    ENTRY_POINTS,
    EXECUTION_MODES,
    DEBUG_SOURCES,
    DEBUG_NAMES,
    DEBUG_PROCESSED,
    ANNOTATIONS,
    TYPES,
    FUNCTIONS
} Section;

static const char *const section_names[] = {
    "capabilities",
    "extensions",
    "imports",
    "memory model",
    "entry points",
    "execution modes",
    "sources and strings",
    "names",
    "processes",
    "annotations",
    "types, constants and global variables",
    "functions",
};

typedef struct Layout {
    HdVal *v;
    Section section;
    bool in_function, has_params_done, seen_definition, in_block, first_block, terminated;
    bool phis_done, variables_done;
    uint32_t memory_models, sampler_modes;
    uint32_t globals, locals; /* variables up to now */
    uint32_t merge;           /* word of a merge instruction that waits for its branch */
    enum HdOpix previous;     /* of the instruction before */
    const HdFunction *f;
    uint8_t section_of[HD_OPIX_COUNT]; /* plus 1; 0: not queried yet */
} Layout;

static bool is_global_ext_inst(const HdInst *in)
{
    return in->opix == HD_OPIX_ExtInst || in->opix == HD_OPIX_ExtInstWithForwardRefsKHR;
}

/* Section of an instruction outside functions; FUNCTIONS for what may only be in them. */
static Section find_section(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Capability:
    case HD_OPIX_ConditionalCapabilityINTEL: return CAPABILITIES;
    case HD_OPIX_Extension:
    case HD_OPIX_ConditionalExtensionINTEL: return EXTENSIONS;
    case HD_OPIX_ExtInstImport: return IMPORTS;
    case HD_OPIX_MemoryModel:
    case HD_OPIX_SamplerImageAddressingModeNV: return MEMORY_MODEL;
    case HD_OPIX_EntryPoint:
    case HD_OPIX_ConditionalEntryPointINTEL: return ENTRY_POINTS;
    case HD_OPIX_ExecutionMode:
    case HD_OPIX_ExecutionModeId: return EXECUTION_MODES;
    case HD_OPIX_SourceContinued:
    case HD_OPIX_Source:
    case HD_OPIX_SourceExtension:
    case HD_OPIX_String: return DEBUG_SOURCES;
    case HD_OPIX_Name:
    case HD_OPIX_MemberName: return DEBUG_NAMES;
    case HD_OPIX_ModuleProcessed: return DEBUG_PROCESSED;
    case HD_OPIX_Decorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_MemberDecorate:
    case HD_OPIX_MemberDecorateIdEXT:
    case HD_OPIX_MemberDecorateString:
    case HD_OPIX_GroupDecorate:
    case HD_OPIX_GroupMemberDecorate:
    case HD_OPIX_AliasDomainDeclINTEL:
    case HD_OPIX_AliasScopeDeclINTEL:
    case HD_OPIX_AliasScopeListDeclINTEL:
    case HD_OPIX_DecorationGroup: return ANNOTATIONS;
    case HD_OPIX_Undef:
    case HD_OPIX_PoisonKHR:
    case HD_OPIX_Line:
    case HD_OPIX_NoLine:
    case HD_OPIX_Variable:
    case HD_OPIX_UntypedVariableKHR:
    case HD_OPIX_ConstantFunctionPointerINTEL:
    case HD_OPIX_ConstantStringAMDX:
    case HD_OPIX_SpecConstantStringAMDX:
    case HD_OPIX_AsmTargetINTEL:
    case HD_OPIX_AsmINTEL: return TYPES;
    default: break;
    }
    if (hd_gram_insts[in->opix].klass == HD_CLASS_Type_Declaration ||
        hd_gram_insts[in->opix].klass == HD_CLASS_Constant_Creation ||
        hd_gram_forms[in->opix].is_type)
        return TYPES;
    return is_global_ext_inst(in) ? TYPES : FUNCTIONS;
}

static Section section_of(Layout *l, const HdInst *in)
{
    if (l->section_of[in->opix] == 0)
        l->section_of[in->opix] = (uint8_t)(find_section(in) + 1);
    return (Section)(l->section_of[in->opix] - 1);
}

static void complain(Layout *l, const HdInst *in, const char *rule, const char *text)
{
    (void)hd_val_fail_spec(l->v, in, rule, SPEC, "%s %s", hd_gram_insts[in->opix].name, text);
}

/* Neither debug information nor non-semantic? */
static bool computes(const Layout *l, const HdInst *in)
{
    unsigned set;
    bool semantic;

    return hd_operand_types_import(&l->v->m->operand_types, in->w[3], &set, &semantic) &&
           semantic && set != HD_EXTSET_DebugInfo && set != HD_EXTSET_OpenCL_DebugInfo_100 &&
           set != HD_EXTSET_UNKNOWN;
}

/* May it be between blocks? Non-semantic instructions are ignored wherever they are, from the types
 * on (SPV_KHR_non_semantic_info, "Issues"); spirv-opt writes DebugNoScope behind a function's last
 * block, with whatever set it is of. What prints is in a block. */
static bool is_apart(const Layout *l, const HdInst *in)
{
    return is_global_ext_inst(in) && !computes(l, in) &&
           hd_module_extset(l->v->m, in->w[3]) != HD_EXTSET_NonSemantic_DebugPrintf;
}

/* Reported once, at the first one too many. What is built may have more: implementations may
 * support larger limits. */
static void count_variable(Layout *l, const HdInst *in)
{
    if (l->v->options->to_build)
        return;
    if (l->in_function ? ++l->locals != MAX_LOCALS + 1 : ++l->globals != MAX_GLOBALS + 1)
        return;
    (void)hd_val_fail_spec(l->v, in, "layout.variable-count", "Universal Limits",
                           "a module has at most %u variables %s functions",
                           l->in_function ? MAX_LOCALS : MAX_GLOBALS,
                           l->in_function ? "in" : "outside of");
}

/* What continues in the next instruction. */
static const struct {
    enum HdOpix more, first;
} continued[] = {
    {HD_OPIX_SourceContinued, HD_OPIX_Source},
    {HD_OPIX_TypeStructContinuedINTEL, HD_OPIX_TypeStruct},
    {HD_OPIX_ConstantCompositeContinuedINTEL, HD_OPIX_ConstantComposite},
    {HD_OPIX_SpecConstantCompositeContinuedINTEL, HD_OPIX_SpecConstantComposite},
    {HD_OPIX_CompositeConstructContinuedINTEL, HD_OPIX_CompositeConstruct},
};

static void check_continued(Layout *l, const HdInst *in)
{
    for (size_t i = 0; i < sizeof continued / sizeof *continued; i++)
        if (in->opix == continued[i].more && l->previous != continued[i].first &&
            l->previous != in->opix)
            complain(l, in, i == 0 ? "layout.source-continued" : "layout.continued",
                     "does not follow what it continues");
}

static void outside(Layout *l, const HdInst *in)
{
    Section s = section_of(l, in);

    if (in->opix == HD_OPIX_Function)
        return;
    if ((in->opix == HD_OPIX_Line || in->opix == HD_OPIX_NoLine) && l->section == FUNCTIONS)
        return;
    if (is_global_ext_inst(in) && computes(l, in)) {
        complain(l, in, "layout.ext-inst", "of this set belongs into a block");
        return;
    }
    if (s == TYPES && is_global_ext_inst(in) && l->section == FUNCTIONS)
        return; /* non-semantic instructions may be between functions */
    if (in->opix == HD_OPIX_ConstantPipeStorage) {
        s = TYPES; /* its description allows it in functions too */
        if (l->section == FUNCTIONS)
            s = FUNCTIONS;
    }
    if (s == FUNCTIONS) {
        complain(l, in, "layout.outside-function", "must be inside a function");
        return;
    }
    if (s < l->section) {
        (void)hd_val_fail_spec(l->v, in, "layout.section", SPEC,
                               "%s belongs to the %s, before the %s", hd_gram_insts[in->opix].name,
                               section_names[s], section_names[l->section]);
        return;
    }
    l->section = s;
    check_continued(l, in);
    if (hd_inst_is_variable(in))
        count_variable(l, in);
    l->sampler_modes += in->opix == HD_OPIX_SamplerImageAddressingModeNV;
    if (in->opix == HD_OPIX_MemoryModel && ++l->memory_models > 1)
        complain(l, in, "layout.memory-model", "appears more than once");
}

static void begin_function(Layout *l, const HdInst *in)
{
    l->section = FUNCTIONS;
    if (l->in_function)
        complain(l, in, "layout.nested-function", "inside a function");
    l->in_function = true;
    l->has_params_done = l->in_block = l->terminated = false;
    l->merge = 0;
    l->f = hd_module_function(l->v->m, in->w[2]);
}

static void begin_block(Layout *l, const HdInst *in)
{
    if (l->in_block && !l->terminated)
        complain(l, in, "layout.unterminated", "begins while the last block has no terminator");
    l->first_block = !l->has_params_done;
    if (l->first_block)
        l->seen_definition = true;
    l->has_params_done = true;
    l->in_block = true;
    l->terminated = false;
    l->phis_done = l->variables_done = false;
    l->merge = 0;
}

static void end_function(Layout *l, const HdInst *in)
{
    if (!l->in_function) {
        complain(l, in, "layout.function-end", "without OpFunction");
        return;
    }
    if (l->in_block && !l->terminated)
        complain(l, in, "layout.unterminated", "while the last block has no terminator");
    if (l->f != NULL) {
        const HdType *t = hd_module_type(l->v->m, l->f->type);

        if (t != NULL && t->kind == HD_T_FUNCTION && t->count != l->f->param_count)
            complain(l, in, "layout.parameters",
                     "while the function has not as many parameters as its type");
        if (!l->has_params_done && l->seen_definition)
            complain(l, in, "layout.declaration-late",
                     "ends a declaration behind a function that has a body");
    }
    l->in_function = l->in_block = false;
}

static bool stays_in_front(const HdInst *in)
{
    return in->opix == HD_OPIX_Line || in->opix == HD_OPIX_NoLine;
}

/* What must directly follow a merge instruction or OpLoopControlINTEL; not even a line may be in
 * between. */
static bool is_merged_branch(const Layout *l, const HdInst *in)
{
    HdInst merge = hd_module_inst(l->v->m, l->merge);

    return in->opix == HD_OPIX_BranchConditional ||
           in->opix == (merge.opix == HD_OPIX_SelectionMerge ? HD_OPIX_Switch : HD_OPIX_Branch);
}

static void in_block(Layout *l, const HdInst *in)
{
    bool terminator, variable;

    if (l->merge != 0 && !is_merged_branch(l, in)) {
        if (hd_inst_is_terminator(in))
            complain(l, in, "cfg.merge-branch", "cannot stand behind this merge or loop control");
        else
            complain(l, in, "layout.merge",
                     "stands between a merge or loop control and its branch");
    }
    l->merge = 0;
    if (stays_in_front(in))
        return;
    /* Debug information about parameters may be before the first block, after them. */
    if (is_global_ext_inst(in) && !l->has_params_done) {
        if (l->f != NULL && l->f->param_count != 0 &&
            in->word < hd_function_param(l->v->m, l->f, l->f->param_count - 1).word)
            complain(l, in, "layout.before-parameter", "stands before a parameter");
        else if (computes(l, in))
            complain(l, in, "layout.outside-block", "must be inside a block");
        return;
    }
    if (l->in_block && l->terminated && is_apart(l, in))
        return;
    if (!l->in_block || l->terminated) {
        complain(l, in, l->terminated ? "layout.after-terminator" : "layout.outside-block",
                 "must be inside a block");
        return;
    }
    terminator = l->f != NULL && hd_inst_is_terminator(in);
    variable = hd_inst_is_variable(in);
    if (in->opix == HD_OPIX_Phi) {
        if (l->phis_done)
            complain(l, in, "layout.phi", "behind an instruction that is not an OpPhi");
        if (l->first_block)
            complain(l, in, "layout.phi-entry", "in a function's first block");
    } else if (variable) {
        count_variable(l, in);
        if (!l->first_block || l->variables_done)
            complain(l, in, "layout.variable",
                     "must be among the first instructions of a function's first block");
    } else if (!is_global_ext_inst(in) || computes(l, in)) {
        l->phis_done = l->variables_done = true;
    } else if (hd_module_extset(l->v->m, in->w[3]) != HD_EXTSET_OpenCL_DebugInfo_100 &&
               hd_module_extset(l->v->m, in->w[3]) != HD_EXTSET_DebugInfo) {
        l->phis_done = true; /* the place of kernels' debug information is not specified */
    }
    if (in->opix == HD_OPIX_LoopMerge || in->opix == HD_OPIX_SelectionMerge ||
        in->opix == HD_OPIX_LoopControlINTEL)
        l->merge = in->word;
    if (terminator)
        l->terminated = true;
}

static void inside(Layout *l, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Function: begin_function(l, in); return;
    case HD_OPIX_FunctionParameter:
        if (l->has_params_done)
            complain(l, in, "layout.parameter", "behind the function's first block");
        return;
    case HD_OPIX_Label: begin_block(l, in); return;
    case HD_OPIX_FunctionEnd: end_function(l, in); return;
    case HD_OPIX_Undef:
    case HD_OPIX_PoisonKHR: in_block(l, in); return;
    default: break;
    }
    if (section_of(l, in) != FUNCTIONS && !hd_inst_is_variable(in) && in->opix != HD_OPIX_Line &&
        in->opix != HD_OPIX_NoLine && !is_global_ext_inst(in)) {
        complain(l, in, "layout.inside-function", "must not be inside a function");
        return;
    }
    in_block(l, in);
}

HdStatus hd_val_layout(HdVal *v)
{
    Layout l = {.v = v};
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; hd_module_next(v->m, &word, &in);) {
        if (in.opix == HD_OPIX_NONE)
            continue;
        if (!l.in_function && in.opix != HD_OPIX_Function && in.opix != HD_OPIX_FunctionEnd)
            outside(&l, &in);
        else
            inside(&l, &in);
        l.previous = in.opix;
    }
    if (l.in_function)
        (void)hd_fail(v->d, HD_BAD_INPUT, v->m->nwords, "layout.function-end",
                      "the module ends inside a function");
    if (l.memory_models == 0)
        (void)hd_fail(v->d, HD_BAD_INPUT, 0, "layout.memory-model",
                      "the module has no OpMemoryModel");
    /* Of what is not required the list of sections says "optional". */
    if (l.sampler_modes == 0 && hd_val_cap(v, SpvCapabilityBindlessTextureNV))
        (void)hd_fail(v->d, HD_BAD_INPUT, 0, "layout.sampler-mode",
                      "a module with bindless textures needs OpSamplerImageAddressingModeNV");
    return HD_OK;
}
