/* lanes/version_full.c -- separate code for full sub-groups, whose lanes all take a branch.
 *
 * `if (id < n) …` makes lanes diverge in only one sub-group of many, yet everything it guards would
 * run under a mask. So the guarded code is emitted twice: guarded by a test that all lanes go
 * there, where no mask is needed, and unchanged. The heuristic for branches that are worth it:
 * comparisons of ids with something uniform.
 *
 *     a: if (id < n) b else end         a: if (all lanes: id < n) b' else a'
 *     b: ... to end               to    b': ... without masks, to end
 *     end                               a': if (id < n) b else end
 *                                       b: ... under a mask, to end
 *                                       end
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/version_full.h"

#include <string.h>

#include "ir/copy.h"
#include "lanes/transfer.h"

#define MOST_GUARDED 600u  /* instructions that one branch guards */
#define LEAST_GAIN   4u    /* one in so many of them must gain by a copy */
#define MOST_ADDED   1500u /* instructions that a function grows by */
#define MOST_DEPTH   8u    /* of a condition */

typedef struct Full {
    HdIrFunc *f;
    const HdShapes *s;
    HdIrCopy copy; /* chosen: what the current branch guards */
} Full;

/* ---- which branches ----------------------------------------------------------------------------
 */

/* Made of ids and of what is the same for all lanes. */
static bool is_of_ids(const Full *x, HdIrRef v, uint32_t use, unsigned depth)
{
    const HdIrInst *in = &x->f->insts.at[v];

    if (hd_shape_at(x->s, v, use).kind != HD_SHAPE_VARYING || in->op == HD_IR_BUILTIN)
        return true;
    if (depth == 0 || in->op == HD_IR_PHI || !hd_ir_op_is_pure(in->op))
        return false;
    for (unsigned i = 0; i < in->nargs; i++)
        if (!is_of_ids(x, hd_ir_arg(x->f, v, i), use, depth - 1))
            return false;
    return true;
}

/* Is a another number in each lane, and b one for all? */
static bool is_one_of_lanes(const Full *x, HdIrRef a, HdIrRef b, uint32_t use)
{
    return hd_shape_at(x->s, a, use).kind == HD_SHAPE_AFFINE &&
           hd_shape_at(x->s, b, use).kind == HD_SHAPE_UNIFORM;
}

/* Does no sub-group find v to be `value` in all of its lanes: the first of them are too few? */
static bool is_never(const Full *x, HdIrRef v, bool value)
{
    int64_t limit;
    bool negated;

    return hd_shape_below(x->s, v, &limit, &negated) && value != negated &&
           limit < x->s->target.width;
}

/* Will all lanes mostly find that v is `value`? */
static bool is_likely(const Full *x, HdIrRef v, bool value, uint32_t use, unsigned depth)
{
    const HdIrFunc *f = x->f;
    const HdIrInst *in = &f->insts.at[v];
    const HdIrRef *args = hd_ir_args(f, v);

    if (hd_shape_at(x->s, v, use).kind == HD_SHAPE_UNIFORM)
        return true;
    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_ICMP:
        if (in->sub == HD_IR_EQ || in->sub == HD_IR_NE)
            return (in->sub == HD_IR_NE) == value && (is_one_of_lanes(x, args[0], args[1], use) ||
                                                      is_one_of_lanes(x, args[1], args[0], use));
        return !is_never(x, v, value) && is_of_ids(x, args[0], use, depth - 1) &&
               is_of_ids(x, args[1], use, depth - 1);
    case HD_IR_SELECT: /* the way that decides otherwise is not taken */
        if (hd_ir_is_truth(f, args[1], !value))
            return is_likely(x, args[0], false, use, depth - 1) &&
                   is_likely(x, args[2], value, use, depth - 1);
        return hd_ir_is_truth(f, args[2], !value) && is_likely(x, args[0], true, use, depth - 1) &&
               is_likely(x, args[1], value, use, depth - 1);
    case HD_IR_AND:
    case HD_IR_OR:
        return (in->op == HD_IR_AND) == value && is_likely(x, args[0], value, use, depth - 1) &&
               is_likely(x, args[1], value, use, depth - 1);
    case HD_IR_XOR:
        return hd_ir_is_truth(f, args[1], true) && is_likely(x, args[0], !value, use, depth - 1);
    default: return false;
    }
}

/* Is b in a loop that lanes leave at different times? There they need masks anyway. */
static bool is_apart_anyway(const Full *x, uint32_t b)
{
    for (uint32_t l = x->s->g->loop[b]; l != HD_IR_NOWHERE; l = x->s->g->loops[l].parent)
        if (x->s->loop_leaves[l])
            return true;
    return false;
}

/* Mark the blocks between `start` and `stop`; returns the number of instructions, 0 if they must
 * not be duplicated: barriers, blocks that are reached from elsewhere too, or hardly any that gain.
 * *gain is the number of those that gain. */
