/* opt/hoist_common.c -- hoists and sinks code common to both sides of a branch.
 *
 * If lanes take both sides of an `if` with an `else`, both are executed under masks. What both arms
 * begin with, such as computing an address and loading from it, is hoisted before the branch;
 * stores that both end with become one store of either value where they meet. Often little is left
 * of the branch then.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/memory.h"
#include "opt/pass.h"

#include <string.h>

#define MOST_LOOKED 48u /* instructions of an arm */

typedef struct Share {
    HdIrFunc *f;
    const HdIrGraph *g;
    HdIrRef *with;
    size_t count;
    bool moved, dropped;
} Share;

static const HdIrInst *at(const Share *s, HdIrRef r)
{
    return &s->f->insts.at[r];
}

static HdIrRef arg(const Share *s, HdIrRef r, unsigned k)
{
    return hd_ir_resolve(s->with, s->count, hd_ir_arg(s->f, r, k));
}

static bool is_gone(const Share *s, uint32_t block, HdIrRef r)
{
    return at(s, r)->block != block;
}

/* ---- before the branch ------------------------------------------------------------------------
 */

/* Could r be executed before its block, up to where these kinds of memory are written? */
static bool may_rise(const Share *s, uint32_t block, HdIrRef r, unsigned written)
{
    const HdIrInst *in = at(s, r);

    if (in->op == HD_IR_LOAD) {
        if ((in->flags & HD_IR_VOLATILE) != 0 ||
            (hd_ir_memory_at(s->f, hd_ir_arg(s->f, r, 0), in->sub) & written) != 0)
            return false;
    } else if (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI || in->op == HD_IR_CONST) {
        return false;
    }
    for (unsigned k = 0; k < in->nargs; k++)
        if (at(s, arg(s, r, k))->block == block)
            return false;
    return true;
}

static bool is_same(const Share *s, HdIrRef x, HdIrRef y)
{
    const HdIrInst *a = at(s, x), *b = at(s, y);

    if (a->op != b->op || a->type != b->type || a->sub != b->sub || a->imm != b->imm ||
        a->nargs != b->nargs)
        return false;
    for (unsigned k = 0; k < a->nargs; k++)
        if (arg(s, x, k) != arg(s, y, k))
            return false;
    return true;
}

/* The instruction of block b that does what x does; 0 = none. */
static HdIrRef find_same(const Share *s, uint32_t b, HdIrRef x)
{
    const HdIrBlock *block = &s->f->blocks.at[b];
    unsigned written = 0;

    for (size_t i = 0; i < block->insts.count && i < MOST_LOOKED; i++) {
        HdIrRef y = block->insts.at[i];

        if (is_gone(s, b, y))
            continue;
        if (is_same(s, x, y) && may_rise(s, b, y, written))
            return y;
        written |= hd_ir_memory_written(s->f, y);
    }
    return 0;
}

/* Both arms are entered from a only. */
static HdStatus raise_all(Share *s, uint32_t a, uint32_t yes, uint32_t no)
{
    const HdIrBlock *block = &s->f->blocks.at[yes];
    unsigned written = 0;

    for (size_t i = 0; i < block->insts.count && i < MOST_LOOKED; i++) {
        HdIrRef x = block->insts.at[i];
        HdIrRef y = may_rise(s, yes, x, written) ? find_same(s, no, x) : 0;

        if (y == 0) {
            written |= hd_ir_memory_written(s->f, x);
            continue;
        }
        hd_ir_inst(s->f, x)->flags &= at(s, y)->flags;
        HD_TRY(hd_ir_raise(s->f, a, x));
        s->with[y] = x;
        hd_ir_kill(s->f, y);
        s->moved = true;
    }
    return HD_OK;
}

/* ---- after the branch --------------------------------------------------------------------------
 */

/* The last store of a block; 0 if anything follows that may not be moved before it. */
static HdIrRef last_store(const Share *s, uint32_t b)
{
    const HdIrBlock *block = &s->f->blocks.at[b];

    for (size_t i = block->insts.count - 1; i-- > 0;) {
        HdIrRef r = block->insts.at[i];

        if (is_gone(s, b, r) || hd_ir_op_is_pure(at(s, r)->op))
            continue;
        return at(s, r)->op == HD_IR_STORE && (at(s, r)->flags & HD_IR_VOLATILE) == 0 ? r : 0;
    }
    return 0;
}

/* One store in `join` instead of x in block p and y in block q. */
static HdStatus join_stores(Share *s, uint32_t join, uint32_t p, HdIrRef x, uint32_t q, HdIrRef y)
{
    HdIrRef value[4] = {p, arg(s, x, 1), q, arg(s, y, 1)}, args[2] = {arg(s, x, 0), value[1]};
    HdIrInst in = *at(s, x);
    size_t phis = hd_ir_phi_count(s->f, join);
    HdIrRef r;

    if (value[1] != value[3])
        HD_TAKE(args[1], hd_ir_insert(s->f, join, phis++, HD_IR_PHI, (HdIrType)at(s, args[1])->type,
                                      0, 0, value, 4));
    HD_TAKE(r, hd_ir_insert(s->f, join, phis, HD_IR_STORE, HD_IR_VOID, in.sub,
                            in.imm < at(s, y)->imm ? in.imm : at(s, y)->imm, args, 2));
    hd_ir_inst(s->f, r)->flags = in.flags & at(s, y)->flags;
    hd_ir_kill(s->f, x);
    hd_ir_kill(s->f, y);
    s->dropped = true;
    return HD_OK;
}

static HdStatus join_all(Share *s, uint32_t join, uint32_t p, uint32_t q)
{
    for (;;) {
        HdIrRef x = last_store(s, p), y = last_store(s, q);

        if (x == 0 || y == 0 || arg(s, x, 0) != arg(s, y, 0) || at(s, x)->sub != at(s, y)->sub ||
            at(s, arg(s, x, 1))->type != at(s, arg(s, y, 1))->type)
            return HD_OK;
        HD_TRY(join_stores(s, join, p, x, q, y));
    }
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

static bool has_one_pred(const Share *s, uint32_t b)
{
    return s->g->pred_first[b + 1] - s->g->pred_first[b] == 1;
}

static HdStatus look_at(Share *s, uint32_t b)
{
    uint32_t yes, no, join;

    if (at(s, hd_ir_last(s->f, b))->op != HD_IR_CONDBR)
        return HD_OK;
    yes = s->f->blocks.at[b].succ[0];
    no = s->f->blocks.at[b].succ[1];
    if (yes == no || !has_one_pred(s, yes) || !has_one_pred(s, no))
        return HD_OK;
    HD_TRY(raise_all(s, b, yes, no));
    if (s->f->blocks.at[yes].succ_count != 1 || s->f->blocks.at[no].succ_count != 1)
        return HD_OK;
    join = s->f->blocks.at[yes].succ[0];
    if (s->f->blocks.at[no].succ[0] != join ||
        s->g->pred_first[join + 1] - s->g->pred_first[join] != 2)
        return HD_OK;
    return join_all(s, join, yes, no);
}

HdStatus hd_opt_hoist_common(HdIrFunc *f, HdArena *a, bool *changed)
{
    Share s = {.f = f, .count = f->insts.count};
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    s.g = g;
    HD_TAKE(s.with, HD_NEW(a, HdIrRef, s.count));
    for (uint32_t i = g->reachable; i-- > 0;) /* inner branches first */
        HD_TRY(look_at(&s, g->order[i]));
    *changed = s.moved || s.dropped;
    if (*changed) {
        hd_ir_substitute(f, s.with, s.count);
        hd_ir_sweep(f);
    }
    return HD_OK;
}
