/* xform/diff.c -- comparison of two modules.
 *
 * Each instruction has a hash of its opcode and words, with ids replaced by what they were matched
 * to: equal instructions on matched ids are equal, others differ. The sequences of hashes are
 * aligned (shortest edit, by diagonals), first of declarations, then function by function; results
 * of aligned instructions are matched, so that what uses them aligns in turn.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/diff.h"

#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "module/decoration.h"

/* Maximum number of edits of an alignment, in one stretch: beyond it the whole rest counts as
 * different.
 */
#define MAX_EDITS 1024

typedef HD_ARRAY(HdDiffLine) Lines;

/* A stretch of instructions: their words, and hashes where those are compared. */
typedef struct Stretch {
    const HdModule *m;
    HD_ARRAY(uint32_t) at;
    HD_ARRAY(uint64_t) hash;
} Stretch;

typedef struct Diff {
    const HdModule *a, *b;
    HdArena *arena;   /* of one step, or one stretch */
    uint32_t *to_a;   /* [b's bound] a's id, 0: none yet */
    uint32_t *to_b;   /* [a's bound] */
    Stretch old, new; /* heap, used again for each stretch; as is */
    uint32_t *pair;   /* room for `pairs` numbers: of each old one the new one, plus 1; 0: none */
    size_t pairs;
} Diff;

static void match(Diff *x, HdId a, HdId b)
{
    if (a == 0 || b == 0 || a >= x->a->bound || b >= x->b->bound || x->to_b[a] != 0 ||
        x->to_a[b] != 0)
        return;
    x->to_b[a] = b;
    x->to_a[b] = a;
}

/* ---- ids by content ------------------------------------------------------------------------ */

static bool is_constant(enum HdOpix opix)
{
    return hd_gram_insts[opix].klass == HD_CLASS_Constant_Creation &&
           hd_gram_insts[opix].has_result;
}

static bool by_content(const HdInst *in)
{
    return in->opix == HD_OPIX_ExtInstImport || in->opix == HD_OPIX_String ||
           hd_gram_forms[in->opix].is_type || in->opix == HD_OPIX_Undef || is_constant(in->opix);
}

static uint64_t name_hash(const HdModule *m, HdId id)
{
    const char *name = hd_module_name(m, id);

    return name != NULL ? hd_hash_name(name, strlen(name), 1) : 0;
}

static bool is_specialised(enum HdOpix opix)
{
    return hd_gram_insts[opix].klass == HD_CLASS_Constant_Creation &&
           hd_gram_insts[opix].name[2] == 'S'; /* OpSpec… */
}

/* Of a declaration: opcode, literals, and the hashes of the ids in it. Structures and
 * specialisation constants are distinguished by name too. A constant with a SpecId is that of its
 * number and type, whatever its default. Seeded with an address, so that modules cannot be made to
 * collide. */
static uint64_t content_hash(const Diff *x, const HdModule *m, const HdInst *in, const uint64_t *of)
{
    bool specialised = is_specialised(in->opix);
    const HdDecoration *spec = NULL;
    uint64_t h = hd_hash_add((uintptr_t)x->arena, in->w[0]);

    if (specialised)
        spec = hd_module_decoration(m, hd_inst_result(in), SpvDecorationSpecId);
    if (spec != NULL && spec->operand_count != 0)
        return hd_hash_u64(hd_hash_add(of[in->w[1]], hd_decoration_value(m, spec))) | 1;
    if (specialised || in->opix == HD_OPIX_TypeStruct || in->opix == HD_OPIX_TypeOpaque)
        h = hd_hash_add(h, name_hash(m, hd_inst_result(in)));
    for (uint32_t i = 1; i < in->nwords; i++)
        if (i != hd_gram_forms[in->opix].result_at)
            h = hd_hash_add(h, hd_inst_is_id(m, in, i) ? of[in->w[i]]
                                                       : hd_inst_definition_word(in, i));
    return hd_hash_u64(h) | 1;
}

/* Hashes of declarations in module order, so that those of their operands are there. Returns how
 * many there are. */
