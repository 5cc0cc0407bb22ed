/* xform/diff.c -- two modules side by side.
 *
 * Each instruction has a hash of its opcode and words in which an id stands for what it was matched
 * to: equal instructions of matched ids are equal, others are told apart. The sequences of hashes
 * are aligned (shortest edit, by diagonals), first of declarations, then function by function;
 * results of aligned instructions are matched, so that what uses them aligns in turn.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/diff.h"

#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"

/* Edits that an alignment looks for at most, in one stretch: beyond it the rest is all different.
 */
#define MAX_EDITS 1024

typedef HD_ARRAY(uint32_t) Words;
typedef HD_ARRAY(HdDiffLine) Lines;

typedef struct Diff {
    const HdModule *a, *b;
    HdArena *arena;
    uint32_t *to_a;   /* [b's bound] a's id, 0: none yet */
    uint32_t *to_b;   /* [a's bound] */
    uint64_t *hash_a; /* [a's bound] of definitions of types and constants; 0: none */
    uint64_t *hash_b;
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

static bool by_content(const HdInst *in)
{
    const HdGramInst *g = &hd_gram_insts[in->opix];

    return in->opix == HD_OPIX_ExtInstImport || in->opix == HD_OPIX_String ||
           hd_gram_forms[in->opix].is_type || in->opix == HD_OPIX_Undef ||
           (g->klass == HD_CLASS_Constant_Creation && g->has_result);
}

static uint64_t name_hash(const HdModule *m, HdId id)
{
    const char *name = hd_module_name(m, id);

    return name != NULL ? hd_hash_bytes(name, strlen(name), 1) : 0;
}

/* Of a declaration: opcode, literals, and the hashes of the ids in it. Structures and
 * specialisation constants are told apart by name too. A constant with a SpecId is that of its
 * number and type, whatever its default. */
static uint64_t content_hash(const HdModule *m, const HdInst *in, const uint64_t *of)
{
    const HdDecoration *spec = hd_module_decoration(m, hd_inst_result(in), SpvDecorationSpecId);
    uint64_t h = hd_hash_u64(in->opcode);
    HdOperandWalk walk;
    HdOperandPart part;

    if (spec != NULL && spec->operand_count != 0)
        return hd_hash_u64(hd_hash_u64(of[in->w[1]]) ^ hd_decoration_value(m, spec)) | 1;
    if (in->opix == HD_OPIX_TypeStruct || in->opix == HD_OPIX_TypeOpaque ||
        strncmp(hd_gram_insts[in->opix].name, "OpSpec", 6) == 0)
        h ^= name_hash(m, hd_inst_result(in));
    hd_operands_start(&walk, &m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        if (part.klass == HD_OPERAND_RESULT)
            continue;
        if (part.klass <= HD_OPERAND_SEMANTICS_ID)
            h = hd_hash_u64(h ^ of[in->w[part.at]]);
        else
            h = hd_hash_bytes(in->w + part.at, part.nwords * sizeof *in->w, h);
    }
    return h | 1;
}

/* Hashes of declarations in module order, so that those of their operands are there; and ids of
 * equal ones in the order in which they come. */
static HdStatus hash_declarations(const HdModule *m, uint64_t *of)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (by_content(&in))
            of[hd_inst_result(&in)] = content_hash(m, &in, of);
    return HD_OK;
}

