/* xform/strip.c -- removes names, lines and debug information.
 *
 * An instruction is removed if its opcode or its extended set is selected, or if it refers to a
 * removed id. What is removed is not used by what stays: debug information is only used by debug
 * information, strings by lines and by it; a string that something else uses stays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/strip.h"

#include <string.h>

#include "base/bitset.h"
#include "base/memory.h"
#include "xform/group.h"

typedef struct Strip {
    const HdModule *m;
    unsigned what;
    uint64_t *gone;    /* ids */
    uint64_t *used;    /* strings that something which stays uses */
    bool non_semantic; /* some set of them stays */
} Strip;

static bool goes_set(const Strip *s, HdId import)
{
    HdInst in;
    const char *name;

    if (!hd_module_def(s->m, import, &in) || in.opix != HD_OPIX_ExtInstImport)
        return false;
    name = hd_inst_string(&in, 2);
    if (strncmp(name, "NonSemantic.Shader.DebugInfo.", 29) == 0 ||
        strcmp(name, "OpenCL.DebugInfo.100") == 0 || strcmp(name, "DebugInfo") == 0)
        return (s->what & HD_STRIP_DEBUG) != 0;
    return strncmp(name, "NonSemantic.", 12) == 0 && (s->what & HD_STRIP_NONSEMANTIC) != 0;
}

/* By what it is; strings and what speaks of ids come later. */
static bool goes(const Strip *s, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Name:
    case HD_OPIX_MemberName: return (s->what & HD_STRIP_NAMES) != 0;
    case HD_OPIX_Source:
    case HD_OPIX_SourceContinued:
    case HD_OPIX_SourceExtension:
    case HD_OPIX_ModuleProcessed:
    case HD_OPIX_Line:
    case HD_OPIX_NoLine: return (s->what & HD_STRIP_DEBUG) != 0;
    case HD_OPIX_ExtInstImport: return goes_set(s, in->w[1]);
    case HD_OPIX_ExtInst:
    case HD_OPIX_ExtInstWithForwardRefsKHR: return goes_set(s, in->w[3]);
    default: return false;
    }
}

static void use_strings(Strip *s, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &s->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part))
        if (part.klass == HD_OPERAND_ID && hd_module_opix(s->m, in->w[part.at]) == HD_OPIX_String)
            hd_bit_add(s->used, in->w[part.at]);
}

static void find(Strip *s)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; hd_module_next(s->m, &word, &in);) {
        if (goes(s, &in)) {
            if (hd_inst_result(&in) != 0)
                hd_bit_add(s->gone, hd_inst_result(&in));
            continue;
        }
        if (in.opix == HD_OPIX_ExtInstImport &&
            strncmp(hd_inst_string(&in, 2), "NonSemantic.", 12) == 0)
            s->non_semantic = true;
        if (in.opix == HD_OPIX_Line || in.opix == HD_OPIX_Source || in.opix == HD_OPIX_ExtInst ||
            in.opix == HD_OPIX_ExtInstWithForwardRefsKHR)
            use_strings(s, &in);
    }
}

static bool stays(const Strip *s, const HdInst *in)
{
    if (goes(s, in))
        return false;
    switch (in->opix) {
    case HD_OPIX_String: return (s->what & HD_STRIP_DEBUG) == 0 || hd_bit_has(s->used, in->w[1]);
    case HD_OPIX_Extension:
        return strcmp(hd_inst_string(in, 1), "SPV_KHR_non_semantic_info") != 0 || s->non_semantic ||
               (s->what & HD_STRIP_NONSEMANTIC) == 0;
    case HD_OPIX_Name:
    case HD_OPIX_MemberName:
    case HD_OPIX_Decorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_DecorationGroup: return !hd_bit_has(s->gone, in->w[1]);
    default: return true;
    }
}

HdStatus hd_xform_strip(const HdModule *m, unsigned what, uint32_t **words, size_t *nwords)
{
    size_t set = HD_BITSET_WORDS(m->bound);
    Strip s = {.m = m, .what = what, .gone = hd_alloc_zero(set * 2 * sizeof(uint64_t))};
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdWriter out;

    *words = NULL;
    *nwords = 0;
    if (s.gone == NULL)
        return HD_NO_MEMORY;
    s.used = s.gone + set;
    find(&s);
    if (hd_groups_find_unused(m, s.gone) != HD_OK) {
        hd_free(s.gone);
        return HD_NO_MEMORY;
    }
    hd_writer_start(&out, m->version, m->generator, m->bound);
    for (HdInst in; hd_module_next(m, &word, &in);)
        if (stays(&s, &in)) {
            hd_writer_copy(&out, &in);
            if (hd_group_applies(in.opcode))
                hd_groups_drop_targets(&out, in.w, s.gone);
        }
    hd_free(s.gone);
    if (out.failed) {
        hd_writer_free(&out);
        return HD_NO_MEMORY;
    }
    *words = out.words;
    *nwords = out.count;
    return HD_OK;
}