static uint32_t hash_declarations(const Diff *x, const HdModule *m, uint64_t *of)
{
    uint32_t word = HD_MODULE_FIRST_WORD, count = 0;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (by_content(&in)) {
            of[hd_inst_result(&in)] = content_hash(x, m, &in, of);
            count++;
        }
    return count;
}

/* Ids of b, found by a hash: open addressing, never full. */
typedef struct Ids {
    uint32_t *slots; /* 0: free */
    size_t room;     /* a power of two */
} Ids;

static HdStatus open_ids(Diff *x, size_t count, Ids *ids)
{
    ids->room = hd_hash_room(count);
    HD_TAKE(ids->slots, HD_NEW(x->arena, uint32_t, ids->room));
    return HD_OK;
}

#define ALL_TAKEN 0x80000000u /* in a slot: of the id's hash none is left */

/* The slot of a hash of declarations. */
static uint32_t *hash_slot(const Ids *ids, const uint64_t *of, uint64_t hash)
{
    size_t i = (size_t)hash >> 1 & (ids->room - 1);

    while (ids->slots[i] != 0 && of[ids->slots[i] & ~ALL_TAKEN] != hash)
        i = (i + 1) & (ids->room - 1);
    return &ids->slots[i];
}

/* The n-th declaration of a hash, by id, matches the n-th of the other. */
static HdStatus match_declarations(Diff *x)
{
    uint64_t *of_a, *of_b;
    uint32_t *next;
    Ids ids;

    HD_TAKE(of_a, HD_NEW(x->arena, uint64_t, x->a->bound));
    HD_TAKE(of_b, HD_NEW(x->arena, uint64_t, x->b->bound));
    HD_TAKE(next, HD_NEW(x->arena, uint32_t, x->b->bound));
    (void)hash_declarations(x, x->a, of_a);
    HD_TRY(open_ids(x, hash_declarations(x, x->b, of_b), &ids));
    for (HdId id = x->b->bound; id-- > 1;)
        if (of_b[id] != 0) {
            uint32_t *slot = hash_slot(&ids, of_b, of_b[id]);

            next[id] = *slot;
            *slot = id;
        }
    for (HdId id = 1; id < x->a->bound; id++) {
        uint32_t *slot;

        if (of_a[id] == 0)
            continue;
        slot = hash_slot(&ids, of_b, of_a[id]);
        if (*slot == 0 || (*slot & ALL_TAKEN) != 0)
            continue;
        match(x, id, *slot);
        *slot = next[*slot] != 0 ? next[*slot] : *slot | ALL_TAKEN;
    }
    hd_arena_empty(x->arena);
    return HD_OK;
}

/* ---- ids by name --------------------------------------------------------------------------- */

static HdStatus note_name(Diff *x, HdStrMap *names, const char *name, HdId id)
{
    if (hd_strmap_get(names, name, strlen(name), NULL))
        return HD_OK;
    return hd_strmap_put(x->arena, names, name, strlen(name), id) ? HD_OK : HD_NO_MEMORY;
}

static void match_name(Diff *x, const HdStrMap *names, const char *name, HdId a)
{
    uint64_t b;

    if (hd_strmap_get(names, name, strlen(name), &b) &&
        hd_module_opix(x->a, a) == hd_module_opix(x->b, (HdId)b))
        match(x, a, (HdId)b);
}

static const char *linkage(const HdModule *m, const HdDecoration *d)
{
    return d->decoration == SpvDecorationLinkageAttributes && d->operand_count > 1
               ? (const char *)hd_decoration_operands(m, d)
               : NULL;
}

/* Entry points and what is linked. */
static HdStatus match_symbols(Diff *x)
{
    HdStrMap entries = {0}, links = {0};
    const char *name;

    for (uint32_t i = 0; i < x->b->entry_count; i++)
        HD_TRY(note_name(x, &entries, x->b->entries[i].name, x->b->entries[i].function));
    for (HdDecorations s = hd_module_applied_decorations(x->b); s.d != NULL;
         hd_decorations_step(&s))
        if ((name = linkage(x->b, s.d)) != NULL)
            HD_TRY(note_name(x, &links, name, s.target));
    for (uint32_t i = 0; i < x->a->entry_count; i++)
        match_name(x, &entries, x->a->entries[i].name, x->a->entries[i].function);
    for (HdDecorations s = hd_module_applied_decorations(x->a); s.d != NULL;
         hd_decorations_step(&s))
        if ((name = linkage(x->a, s.d)) != NULL)
            match_name(x, &links, name, s.target);
    hd_arena_empty(x->arena);
    return HD_OK;
}

