/* module/prove.c -- the first pass of the reader: every instruction is well formed, has its
 * operands, ids are in bounds and defined once; and how many there are of what the index has.
 *
 * Spec: SPIR-V, "Physical Form of a SPIR-V Module and Instruction".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/operands.h"
#include "module/private.h"
#include "module/reader_state.h"

static void complain(HdReader *r, uint32_t word, const char *rule, const char *text)
{
    r->bad = true;
    (void)hd_fail(r->d, HD_BAD_INPUT, word, rule, "%s", text);
}

static const char *operand_rule(HdOperandProblem problem)
{
    switch (problem) {
    case HD_OPERANDS_EXTRA: return "module.operand-extra";
    case HD_OPERANDS_STRING: return "module.string";
    case HD_OPERANDS_ENUM:
    case HD_OPERANDS_MASK: return "module.enumerant";
    case HD_OPERANDS_TYPE: return "module.literal-type";
    case HD_OPERANDS_IMPORT: return "module.import";
    case HD_OPERANDS_EXT_INST: return "module.ext-inst";
    case HD_OPERANDS_SPEC_OP: return "module.spec-op";
    case HD_OPERANDS_ZERO_ID: return "module.zero-id";
    case HD_OPERANDS_FINE:
    case HD_OPERANDS_UNKNOWN_OPCODE: /* those have no operands that are needed */
    case HD_OPERANDS_MISSING: break;
    }
    return "module.operand-missing";
}

static void count_inst(HdReader *r, const HdInst *in)
{
    HdReaderCounts *n = &r->n;

    switch (in->opix) {
    case HD_OPIX_Capability: n->capabilities++; break;
    case HD_OPIX_Extension: n->extensions++; break;
    case HD_OPIX_EntryPoint: n->entries++; break;
    case HD_OPIX_Function: n->functions++; break;
    case HD_OPIX_FunctionParameter: n->params++; break;
    case HD_OPIX_Label: n->blocks++; break;
    case HD_OPIX_Decorate:
    case HD_OPIX_MemberDecorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_MemberDecorateIdEXT:
    case HD_OPIX_MemberDecorateString: n->decorations += hd_decoration_count(in); break;
    case HD_OPIX_GroupDecorate:
    case HD_OPIX_GroupMemberDecorate:
        n->groups++;
        n->decorations += hd_decoration_count(in);
        break;
    case HD_OPIX_Line: n->lines = true; break;
    case HD_OPIX_FunctionCall: n->calls = true; break;
    case HD_OPIX_LoopMerge:
    case HD_OPIX_Phi: n->joins = true; break;
    case HD_OPIX_PoisonKHR:
    case HD_OPIX_Undef: n->undefs = true; break;
    case HD_OPIX_ExtInstImport:
        n->lines |= hd_gram_extset(hd_inst_string(in, 2), strlen(hd_inst_string(in, 2))) ==
                    HD_EXTSET_NonSemantic_Shader_DebugInfo_100;
        break;
    default: break;
    }
}

/* What two parts might write when a module is wrong: which of them came first is found out later.
 */
