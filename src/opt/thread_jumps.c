/* opt/thread_jumps.c -- ways to a branch that know its condition go on to its target.
 *
 * `if (a && b)` of shaders is a branch on a, one that finds b, and a third on the phi of false and
 * b. Threaded, what is loaded for b is known where both hold, and lanes test each condition once.
 *
 * Only blocks that are nothing but that phi and the branch are passed by, and only in functions
 * without operations at which lanes meet: barriers are for all of them, whatever the order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/pass.h"

typedef struct Thread {
    HdIrFunc *f;
    const HdIrGraph *g;
    HdArena *arena;
    uint32_t *uses;
    bool *fixed; /* [blocks] heads of loops, and where they end */
    bool *moved; /* [blocks] whose edges the graph does not have any more */
    bool changed;
} Thread;

static bool has_meeting(const HdIrFunc *f)
{
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        unsigned op = f->insts.at[e.inst].op;

        if (hd_ir_op_is_convergent(op) && op != HD_IR_BARRIER)
            return true;
    }
    return false;
}

/* The phi that block b branches on, and has nothing beside; 0 = none. */
static HdIrRef tested_phi(const Thread *x, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    HdIrRef phi;

    if (x->fixed[b] || x->moved[b] || block->insts.count != 2 || block->succ_count != 2 ||
        block->succ[0] == block->succ[1] || block->loop_merge != HD_IR_NOWHERE)
        return 0;
    phi = block->insts.at[0];
    return x->f->insts.at[phi].op == HD_IR_PHI &&
                   x->f->insts.at[block->insts.at[1]].op == HD_IR_CONDBR && x->uses[phi] == 1 &&
                   hd_ir_arg(x->f, block->insts.at[1], 0) == phi
               ? phi
               : 0;
}

static bool goes_to(const Thread *x, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < x->f->blocks.at[from].succ_count; i++)
        if (x->f->blocks.at[from].succ[i] == to)
            return true;
    return false;
}

/* May the edge from p to b lead to `to`, one of b's successors? Back edges stay what they are, and
 * what follows a loop is reached from where it was. */
static bool may_thread(const Thread *x, uint32_t p, uint32_t b, uint32_t to)
{
    return to != b && to != p && !x->moved[p] && !x->moved[to] && x->g->loop[p] == x->g->loop[b] &&
           x->g->rank[to] > x->g->rank[b] && !goes_to(x, p, to);
}

/* Each phi of `to` has for p what it has for b. */
static HdStatus widen_phis(Thread *x, uint32_t p, uint32_t b, uint32_t to)
{
    size_t n = hd_ir_phi_count(x->f, to);

    for (size_t i = 0; i < n; i++) {
        HdIrRef r = x->f->blocks.at[to].insts.at[i], *args;
        unsigned old = x->f->insts.at[r].nargs;

        HD_TAKE(args, HD_NEW(x->arena, HdIrRef, old + 2u));
        for (unsigned k = 0; k < old; k++)
            args[k] = hd_ir_arg(x->f, r, k);
        args[old] = p;
        args[old + 1] = hd_ir_phi_value(x->f, r, b);
        hd_ir_set_args(x->f, r, args, old + 2u);
    }
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus thread_edge(Thread *x, uint32_t p, uint32_t b, uint32_t to)
{
    HdIrBlock *from = &x->f->blocks.at[p];

    HD_TRY(widen_phis(x, p, b, to));
    hd_ir_phi_drop(x->f, b, p);
    for (uint32_t i = 0; i < from->succ_count; i++)
        if (from->succ[i] == b)
            from->succ[i] = to;
    x->moved[p] = x->moved[b] = x->moved[to] = true;
    x->changed = true;
    return HD_OK;
}

static HdStatus thread_block(Thread *x, uint32_t b)
{
    HdIrRef phi = tested_phi(x, b);
    uint64_t bits;

    for (unsigned k = 0; phi != 0 && k + 1 < x->f->insts.at[phi].nargs; k += 2) {
        uint32_t p = hd_ir_arg(x->f, phi, k), to;

        if (!hd_ir_is_const(x->f, hd_ir_arg(x->f, phi, k + 1), &bits))
            continue;
        to = x->f->blocks.at[b].succ[(bits & 1) != 0 ? 0 : 1];
        if (may_thread(x, p, b, to))
            return thread_edge(x, p, b, to);
    }
    return HD_OK;
}

HdStatus hd_opt_thread_jumps(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Thread x = {.f = f, .arena = scratch};
    HdIrGraph *g;

    *changed = false;
    if (has_meeting(f))
        return HD_OK;
    HD_TRY(hd_ir_graph(f, scratch, &g));
    x.g = g;
    HD_TAKE(x.uses, hd_ir_count_uses(f, scratch));
    HD_TAKE(x.fixed, HD_NEW(scratch, bool, f->blocks.count));
    HD_TAKE(x.moved, HD_NEW(scratch, bool, f->blocks.count));
    for (uint32_t l = 0; l < g->loop_count; l++)
        x.fixed[g->loops[l].head] = true;
    for (size_t b = 0; b < f->blocks.count; b++)
        if (f->blocks.at[b].loop_merge != HD_IR_NOWHERE)
            x.fixed[f->blocks.at[b].loop_merge] = true;
    for (uint32_t i = 0; i < g->reachable; i++)
        HD_TRY(thread_block(&x, g->order[i]));
    *changed = x.changed;
    return HD_OK;
}
