/* opt/idiom_atomic.c -- a compare-and-swap that is retried until it succeeds becomes one atomic
 * operation.
 *
 * OpenCL C before 3.0 has atomic functions for integers only, so floats are added by
 *
 *   do { old = *p; } while (atomic_cmpxchg(p, old, old + x) != old);
 *
 * or by a loop that goes on with what the last attempt has seen. When lanes execute such a loop,
 * those with one address succeed one in each iteration. A single operation is executed lane by lane
 * instead, in local memory without a compare-and-swap at all.
 *
 * The last iteration is the only one that has an effect: it replaces `old` by a function of it. So
 * any loop of one block will do that has no other effects, carries nothing but what has been seen,
 * and ends when that has not changed. What is seen before the first attempt does not matter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "opt/pass.h"

typedef struct Retry {
    HdIrFunc *f;
    uint32_t *uses; /* [count] */
    size_t count;
    HdIrRef *with; /* [count] replacements */
    bool changed;
} Retry;

/* A loop, and the operation that it implements. */
typedef struct Found {
    uint32_t block;
    HdIrRef swap, old; /* `old`: a PHI of the block or a LOAD in it */
    HdIrRef test;
    HdIrRmw op;
    HdIrType type;
    HdIrRef value; /* its operand, which is negated first for HD_IR_FSUB */
    bool negates;
} Found;

static const HdIrInst *at(const Retry *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

static HdIrRef bits_of(const Retry *x, HdIrRef r)
{
    while (at(x, r)->op == HD_IR_BITCAST)
        r = hd_ir_arg(x->f, r, 0);
    return r;
}

static bool is_outside(const Retry *x, const Found *l, HdIrRef r)
{
    return at(x, r)->op == HD_IR_CONST || at(x, r)->block != l->block;
}

/* Has the block no effects but a compare-and-swap, and loads of what that replaces only? */
static bool is_plain(const Retry *x, Found *l)
{
    const HdIrBlock *b = &x->f->blocks.at[l->block];

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];

        if (at(x, r)->op == HD_IR_ATOMIC_CMPXCHG && l->swap == 0)
            l->swap = r;
        else if (at(x, r)->op != HD_IR_LOAD && at(x, r)->op != HD_IR_CONDBR &&
                 !hd_ir_op_is_pure(at(x, r)->op))
            return false;
    }
    return l->swap != 0;
}

/* Is r, a PHI or a LOAD of the block, what the compare-and-swap expects to find? */
static bool is_old(const Retry *x, const Found *l, HdIrRef r)
{
    HdIrType t = (HdIrType)at(x, r)->type;

    if (at(x, r)->op == HD_IR_LOAD)
        return hd_ir_arg(x->f, r, 0) == hd_ir_arg(x->f, l->swap, 0) &&
               hd_ir_type_bytes(t) == hd_ir_type_bytes((HdIrType)at(x, l->swap)->type);
    return bits_of(x, hd_ir_phi_value(x->f, r, l->block)) == l->swap;
}

static bool find_old(const Retry *x, Found *l)
{
    const HdIrBlock *b = &x->f->blocks.at[l->block];
    HdIrRef expected = bits_of(x, hd_ir_arg(x->f, l->swap, 2));

    if (!is_outside(x, l, hd_ir_arg(x->f, l->swap, 0)))
        return false;
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];

        if (at(x, r)->op != HD_IR_PHI && at(x, r)->op != HD_IR_LOAD)
            continue;
        if (l->old != 0 || r != expected || !is_old(x, l, r))
            return false;
        l->old = r;
    }
    return l->old != 0;
}

/* Does the loop end if, and only if, what was seen is what was expected? */
static bool ends_on_success(const Retry *x, Found *l)
{
    const HdIrBlock *b = &x->f->blocks.at[l->block];
    HdIrRef end = hd_ir_last(x->f, l->block), one, other;
    bool is_same;

    if (at(x, end)->op != HD_IR_CONDBR || b->succ[0] == b->succ[1])
        return false;
    l->test = hd_ir_arg(x->f, end, 0);
    if (at(x, l->test)->op != HD_IR_ICMP || at(x, l->test)->block != l->block)
        return false;
    one = bits_of(x, hd_ir_arg(x->f, l->test, 0));
    other = bits_of(x, hd_ir_arg(x->f, l->test, 1));
    is_same = at(x, l->test)->sub == HD_IR_EQ;
    return (is_same || at(x, l->test)->sub == HD_IR_NE) && b->succ[is_same] == l->block &&
           ((one == l->swap && other == l->old) || (one == l->old && other == l->swap));
}

/* The atomic operation that does what `op` does; a subtrahend must be the operand. */
static bool rmw_of(HdIrOp op, HdIrRmw *out, bool *is_ordered)
{
    *is_ordered = op == HD_IR_SUB || op == HD_IR_FSUB;
    switch (op) {
    case HD_IR_ADD: *out = HD_IR_RMW_ADD; return true;
    case HD_IR_SUB: *out = HD_IR_RMW_SUB; return true;
    case HD_IR_AND: *out = HD_IR_RMW_AND; return true;
    case HD_IR_OR: *out = HD_IR_RMW_OR; return true;
    case HD_IR_XOR: *out = HD_IR_RMW_XOR; return true;
    case HD_IR_UMIN: *out = HD_IR_RMW_UMIN; return true;
    case HD_IR_UMAX: *out = HD_IR_RMW_UMAX; return true;
    case HD_IR_SMIN: *out = HD_IR_RMW_SMIN; return true;
    case HD_IR_SMAX: *out = HD_IR_RMW_SMAX; return true;
    case HD_IR_FADD:
    case HD_IR_FSUB: *out = HD_IR_RMW_FADD; return true;
    case HD_IR_FMIN: *out = HD_IR_RMW_FMIN; return true;
    case HD_IR_FMAX: *out = HD_IR_RMW_FMAX; return true;
    default: return false;
    }
}

