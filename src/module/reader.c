/* module/reader.c -- from untrusted words to an indexed module.
 *
 * Two passes over the stream: the first proves that every instruction is well formed and counts
 * everything, the second fills arrays of exactly that size. Whatever the input, time and memory are
 * proportional to its length (and to the id bound, which is limited).
 *
 * Several threads can share the functions. Each makes both passes over its own ones, which only
 * refer to types and imports that precede all functions. If that does not hold, or anything is
 * wrong, one thread reads everything from the beginning, so that the findings do not depend on the
 * number of threads.
 *
 * Spec: SPIR-V, "Physical Form of a SPIR-V Module and Instruction", "Universal Limits".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/module.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/pages.h"
#include "module/operands.h"
#include "module/private.h"

#define MAGIC 0x07230203u
/* SPIR-V, "Universal Limits": the largest id is 4,194,303. A module that is long enough to need
 * more ids may have them. */
#define MAX_BOUND 4194304u
typedef struct Counts {
    uint32_t capabilities, extensions, entries, functions, blocks, params;
    uint32_t decorations, groups, definitions;
    bool lines, calls, undefs, joins; /* there may be OpLine or DebugLine; there are OpFunctionCall,
                                       * OpUndef, OpPhi or OpLoopMerge */
} Counts;

typedef struct Reader {
    HdModule *m;
    HdDiags *d;
    uint32_t first, end; /* the words to read */
    Counts n;
    HdId no_number;    /* the last one found not to be a numeric type */
    bool bad;          /* an error was reported */
    bool is_part;      /* others read other functions at the same time */
    bool is_unsure;    /* of a part: what is right depends on other parts */
    uint64_t edges[2]; /* of a part: its bits of m->id_words that share a word with others' */
} Reader;

static void complain(Reader *r, uint32_t word, const char *rule, const char *text)
{
    r->bad = true;
    (void)hd_fail(r->d, HD_BAD_INPUT, word, rule, "%s", text);
}

