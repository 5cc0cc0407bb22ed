/* ops/vla/vla_rule_saves.c -- saves and restores of the stack in one function, by what dominates
 * them.
 *
 * The saves and restores that dominate an instruction form a chain; all chains of a function form a
 * tree. Each mark of the tree refers to the last save before it that no restore has freed, which is
 * found from one restore to the next by jumps (Myers, "An applicative random-access stack"), so
 * that time is nearly linear however deep saves lie in each other and however blocks branch.
 *
 * Spec: SPV_INTEL_variable_length_array, OpSaveMemoryINTEL, OpRestoreMemoryINTEL.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vla/vla_rule_saves.h"

#include "base/bisect.h"

/* Marks are numbered from 1 on, in module order; 0 is none. */
typedef struct Mark {
    uint32_t word;
    uint32_t is_save : 1;
    uint32_t has_save : 1; /* is one, or there is one before it */
    uint32_t before : 30;  /* the mark that comes before it on every way to it */
    uint32_t below;        /* the last save before it that is kept; of a restore: after it */
    uint32_t jump;         /* of a save: one further below; of a restore: what it restores */
    uint32_t depth;        /* of a save: how many are below */
} Mark;

struct HdVlaSaves {
    Mark *marks; /* the first one is no mark */
    uint32_t count;
    uint32_t near;  /* the mark that was looked for last */
    uint32_t *last; /* [blocks] the last mark at the end of each */
    uint64_t steps; /* that may still be taken to say who freed a state */
    bool is_unsure; /* the order of blocks is wrong, which is reported: nothing is known */
};

/* ---- the tree ------------------------------------------------------------------------------ */

static uint32_t top_after(const struct HdVlaSaves *s, uint32_t mark)
{
    return s->marks[mark].is_save ? mark : s->marks[mark].below;
}

/* The first save from `top` downwards that is not after the mark. */
static uint32_t descend(const struct HdVlaSaves *s, uint32_t top, uint32_t mark)
{
    while (top > mark)
        top = s->marks[top].jump > mark ? s->marks[top].jump : s->marks[top].below;
    return top;
}

/* The last mark before a word, by place: 0 if there is none. */
static uint32_t mark_before(const struct HdVlaSaves *s, uint32_t word)
{
    const Mark *first = s->marks + 1; /* 0 is none */
    uint32_t before;

    HD_BISECT(before, s->count - 1, first[before].word >= word);
    return before;
}

/* The mark of the save that an id is of, if it dominates the mark or instruction after `before`. */
static uint32_t save_of(const HdVal *v, HdId id, uint32_t block, uint32_t word)
{
    const struct HdVlaSaves *s = v->saves;
    uint32_t def = v->m->def[id], mark = mark_before(s, def + 1), at;

    if (mark == 0 || s->marks[mark].word != def || !s->marks[mark].is_save || def > word)
        return 0;
    at = hd_module_block_before(v->m, def) - v->f->first_block;
    return at == block || hd_cfg_dominates(v->cfg, at, block) ? mark : 0;
}

static void link_save(const struct HdVlaSaves *s, uint32_t mark)
{
    Mark *at = &s->marks[mark];
    const Mark *below = &s->marks[at->below], *jump = &s->marks[below->jump];

    at->depth = below->depth + 1;
    at->jump = at->below;
    if (at->below != 0 && below->depth - jump->depth == jump->depth - s->marks[jump->jump].depth)
        at->jump = jump->jump;
}

static void link_restore(const HdVal *v, uint32_t mark, uint32_t block)
{
    Mark *at = &v->saves->marks[mark];

    at->jump = save_of(v, v->m->words[at->word + 1], block, at->word);
    if (at->jump != 0)
        at->below = descend(v->saves, at->below, at->jump - 1);
}

static void add_mark(HdVal *v, const HdInst *in, uint32_t block, uint32_t *last)
{
    struct HdVlaSaves *s = v->saves;
    bool is_save = in->opix == HD_OPIX_SaveMemoryINTEL;
    uint32_t mark = s->count++;

    s->marks[mark] = (Mark){.word = in->word,
                            .is_save = is_save,
                            .has_save = is_save || s->marks[*last].has_save,
                            .before = *last & 0x3fffffff,
                            .below = top_after(s, *last)};
    if (is_save)
        link_save(s, mark);
    else
        link_restore(v, mark, block);
    *last = mark;
}

