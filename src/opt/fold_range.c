/* opt/fold_range.c -- ranges of integers, from dominating branches and from their operands.
 *
 * Compilers that see `if (x >= 4) … p[x - 4]` zero-extend x - 4, as it is not negative. Inactive
 * lanes may have x - 4 below 0, and are then 2^32 elements away from their neighbours;
 * sign-extended they are adjacent.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

#define MOST_FRONT 16u /* preceding blocks that are examined */
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

/* A branch on the way to block *b, which then is the one that ends with it: its condition, and what
 * that is here. 0: no more are examined, or *b is reached in other ways as well. */
static bool step_up(const HdFold *s, uint32_t *b, HdIrRef *cond, bool *value)
{
    uint32_t from = *b, front = s->g->idom[from];
    const HdIrBlock *block = &s->f->blocks.at[front];
    HdIrRef end = hd_ir_last(s->f, front);

    *b = front;
    *value = from == block->succ[0];
    if (hd_opt_fold_at(s, end)->op != HD_IR_CONDBR || block->succ[0] == block->succ[1] ||
        (!*value && from != block->succ[1]) ||
        s->g->pred_first[from + 1] - s->g->pred_first[from] != 1)
        return false;
    *cond = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, end, 0));
    return true;
}

/* Is it, by the branches on the way to the block that is looked at? */
static bool is_positive_here(HdFold *s, HdIrRef r)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    int64_t by = 0;
    uint32_t b = s->block;

    if (in->op == HD_IR_ADD && hd_ir_is_number(s->f, hd_ir_arg(s->f, r, 1), &by) && by < 0)
        r = hd_ir_arg(s->f, r, 0);
    else
        by = 0;
    for (unsigned n = 0; n < MOST_FRONT && b != 0; n++) {
        HdIrRef cond;
        bool value;

        if (step_up(s, &b, &cond, &value) && says(s, cond, value, r, -by, MOST_PARTS))
            return true;
    }
    return false;
}

uint64_t hd_opt_fold_most_in(const HdFold *s, HdIrRef r, uint32_t block)
{
    uint64_t most = hd_ir_ones((HdIrType)hd_opt_fold_at(s, r)->type), k;

    for (unsigned n = 0; n < MOST_FRONT && block != 0; n++) {
        const HdIrInst *in;
        HdIrRef cond;
        unsigned how;
        bool value;

        if (!step_up(s, &block, &cond, &value))
            continue;
        in = hd_opt_fold_at(s, cond);
        if (in->op != HD_IR_ICMP || hd_ir_arg(s->f, cond, 0) != r ||
            !hd_ir_is_const(s->f, hd_ir_arg(s->f, cond, 1), &k))
            continue;
        how = value ? in->sub : hd_ir_icmp_inverse(in->sub);
        if ((how == HD_IR_ULT && k != 0 && k - 1 < most) || (how == HD_IR_ULE && k < most))
            most = how == HD_IR_ULT ? k - 1 : k;
    }
    return most;
}

static bool is_positive(HdFold *s, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = hd_opt_fold_at(s, r);
    bool keeps_sign = (in->flags & HD_IR_NSW) != 0;
    HdIrRef a, b;
    int64_t k;

    if (hd_ir_is_number(s->f, r, &k))
        return k >= 0;
    if (is_positive_here(s, r))
        return true;
    if (depth == 0 || in->op == HD_IR_PHI || in->nargs == 0 || !hd_ir_arg_is_value(in, 0))
        return false;
    a = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 0));
    b = in->nargs > 1 ? hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 1)) : 0;
    switch ((HdIrOp)in->op) {
    case HD_IR_ADD:
    case HD_IR_MUL: keeps_sign = keeps_sign && is_positive(s, b, depth - 1); break;
    case HD_IR_OR: keeps_sign = is_positive(s, b, depth - 1); break;
    case HD_IR_SHL: break;
    case HD_IR_ASHR: keeps_sign = true; break;
    default: return false;
    }
    return keeps_sign && is_positive(s, a, depth - 1);
}

bool hd_opt_fold_is_positive(HdFold *s, HdIrRef r)
{
    return is_positive(s, r, MOST_PARTS);
}

/* ---- the largest number that something can be -------------------------------------------------
 */

/* Phis examined in each other. */
#define MOST_DEPTH 12u
/* Operations examined for one range: a bound of compile time. */
#define MOST_STEPS 48u

/* Phis being examined. An operand may be the phi itself, which adds nothing if it did not grow on
 * the way: `grown` counts the operations that may enlarge it. */
typedef struct Most {
    HdFold *s;
    HdIrRef phi[MOST_DEPTH];
    unsigned grown_at[MOST_DEPTH], depth, grown, steps;
} Most;

static uint64_t most_of(Most *m, HdIrRef r);

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Upper bound of value v on the edge from block `from`: from the branch there on v, or on the value
 * that v is incremented to, as for a loop counter. */