/* The slot of a name of b's ids. */
static uint32_t *name_slot(const Diff *x, const Ids *ids, const char *name)
{
    size_t len = strlen(name),
           i = (size_t)hd_hash_name(name, len, (uintptr_t)ids->slots) & (ids->room - 1);

    while (ids->slots[i] != 0 && strcmp(hd_module_name(x->b, ids->slots[i]), name) != 0)
        i = (i + 1) & (ids->room - 1);
    return &ids->slots[i];
}

static void note_id(const Diff *x, const Ids *ids, HdId id)
{
    const char *name = hd_module_name(x->b, id);
    uint32_t *slot = name != NULL ? name_slot(x, ids, name) : NULL;

    if (slot != NULL && *slot == 0)
        *slot = id;
}

/* May what has one name in both modules be the same? A constant may be of another kind. */
static bool fit(enum HdOpix a, enum HdOpix b)
{
    return a == b || (is_constant(a) && is_constant(b));
}

static bool is_named_global(const HdModule *m, HdId id)
{
    return hd_module_name(m, id) != NULL && m->def[id] < m->first_function;
}

/* What has a name and is of module scope; the first of several with one name. */
static HdStatus match_names(Diff *x)
{
    uint32_t count = x->b->function_count;
    Ids ids;

    for (HdId id = 1; id < x->b->bound; id++)
        count += is_named_global(x->b, id);
    HD_TRY(open_ids(x, count, &ids));
    for (HdId id = 1; id < x->b->bound; id++)
        if (is_named_global(x->b, id) && hd_module_name(x->b, id)[0] != '\0')
            note_id(x, &ids, id);
    for (uint32_t i = 0; i < x->b->function_count; i++)
        note_id(x, &ids, x->b->functions[i].id);
    for (HdId id = 1; id < x->a->bound; id++)
        if (is_named_global(x->a, id) ||
            (hd_module_name(x->a, id) != NULL && hd_module_function(x->a, id) != NULL)) {
            HdId other = *name_slot(x, &ids, hd_module_name(x->a, id));

            if (other != 0 && fit(hd_module_opix(x->a, id), hd_module_opix(x->b, other)))
                match(x, id, other);
        }
    hd_arena_empty(x->arena);
    return HD_OK;
}

/* Functions that nothing names: in the order in which they come. */
static void match_functions(Diff *x)
{
    uint32_t b = 0;

    for (uint32_t a = 0; a < x->a->function_count; a++) {
        if (x->to_b[x->a->functions[a].id] != 0)
            continue;
        while (b < x->b->function_count && x->to_a[x->b->functions[b].id] != 0)
            b++;
        if (b < x->b->function_count)
            match(x, x->a->functions[a].id, x->b->functions[b].id);
    }
}

/* Ids that neither module defines have nothing but their numbers. */
static void match_undefined(Diff *x)
{
    for (HdId id = 1; id < x->a->bound && id < x->b->bound; id++)
        if (x->a->def[id] == 0 && x->b->def[id] == 0)
            match(x, id, id);
}

/* ---- sequences ----------------------------------------------------------------------------- */

/* Ids count as what they are matched to in a; results and unmatched ones count alike. */
static uint64_t shape_hash(const Diff *x, const HdModule *m, const HdInst *in)
{
    uint64_t h = hd_hash_add(1, in->w[0]);

    for (uint32_t i = 1; i < in->nwords; i++) {
        HdId id = in->w[i];

        if (!hd_inst_is_id(m, in, i))
            h = hd_hash_add(h, (uint64_t)1 << 32 | id);
        else
            h = hd_hash_add(h, m == x->b ? x->to_a[id] : x->to_b[id] != 0 ? id : 0);
    }
    return h;
}

