/* lanes/compare.c -- comparisons of wide numbers that are small.
 *
 * Compilers widen the counter of a loop to 64 bits if it is an index, and compare it so with other
 * ints, which they extend: `k < lane`. A register holds half as many lanes then, and masks of two
 * registers have to be joined. Both numbers are known to be in the range of an int here: constants,
 * ids, what has been extended, and counters that begin and end there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/compare.h"

#include "ir/counted.h"
#include "ir/edit.h"

static bool is_int(int64_t x)
{
    return x >= INT32_MIN && x <= INT32_MAX;
}

static bool is_extended(const HdIrFunc *f, HdIrRef v)
{
    const HdIrInst *in = &f->insts.at[v];
    unsigned bits;

    if (in->op != HD_IR_SEXT && in->op != HD_IR_ZEXT)
        return false;
    bits = hd_ir_type_bits((HdIrType)f->insts.at[hd_ir_arg(f, v, 0)].type);
    return bits < 32 || (bits == 32 && in->op == HD_IR_SEXT);
}

/* Signed, but for counters. */
static bool is_plainly_small(const HdShapes *s, HdIrRef v, uint32_t use)
{
    int64_t k;

    if (hd_ir_is_number(s->f, v, &k))
        return is_int(k);
    return is_extended(s->f, v) || hd_shape_at(s, v, use).small;
}

/* Does a counter with this bound stay where it begins and where the bound is? It reaches the bound
 * itself: if it did not, it would overflow, which its addition promises not to. */
static bool stays(const HdShapes *s, const HdCounted *x)
{
    HdIrRef next = x->counter.next;
    int64_t k;

    switch (x->predicate) {
    case HD_IR_NE: return (s->f->insts.at[next].flags & HD_IR_NSW) != 0;
    case HD_IR_SLT:
    case HD_IR_SLE:
        return x->tests_next ||
               (hd_ir_is_number(s->f, x->bound, &k) && is_int(k + x->counter.step));
    case HD_IR_SGT:
    case HD_IR_SGE:
        return x->tests_next ||
               (hd_ir_is_number(s->f, x->bound, &k) && is_int(k + x->counter.step));
    default: return false;
    }
}

static bool is_small_counter(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];
    uint32_t loop = s->g->loop[in->block];
    HdCounted x;

    if (in->op != HD_IR_PHI || loop == HD_IR_NOWHERE || !hd_counted_find(s->f, s->g, loop, &x) ||
        x.counter.phi != v || !is_plainly_small(s, x.bound, in->block) || !stays(s, &x))
        return false;
    for (unsigned k = 0; k < in->nargs; k += 2)
        if (hd_ir_arg(s->f, v, k) != x.latch &&
            !is_plainly_small(s, hd_ir_arg(s->f, v, k + 1), in->block))
            return false;
    return true;
}

/* What is the same in all lanes, and ids, are compared outside of loops mostly, in a form that says
 * which sub-groups have nothing to do (group/idle.c). */
static bool is_simple(const HdShapes *s, HdIrRef v)
{
    return s->of[v].kind != HD_SHAPE_VARYING && s->f->insts.at[v].op != HD_IR_PHI;
}

bool hd_lanes_compares_small(const HdShapes *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(s->f, v);

    if (in->op != HD_IR_ICMP || s->of[v].kind == HD_SHAPE_UNIFORM ||
        s->f->insts.at[args[0]].type != HD_IR_I64 ||
        (is_simple(s, args[0]) && is_simple(s, args[1])))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (!is_plainly_small(s, args[i], in->block) && !is_small_counter(s, args[i]))
            return false;
    return true;
}
