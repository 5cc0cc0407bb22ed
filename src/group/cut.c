/* group/cut.c -- cutting a wide function at its barriers, and elsewhere if copies get too many.
 *
 * SPDX-License-Identifier: MIT
 */
#include "group/cut.h"

#include "base/bitset.h"
#include "ir/edit.h"

#define MOST_COPIES 2u /* of the function, in all regions together */
#define FREE_INSTS  400u
#define MUCH_SAVED  1000u /* instructions, for which one more region is worth it */
#define MOST_CUTS   64u
#define MOST_WORDS  ((size_t)1 << 23) /* of the regions' sets */

HdIrRef hd_group_barrier(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];
    HdIrRef r = b->insts.count >= 2 ? b->insts.at[b->insts.count - 2] : 0;

    return r != 0 && f->insts.at[r].op == HD_IR_BARRIER ? r : 0;
}

/* Move the instructions from `index` on to a new block and branch there. */
static HdStatus split(HdIrFunc *f, uint32_t block, size_t index)
{
    uint32_t rest = hd_ir_block(f);
    HdIrBlock *from, *to;

    if (f->module->failed)
        return HD_NO_MEMORY;
    from = &f->blocks.at[block];
    to = &f->blocks.at[rest];
    to->succ = from->succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    from->succ = NULL;
    from->cases = NULL;
    from->succ_count = 0;
    for (size_t i = index; i < from->insts.count; i++) {
        HdIrRef r = from->insts.at[i];

        HD_TRY_PUSH(f->module->arena, &to->insts, r);
        f->insts.at[r].block = rest;
    }
    from->insts.count = index;
    for (uint32_t i = 0; i < to->succ_count; i++)
        hd_ir_phi_rename(f, to->succ[i], block, rest);
    hd_ir_br(f, block, rest);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus split_at_barriers(HdIrFunc *f)
{
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++)
            if (f->insts.at[f->blocks.at[b].insts.at[i]].op == HD_IR_BARRIER) {
                HD_TRY(split(f, b, i + 1));
                break;
            }
    return HD_OK;
}

/* Insert a cut after the phis of a block. */
static HdStatus cut_at(HdIrFunc *f, uint32_t block)
{
    size_t i = hd_ir_phi_count(f, block);

    hd_ir_insert(f, block, i, HD_IR_BARRIER, HD_IR_VOID, HD_GROUP_CUT, 0, NULL, 0);
    if (f->module->failed)
        return HD_NO_MEMORY;
    return split(f, block, i + 1);
}

/* ---- regions ------------------------------------------------------------------------------- */

static void reach(const HdCut *c, uint64_t *set, uint32_t entry, uint32_t *stack)
{
    uint32_t depth = 0;

    stack[depth++] = entry;
    hd_bit_add(set, entry);
    while (depth != 0) {
        uint32_t b = stack[--depth];
        const HdIrBlock *block = &c->f->blocks.at[b];

        if (c->next[b] != HD_IR_NOWHERE)
            continue;
        for (uint32_t i = 0; i < block->succ_count; i++)
            if (!hd_bit_has(set, block->succ[i])) {
                hd_bit_add(set, block->succ[i]);
                stack[depth++] = block->succ[i];
            }
    }
}