static HdStatus take(const Diff *x, const HdModule *m, uint32_t from, uint32_t end, bool hashed,
                     Stretch *s)
{
    s->m = m;
    s->at.count = s->hash.count = 0;
    for (HdInst in; from < end && hd_module_next(m, &from, &in);) {
        HD_TRY_PUSH(NULL, &s->at, in.word);
        if (hashed)
            HD_TRY_PUSH(NULL, &s->hash, shape_hash(x, m, &in));
    }
    return HD_OK;
}

/* Take two stretches, by hashes of their instructions or, when no ids have to be matched any more,
 * by words. No pairs yet. */
static HdStatus take_both(Diff *x, const HdModule *b, uint32_t a0, uint32_t a1, uint32_t b0,
                          uint32_t b1, bool hashed)
{
    HD_TRY(take(x, x->a, a0, a1, hashed, &x->old));
    HD_TRY(take(x, b, b0, b1, hashed, &x->new));
    if (x->pairs < x->old.at.count) {
        hd_free(x->pair);
        x->pairs = 0;
        HD_TAKE(x->pair, hd_alloc(x->old.at.count * sizeof *x->pair));
        x->pairs = x->old.at.count;
    }
    if (x->old.at.count != 0)
        memset(x->pair, 0, x->old.at.count * sizeof *x->pair);
    return HD_OK;
}

static bool same(const Stretch *a, size_t i, const Stretch *b, size_t k)
{
    const uint32_t *v, *w;

    if (a->hash.count != 0)
        return a->hash.at[i] == b->hash.at[k];
    v = a->m->words + a->at.at[i];
    w = b->m->words + b->at.at[k];
    return *v == *w && memcmp(v, w, (*v >> 16) * sizeof *v) == 0;
}

/* The furthest point of each diagonal after each number of edits (Myers). */
typedef struct Trace {
    HD_ARRAY(int32_t *) steps;
} Trace;

static HdStatus find_path(Diff *x, size_t a0, size_t a1, size_t b0, size_t b1, Trace *t,
                          int32_t *edits)
{
    int32_t n = (int32_t)(a1 - a0), m = (int32_t)(b1 - b0), most = n + m;

    if (most > MAX_EDITS)
        most = MAX_EDITS;
    *edits = -1;
    for (int32_t d = 0; d <= most; d++) {
        int32_t *v, *last = d != 0 ? t->steps.at[d - 1] + d : NULL;

        HD_TAKE(v, HD_NEW(x->arena, int32_t, 2 * (size_t)d + 3));
        HD_TRY_PUSH(x->arena, &t->steps, v);
        v += d + 1; /* v[k], -d - 1 <= k <= d + 1 */
        for (int32_t k = -d; k <= d; k += 2) {
            int32_t i = d == 0                                             ? 0
                        : k == -d || (k != d && last[k - 1] < last[k + 1]) ? last[k + 1]
                                                                           : last[k - 1] + 1;

            while (i < n && i - k < m && i - k >= 0 &&
                   same(&x->old, a0 + (size_t)i, &x->new, b0 + (size_t)(i - k)))
                i++;
            v[k] = i;
            if (i >= n && i - k >= m) {
                *edits = d;
                return HD_OK;
            }
        }
    }
    return HD_OK;
}

/* Find pairs of equal instructions of the two stretches. */
static HdStatus align(Diff *x)
{
    const Stretch *a = &x->old, *b = &x->new;
    size_t a0 = 0, b0 = 0, a1 = a->at.count, b1 = b->at.count;
    uint32_t *pair = x->pair;
    Trace t = {0};
    int32_t edits, i, k;

    for (; a0 < a1 && b0 < b1 && same(a, a0, b, b0); a0++, b0++)
        pair[a0] = (uint32_t)b0 + 1;
    for (; a0 < a1 && b0 < b1 && same(a, a1 - 1, b, b1 - 1); a1--, b1--)
        pair[a1 - 1] = (uint32_t)b1;
    if (a0 == a1 || b0 == b1)
        return HD_OK;
    HD_TRY(find_path(x, a0, a1, b0, b1, &t, &edits));
    if (edits < 0) {
        hd_arena_clear(x->arena);
        return HD_OK; /* too different */
    }
    i = (int32_t)(a1 - a0);
    k = i - (int32_t)(b1 - b0);
    for (int32_t d = edits; d >= 0; d--) {
        const int32_t *last = d != 0 ? t.steps.at[d - 1] + d : NULL;
        bool down = d != 0 && (k == -d || (k != d && last[k - 1] < last[k + 1]));
        int32_t from = d == 0 ? 0 : down ? last[k + 1] : last[k - 1] + 1;

        for (; i > from; i--)
            pair[a0 + (size_t)i - 1] = (uint32_t)(b0 + (size_t)(i - k));
        if (d == 0)
            break;
        k += down ? 1 : -1;
        i = down ? from : from - 1;
    }
    hd_arena_clear(x->arena);
    return HD_OK;
}