static uint32_t mark_guarded(Full *x, uint32_t start, uint32_t stop, uint32_t *gain)
{
    const HdIrGraph *g = x->s->g;
    uint32_t size = 0;

    *gain = 0;
    memset(x->copy.chosen, 0, g->count * sizeof *x->copy.chosen);
    x->copy.chosen[start] = true;
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r];
        const HdIrBlock *block = &x->f->blocks.at[b];

        /* A loop's blocks come after its head, but an irreducible one has other entries. */
        if (b != stop && b != start && hd_ir_dominates(g, start, b))
            x->copy.chosen[b] = true;
        if (!x->copy.chosen[b])
            continue;
        size += (uint32_t)block->insts.count;
        *gain += is_apart_anyway(x, b) ? 0 : (uint32_t)block->insts.count;
        for (size_t i = 0; i < block->insts.count; i++)
            if (x->f->insts.at[block->insts.at[i]].op == HD_IR_BARRIER)
                return 0;
        for (uint32_t i = 0; i < block->succ_count; i++)
            if (block->succ[i] != stop && !hd_ir_dominates(g, start, block->succ[i]))
                return 0;
    }
    return *gain * LEAST_GAIN >= size ? size : 0;
}

/* Is b the original branch that put_test placed after its test, and that has its copy already? */
static bool is_tested(const Full *x, uint32_t b)
{
    const HdIrGraph *g = x->s->g;
    const HdIrFunc *f = x->f;
    HdIrRef cond = hd_ir_arg(f, hd_ir_last(f, b), 0), end, all;

    if ((f->insts.at[hd_ir_last(f, b)].flags & HD_IR_TESTED) != 0)
        return true;
    if (f->blocks.at[b].insts.count != 1 || g->pred_first[b + 1] - g->pred_first[b] != 1)
        return false;
    end = hd_ir_last(f, g->pred[g->pred_first[b]]);
    if (f->insts.at[end].op != HD_IR_CONDBR || f->insts.at[hd_ir_arg(f, end, 0)].op != HD_IR_ALL)
        return false;
    all = hd_ir_arg(f, hd_ir_arg(f, end, 0), 0);
    return all == cond || (f->insts.at[all].op == HD_IR_XOR && hd_ir_arg(f, all, 0) == cond &&
                           hd_ir_is_truth(f, hd_ir_arg(f, all, 1), true));
}

/* Does b's branch guard something worth a copy? Then which way, as the number of the successor: of
 * two that lanes may go together the one where more gains by it. */
static bool find_guarded(Full *x, uint32_t b, uint32_t *way, uint32_t *size)
{
    const HdIrGraph *g = x->s->g;
    const HdIrBlock *block = &x->f->blocks.at[b];
    HdIrRef end = block->insts.at[block->insts.count - 1];
    uint32_t most = 0, gain;

    *way = *size = 0;
    if (x->f->insts.at[end].op != HD_IR_CONDBR || !x->s->varying[b] || x->s->divergent[b] ||
        block->succ[0] == block->succ[1] || is_tested(x, b))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t start = block->succ[i], count;

        if (start == g->ipdom[b] || g->pred_first[start + 1] - g->pred_first[start] != 1 ||
            !is_likely(x, hd_ir_arg(x->f, end, 0), i == 0, b, MOST_DEPTH))
            continue;
        count = mark_guarded(x, start, g->ipdom[b], &gain);
        if (count <= 2 || count > MOST_GUARDED || gain <= most)
            continue;
        most = gain;
        *way = i;
        *size = count;
    }
    return most != 0 && mark_guarded(x, block->succ[*way], g->ipdom[b], &gain) != 0;
}

/* ---- copies ------------------------------------------------------------------------------------
 */

/* The test, followed by the original branch. */
static HdStatus put_test(Full *x, uint32_t b, uint32_t way)
{
    HdIrFunc *f = x->f;
    uint32_t own = hd_ir_block(f), succ[2] = {f->blocks.at[b].succ[0], f->blocks.at[b].succ[1]};
    HdIrRef end = hd_ir_last(f, b), cond = hd_ir_arg(f, end, 0), all = cond;

    if (f->module->failed)
        return HD_NO_MEMORY;
    f->blocks.at[own].rank = f->blocks.at[b].rank;
    hd_ir_kill(f, end);
    f->blocks.at[b].insts.count--;
    if (way == 1) {
        HdIrRef args[2] = {cond, hd_ir_const(f, b, HD_IR_BOOL, 1)};

        all = hd_ir_emit(f, b, HD_IR_XOR, HD_IR_BOOL, args, 2);
    }
    all = hd_ir_emit(f, b, HD_IR_ALL, HD_IR_BOOL, &all, 1);
    hd_ir_condbr(f, b, all, x->copy.copies[succ[way]], own);
    hd_ir_condbr(f, own, cond, succ[0], succ[1]);
    for (unsigned i = 0; i < 2; i++)
        hd_ir_phi_rename(f, succ[i], b, own);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_lanes_version_full(HdIrFunc *f, const HdShapes *s, HdArena *a, uint32_t *added,
                               bool *changed)
{
    Full x = {.f = f, .s = s};
    uint32_t way, size;

    HD_TRY(hd_ir_copy_open(f, a, &x.copy));
    *changed = false;
    for (uint32_t r = 0; r < s->g->reachable && !*changed; r++) {
        uint32_t b = s->g->order[r];

        if (!find_guarded(&x, b, &way, &size) || *added + size > MOST_ADDED)
            continue;
        *added += size;
        *changed = true;
        HD_TRY(hd_ir_copy_make(&x.copy, s->g->ipdom[b]));
        for (uint32_t k = 0; k < x.copy.blocks; k++)
            f->blocks.at[k].seldom = f->blocks.at[k].seldom || x.copy.chosen[k];
        HD_TRY(put_test(&x, b, way));
    }
    return HD_OK;
}
