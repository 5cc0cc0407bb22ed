/* module/reader.c -- from words of unknown quality to an indexed module.
 *
 * Two passes over the stream: the first proves that every instruction is well formed and counts
 * what there is, the second fills arrays of exactly that size. Whatever the input is, time and
 * memory stay in proportion to its length (and to the id bound, which is limited).
 *
 * Spec: SPIR-V, "Physical Form of a SPIR-V Module and Instruction", "Universal Limits".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "module/operands.h"
#include "module/private.h"

#define MAGIC 0x07230203u
/* SPIR-V, "Universal Limits": the largest id is 4,194,303. A module that is long enough to need
 * more ids may have them. */
#define MAX_BOUND 4194304u
/* OpGroupDecorate copies each decoration of a group to each target: N + M words can ask for N * M
 * decorations. More than this many for each word of the module is refused. */
#define MAX_DECORATIONS_PER_WORD 16u

typedef struct Counts {
    uint32_t capabilities, extensions, entries, functions, blocks, params;
    uint32_t decorations, groups;
} Counts;

typedef struct Reader {
    HdModule *m;
    HdDiags *d;
    Counts n;
    bool bad; /* an error was reported */
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
    case HD_OPERANDS_MISSING: return "module.operand-missing";
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
    case HD_OPERANDS_UNKNOWN_OPCODE: break;
    }
    return "module.operand";
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
    case HD_OPIX_MemberDecorateString: n->decorations++; break; /* as decorates() has them */
    case HD_OPIX_GroupDecorate:
    case HD_OPIX_GroupMemberDecorate: n->groups++; break;
    case HD_OPIX_Line: r->m->has_lines = true; break;
    case HD_OPIX_FunctionCall: r->m->has_calls = true; break;
    case HD_OPIX_Undef: r->m->has_undefs = true; break;
    case HD_OPIX_ExtInstImport:
        r->m->has_lines |= hd_gram_extset(hd_inst_string(in, 2), strlen(hd_inst_string(in, 2))) ==
                           HD_EXTSET_NonSemantic_Shader_DebugInfo_100;
        break;
    default: break;
    }
}

static void define(Reader *r, const HdInst *in)
{
    HdId id = hd_inst_result(in);

    if (id == 0)
        return; /* no result: an id of 0 was reported by the operand walker */
    if (id >= r->m->bound)
        return;
    if (r->m->def[id] != 0) {
        r->bad = true;
        (void)hd_fail(r->d, HD_BAD_INPUT, in->word, "module.redefined",
                      "id %u is defined a second time; the first is at byte %u", (unsigned)id,
                      (unsigned)r->m->def[id] * 4u);
        return;
    }
    r->m->def[id] = in->word;
    if (in->opix == HD_OPIX_Label)
        hd_operand_types_set_label(&r->m->operand_types, id, r->n.blocks);
    if (in->opix == HD_OPIX_Function)
        r->m->function_of[id] = r->n.functions + 1;
}

static void note(Reader *r, const HdInst *in)
{
    if (hd_gram_forms[in->opix].result_at != 0) {
        hd_operand_types_note(&r->m->operand_types, in->w, in->nwords);
        define(r, in);
    }
    count_inst(r, in);
}

/* Words of an instruction that need no walk: all when it is plain, those that its form knows, or
 * only the first one when something is wrong with them. */
static uint32_t known_words(const Reader *r, const HdInst *in, bool *plain)
{
    const HdForm *form = &hd_gram_forms[in->opix];
    uint32_t most = r->m->bound - 1, end;

    *plain = hd_form_is_plain(form, in->nwords);
    end = *plain ? in->nwords : form->prefix + 1u;
    if (end > in->nwords)
        return 1;
    for (uint32_t i = 1; i < end; i++)
        if (hd_form_is_id(form, i) && in->w[i] - 1 >= most) {
            *plain = false;
            return 1;
        }
    return end;
}