static HdStatus find_regions(HdCut *c, HdArena *a)
{
    size_t blocks = c->f->blocks.count, words = HD_BITSET_WORDS(blocks);
    uint32_t *stack;

    HD_TRY(hd_ir_graph(c->f, a, &c->g));
    HD_TRY(hd_group_uniform(c->f, c->g, a, &c->uniform));
    HD_TAKE(c->next, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(stack, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(c->entry, HD_NEW(a, uint32_t, blocks + 1));
    HD_TAKE(c->from, HD_NEW(a, uint32_t, blocks + 1));
    c->count = 1;
    c->from[0] = HD_IR_NOWHERE;
    /* Sub-groups that wait for each other in loops run each by itself. */
    c->agree = !c->f->waits.needs_fibers;
    for (uint32_t b = 0; b < blocks; b++)
        c->next[b] = HD_IR_NOWHERE;
    for (uint32_t r = 0; r < c->g->reachable; r++) {
        uint32_t b = c->g->order[r];

        if (hd_group_barrier(c->f, b) == 0)
            continue;
        c->agree = c->agree && !c->uniform.parted[b];
        c->from[c->count] = b;
        c->entry[c->count] = c->f->blocks.at[b].succ[0];
        c->next[b] = c->count++;
    }
    if (c->count * words > MOST_WORDS)
        return HD_UNSUPPORTED;
    HD_TAKE(c->blocks, HD_NEW(a, uint64_t *, c->count));
    for (uint32_t i = 0; i < c->count; i++) {
        HD_TAKE(c->blocks[i], HD_NEW(a, uint64_t, words));
        reach(c, c->blocks[i], c->entry[i], stack);
    }
    return HD_OK;
}

/* ---- copies -------------------------------------------------------------------------------- */

static size_t block_size(const HdCut *c, uint32_t b)
{
    return c->f->blocks.at[b].insts.count;
}

static bool is_too_much(const HdCut *c)
{
    size_t whole = 0, copies = 0;

    for (uint32_t r = 0; r < c->g->reachable; r++) {
        uint32_t b = c->g->order[r];

        whole += block_size(c, b);
        for (uint32_t i = 0; i < c->count; i++)
            copies += hd_bit_has(c->blocks[i], b) ? block_size(c, b) : 0;
    }
    return copies > MOST_COPIES * whole + FREE_INSTS;
}

/* Does control come by here as often for every sub-group as by barriers, and is anything between
 * the phis and the barrier, if there is one? */
static bool may_cut(const HdCut *c, uint32_t b, const bool *has_barrier)
{
    uint32_t l = c->g->loop[b];

    return !(c->agree && c->uniform.parted[b]) &&
           (c->next[b] == HD_IR_NOWHERE || hd_ir_phi_count(c->f, b) + 2 < block_size(c, b)) &&
           (l == HD_IR_NOWHERE || has_barrier[l]) &&
           c->g->pred_first[b + 1] - c->g->pred_first[b] > 1;
}

/* The most that a cut saves: what follows block b, for all but one of the regions it is in. */
static size_t savings(const HdCut *c, uint32_t b, uint64_t *set, uint32_t *stack)
{
    size_t words = HD_BITSET_WORDS(c->f->blocks.count), size = 0, in = 0;

    for (uint32_t i = 0; i < c->count; i++)
        in += hd_bit_has(c->blocks[i], b);
    if (in < 2)
        return 0;
    for (size_t i = 0; i < words; i++)
        set[i] = 0;
    reach(c, set, b, stack);
    for (uint32_t r = 0; r < c->g->reachable; r++)
        if (hd_bit_has(set, c->g->order[r]))
            size += block_size(c, c->g->order[r]);
    return size * (in - 1);
}

/* Where a cut saves most, and how much; HD_IR_NOWHERE and 0: nowhere. */
static HdStatus best_cut(const HdCut *c, HdArena *a, uint32_t *block, size_t *saved)
{
    bool *has_barrier;
    uint64_t *set;
    uint32_t *stack;

    *block = HD_IR_NOWHERE;
    *saved = 0;
    HD_TAKE(has_barrier, HD_NEW(a, bool, c->g->loop_count + 1));
    HD_TAKE(set, HD_NEW(a, uint64_t, HD_BITSET_WORDS(c->f->blocks.count)));
    HD_TAKE(stack, HD_NEW(a, uint32_t, c->f->blocks.count));
    for (uint32_t i = 1; i < c->count; i++)
        for (uint32_t l = c->g->loop[c->from[i]]; l != HD_IR_NOWHERE; l = c->g->loops[l].parent)
            has_barrier[l] = true;
    for (uint32_t r = 1; r < c->g->reachable; r++) {
        uint32_t b = c->g->order[r];
        size_t s = may_cut(c, b, has_barrier) ? savings(c, b, set, stack) : 0;

        if (s > *saved) {
            *saved = s;
            *block = b;
        }
    }
    return HD_OK;
}

/* ---- barriers under conditions ---------------------------------------------------------------
 *
 * `if (flag) barrier(…);` repeated many times, as in unrolled loops: from each of them everything
 * that follows can be reached without another barrier, so that each region would contain all the
 * rest. If the flag is the same for all sub-groups, they may as well wait before the test. */

/* Is a barrier all that the block has? */
static bool only_waits(const HdIrFunc *f, uint32_t block)
{
    return f->blocks.at[block].insts.count == 2 && hd_group_barrier(f, block) != 0;
}

/* The block whose branch decides whether there is a wait at `block`, and does for all sub-groups
 * alike; HD_IR_NOWHERE for none. */
static uint32_t decided_by(const HdCut *c, uint32_t block)
{
    const HdIrGraph *g = c->g;
    const HdIrBlock *before;
    uint32_t pred = g->pred[g->pred_first[block]];

    if (!only_waits(c->f, block) || g->pred_first[block + 1] - g->pred_first[block] != 1)
        return HD_IR_NOWHERE;
    before = &c->f->blocks.at[pred];
    if (c->f->insts.at[hd_ir_last(c->f, pred)].op != HD_IR_CONDBR || c->uniform.parted[pred] ||
        c->uniform.varies[hd_ir_arg(c->f, hd_ir_last(c->f, pred), 0)] ||
        (only_waits(c->f, before->succ[0]) && only_waits(c->f, before->succ[1])))
        return HD_IR_NOWHERE;
    return pred;
}

/* Move a barrier before the branch that a block ends with. */
static HdStatus wait_before(HdIrFunc *f, uint32_t block, HdIrRef barrier)
{
    HdIrBlock *b = &f->blocks.at[block];
    size_t end = b->insts.count - 1;

    HD_TRY_PUSH(f->module->arena, &b->insts, b->insts.at[end]);
    b->insts.at[end] = barrier;
    f->insts.at[barrier].block = block;
    return split(f, block, end + 1);
}

static HdStatus wait_anyway(HdCut *c, HdArena *a)
{
    bool changed = false;

    for (uint32_t i = 1; i < c->count; i++) {
        uint32_t pred = decided_by(c, c->from[i]);

        if (pred == HD_IR_NOWHERE)
            continue;
        HD_TRY(wait_before(c->f, pred, hd_group_barrier(c->f, c->from[i])));
        changed = true;
    }
    if (!changed)
        return HD_OK;
    hd_ir_sweep(c->f);
    return find_regions(c, a);
}

HdStatus hd_group_cut(HdIrFunc *wide, HdArena *a, HdCut *out)
{
    *out = (HdCut){.f = wide};
    HD_TRY(split_at_barriers(wide));
    HD_TRY(find_regions(out, a));
    if (is_too_much(out))
        HD_TRY(wait_anyway(out, a));
    for (unsigned cuts = 0; cuts < MOST_CUTS; cuts++) {
        uint32_t block;
        size_t saved;

        HD_TRY(best_cut(out, a, &block, &saved));
        if (block == HD_IR_NOWHERE || (saved < MUCH_SAVED && !is_too_much(out)))
            break;
        HD_TRY(cut_at(wide, block));
        HD_TRY(find_regions(out, a));
    }
    return is_too_much(out) ? HD_UNSUPPORTED : HD_OK;
}
