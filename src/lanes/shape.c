/* lanes/shape.c -- shapes to a fixpoint, together with the blocks where lanes diverge.
 *
 * Two analyses feed each other: shapes of values decide which branches vary; varying branches
 * decide which blocks run with only some of the lanes, where lanes meet again with different values
 * (joins), and which loops they leave at different times. Both are monotonic, so the alternation
 * ends after at most as many iterations as there are branches; two or three in practice.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/shape.h"

#include <string.h>

#include "ir/each.h"
#include "lanes/transfer.h"

/* ---- where lanes part ---------------------------------------------------------------------- */

/* Scratch of mark_branch. */
typedef struct Marks {
    uint32_t *stack;
    uint32_t *label;      /* which way a block is reached: 1 + a block number, or 0 */
    uint32_t first, last; /* in the order: no block outside has a label */
} Marks;

static bool raise_flag(bool *flag)
{
    bool was = *flag;

    *flag = true;
    return !was;
}

/* Time is in proportion to the blocks between a branch and where its ways meet: not to all, which
 * would be quadratic. */
static void clear_labels(const HdIrGraph *g, Marks *marks)
{
    for (uint32_t r = marks->first; r <= marks->last && r < g->reachable; r++)
        marks->label[g->order[r]] = 0;
    marks->first = g->reachable;
    marks->last = 0;
}

static void put_label(const HdIrGraph *g, Marks *marks, uint32_t b, uint32_t label)
{
    marks->label[b] = label;
    if (g->rank[b] < marks->first)
        marks->first = g->rank[b];
    if (g->rank[b] > marks->last)
        marks->last = g->rank[b];
}

/* Label the blocks on ways from b that do not lead through `stop`. */
static void find_region(const HdShapes *s, uint32_t b, uint32_t stop, Marks *marks)
{
    const HdIrBlock *blocks = s->f->blocks.at;
    uint32_t depth = 0;

    clear_labels(s->g, marks);
    for (uint32_t i = 0; i < blocks[b].succ_count; i++)
        marks->stack[depth++] = blocks[b].succ[i];
    while (depth != 0) {
        uint32_t x = marks->stack[--depth];

        if (x == stop || marks->label[x] != 0)
            continue;
        put_label(s->g, marks, x, 1);
        for (uint32_t i = 0; i < blocks[x].succ_count; i++)
            if (marks->label[blocks[x].succ[i]] == 0)
                marks->stack[depth++] = blocks[x].succ[i];
    }
}

/* A loop that contains `stop` and a block of its region that comes after it in the order, so that
 * lanes would pass `stop` before others reach it; HD_IR_NOWHERE: none. The head of a loop without
 * convergent operations may wait for all: each path that comes back to it then ends there, as if a
 * last block of the loop led to it. Of any other block that would not hold: lanes could pass the
 * branch again, in another iteration, on their way to it. */
static uint32_t loop_with_later(const HdShapes *s, uint32_t stop, const Marks *marks)
{
    const HdIrGraph *g = s->g;

    for (uint32_t l = g->loop[stop], r = g->rank[stop] + 1; l != HD_IR_NOWHERE;
         l = g->loops[l].parent) {
        if (!s->loop_talks[l] && g->loops[l].head == stop)
            r = g->loops[l].last + 1;
        for (; r <= g->loops[l].last; r++)
            if (marks->label[g->order[r]] != 0)
                return l;
    }
    return HD_IR_NOWHERE;
}

/* The block where lanes that diverge at b have all reconverged: the first of its post-dominators
 * that the order lets run after all blocks on paths to it. Leaves those blocks labelled. */
static uint32_t find_meeting(const HdShapes *s, uint32_t b, Marks *marks)
{
    uint32_t stop = s->g->ipdom[b], l = HD_IR_NOWHERE;

    do {
        while (l != HD_IR_NOWHERE && stop != HD_IR_NOWHERE && hd_ir_loop_holds(s->g, l, stop))
            stop = s->g->ipdom[stop];
        find_region(s, b, stop, marks);
        l = stop == HD_IR_NOWHERE ? HD_IR_NOWHERE : loop_with_later(s, stop, marks);
    } while (l != HD_IR_NOWHERE);
    return stop;
}