/* The reader's promise about operands: all there, none left over, ids in bounds. */
static void check_operands(Reader *r, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;
    bool ok = true, plain;
    uint32_t known = known_words(r, in, &plain);

    if (plain) {
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
            hd_bit_add(r->m->id_words, in->word + part.at);
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
    if (walk.problem != HD_OPERANDS_FINE) {
        char text[256];

        complain(r, in->word, operand_rule(walk.problem),
                 hd_operands_problem(&walk, text, sizeof text));
        return;
    }
    if (!ok)
        return;
    note(r, in);
}

static void prove(Reader *r)
{
    HdModule *m = r->m;
    uint32_t word = HD_MODULE_FIRST_WORD;

    while (word < m->nwords) {
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
        check_operands(r, &in);
        word += length;
    }
}

/* ---- second pass: fill the index ----------------------------------------------------------- */

typedef struct Filler {
    HdModule *m;
    HdFunction *f; /* open function */
    HdBlock *b;    /* open block */
    uint32_t next_param;
} Filler;

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
    s->f = &m->functions[m->function_count++];
    if (m->function_count == 1)
        m->first_function = in->word;
    s->f->result_type = in->w[1];
    s->f->id = in->w[2];
    s->f->type = in->w[4];
    s->f->word = in->word;
    s->f->first_block = m->block_count;
    s->f->first_param = s->next_param;
}

static void fill_inst(Filler *s, const HdInst *in)
{
    HdModule *m = s->m;

    switch (in->opix) {
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
        s->b = &m->blocks[m->block_count++];
        s->b->word = in->word;
        if (s->f != NULL)
            s->f->block_count++;
        return;
    case HD_OPIX_FunctionEnd: close_function(s, in->word + in->nwords); return;
    case HD_OPIX_LoopMerge:
    case HD_OPIX_SelectionMerge:
        if (s->b != NULL && s->b->merge == 0)
            s->b->merge = in->word;
        return;
    default:
        if (s->b != NULL && is_terminator(in->opix)) {
            s->b->terminator = in->word;
            s->b = NULL;
        }
        return;
    }
}

static HdStatus fill(Reader *r)
{
    HdModule *m = r->m;
    HdArena *a = m->arena;
    uint32_t word = HD_MODULE_FIRST_WORD, *capabilities;
    Filler s = {.m = m};

    HD_TAKE(capabilities, HD_NEW(a, uint32_t, r->n.capabilities));
    HD_TAKE(m->extensions, HD_NEW(a, const char *, r->n.extensions));
    HD_TAKE(m->entries, HD_NEW(a, HdEntryPoint, r->n.entries));
    HD_TAKE(m->functions, HD_NEW(a, HdFunction, r->n.functions));
    HD_TAKE(m->blocks, HD_NEW(a, HdBlock, r->n.blocks));
    HD_TAKE(m->params, HD_NEW(a, uint32_t, r->n.params));
    m->capabilities = capabilities;
    m->addressing = SpvAddressingModelPhysical64;
    m->memory_model = SpvMemoryModelOpenCL;
    m->first_function = m->nwords;
    for (HdInst in; hd_module_next(m, &word, &in);) {
        if (in.opix == HD_OPIX_Capability)
            capabilities[m->capability_count++] = in.w[1];
        else
            fill_inst(&s, &in);
    }
    close_function(&s, m->nwords);
    return HD_OK;
}

