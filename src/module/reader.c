/* module/reader.c -- from untrusted words to an indexed module.
 *
 * Two passes over the stream: the first (prove.c) proves that every instruction is well formed and
 * counts everything, the second (fill.c) fills arrays of exactly that size. Whatever the input,
 * time and memory are proportional to its length (and to the id bound, which is limited).
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
#include <string.h>

#include "base/array.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/pages.h"
#include "module/private.h"
#include "module/reader_state.h"

#define MAGIC 0x07230203u
/* SPIR-V, "Universal Limits": the largest id is 4,194,303. A module that is long enough to need
 * more ids may have them. */
#define MAX_BOUND 4194304u

static uint32_t swapped(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

/* ---- header -------------------------------------------------------------------------------- */

static HdStatus take_words(HdModule *m, const uint32_t *words, size_t nwords, bool borrow,
                           HdDiags *d)
{
    uint32_t *own;

    if (nwords > 0 && words[0] != MAGIC && swapped(words[0]) != MAGIC)
        return hd_fail(d, HD_BAD_INPUT, 0, "module.magic",
                       "the first word is 0x%08x, which is not SPIR-V's magic number",
                       (unsigned)words[0]);
    if (nwords < 5)
        return hd_fail(d, HD_BAD_INPUT, 0, "module.header",
                       "a module has at least five words, this one has %zu", nwords);
    if (nwords > INT32_MAX)
        return hd_fail(d, HD_BAD_INPUT, 0, "module.size", "the module is larger than 8 GiB");
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

/* ---- by one thread, or by several ----------------------------------------------------------- */

/* Arrays for what was counted. */
static HdStatus take_index(HdReader *r, const HdReaderCounts *n)
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

static HdStatus read_alone(HdReader *r)
{
    static const HdReaderCounts none;
    HdModule *m = r->m;

    hd_reader_prove(r);
    if (m->operand_types.failed)
        return HD_NO_MEMORY;
    if (r->bad)
        return HD_BAD_INPUT;
    HD_TRY(take_index(r, &r->n));
    hd_reader_fill(r, &none);
    m->first_function = m->function_count != 0 ? m->functions[0].word : m->nwords;
    return HD_OK;
}

#define DENSE      2u     /* words for each id, at least: most ids below the bound will be there */
#define PART_WORDS 65536u /* a part has functions of about so many words */

typedef struct Parts {
    HD_ARRAY(HdReader) of; /* n: what there is before it, then up to its end */
    atomic_uint next;
    HdReaderCounts n; /* of all functions; only what is filled in */
} Parts;

/* The next part begins with the function at `word`; `n`: what comes before it. */
static bool begin_part(HdReader *r, Parts *parts, uint32_t word, const HdReaderCounts *n)
{
    HdReader part = {.m = r->m, .first = word, .end = r->m->nwords, .n = *n, .is_part = true};

    if (parts->of.count != 0)
        parts->of.at[parts->of.count - 1].end = word;
    return HD_PUSH(r->m->arena, &parts->of, part);
}

/* Where functions begin, and how many there are in each part. False if unknown. */
static bool find_parts(HdReader *r, Parts *parts)
{
    const HdModule *m = r->m;
    uint32_t begun = 0;
    HdReaderCounts n = {0};

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
        HdReader *part = &parts->of.at[i];
        HdReaderCounts from = part->n;
        HdDiags d;

        hd_diags_init(&d);
        part->d = &d;
        hd_reader_prove(part);
        if (!part->bad && !part->is_unsure)
            hd_reader_fill(part, &from);
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
static bool join_parts(HdReader *r, const Parts *parts)
{
    HdModule *m = r->m;
    bool fine = true;

    for (size_t i = 0; i < parts->of.count; i++) {
        const HdReader *part = &parts->of.at[i];

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
static HdStatus read_shared(HdReader *r, unsigned threads, bool *fine)
{
    static const HdReaderCounts none;
    HdModule *m = r->m;
    Parts parts = {.next = 0};
    HdReaderCounts n;

    *fine = false;
    r->end = m->first_function;
    hd_reader_prove(r);
    if (m->operand_types.failed)
        return HD_NO_MEMORY;
    if (r->bad || r->n.blocks != 0 || r->n.params != 0 || !find_parts(r, &parts))
        return HD_OK;
    n = r->n;
    n.functions = parts.n.functions;
    n.blocks = parts.n.blocks;
    n.params = parts.n.params;
    HD_TRY(take_index(r, &n));
    hd_reader_fill(r, &none);
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
    HdReader r = {.m = m, .d = d, .first = HD_MODULE_FIRST_WORD};

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