static bool find_operation(const Retry *x, Found *l)
{
    HdIrRef stored = bits_of(x, hd_ir_arg(x->f, l->swap, 1)), left, right;
    bool is_ordered;

    l->type = (HdIrType)at(x, stored)->type;
    if (hd_ir_type_bytes(l->type) < 4 || l->type == HD_IR_PTR || is_outside(x, l, stored) ||
        !rmw_of((HdIrOp)at(x, stored)->op, &l->op, &is_ordered))
        return false;
    l->negates = at(x, stored)->op == HD_IR_FSUB;
    left = hd_ir_arg(x->f, stored, 0);
    right = hd_ir_arg(x->f, stored, 1);
    if (bits_of(x, left) == l->old && is_outside(x, l, right))
        l->value = right;
    else if (!is_ordered && bits_of(x, right) == l->old && is_outside(x, l, left))
        l->value = left;
    return l->value != 0;
}

/* ---- the replacement ---------------------------------------------------------------------------
 */

/* A load of the first guess that nothing else needs may go. */
static void forget_guess(Retry *x, const Found *l)
{
    if (at(x, l->old)->op != HD_IR_PHI)
        return;
    for (unsigned k = 1; k < at(x, l->old)->nargs; k += 2) {
        HdIrRef r = hd_ir_arg(x->f, l->old, k);

        for (; at(x, r)->op == HD_IR_BITCAST && x->uses[r] == 1; r = hd_ir_arg(x->f, r, 0))
            ;
        if (at(x, r)->op == HD_IR_LOAD && x->uses[r] == 1 &&
            hd_ir_arg(x->f, r, 0) == hd_ir_arg(x->f, l->swap, 0))
            hd_ir_inst(x->f, r)->flags &= (HdIrFlags)~HD_IR_VOLATILE;
    }
}

static HdStatus as_type(Retry *x, const Found *l, size_t *i, HdIrRef r, HdIrType t, HdIrRef *out)
{
    *out = r;
    if ((HdIrType)at(x, r)->type != t)
        HD_TAKE(*out, hd_ir_insert(x->f, l->block, (*i)++, HD_IR_BITCAST, t, 0, 0, &r, 1));
    return HD_OK;
}

static HdStatus replace(Retry *x, const Found *l)
{
    HdIrType swapped = (HdIrType)at(x, l->swap)->type, seen = (HdIrType)at(x, l->old)->type;
    HdIrRef args[2] = {hd_ir_arg(x->f, l->swap, 0), l->value}, r;
    uint64_t imm = at(x, l->swap)->imm;
    bool is_same = at(x, l->test)->sub == HD_IR_EQ;
    size_t i = 0;

    forget_guess(x, l);
    if (l->negates)
        HD_TAKE(args[1],
                hd_ir_insert(x->f, l->block, i++, HD_IR_FNEG, l->type, 0, 0, &l->value, 1));
    HD_TAKE(r, hd_ir_insert(x->f, l->block, i++, HD_IR_ATOMIC_RMW, l->type, l->op, imm, args, 2));
    hd_ir_inst(x->f, r)->place = at(x, l->swap)->place;
    HD_TRY(as_type(x, l, &i, r, swapped, &x->with[l->swap]));
    HD_TRY(as_type(x, l, &i, r, seen, &x->with[l->old]));
    hd_ir_kill(x->f, l->swap);
    hd_ir_kill(x->f, l->old);
    hd_ir_inst(x->f, l->test)->op = HD_IR_CONST;
    hd_ir_inst(x->f, l->test)->imm = is_same;
    hd_ir_inst(x->f, l->test)->sub = 0;
    hd_ir_set_args(x->f, l->test, NULL, 0);
    x->changed = true;
    return HD_OK;
}

static HdStatus look_at(Retry *x, uint32_t block)
{
    const HdIrBlock *b = &x->f->blocks.at[block];
    Found l = {.block = block};

    if (b->succ_count != 2 || (b->succ[0] != block && b->succ[1] != block))
        return HD_OK;
    if (!is_plain(x, &l) || !find_old(x, &l) || !ends_on_success(x, &l) || !find_operation(x, &l))
        return HD_OK;
    return replace(x, &l);
}

HdStatus hd_opt_idiom_atomic(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Retry x = {.f = f, .count = f->insts.count};
    bool swaps = false;

    for (size_t i = 0; i < f->insts.count && !swaps; i++)
        swaps = f->insts.at[i].op == HD_IR_ATOMIC_CMPXCHG && f->insts.at[i].block != HD_IR_NOWHERE;
    if (!swaps)
        return HD_OK;
    HD_TAKE(x.uses, hd_ir_count_uses(f, scratch));
    HD_TAKE(x.with, HD_NEW(scratch, HdIrRef, x.count));
    for (uint32_t b = 0; b < f->blocks.count; b++)
        HD_TRY(look_at(&x, b));
    if (x.changed) {
        hd_ir_substitute(f, x.with, x.count);
        hd_ir_sweep(f);
    }
    *changed = *changed || x.changed;
    return HD_OK;
}