/* Declared capabilities and, transitively, those that they imply. */
static HdStatus imply_capabilities(HdModule *m)
{
    uint16_t kind = hd_gram_insts[HD_OPIX_Capability].operands[0].kind;
    HD_ARRAY(uint32_t) todo = {0};

    HD_TAKE(m->capability_set, HD_NEW(m->arena, uint64_t, HD_CAPABILITY_WORDS));
    for (uint32_t i = 0; i < m->capability_count; i++)
        HD_TRY_PUSH(m->arena, &todo, m->capabilities[i]);
    while (todo.count != 0) {
        uint32_t c = todo.at[--todo.count];
        const HdEnumerant *e = hd_gram_enumerant(kind, c);

        if (c >= HD_CAPABILITY_WORDS * 64 || hd_bit_has(m->capability_set, c))
            continue;
        hd_bit_add(m->capability_set, c);
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

/* ---- decorations --------------------------------------------------------------------------- */

static void one_decoration(const HdInst *in, HdDecoration *out)
{
    bool member = in->opix == HD_OPIX_MemberDecorate || in->opix == HD_OPIX_MemberDecorateString;
    uint32_t at = member ? 3 : 2;

    out->target = in->w[1];
    out->member = member ? in->w[2] : HD_NO_MEMBER;
    out->decoration = in->w[at];
    out->operands = in->w + at + 1;
    out->operand_count = in->nwords - at - 1;
    out->word = in->word;
}

static int by_target(const void *x, const void *y)
{
    const HdDecoration *a = x, *b = y;

    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->member != b->member)
        return a->member < b->member ? -1 : 1;
    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    return a->operands < b->operands ? -1 : a->operands > b->operands;
}

typedef HD_ARRAY(HdDecoration) Decorations;

/* Copy the decorations of `group` (found in the sorted first `direct`) to a target. */
static HdStatus copy_group(HdModule *m, Decorations *all, size_t direct, HdId group, HdId target,
                           uint32_t member, size_t limit, HdDiags *d, uint32_t word)
{
    size_t low = 0, high = direct;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (all->at[mid].target < group)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < direct && all->at[low].target == group; low++) {
        HdDecoration copy = all->at[low];

        if (copy.member != HD_NO_MEMBER)
            continue;
        if (all->count >= limit)
            return hd_fail(d, HD_BAD_INPUT, word, "module.limit",
                           "decoration groups expand to more than %zu decorations", limit);
        copy.target = target;
        copy.member = member;
        HD_TRY_PUSH(m->arena, all, copy);
    }
    return HD_OK;
}

static HdStatus expand_groups(Reader *r, Decorations *all)
{
    HdModule *m = r->m;
    size_t direct = all->count;
    size_t limit = (size_t)m->nwords * MAX_DECORATIONS_PER_WORD;
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        if (in.opix == HD_OPIX_GroupDecorate)
            for (uint32_t i = 2; i < in.nwords; i++)
                HD_TRY(copy_group(m, all, direct, in.w[1], in.w[i], HD_NO_MEMBER, limit, r->d,
                                  in.word));
        if (in.opix == HD_OPIX_GroupMemberDecorate)
            for (uint32_t i = 2; i + 1 < in.nwords; i += 2)
                HD_TRY(copy_group(m, all, direct, in.w[1], in.w[i], in.w[i + 1], limit, r->d,
                                  in.word));
    }
    return HD_OK;
}

static bool decorates(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Decorate:
    case HD_OPIX_MemberDecorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_MemberDecorateString: return true;
    default: return false;
    }
}

/* Each id's decorations in order of member; most have one or come in order. */
static void sort_members(HdDecoration *at, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        bool sorted = true;

        for (; end < count && at[end].target == at[i].target; end++)
            sorted &= by_target(&at[end - 1], &at[end]) < 0;
        if (!sorted)
            qsort(at + i, end - i, sizeof *at, by_target);
        i = end;
    }
}

/* Many decorations are put in their places by counting how many each id has. */
static HdStatus place_decorations(Reader *r, HdDecoration *to)
{
    HdModule *m = r->m;
    uint32_t left = r->n.decorations, sum = 0, word = HD_MODULE_FIRST_WORD;
    uint32_t *first = hd_alloc_zero(((size_t)m->bound + 1) * sizeof *first);

    if (first == NULL)
        return HD_NO_MEMORY;
    for (HdInst in; left != 0 && hd_module_next(m, &word, &in);)
        if (decorates(in.opix)) {
            first[in.w[1]]++;
            left--;
        }
    for (uint32_t i = 0; i < m->bound; i++) {
        uint32_t n = first[i];

        first[i] = sum;
        sum += n;
    }
    left = r->n.decorations;
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; left != 0 && hd_module_next(m, &word, &in);)
        if (decorates(in.opix)) {
            one_decoration(&in, &to[first[in.w[1]]++]);
            left--;
        }
    hd_free(first);
    sort_members(to, r->n.decorations);
    return HD_OK;
}

