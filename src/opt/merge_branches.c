/* opt/merge_branches.c -- merges consecutive branches on the same condition.
 *
 * In `x = c ? a[i] : x; y = c ? b[i] : y;` the code of the second branch is appended to that of the
 * first: lanes diverge once, and what both need is loaded once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/memory.h"
#include "opt/pass.h"

#include <string.h>

typedef struct Retest {
    HdIrFunc *f;
    const HdIrGraph *g;
    bool changed;
} Retest;

/* A branch whose sides meet in `join`. Each side is a separate block or none; then `from` is the
 * branching block. */
typedef struct Fork {
    HdIrRef flag;
    uint32_t join, from[2];
    bool has_block[2];
} Fork;

static const HdIrInst *at(const Retest *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

static uint32_t pred_count(const Retest *x, uint32_t b)
{
    return x->g->pred_first[b + 1] - x->g->pred_first[b];
}

/* Is s on the way from b to somewhere, and on no other way? */
static bool is_arm(const Retest *x, uint32_t s)
{
    return pred_count(x, s) == 1 && x->f->blocks.at[s].succ_count == 1 &&
           x->f->blocks.at[s].loop_merge == HD_IR_NOWHERE;
}

static bool find_fork(const Retest *x, uint32_t b, Fork *out)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    HdIrRef last = hd_ir_last(x->f, b);
    uint32_t ends[2];

    if (at(x, last)->op != HD_IR_CONDBR || block->succ[0] == block->succ[1])
        return false;
    out->flag = hd_ir_arg(x->f, last, 0);
    for (unsigned i = 0; i < 2; i++) {
        out->has_block[i] = is_arm(x, block->succ[i]);
        out->from[i] = out->has_block[i] ? block->succ[i] : b;
        ends[i] = out->has_block[i] ? x->f->blocks.at[block->succ[i]].succ[0] : block->succ[i];
    }
    out->join = ends[0];
    return ends[0] == ends[1] && pred_count(x, ends[0]) == 2;
}

static bool has_convergent(const Retest *x, uint32_t b)
{
    for (size_t i = 0; i < x->f->blocks.at[b].insts.count; i++)
        if (hd_ir_op_is_convergent(at(x, x->f->blocks.at[b].insts.at[i])->op))
            return true;
    return false;
}

#define MOST_DEPTH 8u /* nesting depth of operations that are examined */

/* Can r, of a block, be computed before the branch to it? */
static bool may_rise(const Retest *x, uint32_t block, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = at(x, r);

    if (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI || in->op == HD_IR_ALLOCA || depth == 0)
        return false;
    for (unsigned k = 0; k < in->nargs; k++)
        if (at(x, hd_ir_arg(x->f, r, k))->block == block &&
            !may_rise(x, block, hd_ir_arg(x->f, r, k), depth - 1))
            return false;
    return true;
}

/* In order, so that what an instruction needs has gone before it. */
static HdStatus raise_all(Retest *x, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i + 1 < x->f->blocks.at[b].insts.count; i++) {
        HdIrRef r = x->f->blocks.at[b].insts.at[i];

        if (at(x, r)->block == b && may_rise(x, b, r, 1))
            HD_TRY(hd_ir_raise(x->f, a, r));
    }
    return HD_OK;
}

/* Is v made in block b, and nowhere before it? Phis are not: each way to b has its own value. */
static bool stays(const Retest *x, HdIrRef v, uint32_t b)
{
    return at(x, v)->block == b && at(x, v)->op != HD_IR_PHI && !may_rise(x, b, v, MOST_DEPTH);
}

/* Does an arm after block b use anything of b but phis and what can be computed before? */
static bool needs(const Retest *x, uint32_t arm, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[arm];

    for (size_t i = 0; i < block->insts.count; i++) {
        const HdIrInst *in = at(x, block->insts.at[i]);

        if (in->block != arm)
            continue;
        if (in->op == HD_IR_PHI)
            return true;
        for (unsigned k = 0; k < in->nargs; k++)
            if (stays(x, hd_ir_arg(x->f, block->insts.at[i], k), b))
                return true;
    }
    return false;
}

/* Memory that a block reads and writes. */
typedef struct Touched {
    unsigned read, written; /* kinds */
} Touched;

static Touched touched_by(const Retest *x, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    Touched t = {0, 0};

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];
        const HdIrInst *in = at(x, r);

        if (in->block != b || hd_ir_op_is_pure(in->op) || hd_ir_op_is_terminator(in->op))
            continue;
        t.written |= hd_ir_memory_written(x->f, r);
        if (in->op == HD_IR_LOAD)
            t.read |= hd_ir_memory_at(x->f, hd_ir_arg(x->f, r, 0), in->sub);
        else if (in->op != HD_IR_STORE)
            t.read = HD_IR_MEM_ALL;
    }
    return t;
}

