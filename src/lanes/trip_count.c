/* lanes/trip_count.c -- innermost counted loops.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/trip_count.h"

#include "ir/edit.h"

#define MOST_DEPTH 8u
#define LEAST_WRAP 255u /* elements between one beginning again and the next */

/* Of what wraps an index: something from outside, or a constant that leaves more than a few. */
static bool is_long(const HdTripCount *x, HdIrRef limit)
{
    const HdIrInst *in = &x->f->insts.at[limit];

    return in->op == HD_IR_CONST ? in->imm >= LEAST_WRAP : hd_trip_count_is_outside(x, limit);
}

/* `wraps`: but for where an index begins again at 0. */
static bool step_of(const HdTripCount *x, HdIrRef r, bool wraps, unsigned depth, int64_t *step)
{
    const HdIrInst *in = &x->f->insts.at[r];
    const HdIrRef *args = hd_ir_args(x->f, r);
    int64_t other = 0, k;
    HdIrRef next;

    *step = 0;
    if (hd_trip_count_is_outside(x, r))
        return true;
    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return true;
    case HD_IR_PHI:
        if (in->block != x->head)
            return false;
        next = hd_ir_phi_value(x->f, r, x->latch);
        while (next != r && !hd_trip_count_is_outside(x, next) && depth-- > 0) {
            in = &x->f->insts.at[next];
            if ((in->op != HD_IR_ADD && in->op != HD_IR_PTRADD) ||
                !hd_ir_is_number(x->f, hd_ir_arg(x->f, next, 1), &k))
                return false;
            *step += k;
            next = hd_ir_arg(x->f, next, 0);
        }
        return next == r;
    case HD_IR_ADD:
    case HD_IR_PTRADD:
        if (!step_of(x, args[0], wraps, depth - 1, step) ||
            !step_of(x, args[1], wraps, depth - 1, &other))
            return false;
        *step += other;
        return true;
    case HD_IR_SUB:
        if (!step_of(x, args[0], wraps, depth - 1, step) ||
            !step_of(x, args[1], wraps, depth - 1, &other))
            return false;
        *step -= other;
        return true;
    case HD_IR_XOR: /* ~x is -1 - x */
        if (!hd_ir_is_number(x->f, args[1], &k) || k != -1 ||
            !step_of(x, args[0], wraps, depth - 1, step))
            return false;
        *step = -*step;
        return true;
    case HD_IR_SHL:
        if (!hd_ir_is_number(x->f, args[1], &k) || k < 0 || k > 8 ||
            !step_of(x, args[0], wraps, depth - 1, step))
            return false;
        *step = (int64_t)((uint64_t)*step << k);
        return true;
    case HD_IR_AND:
    case HD_IR_UREM:
    case HD_IR_SREM:
        return wraps && is_long(x, args[1]) && step_of(x, args[0], wraps, depth - 1, step);
    case HD_IR_ZEXT:
    case HD_IR_SEXT:
    case HD_IR_TRUNC: return step_of(x, args[0], wraps, depth - 1, step);
    default: return false;
    }
}

bool hd_trip_count_step(const HdTripCount *x, HdIrRef r, int64_t *step)
{
    return step_of(x, r, false, MOST_DEPTH, step);
}

bool hd_trip_count_step_wrapped(const HdTripCount *x, HdIrRef r, int64_t *step)
{
    return step_of(x, r, true, MOST_DEPTH, step);
}

/* The test at the end: a counter with a constant step against something from outside. */
static bool find_test(HdTripCount *x)
{
    HdIrRef end = hd_ir_last(x->f, x->latch), test = hd_ir_arg(x->f, end, 0), tested, next;
    const HdIrInst *in = &x->f->insts.at[test];

    if (in->op != HD_IR_ICMP || hd_trip_count_is_outside(x, test))
        return false;
    x->predicate = in->sub;
    tested = hd_ir_arg(x->f, test, 0);
    x->bound = hd_ir_arg(x->f, test, 1);
    if (hd_trip_count_is_outside(x, tested)) {
        tested = x->bound;
        x->bound = hd_ir_arg(x->f, test, 0);
        x->predicate = hd_ir_icmp_swapped(x->predicate);
    }
    if (x->f->blocks.at[x->latch].succ[0] != x->head)
        x->predicate = hd_ir_icmp_inverse(x->predicate);
    if (hd_trip_count_is_outside(x, tested) ||
        (!hd_trip_count_is_outside(x, x->bound) && x->f->insts.at[x->bound].op != HD_IR_CONST))
        return false;
    x->tests_next = x->f->insts.at[tested].op != HD_IR_PHI;
    x->counter = x->tests_next ? hd_ir_arg(x->f, tested, 0) : tested;
    if (x->f->insts.at[x->counter].op != HD_IR_PHI || x->f->insts.at[x->counter].block != x->head)
        return false;
    next = hd_ir_phi_value(x->f, x->counter, x->latch);
    return (!x->tests_next || next == tested) && x->f->insts.at[next].op == HD_IR_ADD &&
           hd_ir_arg(x->f, next, 0) == x->counter &&
           hd_ir_is_number(x->f, hd_ir_arg(x->f, next, 1), &x->step);
}

/* Is the last block the only one with back edges or exits, and is there no inner loop? */
static bool has_one_end(const HdTripCount *x)
{
    const HdIrGraph *g = x->g;

    if (g->loops[x->loop].irreducible)
        return false;
    for (uint32_t i = g->loops[x->loop].first; i <= g->loops[x->loop].last; i++) {
        const HdIrBlock *b = &x->f->blocks.at[g->order[i]];

        if (g->loop[g->order[i]] != x->loop)
            return false;
        for (uint32_t k = 0; k < b->succ_count && g->order[i] != x->latch; k++)
            if (b->succ[k] == x->head || !hd_trip_count_holds(x, b->succ[k]))
                return false;
    }
    return true;
}

bool hd_trip_count_find(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdTripCount *out)
{
    const HdIrBlock *end;

    *out = (HdTripCount){.f = f,
                         .g = g,
                         .loop = loop,
                         .head = g->loops[loop].head,
                         .latch = g->order[g->loops[loop].last]};
    end = &f->blocks.at[out->latch];
    if (end->succ_count != 2 || (end->succ[0] == out->head) == (end->succ[1] == out->head) ||
        !has_one_end(out) || !find_test(out))
        return false;
    switch (out->predicate) {
    case HD_IR_NE: return out->step == 1 || out->step == -1;
    case HD_IR_ULT:
    case HD_IR_ULE:
    case HD_IR_SLT:
    case HD_IR_SLE: return out->step > 0 && out->step < 1 << 20;
    case HD_IR_UGT:
    case HD_IR_UGE:
    case HD_IR_SGT:
    case HD_IR_SGE: return out->step < 0 && out->step > -(1 << 20);
    default: return false;
    }
}