static HdStatus read_decorations(Reader *r)
{
    HdModule *m = r->m;
    Decorations all = {0};
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (r->n.decorations == 0)
        return HD_OK;
    if (!HD_ARRAY_RESERVE(m->arena, &all, r->n.decorations))
        return HD_NO_MEMORY;
    if (m->bound / 16 <= r->n.decorations) {
        HD_TRY(place_decorations(r, all.at));
        all.count = r->n.decorations;
    } else {
        for (HdInst in; all.count < r->n.decorations && hd_module_next(m, &word, &in);)
            if (decorates(in.opix))
                one_decoration(&in, &all.at[all.count++]);
        qsort(all.at, all.count, sizeof *all.at, by_target);
    }
    if (r->n.groups != 0) {
        HD_TRY(expand_groups(r, &all));
        qsort(all.at, all.count, sizeof *all.at, by_target);
    }
    m->decorations = all.at;
    m->decoration_count = (uint32_t)all.count;
    return HD_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static HdStatus read_in(HdModule *m, const uint32_t *words, size_t nwords, bool borrow, HdDiags *d)
{
    Reader r = {.m = m, .d = d};

    HD_TAKE(m->arena, hd_arena_open());
    HD_TRY(take_words(m, words, nwords, borrow, d));
    HD_TRY(read_header(m, d));
    /* Zeroed by the system where it is large: a big bound in a small module costs nothing. */
    HD_TAKE(m->def, hd_alloc_zero((size_t)m->bound * sizeof *m->def));
    HD_TAKE(m->name_at, hd_alloc_zero((size_t)m->bound * sizeof *m->name_at));
    HD_TAKE(m->function_of, hd_alloc_zero((size_t)m->bound * sizeof *m->function_of));
    HD_TAKE(m->id_words, hd_alloc_zero(HD_BITSET_WORDS(nwords) * sizeof *m->id_words));
    m->operand_types.limit = hd_operand_id_limit(nwords);
    hd_operand_types_reserve(&m->operand_types, m->bound);
    prove(&r);
    if (m->operand_types.failed)
        return HD_NO_MEMORY;
    if (r.bad)
        return HD_BAD_INPUT;
    HD_TRY(fill(&r));
    HD_TRY(imply_capabilities(m));
    HD_TRY(read_decorations(&r));
    return hd_module_resolve(m, NULL, 0);
}

HdStatus hd_module_read(const uint32_t *words, size_t nwords, bool borrow, HdDiags *d,
                        HdModule **out)
{
    HdModule *m = hd_alloc_zero(sizeof *m);
    HdStatus st;

    *out = NULL;
    if (m == NULL)
        return HD_NO_MEMORY;
    st = read_in(m, words, nwords, borrow, d);
    if (st == HD_OK)
        *out = m;
    else
        hd_module_drop(m);
    return st;
}

HdStatus hd_module_read_bytes(const void *bytes, size_t count, HdDiags *d, HdModule **out)
{
    uint32_t *words;
    HdStatus st;

    *out = NULL;
    if (count % 4 != 0)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "module.bytes",
                       "%zu bytes are no whole number of words", count);
    /* The bytes may stand anywhere in memory; words may not. */
    HD_TAKE(words, hd_alloc(count == 0 ? 4 : count));
    if (count != 0)
        memcpy(words, bytes, count);
    st = hd_module_read(words, count / 4, false, d, out);
    hd_free(words);
    return st;
}

void hd_module_drop(HdModule *m)
{
    if (m == NULL)
        return;
    hd_module_drop_tables(m);
    hd_arena_drop(m->arena);
    hd_free(m->def);
    hd_free(m->name_at);
    hd_free(m->function_of);
    hd_free(m->id_words);
    hd_operand_types_free(&m->operand_types);
    hd_free(m);
}
