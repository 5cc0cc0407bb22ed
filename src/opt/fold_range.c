/* opt/fold_range.c -- what branches in front of a block say of numbers in it.
 *
 * Compilers that see `if (x >= 4) … p[x - 4]` extend x - 4 without its sign, as it is not negative.
 * Lanes that do not get there may have x - 4 below 0, and then neighbours are 2^32 elements apart;
 * as signed numbers they are neighbours.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold.h"

#define MOST_FRONT 16u /* blocks in front that are looked at */
#define MOST_PARTS 4u  /* conditions in a condition */

/* Is x at least `least`, as a signed number, where a condition is `value`? */
static bool says(HdFold *s, HdIrRef cond, bool value, HdIrRef x, int64_t least, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, cond);
    const HdIrRef *args = hd_ir_args(s->f, cond);
    uint64_t bits;
    int64_t k;

    if (depth == 0)
        return false;
    if (in->op == HD_IR_SELECT) { /* a and b; not (a or b) */
        unsigned other = value ? 2 : 1;

        return hd_ir_is_const(s->f, args[other], &bits) && (bits != 0) != value &&
               (says(s, args[0], value, x, least, depth - 1) ||
                says(s, args[3 - other], value, x, least, depth - 1));
    }
    if (in->op != HD_IR_ICMP || args[0] != x || !hd_ir_is_number(s->f, args[1], &k))
        return false;
    switch (value ? in->sub : hd_ir_icmp_inverse(in->sub)) {
    case HD_IR_EQ:
    case HD_IR_SGE: return k >= least;
    case HD_IR_SGT: return k >= least - 1;
    case HD_IR_ULT:
    case HD_IR_ULE: return k > 0 && least <= 0;
    default: return false;
    }
}

bool hd_opt_fold_is_positive(HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    int64_t by = 0;
    uint32_t b = s->block;

    if (in->op == HD_IR_ADD && hd_ir_is_number(s->f, hd_ir_arg(s->f, r, 1), &by) && by < 0)
        r = hd_ir_arg(s->f, r, 0);
    else
        by = 0;
    for (unsigned n = 0; n < MOST_FRONT && b != 0; n++) {
        uint32_t front = s->g->idom[b];
        const HdIrBlock *block = &s->f->blocks.at[front];
        HdIrRef end = hd_ir_last(s->f, front);

        if (hd_opt_fold_at(s, end)->op == HD_IR_CONDBR && block->succ[0] != block->succ[1] &&
            (b == block->succ[0] || b == block->succ[1]) &&
            s->g->pred_first[b + 1] - s->g->pred_first[b] == 1 &&
            says(s, hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, end, 0)),
                 b == block->succ[0], r, -by, MOST_PARTS))
            return true;
        b = front;
    }
    return false;
}