static uint32_t swapped(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

/* ---- header -------------------------------------------------------------------------------- */

static HdStatus take_words(HdModule *m, const uint32_t *words, size_t nwords, bool borrow,
                           HdDiags *d)
{
    uint32_t *own;

    if (nwords < 5)
        return hd_fail(d, HD_BAD_INPUT, 0, "module.header",
                       "a module has at least five words, this one has %zu", nwords);
    if (nwords > INT32_MAX)
        return hd_fail(d, HD_BAD_INPUT, 0, "module.size", "the module is larger than 8 GiB");
    if (words[0] != MAGIC && swapped(words[0]) != MAGIC)
        return hd_fail(d, HD_BAD_INPUT, 0, "module.magic",
                       "the first word is 0x%08x, which is not SPIR-V's magic number",
                       (unsigned)words[0]);
    m->nwords = (uint32_t)nwords;
    m->words = words;
    if (words[0] == MAGIC && borrow)
        return HD_OK;
    HD_TAKE(own, hd_arena_copy(m->arena, words, nwords * sizeof *words));
    if (words[0] != MAGIC)
        for (size_t i = 0; i < nwords; i++)
            own[i] = swapped(own[i]);
    m->words = own;
    return HD_OK;
}

static HdStatus read_header(HdModule *m, HdDiags *d)
{
    uint32_t v = m->words[1];

    m->version = v;
    m->generator = m->words[2];
    m->bound = m->words[3];
    m->schema = m->words[4];
    if ((v & 0xff0000ffu) != 0 || v >> 16 != 1 || (v >> 8 & 0xff) > 6)
        return hd_fail(d, HD_BAD_INPUT, 1, "module.version",
                       "the version word 0x%08x is none of SPIR-V 1.0 to 1.6", (unsigned)v);
    if (m->bound == 0)
        return hd_fail(d, HD_BAD_INPUT, 3, "module.bound", "the id bound must not be 0");
    if (m->bound > MAX_BOUND && m->bound > m->nwords)
        return hd_fail(d, HD_BAD_INPUT, 3, "module.bound",
                       "the id bound %u is above the limit of 4,194,303", (unsigned)m->bound);
    return HD_OK;
}

/* ---- first pass: prove and count ----------------------------------------------------------- */

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

static void count_inst(Reader *r, const HdInst *in)
{
    Counts *n = &r->n;

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

static void define(Reader *r, const HdInst *in)
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
static bool is_remembered(const Reader *r, const HdInst *in)
{
    HdId id = hd_inst_result(in);

    return r->is_part || r->n.functions != 0 || id >= r->m->bound || in->opix == HD_OPIX_Function ||
           r->m->def[id] != 0;
}

static void note(Reader *r, const HdInst *in)
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
static void note_value(Reader *r, uint32_t at)
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
static uint32_t known_words(const Reader *r, const HdInst *in, bool *plain)
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
static bool check_switch(Reader *r, const HdInst *in)
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
static bool check_simple(Reader *r, const HdInst *in)
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
static void check_operands(Reader *r, const HdInst *in)
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
static bool is_unsure(const Reader *r, const HdInst *in)
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

static void prove(Reader *r)
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

/* ---- second pass: fill the index ----------------------------------------------------------- */

typedef struct Filler {
    HdModule *m;
    HdFunction *f; /* open function */
    HdBlock *b;    /* open block */
    HdInst merge;  /* the first one in it */
    uint32_t next_function, next_block, next_param;
} Filler;

static void close_block(Filler *s, uint32_t terminator)
{
    bool is_before = s->b->merge != HD_MERGE_NONE && hd_inst_next(&s->merge) == terminator;

    s->b->terminator = terminator & INT32_MAX;
    if (is_before && s->merge.nwords == 3)
        s->b->merge = HD_MERGE_3_BEFORE;
    else if (is_before && s->merge.nwords == 4)
        s->b->merge = HD_MERGE_4_BEFORE;
    s->b = NULL;
}

static void close_function(Filler *s, uint32_t end)
{
    s->b = NULL;
    if (s->f != NULL)
        s->f->end = end;
    s->f = NULL;
}

static bool is_terminator(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Branch:
    case HD_OPIX_BranchConditional:
    case HD_OPIX_Switch:
    case HD_OPIX_Kill:
    case HD_OPIX_Return:
    case HD_OPIX_ReturnValue:
    case HD_OPIX_Unreachable:
    case HD_OPIX_TerminateInvocation:
    case HD_OPIX_IgnoreIntersectionKHR:
    case HD_OPIX_TerminateRayKHR:
    case HD_OPIX_EmitMeshTasksEXT:
    case HD_OPIX_AbortKHR: return true;
    default: return false;
    }
}

bool hd_inst_is_terminator(const HdInst *in)
{
    return is_terminator(in->opix);
}

static void fill_entry(HdModule *m, const HdInst *in)
{
    HdEntryPoint *e = &m->entries[m->entry_count++];
    uint32_t behind = 3 + hd_inst_string_words(in, 3);

    e->word = in->word;
    e->model = in->w[1];
    e->function = in->w[2];
    e->name = hd_inst_string(in, 3);
    e->interface = in->w + behind;
    e->interface_count = in->nwords - behind;
}

static void fill_function(Filler *s, const HdInst *in)
{
    HdModule *m = s->m;

    close_function(s, in->word);
    s->f = &m->functions[s->next_function++];
    s->f->result_type = in->w[1];
    s->f->id = in->w[2];
    s->f->type = in->w[4];
    s->f->word = in->word;
    s->f->first_block = s->next_block;
    s->f->first_param = s->next_param;
}

static void fill_inst(Filler *s, const HdInst *in)
{
    HdModule *m = s->m;

    switch (in->opix) {
    case HD_OPIX_Capability: m->capabilities[m->capability_count++] = in->w[1]; return;
    case HD_OPIX_Extension: m->extensions[m->extension_count++] = hd_inst_string(in, 1); return;
    case HD_OPIX_MemoryModel:
        m->addressing = in->w[1];
        m->memory_model = in->w[2];
        return;
    case HD_OPIX_EntryPoint: fill_entry(m, in); return;
    case HD_OPIX_Name:
        if (in->w[1] < m->bound)
            m->name_at[in->w[1]] = in->word + 2;
        return;
    case HD_OPIX_Function: fill_function(s, in); return;
    case HD_OPIX_FunctionParameter:
        m->params[s->next_param++] = in->word;
        if (s->f != NULL && s->f->block_count == 0)
            s->f->param_count++;
        return;
    case HD_OPIX_Label:
        s->b = &m->blocks[s->next_block++];
        s->b->word = in->word & INT32_MAX;
        if (s->f != NULL)
            s->f->block_count++;
        return;
    case HD_OPIX_FunctionEnd: close_function(s, in->word + in->nwords); return;
    case HD_OPIX_LoopMerge:
    case HD_OPIX_SelectionMerge:
        if (s->b != NULL && s->b->merge == HD_MERGE_NONE) {
            s->b->merge = HD_MERGE_ELSEWHERE;
            s->merge = *in;
        }
        return;
    default:
        if (s->b != NULL && is_terminator(in->opix))
            close_block(s, in->word);
        return;
    }
}

/* Arrays for what was counted. */
static HdStatus take_index(Reader *r, const Counts *n)
{
    HdModule *m = r->m;
    HdArena *a = m->arena;

    HD_TAKE(m->capabilities, HD_NEW(a, uint32_t, n->capabilities));
    HD_TAKE(m->extensions, HD_NEW(a, const char *, n->extensions));
    HD_TAKE(m->entries, HD_NEW(a, HdEntryPoint, n->entries));
    HD_TAKE(m->functions, HD_NEW(a, HdFunction, n->functions));
    HD_TAKE(m->blocks, HD_NEW(a, HdBlock, n->blocks));
    HD_TAKE(m->params, HD_NEW(a, uint32_t, n->params));
    m->function_count = n->functions;
    m->block_count = n->blocks;
    m->has_lines = n->lines;
    m->has_calls = n->calls;
    m->has_undefs = n->undefs;
    m->has_joins = n->joins;
    return HD_OK;
}

/* Fill in the instructions of a reader, whose functions, blocks and parameters have these numbers.
 */
static void fill(const Reader *r, const Counts *from)
{
    uint32_t word = r->first;
    Filler s = {.m = r->m,
                .next_function = from->functions,
                .next_block = from->blocks,
                .next_param = from->params};

    for (HdInst in; word < r->end && hd_module_next(r->m, &word, &in);)
        fill_inst(&s, &in);
    close_function(&s, r->end);
}

/* ---- by one thread, or by several ----------------------------------------------------------- */

static HdStatus read_alone(Reader *r)
{
    static const Counts none;
    HdModule *m = r->m;

    prove(r);
    if (m->operand_types.failed)
        return HD_NO_MEMORY;
    if (r->bad)
        return HD_BAD_INPUT;
    HD_TRY(take_index(r, &r->n));
    fill(r, &none);
    m->first_function = m->function_count != 0 ? m->functions[0].word : m->nwords;
    return HD_OK;
}

#define DENSE      2u     /* words for each id, at least: most ids below the bound will be there */
#define PART_WORDS 65536u /* a part has functions of about so many words */

typedef struct Parts {
    HD_ARRAY(Reader) of; /* n: what there is before it, then up to its end */
    atomic_uint next;
    Counts n; /* of all functions; only what is filled in */
} Parts;

/* The next part begins with the function at `word`; `n`: what comes before it. */
static bool begin_part(Reader *r, Parts *parts, uint32_t word, const Counts *n)
{
    Reader part = {.m = r->m, .first = word, .end = r->m->nwords, .n = *n, .is_part = true};

    if (parts->of.count != 0)
        parts->of.at[parts->of.count - 1].end = word;
    return HD_PUSH(r->m->arena, &parts->of, part);
}

/* Where functions begin, and how many there are in each part. False if unknown. */
static bool find_parts(Reader *r, Parts *parts)
{
    const HdModule *m = r->m;
    uint32_t begun = 0;
    Counts n = {0};

    for (uint32_t length, word = r->end; word < m->nwords; word += length) {
        length = m->words[word] >> 16;
        if (length == 0 || length > m->nwords - word)
            return false;
        switch (m->words[word] & 0xffff) {
        case SpvOpFunction:
            if (word - begun >= PART_WORDS || n.functions == 0) {
                begun = word;
                if (!begin_part(r, parts, word, &n))
                    return false;
            }
            n.functions++;
            break;
        case SpvOpLabel: n.blocks++; break;
        case SpvOpFunctionParameter: n.params++; break;
        default: break;
        }
    }
    parts->n = n;
    return true;
}

static void *read_parts(void *arg)
{
    Parts *parts = arg;
    uint32_t i;

    while ((i = atomic_fetch_add(&parts->next, 1)) < parts->of.count) {
        Reader *part = &parts->of.at[i];
        Counts from = part->n;
        HdDiags d;

        hd_diags_init(&d);
        part->d = &d;
        prove(part);
        if (!part->bad && !part->is_unsure)
            fill(part, &from);
        hd_diags_drop(&d);
    }
    return NULL;
}

/* Were there as many definitions as ids that are defined? Two parts may have defined the same. */
static bool are_unique(const HdModule *m, uint32_t definitions)
{
    uint32_t defined = 0;

    for (uint32_t id = 0; id < m->bound; id++)
        defined += m->def[id] != 0;
    return defined == definitions;
}

/* What the parts found. False: it is not certain. */
static bool join_parts(Reader *r, const Parts *parts)
{
    HdModule *m = r->m;
    bool fine = true;

    for (size_t i = 0; i < parts->of.count; i++) {
        const Reader *part = &parts->of.at[i];

        fine &= !part->bad && !part->is_unsure;
        m->id_words[part->first / 64] |= part->edges[0];
        if (part->edges[1] != 0)
            m->id_words[part->end / 64] |= part->edges[1];
        m->has_lines |= part->n.lines;
        m->has_calls |= part->n.calls;
        m->has_undefs |= part->n.undefs;
        m->has_joins |= part->n.joins;
        r->n.definitions += part->n.definitions;
    }
    return fine && are_unique(m, r->n.definitions);
}

/* *fine is false when one thread has to read the module, from the beginning. */
static HdStatus read_shared(Reader *r, unsigned threads, bool *fine)
{
    static const Counts none;
    HdModule *m = r->m;
    Parts parts = {.next = 0};
    Counts n;

    *fine = false;
    r->end = m->first_function;
    prove(r);
    if (m->operand_types.failed)
        return HD_NO_MEMORY;
    if (r->bad || r->n.blocks != 0 || r->n.params != 0 || !find_parts(r, &parts))
        return HD_OK;
    n = r->n;
    n.functions = parts.n.functions;
    n.blocks = parts.n.blocks;
    n.params = parts.n.params;
    HD_TRY(take_index(r, &n));
    fill(r, &none);
    hd_crew_run(threads < parts.of.count ? threads : (unsigned)parts.of.count, read_parts, &parts);
    *fine = join_parts(r, &parts);
    return HD_OK;
}

/* The first OpFunction of a module that is worth sharing out; nwords when it is none. */
static uint32_t find_functions(const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    while (word < m->nwords && (m->words[word] & 0xffff) != SpvOpFunction) {
        if (m->words[word] >> 16 == 0 || m->words[word] >> 16 > m->nwords - word)
            return m->nwords;
        word += m->words[word] >> 16;
    }
    return m->nwords - word >= 2 * PART_WORDS ? word : m->nwords;
}

/* ---- capabilities --------------------------------------------------------------------------- */

/* Declared capabilities and, transitively, those that they imply. */
static HdStatus imply_capabilities(HdModule *m)
{
    uint16_t kind = hd_gram_insts[HD_OPIX_Capability].operands[0].kind;
    HD_ARRAY(uint32_t) todo = {0};

    HD_TAKE(m->capability_set, HD_NEW(m->arena, uint64_t, HD_CAPABILITY_WORDS));
    for (uint32_t i = 0; i < m->capability_count || todo.count != 0;) {
        if (todo.count == 0)
            HD_TRY_PUSH(m->arena, &todo, m->capabilities[i++]);
        uint32_t c = todo.at[--todo.count];
        const HdEnumerant *e;

        if (c >= HD_CAPABILITY_WORDS * 64 || hd_bit_has(m->capability_set, c))
            continue;
        hd_bit_add(m->capability_set, c);
        e = hd_gram_enumerant(kind, c);
        for (unsigned k = 0; e != NULL && k < e->needs.capability_count; k++)
            HD_TRY_PUSH(m->arena, &todo, e->needs.capabilities[k]);
        /* What the grammar leaves out: these belong to kernels and to groups. */
        if (c == SpvCapabilityUSMStorageClassesINTEL)
            HD_TRY_PUSH(m->arena, &todo, SpvCapabilityKernel);
        if (c == SpvCapabilityGroupUniformArithmeticKHR)
            HD_TRY_PUSH(m->arena, &todo, SpvCapabilityGroups);
    }
    return HD_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* The copy of the words and where most ids are defined will be in it, and other things. */
static HdArena *open_arena(const uint32_t *words, size_t nwords, bool borrow)
{
    size_t bytes = nwords * sizeof *words, certain = borrow ? 0 : bytes;

    if (nwords > 3 && words[3] <= nwords / DENSE)
        certain += words[3] * sizeof *words;
    return hd_arena_open_for(certain + bytes / 2, certain);
}

/* *fine is false when several threads could not do it. */
static HdStatus read_in(HdModule *m, const uint32_t *words, size_t nwords, bool borrow,
                        unsigned threads, HdDiags *d, bool *fine)
{
    Reader r = {.m = m, .d = d, .first = HD_MODULE_FIRST_WORD};

    HD_TAKE(m->arena, open_arena(words, nwords, borrow));
    HD_TRY(take_words(m, words, nwords, borrow, d));
    HD_TRY(read_header(m, d));
    /* Zeroed by the system where it is large: a big bound in a small module costs nothing. */
    m->is_dense = m->bound <= nwords / DENSE;
    if (m->is_dense)
        HD_TAKE(m->def, HD_NEW(m->arena, uint32_t, m->bound));
    else
        HD_TAKE(m->def, hd_alloc_zero((size_t)m->bound * sizeof *m->def));
    HD_TAKE(m->name_at, hd_alloc_zero((size_t)m->bound * sizeof *m->name_at));
    HD_TAKE(m->function_of, hd_alloc_zero((size_t)m->bound * sizeof *m->function_of));
    HD_TAKE(m->id_words, hd_alloc_zero(HD_BITSET_WORDS(nwords) * sizeof *m->id_words));
    m->operand_types.def = m->def;
    m->operand_types.words = m->words;
    m->operand_types.bound = m->bound;
    m->operand_types.limit = hd_operand_id_limit(nwords);
    hd_operand_types_reserve(&m->operand_types, m->bound);
    if (m->is_dense)
        hd_pages_use_all(m->operand_types.of, m->operand_types.room * sizeof *m->operand_types.of);
    m->addressing = SpvAddressingModelPhysical64;
    m->memory_model = SpvMemoryModelOpenCL;
    m->first_function = threads > 1 ? find_functions(m) : m->nwords;
    if (m->first_function < m->nwords) {
        HD_TRY(read_shared(&r, threads, fine));
        if (!*fine)
            return HD_OK;
    } else {
        r.end = m->nwords;
        HD_TRY(read_alone(&r));
    }
    HD_TRY(imply_capabilities(m));
    return hd_read_decorations(m, d, r.n.decorations, r.n.groups != 0);
}

/* Without types and constants. */
static HdStatus make_index(unsigned threads, const uint32_t *words, size_t nwords, bool borrow,
                           HdDiags *d, HdModule **out)
{
    HdModule *m = hd_alloc_zero(sizeof *m);
    bool fine = true;
    HdStatus st;

    *out = NULL;
    if (m == NULL)
        return HD_NO_MEMORY;
    st = read_in(m, words, nwords, borrow, threads, d, &fine);
    if (st == HD_OK && fine)
        *out = m;
    else
        hd_module_drop(m);
    return fine ? st : make_index(1, words, nwords, borrow, d, out);
}

HdStatus hd_module_read_by(unsigned threads, const uint32_t *words, size_t nwords, bool borrow,
                           HdDiags *d, HdModule **out)
{
    HdStatus st;

    HD_TRY(make_index(threads, words, nwords, borrow, d, out));
    st = hd_module_resolve(*out, NULL, 0);
    if (st != HD_OK) {
        hd_module_drop(*out);
        *out = NULL;
    }
    return st;
}

HdStatus hd_module_read(const uint32_t *words, size_t nwords, bool borrow, HdDiags *d,
                        HdModule **out)
{
    return hd_module_read_by(1, words, nwords, borrow, d, out);
}

static HdStatus own(HdStatus st, uint32_t *words, HdModule *m)
{
    if (st == HD_OK)
        m->own_words = words;
    else
        hd_free(words);
    return st;
}

HdStatus hd_module_read_own(uint32_t *words, size_t nwords, HdDiags *d, HdModule **out)
{
    HdStatus st = hd_module_read(words, nwords, true, d, out);

    return own(st, words, *out);
}

HdStatus hd_module_index_own(uint32_t *words, size_t nwords, HdDiags *d, HdModule **out)
{
    HdStatus st = make_index(1, words, nwords, true, d, out);

    return own(st, words, *out);
}

HdStatus hd_module_read_bytes(const void *bytes, size_t count, HdDiags *d, HdModule **out)
{
    uint32_t *words;

    *out = NULL;
    if (count % 4 != 0)
        return hd_fail(
            d, HD_BAD_INPUT, HD_NO_PLACE, "module.bytes",
            "%zu bytes are not a whole number of 4-byte words: the file may be truncated", count);
    /* The bytes may be unaligned in memory; words may not. */
    HD_TAKE(words, hd_alloc(count == 0 ? 4 : count));
    if (count != 0)
        memcpy(words, bytes, count);
    return hd_module_read_own(words, count / 4, d, out);
}

void hd_module_drop(HdModule *m)
{
    if (m == NULL)
        return;
    hd_module_drop_tables(m);
    hd_arena_drop(m->arena);
    if (!m->is_dense)
        hd_free(m->def);
    hd_free(m->name_at);
    hd_free(m->function_of);
    hd_free(m->id_words);
    hd_operand_types_free(&m->operand_types);
    hd_free(m->own_words);
    hd_free(m);
}