/* Does an arm depend on whether the memory accesses of block b come before or after it? */
static bool waits_for(const Retest *x, uint32_t arm, uint32_t b)
{
    Touched own = touched_by(x, arm), other = touched_by(x, b);

    return (own.read & other.written) != 0 || (own.written & (other.read | other.written)) != 0;
}

/* The same of the phis where the arms meet, which become phis of b itself. */
static bool phis_need(const Retest *x, const Fork *second, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[second->join];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];

        for (unsigned k = 0; at(x, r)->op == HD_IR_PHI && k < 2; k++)
            if (stays(x, hd_ir_phi_value(x->f, r, second->from[k]), b))
                return true;
    }
    return false;
}

/* The value of v if block b is entered from there. */
static HdIrRef as_from(Retest *x, HdIrRef v, uint32_t b, uint32_t from)
{
    return at(x, v)->op == HD_IR_PHI && at(x, v)->block == b ? hd_ir_phi_value(x->f, v, from) : v;
}

/* Move the code of block `arm` to the end of block `to`, which precedes block b. */
static HdStatus append(Retest *x, uint32_t to, uint32_t arm, uint32_t b)
{
    for (size_t i = 0; i + 1 < x->f->blocks.at[arm].insts.count; i++) {
        HdIrRef r = x->f->blocks.at[arm].insts.at[i];

        if (at(x, r)->block != arm)
            continue;
        for (unsigned k = 0; k < at(x, r)->nargs; k++)
            x->f->args.at[at(x, r)->args + k] = as_from(x, hd_ir_arg(x->f, r, k), b, to);
        HD_TRY(hd_ir_raise(x->f, to, r));
    }
    return HD_OK;
}

/* A phi of the second join becomes one of the first. */
static HdStatus move_phi(Retest *x, HdIrRef r, const Fork *first, const Fork *second)
{
    HdIrBlock *to = &x->f->blocks.at[first->join];
    HdIrRef args[4];

    for (unsigned k = 0; k < 2; k++) {
        args[2 * k] = first->from[k];
        args[2 * k + 1] =
            as_from(x, hd_ir_phi_value(x->f, r, second->from[k]), first->join, first->from[k]);
    }
    HD_TRY_PUSH(x->f->module->arena, &to->insts, r);
    memmove(&to->insts.at[1], to->insts.at, (to->insts.count - 1) * sizeof *to->insts.at);
    to->insts.at[0] = r;
    hd_ir_inst(x->f, r)->block = first->join;
    hd_ir_set_args(x->f, r, args, 4);
    return HD_OK;
}

static HdStatus move_phis(Retest *x, const Fork *first, const Fork *second)
{
    const HdIrBlock *block = &x->f->blocks.at[second->join];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];

        if (at(x, r)->op == HD_IR_PHI && at(x, r)->block == second->join)
            HD_TRY(move_phi(x, r, first, second));
    }
    return HD_OK;
}

static bool is_same(const Retest *x, const Fork *first, const Fork *second)
{
    uint32_t b = first->join;

    if (first->flag != second->flag || x->f->blocks.at[b].loop_merge != HD_IR_NOWHERE ||
        has_convergent(x, b))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (second->has_block[k] && (!first->has_block[k] || has_convergent(x, first->from[k]) ||
                                     has_convergent(x, second->from[k])))
            return false;
    return true;
}

/* Values that the sides of the second branch do not use may stay between the two. */
static HdStatus look_at(Retest *x, uint32_t a)
{
    Fork first, second;

    if (!find_fork(x, a, &first) || !find_fork(x, first.join, &second) ||
        !is_same(x, &first, &second) || phis_need(x, &second, first.join))
        return HD_OK;
    for (unsigned k = 0; k < 2; k++)
        if (second.has_block[k] &&
            (needs(x, second.from[k], first.join) || waits_for(x, second.from[k], first.join)))
            return HD_OK;
    HD_TRY(raise_all(x, a, first.join));
    for (unsigned k = 0; k < 2; k++)
        if (second.has_block[k])
            HD_TRY(append(x, first.from[k], second.from[k], first.join));
    HD_TRY(move_phis(x, &first, &second));
    hd_ir_leave_one_way(x->f, first.join, second.join);
    x->changed = true;
    return HD_OK;
}

HdStatus hd_opt_merge_branches(HdIrFunc *f, HdArena *a, bool *changed)
{
    Retest x = {.f = f};
    HdIrGraph *g;
    bool dropped;

    HD_TRY(hd_ir_graph(f, a, &g));
    x.g = g;
    for (uint32_t i = g->reachable; i-- > 0;) /* the last of many in a row first */
        HD_TRY(look_at(&x, g->order[i]));
    if (!x.changed)
        return HD_OK;
    *changed = true;
    hd_ir_sweep(f);
    return hd_ir_drop_unreachable(f, a, &dropped);
}