static bool edge_says(const Most *m, uint32_t from, uint32_t to, HdIrRef v, uint64_t *most)
{
    HdFold *s = m->s;
    const HdIrBlock *b = &s->f->blocks.at[from];
    const HdIrInst *end = hd_opt_fold_at(s, hd_ir_last(s->f, from)), *cond, *in;
    HdIrRef asked;
    uint64_t k, by = 0;
    unsigned how;

    if (end->op != HD_IR_CONDBR || b->succ[0] == b->succ[1])
        return false;
    asked = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, hd_ir_last(s->f, from), 0));
    cond = hd_opt_fold_at(s, asked);
    if (cond->op != HD_IR_ICMP || !hd_ir_is_const(s->f, hd_ir_arg(s->f, asked, 1), &k))
        return false;
    how = b->succ[0] == to ? cond->sub : hd_ir_icmp_inverse(cond->sub);
    if (how != HD_IR_ULE && (how != HD_IR_ULT || k == 0))
        return false;
    asked = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, asked, 0));
    in = hd_opt_fold_at(s, v);
    if (asked != v && (in->op != HD_IR_ADD || !hd_ir_is_const(s->f, hd_ir_arg(s->f, v, 1), &by) ||
                       hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, v, 0)) != asked))
        return false;
    k -= how == HD_IR_ULT;
    *most = k + by;
    return by <= hd_ir_ones((HdIrType)in->type) - k;
}

static uint64_t most_of_phi(Most *m, HdIrRef r, uint64_t ones)
{
    HdFold *s = m->s;
    uint64_t most = 0;

    for (unsigned i = 0; i < m->depth; i++)
        if (m->phi[i] == r)
            return m->grown_at[i] == m->grown ? 0 : ones;
    if (m->depth == MOST_DEPTH)
        return ones;
    m->grown_at[m->depth] = m->grown;
    m->phi[m->depth++] = r;
    for (unsigned k = 0; k + 1 < hd_opt_fold_at(s, r)->nargs && most < ones; k += 2) {
        HdIrRef v = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, k + 1));
        uint64_t here;

        if (!edge_says(m, hd_ir_arg(s->f, r, k), hd_opt_fold_at(s, r)->block, v, &here))
            here = most_of(m, v);
        most = larger(most, here);
    }
    m->depth--;
    return most;
}

/* Of a sum, a product, a shift to the left: unless it may wrap. */
static uint64_t most_of_growing(Most *m, HdIrOp op, HdIrRef a, HdIrRef b, uint64_t ones)
{
    uint64_t x, y, most = ones;
    bool wraps = true;

    m->grown++;
    x = most_of(m, a);
    y = most_of(m, b);
    m->grown--;
    if (op == HD_IR_ADD)
        wraps = __builtin_add_overflow(x, y, &most);
    else if (op == HD_IR_MUL)
        wraps = __builtin_mul_overflow(x, y, &most);
    else if (y < 64 && x <= ones >> y) {
        most = x << y;
        wraps = false;
    }
    return wraps ? ones : smaller(most, ones);
}

static uint64_t most_of(Most *m, HdIrRef r)
{
    HdFold *s = m->s;
    const HdIrInst in = *hd_opt_fold_at(s, r);
    uint64_t ones = hd_ir_ones((HdIrType)in.type), by;
    HdIrRef a, b;

    if (!hd_ir_is_int((HdIrType)in.type) || ++m->steps > MOST_STEPS)
        return ones;
    if (hd_ir_is_const(s->f, r, &by))
        return by & ones;
    if (in.op == HD_IR_PHI)
        return most_of_phi(m, r, ones);
    if (in.op == HD_IR_BUILTIN && in.sub == HD_BUILTIN_LOCAL_ID)
        return HD_IR_MOST_LOCAL_ID;
    if (in.nargs == 0 || !hd_ir_arg_is_value(&in, 0))
        return ones;
    a = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 0));
    b = in.nargs > 1 ? hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 1)) : 0;
    switch ((HdIrOp)in.op) {
    case HD_IR_ADD:
    case HD_IR_MUL:
    case HD_IR_SHL: return most_of_growing(m, (HdIrOp)in.op, a, b, ones);
    case HD_IR_AND:
    case HD_IR_UMIN: return smaller(most_of(m, a), most_of(m, b));
    case HD_IR_UMAX: return larger(most_of(m, a), most_of(m, b));
    case HD_IR_SELECT:
        return larger(most_of(m, b),
                      most_of(m, hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, 2))));
    case HD_IR_ZEXT: return hd_opt_fold_at(s, a)->type == HD_IR_BOOL ? 1 : most_of(m, a);
    case HD_IR_TRUNC: return smaller(most_of(m, a), ones);
    case HD_IR_LSHR:
        return most_of(m, a) >>
               (hd_ir_is_const(s->f, b, &by) ? by % hd_ir_type_bits((HdIrType)in.type) : 0);
    default: return ones;
    }
}

uint64_t hd_opt_fold_most(HdFold *s, HdIrRef r)
{
    Most m = {.s = s};

    return most_of(&m, r);
}