/* The n-th declaration of a hash matches the n-th of the other. */
static HdStatus match_declarations(Diff *x)
{
    HdMap first = {0}; /* hash to the next b id of it; chained by `next` */
    uint32_t *next, *last;

    HD_TAKE(next, HD_NEW(x->arena, uint32_t, x->b->bound));
    HD_TAKE(last, HD_NEW(x->arena, uint32_t, x->b->bound));
    for (HdId id = 1; id < x->b->bound; id++) {
        uint64_t head;

        if (x->hash_b[id] == 0)
            continue;
        if (!hd_map_get(&first, x->hash_b[id], &head)) {
            if (!hd_map_put(x->arena, &first, x->hash_b[id], id))
                return HD_NO_MEMORY;
            last[id] = id;
        } else {
            next[last[head]] = id;
            last[head] = id;
        }
    }
    for (HdId id = 1; id < x->a->bound; id++) {
        uint64_t head;

        if (x->hash_a[id] == 0 || !hd_map_get(&first, x->hash_a[id], &head) || head == 0)
            continue;
        match(x, id, (HdId)head);
        if (next[head] != 0)
            last[next[head]] = last[head];
        if (!hd_map_put(x->arena, &first, x->hash_a[id], next[head]))
            return HD_NO_MEMORY;
    }
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

static HdStatus match_names(Diff *x)
{
    HdStrMap entries = {0}, links = {0}, names = {0};
    const char *name;

    for (uint32_t i = 0; i < x->b->entry_count; i++)
        HD_TRY(note_name(x, &entries, x->b->entries[i].name, x->b->entries[i].function));
    for (uint32_t i = 0; i < x->b->decoration_count; i++)
        if ((name = linkage(x->b, &x->b->decorations[i])) != NULL)
            HD_TRY(note_name(x, &links, name, x->b->decorations[i].target));
    for (HdId id = 1; id < x->b->bound; id++)
        if ((name = hd_module_name(x->b, id)) != NULL && name[0] != '\0' &&
            x->b->def[id] < x->b->first_function)
            HD_TRY(note_name(x, &names, name, id));
    for (uint32_t i = 0; i < x->b->function_count; i++)
        if ((name = hd_module_name(x->b, x->b->functions[i].id)) != NULL)
            HD_TRY(note_name(x, &names, name, x->b->functions[i].id));
    for (uint32_t i = 0; i < x->a->entry_count; i++)
        match_name(x, &entries, x->a->entries[i].name, x->a->entries[i].function);
    for (uint32_t i = 0; i < x->a->decoration_count; i++)
        if ((name = linkage(x->a, &x->a->decorations[i])) != NULL)
            match_name(x, &links, name, x->a->decorations[i].target);
    for (HdId id = 1; id < x->a->bound; id++)
        if ((name = hd_module_name(x->a, id)) != NULL &&
            (x->a->def[id] < x->a->first_function || hd_module_function(x->a, id) != NULL))
            match_name(x, &names, name, id);
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

/* ---- sequences ----------------------------------------------------------------------------- */

/* A stretch of instructions: words and hashes. */
typedef struct Stretch {
    const HdModule *m;
    Words at;
    HD_ARRAY(uint64_t) hash;
} Stretch;

/* Ids count as what they are matched to in a; results and unmatched ones count alike. */
static uint64_t shape_hash(const Diff *x, const HdModule *m, const HdInst *in)
{
    uint64_t h = hd_hash_u64(in->opcode);
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        if (part.klass <= HD_OPERAND_SEMANTICS_ID) {
            HdId id = in->w[part.at];

            if (m == x->b)
                id = x->to_a[id];
            else if (x->to_b[id] == 0)
                id = 0;
            h = hd_hash_u64(h ^ id);
        } else {
            h = hd_hash_bytes(in->w + part.at, part.nwords * sizeof *in->w, h);
        }
    }
    if (walk.problem != HD_OPERANDS_FINE)
        h = hd_hash_bytes(in->w, in->nwords * sizeof *in->w, h);
    return h;
}

static HdStatus take(Diff *x, const HdModule *m, uint32_t from, uint32_t end, Stretch *s)
{
    s->m = m;
    for (HdInst in; from < end && hd_module_next(m, &from, &in);) {
        HD_TRY_PUSH(x->arena, &s->at, in.word);
        HD_TRY_PUSH(x->arena, &s->hash, shape_hash(x, m, &in));
    }
    return HD_OK;
}

/* The furthest point of each diagonal after each number of edits (Myers). */
typedef struct Trace {
    HD_ARRAY(int32_t *) steps;
} Trace;

static HdStatus find_path(Diff *x, const Stretch *a, size_t a0, size_t a1, const Stretch *b,
                          size_t b0, size_t b1, Trace *t, int32_t *edits)
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
                   a->hash.at[a0 + (size_t)i] == b->hash.at[b0 + (size_t)(i - k)])
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

/* Pairs of equal instructions of the two stretches: pair[i of a] = i of b + 1. */
static HdStatus align(Diff *x, const Stretch *a, const Stretch *b, uint32_t *pair)
{
    size_t a0 = 0, b0 = 0, a1 = a->at.count, b1 = b->at.count;
    Trace t = {0};
    int32_t edits, i, k;

    for (; a0 < a1 && b0 < b1 && a->hash.at[a0] == b->hash.at[b0]; a0++, b0++)
        pair[a0] = (uint32_t)b0 + 1;
    for (; a0 < a1 && b0 < b1 && a->hash.at[a1 - 1] == b->hash.at[b1 - 1]; a1--, b1--)
        pair[a1 - 1] = (uint32_t)b1;
    if (a0 == a1 || b0 == b1)
        return HD_OK;
    HD_TRY(find_path(x, a, a0, a1, b, b0, b1, &t, &edits));
    if (edits < 0)
        return HD_OK; /* too different */
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
    return HD_OK;
}

static void match_results(Diff *x, const Stretch *a, const Stretch *b, const uint32_t *pair)
{
    for (size_t i = 0; i < a->at.count; i++) {
        HdInst p, q;

        if (pair[i] == 0)
            continue;
        p = hd_module_inst(a->m, a->at.at[i]);
        q = hd_module_inst(b->m, b->at.at[pair[i] - 1]);
        match(x, hd_inst_result(&p), hd_inst_result(&q));
    }
}

/* Between aligned instructions, as many of one side as of the other: each stands for the one in its
 * place, so that what uses its result is the same. */
