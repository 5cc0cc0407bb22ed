/* lanes/sparse.c -- code that hardly any lane comes to.
 *
 * Nothing says how often `if (hash == wanted)` is true; of all numbers one is. The estimates of
 * jit/ would else weigh what it guards, an atomic often, as if each work-item came there.
 * Comparisons with constants, as of parities and states, say nothing.
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
                !is_unlikely(s, hd_ir_arg(f, end, 0), i == 0, b, MOST_DEPTH))
                continue;
            for (uint32_t k = g->rank[to]; k < g->reachable; k++)
                if (hd_ir_dominates(g, to, g->order[k]))
                    f->blocks.at[g->order[k]].sparse = true;
        }
    }
}
