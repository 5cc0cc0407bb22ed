/* xform/interface.c -- which variables of module scope each entry point reaches.
 *
 * Functions are walked once: what each uses of module scope, and which functions it calls, becomes
 * a list of ids. Constants are included, since one may hold the address of a variable, and so may a
 * variable's initializer. What the lists reach is then computed for 64 variables at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/interface.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/reach.h"
#include "module/edit.h"

/* Variables that an entry point reaches, of the 64 from the first on. */
typedef struct Piece {
    uint64_t mask;
    uint32_t first;
    uint32_t next; /* of the same entry point, plus 1; 0: none */
} Piece;

/* The pieces of an entry point, plus 1; 0: none. */
typedef struct List {
    uint32_t first, last;
} List;

typedef struct Reach {
    const HdModule *m;
    HdArena *arena;
    HD_ARRAY(HdId) uses;      /* of consecutive definitions */
    uint32_t *first, *end;    /* [bound] in uses: of functions, variables and constants */
    HdReach graph;            /* of ids */
    HD_ARRAY(HdId) variables; /* that belong into interfaces */
    HD_ARRAY(Piece) pieces;
    List *lists;    /* [entries] */
    uint32_t *seen; /* [bound] number + 1 of the last entry point that lists the id */
    HdWriter entries, out;
    bool changed;
} Reach;

/* Note what an instruction mentions of module scope but types. */
static HdStatus note_uses(Reach *r, const HdInst *in)
{
    const HdForm *form = &hd_gram_forms[in->opix];

    for (uint32_t i = 1; i < in->nwords; i++) {
        HdId id = in->w[i];

        if (i == form->type_at || i == form->result_at || !hd_inst_is_id(r->m, in, i))
            continue;
        if (r->m->def[id] < r->m->first_function ? hd_module_type_id(r->m, id) != 0
                                                 : hd_module_function(r->m, id) != NULL)
            HD_TRY_PUSH(r->arena, &r->uses, id);
    }
    return HD_OK;
}

static HdStatus note_globals(Reach *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);) {
        HdId id = hd_inst_result(&in);

        if (id == 0 || hd_module_type_id(r->m, id) == 0)
            continue;
        r->first[id] = (uint32_t)r->uses.count;
        HD_TRY(note_uses(r, &in));
        r->end[id] = (uint32_t)r->uses.count;
    }
    return HD_OK;
}

static HdStatus note_functions(Reach *r)
{
    for (uint32_t i = 0; i < r->m->function_count; i++) {
        const HdFunction *f = &r->m->functions[i];

        r->first[f->id] = (uint32_t)r->uses.count;
        for (uint32_t word = f->word; word < f->end;) {
            HdInst in = hd_module_inst(r->m, word);

            word = hd_inst_next(&in);
            HD_TRY(note_uses(r, &in));
        }
        r->end[f->id] = (uint32_t)r->uses.count;
    }
    return HD_OK;
}

static bool belongs(const Reach *r, HdId id)
{
    HdInst def;

    return hd_module_def(r->m, id, &def) && hd_inst_is_variable(&def) &&
           (r->m->version >= 0x10400 || def.w[3] == SpvStorageClassInput ||
            def.w[3] == SpvStorageClassOutput);
}

/* Find the variables that belong, and which of them each entry point reaches. */
static HdStatus find_reached(Reach *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    r->graph = (HdReach){.count = r->m->bound, .first = r->first, .end = r->end, .to = r->uses.at};
    HD_TRY(hd_reach_open(r->arena, &r->graph));
    HD_TAKE(r->lists, HD_NEW(r->arena, List, r->m->entry_count));
    for (uint32_t e = 0; e < r->m->entry_count; e++)
        hd_reach_add(&r->graph, r->m->entries[e].function);
    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);)
        if (hd_inst_is_variable(&in) && belongs(r, in.w[2]))
            HD_TRY_PUSH(r->arena, &r->variables, in.w[2]);
    for (uint32_t first = 0; first < r->variables.count; first += 64) {
        hd_reach_clear(&r->graph);
        for (uint32_t i = first; i < r->variables.count && i - first < 64; i++)
            r->graph.mask[r->variables.at[i]] = UINT64_C(1) << (i - first);
        hd_reach_spread(&r->graph);
        for (uint32_t e = 0; e < r->m->entry_count; e++) {
            Piece piece = {.mask = r->graph.mask[r->m->entries[e].function], .first = first};
            List *list = &r->lists[e];

            if (piece.mask == 0)
                continue;
            HD_TRY_PUSH(r->arena, &r->pieces, piece);
            if (list->last != 0)
                r->pieces.at[list->last - 1].next = (uint32_t)r->pieces.count;
            else
                list->first = (uint32_t)r->pieces.count;
            list->last = (uint32_t)r->pieces.count;
        }
    }
    return HD_OK;
}

