/* ops/debug/debug_rule_reflection.c -- rules of NonSemantic.ClspvReflection.
 *
 * The operands' names in the grammar say what they must be: kernels, argument infos, strings, and
 * for the rest 32-bit constants.
 *
 * Spec: NonSemantic.ClspvReflection extended instruction set.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/debug/debug_rule.h"

#include <stdlib.h>
#include <string.h>

#include "gen/extinst.h"

#define FIRST 5 /* word of the first operand after the instruction's number */

/* Revision of the set that brought an instruction. */
static unsigned long first_revision(uint32_t number)
{
    if (number >= NonSemanticClspvReflectionConstantDataPointerPushConstant)
        return 5;
    if (number >= NonSemanticClspvReflectionArgumentStorageTexelBuffer)
        return 4;
    if (number >= NonSemanticClspvReflectionArgumentPointerPushConstant)
        return 3;
    return number >= NonSemanticClspvReflectionSpecConstantSubgroupMaxSize ? 2 : 1;
}

static HdStatus revision(HdVal *v, const HdInst *in, const char *name)
{
    HdInst import;
    const char *set, *dot;
    char *end;
    unsigned long given;

    if (!hd_module_def(v->m, in->w[3], &import))
        return HD_OK;
    set = hd_inst_string(&import, 2);
    dot = strrchr(set, '.');
    given = dot != NULL ? strtoul(dot + 1, &end, 10) : 0;
    HD_RULE(dot != NULL && end != dot + 1 && *end == '\0', "reflection.revision",
            "the import's name \"%s\" does not end in a revision", set);
    HD_RULE(given >= first_revision(in->w[4]), "reflection.revision",
            "%s needs revision %lu of the set, %lu is imported", name, first_revision(in->w[4]),
            given);
    HD_RULE(in->w[4] != NonSemanticClspvReflectionKernel || given >= 5 || in->nwords <= FIRST + 2,
            "reflection.revision", "before revision 5 Kernel has two operands");
    return HD_OK;
}

/* An instruction of the same import. */
static HdStatus is_instruction(HdVal *v, const HdInst *in, HdId id, uint32_t number,
                               const char *name)
{
    HdInst other;

    HD_RULE(hd_module_def(v->m, id, &other) && other.opix == HD_OPIX_ExtInst &&
                other.w[3] == in->w[3] && other.w[4] == number,
            "reflection.operand", "%s is not an instruction of that sort of the same import", name);
    return HD_OK;
}

static HdStatus is_number(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    const HdType *t = hd_module_type_of(v->m, id);

    HD_RULE(hd_module_opix(v->m, id) == HD_OPIX_Constant && hd_is_int_scalar(t) && t->bits == 32 &&
                !t->is_signed,
            "reflection.number", "%s is not a constant that is a 32-bit unsigned integer", name);
    return HD_OK;
}

/* The function of Kernel: an entry point of compute shaders, with the name that follows it. */
static HdStatus is_kernel(HdVal *v, const HdInst *in, HdId id)
{
    bool named = false, found = false;
    HdInst name;

    HD_RULE(hd_module_opix(v->m, id) == HD_OPIX_Function, "reflection.kernel",
            "Kernel is not a function");
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        const HdEntryPoint *e = &v->m->entries[i];

        if (e->function != id)
            continue;
        found = true;
        HD_RULE(e->model == SpvExecutionModelGLCompute, "reflection.kernel",
                "Kernel is an entry point of another execution model than GLCompute");
        /* What is no string is reported as that. */
        named = named ||
                (in->nwords > FIRST + 1 && hd_module_def(v->m, in->w[FIRST + 1], &name) &&
                 (name.opix != HD_OPIX_String || strcmp(hd_inst_string(&name, 2), e->name) == 0));
    }
    HD_RULE(found, "reflection.kernel", "Kernel is not an entry point");
    HD_RULE(named, "reflection.kernel", "Name is not the entry point's");
    return HD_OK;
}

static HdStatus operand(HdVal *v, const HdInst *in, HdId id, const char *name)
{
    static const char *const strings[] = {"Name", "Type Name", "Attributes", "Data",
                                          "FormatString"};

    if (strcmp(name, "ArgInfo") == 0)
        return is_instruction(v, in, id, NonSemanticClspvReflectionArgumentInfo, name);
    if (strcmp(name, "Decl") == 0 || strcmp(name, "Kernel") == 0) {
        if (in->w[4] != NonSemanticClspvReflectionKernel)
            return is_instruction(v, in, id, NonSemanticClspvReflectionKernel, name);
        return is_kernel(v, in, id);
    }
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        if (strcmp(name, strings[i]) == 0) {
            HD_RULE(hd_module_opix(v->m, id) == HD_OPIX_String, "reflection.string",
                    "%s is not an OpString", name);
            return HD_OK;
        }
    if (strcmp(name, "Variable") == 0)
        return HD_OK;
    return is_number(v, in, id, name);
}

HdStatus hd_rule_reflection(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdExtInst *e = hd_gram_extinst(HD_EXTSET_NonSemantic_ClspvReflection, in->w[4]);
    uint32_t at = 0;

    /* Later revisions may bring instructions that nothing here knows. */
    if (e == NULL)
        return HD_OK;
    HD_RULE(t->kind == HD_T_VOID, "reflection.result", "the result is not void");
    HD_TRY(revision(v, in, e->name));
    for (uint32_t i = FIRST; i < in->nwords && e->operand_count != 0; i++) {
        HD_TRY(operand(v, in, in->w[i], e->operands[at].name));
        at += at + 1 < e->operand_count;
    }
    return HD_OK;
}