static void find_talks(HdShapes *s)
{
    for (uint32_t r = 0; r < s->g->reachable; r++) {
        const HdIrBlock *block = &s->f->blocks.at[s->g->order[r]];
        bool talks = false;

        for (size_t i = 0; i < block->insts.count; i++)
            talks = talks || hd_ir_op_talks(s->f->insts.at[block->insts.at[i]].op);
        for (uint32_t l = s->g->loop[s->g->order[r]]; talks && l != HD_IR_NOWHERE;
             l = s->g->loops[l].parent)
            s->loop_talks[l] = true;
    }
}

/* All blocks on paths from the branch to where it meets again run with some of the lanes. */
static bool mark_region(HdShapes *s, const Marks *marks)
{
    bool changed = false;

    for (uint32_t r = marks->first; r <= marks->last && r < s->g->reachable; r++)
        if (marks->label[s->g->order[r]] != 0)
            changed |= raise_flag(&s->divergent[s->g->order[r]]);
    return changed;
}

/* Lanes that leave a loop at different times arrive where its exits lead from different iterations,
 * in which they may have gone different ways: each such block is a join, and a label of its own
 * leads on from there. */
static bool label_exits(HdShapes *s, uint32_t l, uint32_t stop, Marks *marks)
{
    const HdIrGraph *g = s->g;
    bool changed = raise_flag(&s->loop_leaves[l]);

    for (uint32_t r = g->loops[l].first; r <= g->loops[l].last; r++) {
        const HdIrBlock *x = &s->f->blocks.at[g->order[r]];

        for (uint32_t i = 0; i < x->succ_count; i++) {
            uint32_t t = x->succ[i];

            if (hd_ir_loop_holds(g, l, t))
                continue;
            changed |= raise_flag(&s->join[t]);
            if (t != stop)
                put_label(g, marks, t, t + 1);
        }
    }
    return changed;
}

/* Loops that lanes leave at different times after a branch at which they part: those around it that
 * do not hold the place where they meet, and tangled ones on the way there. */
static bool mark_loops(HdShapes *s, uint32_t b, uint32_t stop, uint32_t first, uint32_t last,
                       Marks *marks)
{
    const HdIrGraph *g = s->g;
    bool changed = false;

    for (uint32_t l = g->loop[b]; l != HD_IR_NOWHERE; l = g->loops[l].parent) {
        if (stop != HD_IR_NOWHERE && hd_ir_loop_holds(g, l, stop))
            break;
        changed |= label_exits(s, l, stop, marks);
    }
    for (uint32_t l = 0; s->any_tangled && l < g->loop_count; l++)
        if (s->loop_tangled[l] && g->loops[l].first >= first && g->loops[l].last <= last)
            changed |= label_exits(s, l, stop, marks);
    return changed;
}

/* Lanes that took different paths meet in blocks that two labels reach. Labels propagate along the
 * order; a block with its own label is a join. Back edges count too: a header reached from two
 * latches. The branch assigns new labels when a loop comes back to it. */
static bool mark_joins(HdShapes *s, uint32_t b, uint32_t stop, Marks *marks)
{
    const HdIrGraph *g = s->g;
    const HdIrBlock *blocks = s->f->blocks.at;
    uint32_t first = marks->first, last = marks->last; /* of the region */
    bool changed, moved = true;

    clear_labels(g, marks);
    changed = mark_loops(s, b, stop, first, last, marks);
    /* A direct edge to where all meet is a path of its own. */
    for (uint32_t i = 0; i < blocks[b].succ_count; i++)
        put_label(g, marks, blocks[b].succ[i], blocks[b].succ[i] + 1);
    while (moved) {
        moved = false;
        for (uint32_t r = marks->first; r <= marks->last; r++) {
            uint32_t x = g->order[r];

            if (marks->label[x] == 0 || x == stop || x == b)
                continue;
            for (uint32_t i = 0; i < blocks[x].succ_count; i++) {
                uint32_t t = blocks[x].succ[i];

                if (marks->label[t] == 0) {
                    put_label(g, marks, t, marks->label[x]);
                    moved = true;
                } else if (marks->label[t] != marks->label[x] && marks->label[t] != t + 1) {
                    marks->label[t] = t + 1;
                    moved = true;
                }
                if (marks->label[t] == t + 1 && marks->label[x] != t + 1)
                    changed |= raise_flag(&s->join[t]);
            }
        }
    }
    /* A branch target that the branch's other side reaches as well keeps its first label: the
     * test above has marked it. Where everything meets is always a join. */
    if (stop != HD_IR_NOWHERE)
        changed |= raise_flag(&s->join[stop]);
    return changed;
}