static void match_results(Diff *x)
{
    const Stretch *a = &x->old, *b = &x->new;

    for (size_t i = 0; i < a->at.count; i++) {
        HdInst p, q;

        if (x->pair[i] == 0)
            continue;
        p = hd_module_inst(a->m, a->at.at[i]);
        q = hd_module_inst(b->m, b->at.at[x->pair[i] - 1]);
        match(x, hd_inst_result(&p), hd_inst_result(&q));
    }
}

/* Between aligned instructions, if both sides have the same number: each is matched with the one in
 * its place, so that the uses of its result are equal. */
static void match_gaps(Diff *x)
{
    const Stretch *a = &x->old, *b = &x->new;
    const uint32_t *pair = x->pair;
    size_t i = 0, j = 0;

    while (i < a->at.count) {
        size_t end = i, other;

        while (end < a->at.count && pair[end] == 0)
            end++;
        other = end < a->at.count ? pair[end] - 1u : b->at.count;
        for (size_t k = 0; end - i == other - j && k < end - i; k++) {
            HdInst p = hd_module_inst(a->m, a->at.at[i + k]);
            HdInst q = hd_module_inst(b->m, b->at.at[j + k]);

            if (hd_gram_insts[p.opix].has_type == hd_gram_insts[q.opix].has_type &&
                !by_content(&p) && !by_content(&q))
                match(x, hd_inst_result(&p), hd_inst_result(&q));
        }
        i = end + 1;
        j = other + 1;
    }
}

