/* ir/index.c -- pointers that step through private arrays become indices.
 *
 * Compilers turn a[i] in a loop into a pointer that goes from element to element. As base and
 * index, unrolling (ir/unroll.c) sees which element is meant in each round.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/pass.h"

#define MOST_STEPS 8u /* PTRADDs between an array and where a pointer starts */

typedef struct Walk {
    HdIrRef phi, start;
    uint64_t step;
} Walk;

static bool is_in_array(const HdIrFunc *f, HdIrRef r)
{
    for (unsigned n = 0; n < MOST_STEPS && f->insts.at[r].op == HD_IR_PTRADD; n++)
        r = hd_ir_arg(f, r, 0);
    return f->insts.at[r].op == HD_IR_ALLOCA;
}

/* Does a phi of a loop's head start in one place and go on by one constant, however it goes
 * round? */
static bool is_walk(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, Walk *w)
{
    const HdIrInst *in = &f->insts.at[w->phi];
    bool stepped = false;

    w->start = 0;
    for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
        HdIrRef value = hd_ir_arg(f, w->phi, k + 1);
        uint64_t by;

        if (!hd_ir_loop_holds(g, loop, hd_ir_arg(f, w->phi, k))) {
            if (w->start != 0 && w->start != value)
                return false;
            w->start = value;
            continue;
        }
        if (f->insts.at[value].op != HD_IR_PTRADD || hd_ir_arg(f, value, 0) != w->phi ||
            !hd_ir_is_const(f, hd_ir_arg(f, value, 1), &by) || (stepped && by != w->step))
            return false;
        w->step = by;
        stepped = true;
    }
    return stepped && w->start != 0 && is_in_array(f, w->start);
}

/* The phi of the index and the pointer made of it. The index goes on where the pointer did. */
static HdStatus rewrite(HdIrFunc *f, const HdIrGraph *g, HdArena *a, uint32_t loop, const Walk *w,
                        HdIrRef *with)
{
    uint32_t head = g->loops[loop].head;
    unsigned nargs = f->insts.at[w->phi].nargs;
    HdIrRef zero, step, index, pointer, *args, pair[2];
    size_t at = 0;

    HD_TAKE(args, HD_NEW(a, HdIrRef, nargs));
    zero = hd_ir_insert(f, 0, 0, HD_IR_CONST, HD_IR_I64, 0, 0, NULL, 0);
    step = hd_ir_insert(f, 0, 0, HD_IR_CONST, HD_IR_I64, 0, w->step, NULL, 0);
    index = hd_ir_insert(f, head, 0, HD_IR_PHI, HD_IR_I64, 0, 0, NULL, 0);
    if (f->module->failed)
        return HD_NO_MEMORY;
    pair[0] = index;
    pair[1] = step;
    for (unsigned k = 0; k + 1 < nargs; k += 2) {
        uint32_t from = hd_ir_arg(f, w->phi, k);
        HdIrRef next = zero;

        if (hd_ir_loop_holds(g, loop, from))
            next = hd_ir_insert(f, from, f->blocks.at[from].insts.count - 1, HD_IR_ADD, HD_IR_I64,
                                0, 0, pair, 2);
        args[k] = from;
        args[k + 1] = next;
    }
    hd_ir_set_args(f, index, args, nargs);
    while (f->insts.at[f->blocks.at[head].insts.at[at]].op == HD_IR_PHI)
        at++;
    pair[0] = w->start;
    pair[1] = index;
    pointer = hd_ir_insert(f, head, at, HD_IR_PTRADD, HD_IR_PTR, 0, 0, pair, 2);
    with[w->phi] = pointer;
    hd_ir_kill(f, w->phi);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_ir_index(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    size_t count = f->insts.count;
    HdIrRef *with;
    HdIrGraph *g;

    *changed = false;
    HD_TRY(hd_ir_graph(f, scratch, &g));
    HD_TAKE(with, HD_NEW(scratch, HdIrRef, count));
    for (uint32_t l = 0; l < g->loop_count; l++) {
        uint32_t head = g->loops[l].head;

        for (size_t i = 0; !g->loops[l].irreducible && i < f->blocks.at[head].insts.count; i++) {
            Walk w = {.phi = f->blocks.at[head].insts.at[i]};

            if (f->insts.at[w.phi].op != HD_IR_PHI)
                break;
            if (w.phi >= count || f->insts.at[w.phi].type != HD_IR_PTR ||
                f->insts.at[w.phi].block == HD_IR_NOWHERE || !is_walk(f, g, l, &w))
                continue;
            HD_TRY(rewrite(f, g, scratch, l, &w, with));
            *changed = true;
        }
    }
    if (*changed) {
        hd_ir_substitute(f, with, count);
        hd_ir_sweep(f);
    }
    return HD_OK;
}
