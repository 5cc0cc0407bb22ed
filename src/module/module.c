/* module/module.c -- lookups in a module's index.
 *
 * Nothing here allocates or changes the module.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "module/private.h"

bool hd_module_def(const HdModule *m, HdId id, HdInst *in)
{
    if (id >= m->bound || m->def[id] == 0)
        return false;
    *in = hd_module_inst(m, m->def[id]);
    return true;
}

enum HdOpix hd_module_opix(const HdModule *m, HdId id)
{
    if (id >= m->bound || m->def[id] == 0)
        return HD_OPIX_NONE;
    return hd_gram_find(m->words[m->def[id]] & 0xffff);
}

HdId hd_module_type_id(const HdModule *m, HdId id)
{
    HdInst in;

    if (id < m->operand_types.room)
        return hd_operand_types_value(&m->operand_types, id);
    return hd_module_def(m, id, &in) ? hd_inst_type(&in) : 0;
}

bool hd_module_has_capability(const HdModule *m, uint32_t capability)
{
    return capability < HD_CAPABILITY_WORDS * 64 && hd_bit_has(m->capability_set, capability);
}

bool hd_module_has_extension(const HdModule *m, const char *name)
{
    for (uint32_t i = 0; i < m->extension_count; i++)
        if (strcmp(m->extensions[i], name) == 0)
            return true;
    return false;
}

unsigned hd_module_extset(const HdModule *m, HdId import)
{
    unsigned set;
    bool semantic;

    return hd_operand_types_import(&m->operand_types, import, &set, &semantic) ? set
                                                                               : HD_EXTSET_UNKNOWN;
}

const char *hd_inst_string(const HdInst *in, uint32_t at)
{
    return at < in->nwords ? (const char *)(in->w + at) : "";
}

uint32_t hd_inst_string_words(const HdInst *in, uint32_t at)
{
    for (uint32_t i = at; i < in->nwords; i++) {
        uint32_t w = in->w[i];

        if ((w & 0xff) == 0 || (w & 0xff00) == 0 || (w & 0xff0000) == 0 || w >> 24 == 0)
            return i + 1 - at;
    }
    return in->nwords > at ? in->nwords - at : 0;
}

/* ---- functions and blocks ------------------------------------------------------------------ */

/* A block without a terminator, which no valid module has, reaches to what cannot be in it. */
uint32_t hd_block_end(const HdModule *m, const HdBlock *b)
{
    uint32_t word = b->word + 2;

    if (b->terminator != 0)
        return b->terminator + (m->words[b->terminator] >> 16);
    for (HdInst in; hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_Label || in.opix == HD_OPIX_Function ||
            in.opix == HD_OPIX_FunctionEnd)
            return in.opix == HD_OPIX_FunctionEnd ? word : in.word;
    return m->nwords;
}

uint32_t hd_block_find_merge(const HdModule *m, const HdBlock *b)
{
    uint32_t word = b->word;

    for (HdInst in; hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_LoopMerge || in.opix == HD_OPIX_SelectionMerge)
            return in.word;
    return 0;
}

const HdFunction *hd_module_function(const HdModule *m, HdId id)
{
    uint32_t at = id < m->bound ? m->function_of[id] : 0;

    return at != 0 && at <= m->function_count ? &m->functions[at - 1] : NULL;
}

const HdEntryPoint *hd_module_entry_of(const HdModule *m, HdId function)
{
    for (uint32_t i = 0; i < m->entry_count; i++)
        if (m->entries[i].function == function)
            return &m->entries[i];
    return NULL;
}

uint32_t hd_module_block_before(const HdModule *m, uint32_t word)
{
    uint32_t after;

    HD_BISECT(after, m->block_count, m->blocks[after].word > word);
    return after == 0 ? UINT32_MAX : after - 1;
}

static int by_function(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
}

HdStatus hd_module_find_modes(const HdModule *m, HdArena *a, HdModes *out)
{
    uint32_t word = m->entry_count > 0 ? m->entries[m->entry_count - 1].word : m->nwords;
    HD_ARRAY(uint64_t) found = {0};
    HdInst in;

    /* They are contiguous, after the entry points. */
    while (word < m->first_function && hd_module_next(m, &word, &in)) {
        if (in.opix == HD_OPIX_ExecutionMode || in.opix == HD_OPIX_ExecutionModeId)
            HD_TRY_PUSH(a, &found, (uint64_t)in.w[1] << 32 | in.word);
        else if (in.opix != HD_OPIX_EntryPoint)
            break;
    }
    if (found.count != 0)
        qsort(found.at, found.count, sizeof *found.at, by_function);
    *out = (HdModes){.at = found.at, .count = (uint32_t)found.count};
    return HD_OK;
}

HdModes hd_modes_of(const HdModes *all, HdId function)
{
    uint32_t first, end;

    HD_BISECT(first, all->count, all->at[first] >> 32 >= function);
    for (end = first; end < all->count && all->at[end] >> 32 == function;)
        end++;
    return (HdModes){.at = all->at + first, .count = end - first};
}

void hd_module_execution_modes(const HdModule *m, const HdModes *all, HdId function,
                               const uint32_t *modes, unsigned count, uint32_t *words)
{
    const HdModes own = hd_modes_of(all, function);

    memset(words, 0, count * sizeof *words);
    for (uint32_t at = 0; at < own.count; at++) {
        uint32_t word = (uint32_t)own.at[at];

        for (unsigned i = 0; i < count; i++)
            if (m->words[word + 2] == modes[i] && words[i] == 0)
                words[i] = word;
    }
}

/* ---- the words it was made from ----------------------------------------------------------------
 */

static bool is_same(const HdRawInst *a, const HdInst *b)
{
    HdId result = hd_inst_result(b);
    uint32_t at = hd_gram_forms[b->opix].result_at;

    if (result != 0)
        return a->op == b->opcode && at < a->count && a->w[at] == result;
    return a->count == b->nwords && memcmp(a->w, b->w, b->nwords * sizeof *b->w) == 0;
}

/* How many are the same before a word offset. */
static size_t count_same(const uint32_t *words, size_t end, const HdInst *in)
{
    size_t at = HD_MODULE_FIRST_WORD, count = 0;
    HdRawInst raw;

    while (hd_words_next(words, end, &at, &raw))
        count += is_same(&raw, in);
    return count;
}

uint32_t hd_module_place_in(const HdModule *m, uint32_t word, const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD, before, seen = 0;
    HdRawInst raw;
    HdInst in;

    if (word < HD_MODULE_FIRST_WORD || word >= m->nwords)
        return HD_NO_PLACE;
    in = hd_module_inst(m, word);
    before = count_same(m->words, word, &in);
    if (count_same(m->words, m->nwords, &in) != count_same(words, nwords, &in))
        return HD_NO_PLACE;
    while (hd_words_next(words, nwords, &at, &raw))
        if (is_same(&raw, &in) && seen++ == before)
            return (uint32_t)(raw.w - words);
    return HD_NO_PLACE;
}

void hd_module_place_findings(const HdModule *m, const uint32_t *words, size_t nwords, HdDiags *d,
                              size_t from)
{
    for (size_t i = from; i < d->count; i++)
        if (d->at[i].word != HD_NO_PLACE)
            d->at[i].word = hd_module_place_in(m, d->at[i].word, words, nwords);
}