static uint32_t shared_get(const uint32_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static void shared_set(uint32_t *at, uint32_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

static void define(HdReader *r, const HdInst *in)
{
    HdId id = hd_inst_result(in);
    uint32_t first;

    if (id == 0)
        return; /* no result: an id of 0 was reported by the operand walker */
    if (id >= r->m->bound)
        return;
    first = shared_get(&r->m->def[id]);
    if (first != 0) {
        r->bad = true;
        (void)hd_fail(r->d, HD_BAD_INPUT, in->word, "module.redefined",
                      "id %u is defined a second time; the first is at byte %u", (unsigned)id,
                      (unsigned)first * 4u);
        return;
    }
    r->n.definitions++;
    shared_set(&r->m->def[id], in->word);
    if (in->opix == HD_OPIX_Label)
        hd_operand_types_set_label(&r->m->operand_types, id, r->n.blocks);
    if (in->opix == HD_OPIX_Function)
        shared_set(&r->m->function_of[id], r->n.functions + 1);
}

/* The types of values that functions make are remembered; those of module scope, unless an id is
 * wrongly defined twice, are read off the instructions. */
static bool is_remembered(const HdReader *r, const HdInst *in)
{
    HdId id = hd_inst_result(in);

    return r->is_part || r->n.functions != 0 || id >= r->m->bound || in->opix == HD_OPIX_Function ||
           r->m->def[id] != 0;
}

static void note(HdReader *r, const HdInst *in)
{
    const HdForm *form = &hd_gram_forms[in->opix];

    if (form->type_at != 0 && is_remembered(r, in))
        hd_operand_types_set_value(&r->m->operand_types, in->w[2], in->w[1]);
    else if (form->type_at == 0 && form->result_at != 0 && in->opix != HD_OPIX_Label)
        hd_operand_types_note(&r->m->operand_types, in->w, in->nwords);
    if (form->result_at != 0)
        define(r, in);
    count_inst(r, in);
}

/* Word `at` is the id of a value. */
static void note_value(HdReader *r, uint32_t at)
{
    uint64_t bit = (uint64_t)1 << at % 64;

    if (r->is_part && at / 64 == r->first / 64)
        r->edges[0] |= bit;
    else if (r->is_part && at / 64 == r->end / 64)
        r->edges[1] |= bit;
    else
        r->m->id_words[at / 64] |= bit;
}

/* Words of an instruction that need no walk: all when it is plain, those that its form knows, or
 * only the first one when something is wrong with them. */
static uint32_t known_words(const HdReader *r, const HdInst *in, bool *plain)
{
    const HdForm *form = &hd_gram_forms[in->opix];
    uint32_t most = r->m->bound - 1, end = form->prefix + 1u;
    bool fine = true;

    *plain = hd_form_is_plain(form, in->nwords);
    if (end > in->nwords)
        return 1;
    for (uint32_t left = form->ids; left != 0; left &= left - 1)
        fine &= in->w[__builtin_ctz(left)] - 1 < most;
    if (*plain && form->tail != HD_TAIL_INTEGERS)
        for (uint32_t i = end; i < in->nwords; i++)
            fine &= in->w[i] - 1 < most;
    *plain &= fine;
    return !fine ? 1 : *plain ? in->nwords : end;
}

/* OpSwitch, some of which are long: its words are regular once its selector's type is known. False:
 * they have to be walked, to say what is wrong. */
static bool check_switch(HdReader *r, const HdInst *in)
{
    const HdOperandTypes *types = &r->m->operand_types;
    HdNumberType t = hd_operand_types_number(types, hd_operand_types_value(types, in->w[1]));
    uint32_t step = (t.bits + 31u) / 32u + 1;

    if ((t.number != HD_NUMBER_INT && t.number != HD_NUMBER_UINT) || t.bits == 0 ||
        (in->nwords - 3u) % step != 0)
        return false;
    for (uint32_t i = 2 + step; i < in->nwords; i += step) {
        if (in->w[i] - 1 >= r->m->bound - 1)
            return false;
        note_value(r, in->word + i);
    }
    return true;
}

/* The words that the opcode's form does not know, where they are simple. False: they have to be
 * walked. */
static bool check_simple(HdReader *r, const HdInst *in)
{
    uint32_t first = in->word + hd_gram_forms[in->opix].prefix + 1u;
    uint64_t ids;

    if (!hd_operands_simple(in->opix, in->w, in->nwords, &ids))
        return false;
    for (uint64_t left = ids; left != 0; left &= left - 1)
        if (r->m->words[first + (uint32_t)__builtin_ctzll(left)] - 1 >= r->m->bound - 1)
            return false;
    for (uint64_t left = ids; left != 0; left &= left - 1)
        note_value(r, first + (uint32_t)__builtin_ctzll(left));
    return true;
}

/* The reader's guarantee about operands: all present, none left over, ids in bounds. */
static void check_operands(HdReader *r, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;
    bool ok = true, plain;
    uint32_t known = known_words(r, in, &plain);

    if (plain || (known == hd_gram_forms[in->opix].prefix + 1u && check_simple(r, in)) ||
        (known > 1 && in->opix == HD_OPIX_Switch && check_switch(r, in))) {
        note(r, in);
        return;
    }
    if (known > 1)
        hd_operands_start_rest(&walk, &r->m->operand_types, in->w, in->nwords);
    else
        hd_operands_start(&walk, &r->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        bool value = part.klass == HD_OPERAND_ID || part.klass == HD_OPERAND_SCOPE_ID ||
                     part.klass == HD_OPERAND_SEMANTICS_ID;

        if (!value && part.klass != HD_OPERAND_TYPE_ID && part.klass != HD_OPERAND_RESULT)
            continue;
        if (value)
            note_value(r, in->word + part.at);
        if (in->w[part.at] < r->m->bound)
            continue;
        ok = false;
        r->bad = true;
        (void)hd_fail(r->d, HD_BAD_INPUT, in->word, "module.id-bound",
                      "id %u is not below the bound %u", (unsigned)in->w[part.at],
                      (unsigned)r->m->bound);
    }
    if (walk.problem == HD_OPERANDS_UNKNOWN_OPCODE)
        return; /* nothing is known of it: whoever needs the meaning will say so */
    if (walk.problem == HD_OPERANDS_TYPE && (in->w[1] == r->no_number || in->w[1] >= r->m->bound))
        return; /* all constants of a type that is missing have one cause */
    if (walk.problem != HD_OPERANDS_FINE) {
        char text[256];

        if (walk.problem == HD_OPERANDS_TYPE)
            r->no_number = in->w[1];
        complain(r, in->word, operand_rule(walk.problem),
                 hd_operands_problem(&walk, text, sizeof text));
        return;
    }
    if (!ok)
        return;
    note(r, in);
}

/* May it depend on what other functions hold, or matter to them, other than by being called? */
static bool is_unsure(const HdReader *r, const HdInst *in)
{
    const HdForm *form = &hd_gram_forms[in->opix];
    uint32_t selector;

    switch (in->opix) {
    case HD_OPIX_Label: return false;
    case HD_OPIX_Capability:
    case HD_OPIX_Extension:
    case HD_OPIX_MemoryModel:
    case HD_OPIX_EntryPoint:
    case HD_OPIX_Name: return true;
    case HD_OPIX_Switch: /* the literals are read by the selector's type */
        selector = in->nwords > 1 && in->w[1] < r->m->bound ? shared_get(&r->m->def[in->w[1]]) : 0;
        return selector == 0 || (selector >= r->m->first_function && selector < r->first) ||
               selector >= in->word;
    default:
        return (form->result_at != 0 && form->type_at == 0) ||
               hd_gram_insts[in->opix].klass == HD_CLASS_Annotation;
    }
}

void hd_reader_prove(HdReader *r)
{
    HdModule *m = r->m;
    uint32_t word = r->first;

    while (word < r->end) {
        uint32_t length = m->words[word] >> 16;
        HdInst in;

        if (length == 0) {
            complain(r, word, "module.length", "an instruction has a word count of 0");
            return;
        }
        if (length > m->nwords - word) {
            complain(r, word, "module.truncated", "an instruction reaches past the module's end");
            return;
        }
        in = hd_module_inst(m, word);
        if (r->is_part)
            r->is_unsure |= is_unsure(r, &in);
        check_operands(r, &in);
        word += length;
    }
}