/* The entry point with its own list, each id once, followed by the missing ones. */
static void write_entry(Reach *r, const HdInst *in, uint32_t number)
{
    uint32_t behind = 3 + hd_inst_string_words(in, 3);

    hd_writer_begin(&r->entries, in->opcode);
    for (uint32_t i = 1; i < in->nwords; i++) {
        HdId id = in->w[i];

        if (i >= behind && id < r->m->bound && r->seen[id] == number + 1) {
            r->changed = true;
            continue;
        }
        if (i >= behind && id < r->m->bound)
            r->seen[id] = number + 1;
        hd_writer_word(&r->entries, id);
    }
    for (uint32_t at = r->lists[number].first; at != 0; at = r->pieces.at[at - 1].next) {
        const Piece *piece = &r->pieces.at[at - 1];

        for (uint64_t mask = piece->mask; mask != 0; mask &= mask - 1) {
            HdId id = r->variables.at[piece->first + (uint32_t)__builtin_ctzll(mask)];

            if (r->seen[id] == number + 1)
                continue;
            hd_writer_word(&r->entries, id);
            r->changed = true;
        }
    }
    hd_writer_end(&r->entries);
}

static HdStatus rewrite(Reach *r, HdDiags *d)
{
    uint32_t word = HD_MODULE_FIRST_WORD, number = 0, at = 0;

    HD_TAKE(r->first, HD_NEW(r->arena, uint32_t, r->m->bound));
    HD_TAKE(r->end, HD_NEW(r->arena, uint32_t, r->m->bound));
    HD_TAKE(r->seen, HD_NEW(r->arena, uint32_t, r->m->bound));
    HD_TRY(note_globals(r));
    HD_TRY(note_functions(r));
    HD_TRY(find_reached(r));
    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);)
        if (in.opix == HD_OPIX_EntryPoint)
            write_entry(r, &in, number++);
    HD_TRY(hd_writer_finish(&r->entries, d));
    if (!r->changed)
        return HD_OK;
    hd_writer_start(&r->out, r->m->version, r->m->generator, r->m->bound);
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; hd_module_next(r->m, &word, &in);) {
        if (in.opix == HD_OPIX_EntryPoint && at < r->entries.count) {
            hd_writer_words(&r->out, r->entries.words + at, r->entries.words[at] >> 16);
            at += r->entries.words[at] >> 16;
        } else {
            hd_writer_copy(&r->out, &in);
        }
    }
    return r->out.failed ? HD_NO_MEMORY : HD_OK;
}

/* Is there an entry point before the first function? Nothing is proved of the words. */
static bool has_entries(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op != SpvOpFunction;)
        if (in.op == SpvOpEntryPoint)
            return true;
    return false;
}

HdStatus hd_xform_interfaces(uint32_t **words, size_t *nwords, HdDiags *d)
{
    Reach r = {0};
    HdModule *m = NULL;
    HdStatus st;

    if (!has_entries(*words, *nwords))
        return HD_OK;
    HD_TRY(hd_module_read(*words, *nwords, true, d, &m));
    r.m = m;
    r.arena = hd_arena_open();
    st = r.arena == NULL ? HD_NO_MEMORY : rewrite(&r, d);
    if (st == HD_OK && r.changed) {
        hd_free(*words);
        *words = r.out.words;
        *nwords = r.out.count;
        r.out = (HdWriter){0};
    }
    hd_writer_free(&r.out);
    hd_writer_free(&r.entries);
    hd_arena_drop(r.arena);
    hd_module_drop(m);
    return st;
}