/* A divergent loop is simple if lanes iterate together: all its back edges leave its last block in
 * the order, which is not part of an inner loop, its head is its only entry, and no edge goes from
 * inside to before it (lanes that take one run first and may re-enter while others wait). */
static bool is_simple(const HdShapes *s, uint32_t l)
{
    const HdIrGraph *g = s->g;
    const struct HdIrLoop *loop = &g->loops[l];

    if (loop->irreducible || g->loop[g->order[loop->last]] != l)
        return false;
    for (uint32_t r = loop->first; r <= loop->last; r++) {
        const HdIrBlock *x = &s->f->blocks.at[g->order[r]];

        for (uint32_t i = 0; i < x->succ_count; i++)
            if (g->rank[x->succ[i]] < loop->first || (r < loop->last && x->succ[i] == loop->head))
                return false;
    }
    return true;
}

static bool mark_tangled(HdShapes *s)
{
    bool changed = false;

    for (uint32_t l = 0; l < s->g->loop_count; l++) {
        uint32_t head = s->g->loops[l].head;

        if (!s->divergent[head] || s->loop_tangled[l])
            continue;
        if (s->target.dispatch || !is_simple(s, l)) {
            s->loop_tangled[l] = s->any_tangled = changed = true;
            for (uint32_t r = s->g->loops[l].first; r <= s->g->loops[l].last; r++)
                s->join[s->g->order[r]] = true;
        }
    }
    return changed;
}

/* Lanes part at b: until where, and which blocks and loops that concerns. */
static bool mark_branch(HdShapes *s, uint32_t b, Marks *marks)
{
    uint32_t stop = find_meeting(s, b, marks);
    bool changed = mark_region(s, marks);

    return mark_joins(s, b, stop, marks) || changed;
}

static bool mark_branches(HdShapes *s, Marks *marks)
{
    bool changed = false;

    for (uint32_t r = 0; r < s->g->reachable; r++) {
        uint32_t b = s->g->order[r];
        const HdIrBlock *block = &s->f->blocks.at[b];
        HdIrRef end = block->insts.at[block->insts.count - 1];

        if (block->succ_count < 2 || s->varying[b])
            continue;
        if (hd_shape_at(s, hd_ir_arg(s->f, end, 0), b).kind == HD_SHAPE_UNIFORM)
            continue;
        s->varying[b] = changed = true;
        mark_branch(s, b, marks);
    }
    if (!mark_tangled(s))
        return changed;
    for (uint32_t r = 0; r < s->g->reachable; r++)
        if (s->varying[s->g->order[r]])
            mark_branch(s, s->g->order[r], marks);
    return true;
}

/* ---- the fixpoint -------------------------------------------------------------------------- */

static bool same(const HdShape *a, const HdShape *b)
{
    return a->kind == b->kind && a->stride == b->stride && a->nsw == b->nsw && a->nuw == b->nuw &&
           a->small == b->small && a->seen == b->seen;
}