static bool is_mark(enum HdOpix opix)
{
    return opix == HD_OPIX_SaveMemoryINTEL || opix == HD_OPIX_RestoreMemoryINTEL;
}

static void read_block(HdVal *v, uint32_t block, uint32_t *last)
{
    const HdBlock *b = &v->m->blocks[v->f->first_block + block];
    uint32_t word = b->word, end = hd_block_end(v->m, b);

    for (HdInst in; word < end && hd_module_next(v->m, &word, &in);)
        if (is_mark(in.opix))
            add_mark(v, &in, block, last);
}

static HdStatus open_marks(HdVal *v)
{
    uint32_t word = v->f->word, count = 1;

    for (HdInst in; word < v->f->end && hd_module_next(v->m, &word, &in);)
        count += is_mark(in.opix);
    HD_TAKE(v->saves, HD_NEW(v->fa, struct HdVlaSaves, 1));
    HD_TAKE(v->saves->marks, HD_NEW(v->fa, Mark, count));
    v->saves->count = 1;
    v->saves->last = v->cfg->spare[1];
    v->saves->steps = (uint64_t)count * 16 + 65536;
    return HD_OK;
}

/* Blocks come after those that dominate them, so that one look at each is enough. */
static HdStatus find_marks(HdVal *v)
{
    const HdCfg *g = v->cfg;

    if (v->saves != NULL)
        return HD_OK;
    HD_TRY(open_marks(v));
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t last = g->idom[i] < i ? v->saves->last[g->idom[i]] : 0;

        v->saves->is_unsure |= g->idom[i] > i && g->idom[i] != HD_NO_BLOCK;
        if (g->rank[i] != HD_NO_BLOCK)
            read_block(v, i, &last);
        v->saves->last[i] = last;
    }
    return HD_OK;
}

/* ---- queries ------------------------------------------------------------------------------- */

/* The same for instructions in their order. */
static uint32_t next_mark_before(struct HdVlaSaves *s, uint32_t word)
{
    uint32_t next = s->near + 1;

    if (next < s->count && s->marks[next].word < word)
        s->near++;
    if (s->marks[s->near].word >= word ||
        (s->near + 1 < s->count && s->marks[s->near + 1].word < word))
        s->near = mark_before(s, word);
    return s->near;
}

/* The last mark that dominates an instruction of the current block. */
static uint32_t last_before(const HdVal *v, const HdInst *in)
{
    const struct HdVlaSaves *s = v->saves;
    uint32_t block = v->block - v->f->first_block, mark = next_mark_before(v->saves, in->word);

    if (mark != 0 && s->marks[mark].word > v->m->blocks[v->block].word)
        return mark;
    return v->cfg->idom[block] < block ? s->last[v->cfg->idom[block]] : 0;
}

/* Is it known what dominates the current block? */
static bool is_sure(const HdVal *v)
{
    return v->cfg->rank[v->block - v->f->first_block] != HD_NO_BLOCK && !v->saves->is_unsure;
}

HdStatus hd_vla_is_saved(HdVal *v, const HdInst *in, bool *out)
{
    HD_TRY(find_marks(v));
    *out = !is_sure(v) || v->saves->marks[last_before(v, in)].has_save;
    return HD_OK;
}

/* The first restore after a save that freed it: of the marks from `mark` upwards. */
static HdVlaFreed who_freed(struct HdVlaSaves *s, uint32_t save, uint32_t mark)
{
    HdVlaFreed freed = HD_VLA_KEPT;

    for (; mark > save; mark = s->marks[mark].before) {
        const Mark *at = &s->marks[mark];

        if (s->steps == 0)
            return HD_VLA_KEPT;
        s->steps--;
        if (!at->is_save && at->jump != 0 && at->jump <= save)
            freed = at->jump == save ? HD_VLA_RESTORED : HD_VLA_POPPED;
    }
    return freed;
}

HdStatus hd_vla_freed(HdVal *v, const HdInst *in, HdVlaFreed *out)
{
    struct HdVlaSaves *s;
    uint32_t save, mark;

    *out = HD_VLA_KEPT;
    HD_TRY(find_marks(v));
    if (!is_sure(v))
        return HD_OK;
    s = v->saves;
    mark = last_before(v, in);
    save = s->marks[next_mark_before(s, in->word + 1)].jump;
    if (save != 0 && descend(s, top_after(s, mark), save) != save)
        *out = who_freed(s, save, mark);
    return HD_OK;
}