static void match_gaps(Diff *x, const Stretch *a, const Stretch *b, const uint32_t *pair)
{
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

static HdStatus match_stretch(Diff *x, uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1)
{
    Stretch a = {0}, b = {0};
    uint32_t *pair;

    HD_TRY(take(x, x->a, a0, a1, &a));
    HD_TRY(take(x, x->b, b0, b1, &b));
    HD_TAKE(pair, HD_NEW(x->arena, uint32_t, a.at.count + 1));
    HD_TRY(align(x, &a, &b, pair));
    match_results(x, &a, &b, pair);
    match_gaps(x, &a, &b, pair);
    return HD_OK;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* b's words with a's ids; those that match none get numbers behind a's. */
static HdStatus renumber(Diff *x, HdDiags *d, HdDiff *out)
{
    const HdModule *b = x->b;
    uint32_t next = x->a->bound, word = HD_MODULE_FIRST_WORD;

    HD_TAKE(out->words, hd_alloc(b->nwords * sizeof *out->words));
    memcpy(out->words, b->words, b->nwords * sizeof *out->words);
    for (HdId id = 1; id < b->bound; id++)
        if (x->to_a[id] == 0 && b->def[id] != 0)
            x->to_a[id] = next++;
    for (HdInst in; hd_module_next(b, &word, &in);) {
        HdOperandWalk walk;
        HdOperandPart part;

        hd_operands_start(&walk, &b->operand_types, in.w, in.nwords);
        while (hd_operands_next(&walk, &part))
            if (part.klass <= HD_OPERAND_SEMANTICS_ID) {
                if (x->to_a[in.w[part.at]] == 0)
                    x->to_a[in.w[part.at]] = next++;
                out->words[in.word + part.at] = x->to_a[in.w[part.at]];
            }
    }
    out->words[3] = next;
    return hd_module_read(out->words, b->nwords, true, d, &out->renumbered);
}

/* As shape_hash, of words that need no matching any more. */
static HdStatus take_words(Diff *x, const HdModule *m, uint32_t from, uint32_t end, Stretch *s)
{
    s->m = m;
    for (HdInst in; from < end && hd_module_next(m, &from, &in);) {
        HD_TRY_PUSH(x->arena, &s->at, in.word);
        HD_TRY_PUSH(x->arena, &s->hash, hd_hash_bytes(in.w, in.nwords * sizeof *in.w, 0));
    }
    return HD_OK;
}

static HdStatus add_lines(Diff *x, Lines *lines, size_t *changed, uint32_t a0, uint32_t a1,
                          const HdModule *n, uint32_t b0, uint32_t b1)
{
    Stretch a = {0}, b = {0};
    uint32_t *pair;
    size_t j = 0;

    HD_TRY(take_words(x, x->a, a0, a1, &a));
    HD_TRY(take_words(x, n, b0, b1, &b));
    HD_TAKE(pair, HD_NEW(x->arena, uint32_t, a.at.count + 1));
    HD_TRY(align(x, &a, &b, pair));
    for (size_t i = 0; i <= a.at.count; i++) {
        size_t until = i < a.at.count ? pair[i] : b.at.count + 1;

        if (i < a.at.count && until == 0) {
            HD_TRY_PUSH(NULL, lines, ((HdDiffLine){HD_DIFF_OLD, a.at.at[i]}));
            ++*changed;
            continue;
        }
        for (; j + 1 < until; j++) {
            HD_TRY_PUSH(NULL, lines, ((HdDiffLine){HD_DIFF_NEW, b.at.at[j]}));
            ++*changed;
        }
        if (i < a.at.count) {
            HD_TRY_PUSH(NULL, lines, ((HdDiffLine){HD_DIFF_SAME, a.at.at[i]}));
            j++;
        }
    }
    return HD_OK;
}

/* Declarations, then each of a's functions beside the one that it matches, then those of b that
 * match none. */
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

static HdStatus diff_in(Diff *x, HdDiags *d, HdDiff *out)
{
    Lines lines = {0};
    HdStatus st;

    HD_TAKE(x->arena, hd_arena_open());
    HD_TAKE(x->to_a, HD_NEW(x->arena, uint32_t, x->b->bound));
    HD_TAKE(x->to_b, HD_NEW(x->arena, uint32_t, x->a->bound));
    HD_TAKE(x->hash_a, HD_NEW(x->arena, uint64_t, x->a->bound));
    HD_TAKE(x->hash_b, HD_NEW(x->arena, uint64_t, x->b->bound));
    HD_TRY(hash_declarations(x->a, x->hash_a));
    HD_TRY(hash_declarations(x->b, x->hash_b));
    HD_TRY(match_names(x));
    HD_TRY(match_declarations(x));
    match_functions(x);
    HD_TRY(match_stretch(x, HD_MODULE_FIRST_WORD, x->a->first_function, HD_MODULE_FIRST_WORD,
                         x->b->first_function));
    for (uint32_t i = 0; i < x->a->function_count; i++) {
        const HdFunction *f = &x->a->functions[i], *g = hd_module_function(x->b, x->to_b[f->id]);

        if (g != NULL)
            HD_TRY(match_stretch(x, f->word, f->end, g->word, g->end));
    }
    HD_TRY(renumber(x, d, out));
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
    hd_arena_drop(x.arena);
    if (st != HD_OK)
        hd_diff_free(out);
    return st;
}

void hd_diff_free(HdDiff *diff)
{
    hd_module_drop(diff->renumbered);
    hd_free(diff->words);
    hd_free(diff->lines);
    *diff = (HdDiff){0};
}