/* Raise `old` by `now`: facts are only ever lost. */
static HdShape raised(HdShape old, HdShape now)
{
    if (!now.seen)
        return old;
    if (old.seen) {
        /* A statement once made about the stride is not taken back: what had one and now has
         * another, or none, is varying. */
        if (now.kind < old.kind)
            now.kind = old.kind == HD_SHAPE_ADDRESS && now.stride == old.stride ? HD_SHAPE_ADDRESS
                                                                                : HD_SHAPE_VARYING;
        else if (old.kind != HD_SHAPE_UNIFORM && now.stride != old.stride)
            now.kind = HD_SHAPE_VARYING;
        now.nsw = now.nsw && old.nsw;
        now.nuw = now.nuw && old.nuw;
        now.small = now.small && old.small;
    }
    if (now.kind == HD_SHAPE_VARYING)
        now.stride = 0; /* it has none: one that grows in every iteration is unbounded */
    return now;
}

/* Does this store leave the same in all lanes' elements at one index? */
static bool stores_same(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];
    HdIrRef array = s->arrays.of[hd_ir_arg(s->f, v, 0)];
    HdShape at = hd_shape_at(s, hd_ir_arg(s->f, v, 0), in->block);
    HdShape value = hd_shape_at(s, hd_ir_arg(s->f, v, 1), in->block);

    return !s->divergent[in->block] && (in->flags & HD_IR_VOLATILE) == 0 &&
           (!at.seen || (at.kind == HD_SHAPE_AFFINE && at.stride == s->arrays.element[array])) &&
           (!value.seen || value.kind == HD_SHAPE_UNIFORM);
}

static bool update_array(HdShapes *s, HdIrRef v)
{
    HdIrRef array = s->f->insts.at[v].op == HD_IR_STORE ? s->arrays.of[hd_ir_arg(s->f, v, 0)] : 0;

    return array != 0 && !stores_same(s, v) && raise_flag(&s->array_varies[array]);
}

static bool update_values(HdShapes *s)
{
    bool changed = false;

    for (HdIrEach e = hd_ir_each_reachable(s->f, s->g); hd_ir_next(&e);) {
        HdIrRef v = e.inst;
        HdShape now = raised(s->of[v], hd_shape_transfer(s, v));

        changed |= update_array(s, v);
        if (same(&now, &s->of[v]))
            continue;
        s->of[v] = now;
        changed = true;
    }
    return changed;
}

HdStatus hd_shapes(const HdIrFunc *f, const HdIrGraph *g, HdLaneTarget target,
                   const HdLaneArrays *arrays, HdArena *a, HdShapes **out)
{
    size_t edges = 1;
    HdShapes *s;
    Marks marks = {.first = g->reachable};

    HD_TAKE(s, HD_NEW(a, HdShapes, 1));
    *s = (HdShapes){.f = f, .g = g, .target = target, .arrays = *arrays};
    HD_TAKE(s->array_varies, HD_NEW(a, bool, f->insts.count));
    HD_TAKE(s->of, HD_NEW(a, HdShape, f->insts.count));
    HD_TAKE(s->divergent, HD_NEW(a, bool, f->blocks.count));
    HD_TAKE(s->join, HD_NEW(a, bool, f->blocks.count));
    HD_TAKE(s->varying, HD_NEW(a, bool, f->blocks.count));
    HD_TAKE(s->loop_leaves, HD_NEW(a, bool, g->loop_count + 1));
    HD_TAKE(s->loop_talks, HD_NEW(a, bool, g->loop_count + 1));
    HD_TAKE(s->loop_tangled, HD_NEW(a, bool, g->loop_count + 1));
    for (size_t b = 0; b < f->blocks.count; b++)
        edges += f->blocks.at[b].succ_count;
    HD_TAKE(marks.stack, HD_NEW(a, uint32_t, edges + f->blocks.count));
    HD_TAKE(marks.label, HD_NEW(a, uint32_t, f->blocks.count));
    find_talks(s);
    if (target.dispatch && target.width > 1)
        for (uint32_t r = 1; r < g->reachable; r++)
            s->divergent[g->order[r]] = s->join[g->order[r]] = true;
    if (target.dispatch && target.width > 1)
        mark_tangled(s);
    do {
        while (update_values(s))
            ;
    } while (mark_branches(s, &marks));
    *out = s;
    return HD_OK;
}
