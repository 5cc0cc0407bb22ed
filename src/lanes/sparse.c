/* lanes/sparse.c -- code that hardly any lane comes to.
 *
 * Nothing says how often `if (hash == wanted)` is true; of all numbers one is. The estimates of
 * jit/ would else weigh what it guards, an atomic often, as if each work-item came there.
 * Comparisons with constants, as of parities and states, say nothing.
 *
 * A maximum that is kept by a compare-and-swap, `while ((old = *best) < x && …)`, is soon as large
 * as it gets: hardly any work-item has a larger one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/sparse.h"

#include "ir/edit.h"

#define MOST_DEPTH 8u /* of a condition */

static bool is_one_number(const HdShapes *s, HdIrRef v, uint32_t use)
{
    return hd_shape_at(s, v, use).kind == HD_SHAPE_UNIFORM && s->f->insts.at[v].op != HD_IR_CONST;
}

static bool differs(const HdShapes *s, HdIrRef v, uint32_t use)
{
    return hd_shape_at(s, v, use).kind != HD_SHAPE_UNIFORM;
}

/* Will hardly any lane find that v is `value`? */
static bool is_unlikely(const HdShapes *s, HdIrRef v, bool value, uint32_t use, unsigned depth)
{
    const HdIrFunc *f = s->f;
    const HdIrInst *in = &f->insts.at[v];
    const HdIrRef *args = hd_ir_args(f, v);

    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_ICMP:
        return in->sub == (value ? HD_IR_EQ : HD_IR_NE) &&
               ((differs(s, args[0], use) && is_one_number(s, args[1], use)) ||
                (differs(s, args[1], use) && is_one_number(s, args[0], use)));
    case HD_IR_SELECT: /* a conjunction, a disjunction: one of two that is unlikely suffices */
        return (hd_ir_is_truth(f, args[2], !value) &&
                (is_unlikely(s, args[0], true, use, depth - 1) ||
                 is_unlikely(s, args[1], value, use, depth - 1))) ||
               (hd_ir_is_truth(f, args[1], !value) &&
                (is_unlikely(s, args[0], false, use, depth - 1) ||
                 is_unlikely(s, args[2], value, use, depth - 1)));
    case HD_IR_AND:
    case HD_IR_OR:
        return (in->op == HD_IR_AND) == value && (is_unlikely(s, args[0], value, use, depth - 1) ||
                                                  is_unlikely(s, args[1], value, use, depth - 1));
    case HD_IR_XOR:
        return hd_ir_is_truth(f, args[1], true) && is_unlikely(s, args[0], !value, use, depth - 1);
    default: return false;
    }
}

/* The address of a load that a comparison has as operand k; 0: it is something else. */
static HdIrRef address_asked(const HdIrFunc *f, HdIrRef v, unsigned k)
{
    HdIrRef x = hd_ir_arg(f, v, k);

    if (f->insts.at[x].op == HD_IR_BITCAST)
        x = hd_ir_arg(f, x, 0);
    return f->insts.at[x].op == HD_IR_LOAD || f->insts.at[x].op == HD_IR_ATOMIC_LOAD
               ? hd_ir_arg(f, x, 0)
               : 0;
}

/* Is there a compare-and-swap at an address in block `to`, or in one that it dominates? */
static bool is_swapped(const HdIrFunc *f, const HdIrGraph *g, uint32_t to, HdIrRef address)
{
    for (uint32_t k = g->rank[to]; k < g->reachable; k++) {
        const HdIrBlock *b = &f->blocks.at[g->order[k]];

        if (!hd_ir_dominates(g, to, g->order[k]))
            continue;
        for (size_t i = 0; i < b->insts.count; i++)
            if (f->insts.at[b->insts.at[i]].op == HD_IR_ATOMIC_CMPXCHG &&
                hd_ir_arg(f, b->insts.at[i], 0) == address)
                return true;
    }
    return false;
}

/* Does a branch look whether a number is beyond that in memory, which what it guards replaces then?
 * The guarded code begins with block `to`. */
static bool keeps_extreme(const HdIrFunc *f, const HdIrGraph *g, HdIrRef condition, uint32_t to)
{
    const HdIrInst *in = &f->insts.at[condition];
    HdIrRef address;

    if (in->op != HD_IR_FCMP &&
        (in->op != HD_IR_ICMP || in->sub == HD_IR_EQ || in->sub == HD_IR_NE))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if ((address = address_asked(f, condition, k)) != 0 && is_swapped(f, g, to, address))
            return true;
    return false;
}

void hd_lanes_sparse(HdIrFunc *f, const HdShapes *s)
{
    const HdIrGraph *g = s->g;

    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r];
        const HdIrBlock *block = &f->blocks.at[b];
        HdIrRef end = hd_ir_last(f, b);

        if (f->insts.at[end].op != HD_IR_CONDBR || block->succ[0] == block->succ[1])
            continue;
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t to = block->succ[i];

            if (g->pred_first[to + 1] - g->pred_first[to] != 1 ||
                (!is_unlikely(s, hd_ir_arg(f, end, 0), i == 0, b, MOST_DEPTH) &&
                 !keeps_extreme(f, g, hd_ir_arg(f, end, 0), to)))
                continue;
            for (uint32_t k = g->rank[to]; k < g->reachable; k++)
                if (hd_ir_dominates(g, to, g->order[k]))
                    f->blocks.at[g->order[k]].sparse = true;
        }
    }
}