static HdStatus match_epoch(Diff *x, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1)
{
    HD_TRY(take_both(x, x->b, a0, a1, b0, b1, true));
    HD_TRY(align(x));
    match_results(x);
    match_gaps(x);
    return HD_OK;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* b's words with a's ids; those that match none get numbers after a's. */
static HdStatus renumber(Diff *x, HdDiags *d, HdDiff *out)
{
    const HdModule *b = x->b;
    uint32_t next = x->a->bound, word = HD_MODULE_FIRST_WORD, *words;

    HD_TAKE(words, hd_alloc(b->nwords * sizeof *words));
    memcpy(words, b->words, b->nwords * sizeof *words);
    for (HdId id = 1; id < b->bound; id++)
        if (x->to_a[id] == 0 && b->def[id] != 0)
            x->to_a[id] = next++;
    for (HdInst in; hd_module_next(b, &word, &in);)
        for (uint32_t i = 1; i < in.nwords; i++) {
            if (!hd_inst_is_id(b, &in, i))
                continue;
            if (x->to_a[in.w[i]] == 0)
                x->to_a[in.w[i]] = next++;
            words[in.word + i] = x->to_a[in.w[i]];
        }
    words[3] = next;
    return hd_module_index_own(words, b->nwords, d, &out->renumbered);
}

static HdStatus add_lines(Diff *x, Lines *lines, size_t *changed, uint32_t a0, uint32_t a1,
                          const HdModule *n, uint32_t b0, uint32_t b1)
{
    const Stretch *a = &x->old, *b = &x->new;
    size_t j = 0;

    HD_TRY(take_both(x, n, a0, a1, b0, b1, false));
    HD_TRY(align(x));
    for (size_t i = 0; i <= a->at.count; i++) {
        size_t until = i < a->at.count ? x->pair[i] : b->at.count + 1;

        if (i < a->at.count && until == 0) {
            HD_TRY_PUSH(NULL, lines, ((HdDiffLine){HD_DIFF_OLD, a->at.at[i]}));
            ++*changed;
            continue;
        }
        for (; j + 1 < until; j++) {
            HD_TRY_PUSH(NULL, lines, ((HdDiffLine){HD_DIFF_NEW, b->at.at[j]}));
            ++*changed;
        }
        if (i < a->at.count) {
            HD_TRY_PUSH(NULL, lines, ((HdDiffLine){HD_DIFF_SAME, a->at.at[i]}));
            j++;
        }
    }
    return HD_OK;
}

/* Declarations, then each of a's functions with the one that it matches, then those of b that match
 * none. */
static HdStatus write_lines(Diff *x, HdDiff *out, Lines *lines)
{
    const HdModule *n = out->renumbered;

    HD_TRY(add_lines(x, lines, &out->changed, HD_MODULE_FIRST_WORD, x->a->first_function, n,
                     HD_MODULE_FIRST_WORD, n->first_function));
    for (uint32_t i = 0; i < x->a->function_count; i++) {
        const HdFunction *f = &x->a->functions[i], *g = hd_module_function(n, f->id);

        HD_TRY(add_lines(x, lines, &out->changed, f->word, f->end, n, g != NULL ? g->word : 0,
                         g != NULL ? g->end : 0));
    }
    for (uint32_t i = 0; i < n->function_count; i++) {
        const HdFunction *g = &n->functions[i];

        if (hd_module_function(x->a, g->id) == NULL)
            HD_TRY(add_lines(x, lines, &out->changed, 0, 0, n, g->word, g->end));
    }
    return HD_OK;
}

static void drop_epochs(Diff *x)
{
    hd_arena_empty(x->arena);
    HD_ARRAY_FREE(&x->old.at);
    HD_ARRAY_FREE(&x->old.hash);
    HD_ARRAY_FREE(&x->new.at);
    HD_ARRAY_FREE(&x->new.hash);
    hd_free(x->pair);
    x->pair = NULL;
    x->pairs = 0;
}

static HdStatus diff_in(Diff *x, HdDiags *d, HdDiff *out)
{
    Lines lines = {0};
    HdStatus st;

    HD_TAKE(x->arena, hd_arena_open());
    HD_TAKE(x->to_a, hd_alloc_zero((size_t)x->b->bound * sizeof *x->to_a));
    HD_TAKE(x->to_b, hd_alloc_zero((size_t)x->a->bound * sizeof *x->to_b));
    HD_TRY(match_symbols(x));
    HD_TRY(match_names(x));
    HD_TRY(match_declarations(x));
    match_functions(x);
    match_undefined(x);
    HD_TRY(match_epoch(x, HD_MODULE_FIRST_WORD, x->a->first_function, HD_MODULE_FIRST_WORD,
                       x->b->first_function));
    for (uint32_t i = 0; i < x->a->function_count; i++) {
        const HdFunction *f = &x->a->functions[i], *g = hd_module_function(x->b, x->to_b[f->id]);

        if (g != NULL)
            HD_TRY(match_epoch(x, f->word, f->end, g->word, g->end));
    }
    drop_epochs(x); /* their memory is the module's that is read now */
    hd_free(x->to_b);
    x->to_b = NULL;
    HD_TRY(renumber(x, d, out));
    hd_free(x->to_a); /* ids are the same from here on */
    x->to_a = NULL;
    out->header = x->a->version != x->b->version || x->a->generator != x->b->generator;
    st = write_lines(x, out, &lines);
    out->lines = lines.at;
    out->line_count = lines.count;
    return st;
}

HdStatus hd_xform_diff(const HdModule *a, const HdModule *b, HdDiags *d, HdDiff *out)
{
    Diff x = {.a = a, .b = b};
    HdStatus st;

    *out = (HdDiff){0};
    st = diff_in(&x, d, out);
    if (x.arena != NULL)
        drop_epochs(&x);
    hd_arena_drop(x.arena);
    hd_free(x.to_a);
    hd_free(x.to_b);
    if (st != HD_OK)
        hd_diff_free(out);
    return st;
}

void hd_diff_free(HdDiff *diff)
{
    hd_module_drop(diff->renumbered);
    hd_free(diff->lines);
    *diff = (HdDiff){0};
}
