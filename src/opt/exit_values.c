/* opt/exit_values.c -- loops that only count become the values that they end with.
 *
 *     for (k = 0; k < run && to < 64; k++) out[to++] = c;
 *
 * Compilers turn the stores into a fill of min(run, 64 - to) bytes, and leave the loop that finds
 * where k and to end, as it has two ways out. Such a loop does nothing else: its counters get the
 * values of the last iteration, and one iteration is left, which is no loop any more.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/counted.h"
#include "ir/edit.h"
#include "opt/pass.h"

/* Ways out of a loop that only counts; compilers leave two. */
#define MOST_TESTS 4u

/* The loop goes on while `how`(at first + by * iteration, bound). */
typedef struct Test {
    HdIrRef phi, more; /* tested: their sum; more 0: the phi alone */
    HdIrRef bound;
    unsigned how; /* HdIrICmp */
} Test;

typedef struct Count {
    HdIrFunc *f;
    uint32_t b;   /* the loop's only block */
    size_t first; /* instructions that were there before */
    Test tests[MOST_TESTS];
    unsigned count;
    HD_ARRAY(HdIrRef) made; /* for the beginning of the block */
    HdArena *arena;
    HdIrRef *with; /* what replaces phis */
} Count;

static const HdIrInst *inst(const Count *c, HdIrRef r)
{
    return &c->f->insts.at[r];
}

static bool is_invariant(const Count *c, HdIrRef r)
{
    return inst(c, r)->block != c->b || inst(c, r)->op == HD_IR_CONST;
}

/* What is added to r, of the loop, and to what? */
static bool is_sum(const Count *c, HdIrRef r, HdIrRef *phi, HdIrRef *more)
{
    if (inst(c, r)->op != HD_IR_ADD && inst(c, r)->op != HD_IR_PTRADD)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        *phi = hd_ir_arg(c->f, r, k);
        *more = hd_ir_arg(c->f, r, 1 - k);
        if (inst(c, *phi)->op == HD_IR_PHI && inst(c, *phi)->block == c->b &&
            is_invariant(c, *more))
            return true;
    }
    return false;
}

static bool find_counter(const Count *c, HdIrRef phi, HdCounter *out)
{
    HdLoop loop = {.f = c->f, .head = c->b};

    return hd_counter_find(&loop, phi, out) && out->start != 0 && out->step != 0;
}

static bool add_test(Count *c, HdIrRef r, bool goes_on)
{
    unsigned how = inst(c, r)->sub;
    HdIrRef tested = hd_ir_arg(c->f, r, 0), bound = hd_ir_arg(c->f, r, 1);
    HdCounter counter;
    Test t = {0};

    if (c->count == MOST_TESTS || inst(c, tested)->type == HD_IR_PTR ||
        inst(c, tested)->type == HD_IR_BOOL)
        return false;
    if (is_invariant(c, tested)) {
        how = hd_ir_icmp_swapped(how);
        t.bound = tested;
        tested = bound;
    } else {
        t.bound = bound;
    }
    t.how = goes_on ? how : hd_ir_icmp_inverse(how);
    if (inst(c, tested)->op == HD_IR_PHI)
        t.phi = tested;
    else if (!is_sum(c, tested, &t.phi, &t.more))
        return false;
    c->tests[c->count++] = t;
    return is_invariant(c, t.bound) && find_counter(c, t.phi, &counter) &&
           hd_counted_is_exact(t.how, counter.step);
}

/* All tests that r consists of: goes_on if the loop does where r is true. */
static bool add_tests(Count *c, HdIrRef r, bool goes_on)
{
    if (is_invariant(c, r))
        return false;
    if (inst(c, r)->op == HD_IR_ICMP)
        return add_test(c, r, goes_on);
    return inst(c, r)->op == (goes_on ? HD_IR_AND : HD_IR_OR) &&
           add_tests(c, hd_ir_arg(c->f, r, 0), goes_on) &&
           add_tests(c, hd_ir_arg(c->f, r, 1), goes_on);
}

static bool only_counts(Count *c)
{
    const HdIrBlock *block = &c->f->blocks.at[c->b];
    HdIrRef last = hd_ir_last(c->f, c->b);
    HdCounter counter;

    for (size_t i = 0; i + 1 < block->insts.count; i++) {
        const HdIrInst *in = inst(c, block->insts.at[i]);

        if (in->op == HD_IR_PHI ? !find_counter(c, block->insts.at[i], &counter)
                                : !hd_ir_op_is_pure(in->op) || hd_ir_op_is_convergent(in->op) ||
                                      in->op == HD_IR_ALLOCA)
            return false;
    }
    c->count = 0;
    return add_tests(c, hd_ir_arg(c->f, last, 0), block->succ[0] == c->b);
}

static HdIrRef make(void *user, HdIrOp op, HdIrType t, uint64_t imm, HdIrRef x, HdIrRef y)
{
    Count *c = user;
    HdIrRef args[2] = {x, y},
            r = hd_ir_make(c->f, c->b, op, t, 0, imm, args, (x != 0) + (size_t)(y != 0));

    if (r == 0 || !HD_PUSH(c->arena, &c->made, r))
        c->f->module->failed = true;
    return r;
}

/* Constants of the block stand where they are used first. */
static HdIrRef early(Count *c, HdIrRef r)
{
    return inst(c, r)->block == c->b
               ? make(c, HD_IR_CONST, (HdIrType)inst(c, r)->type, inst(c, r)->imm, 0, 0)
               : r;
}

/* Iterations after the first one that this test alone would allow, I64. */
static HdIrRef rounds_of(Count *c, const Test *t)
{
    HdIrType type = (HdIrType)inst(c, t->phi)->type;
    HdIrRef to = early(c, t->bound), from;
    HdCountedPut put = {make, c};
    HdCounter counter;

    (void)find_counter(c, t->phi, &counter);
    from = counter.start;
    if (t->more != 0)
        from = make(c, HD_IR_ADD, type, 0, from, early(c, t->more));
    return hd_counted_trips(&put, c->f, t->how, from, counter.step, to);
}

/* A counter after so many iterations. */
static HdIrRef counted(Count *c, HdIrRef phi, HdIrRef rounds)
{
    HdCountedPut put = {make, c};
    HdCounter counter;

    (void)find_counter(c, phi, &counter);
    return hd_counted_final(&put, c->f, &counter, rounds);
}

static HdStatus arrive(Count *c)
{
    HdIrFunc *f = c->f;
    HdIrBlock *block;
    HdIrRef rounds = 0;
    size_t count = f->blocks.at[c->b].insts.count;

    c->made.count = 0;
    for (unsigned i = 0; i < c->count; i++) {
        HdIrRef own = rounds_of(c, &c->tests[i]);

        rounds = rounds == 0 ? own : make(c, HD_IR_UMIN, HD_IR_I64, 0, rounds, own);
    }
    for (size_t i = 0; i < count; i++) {
        HdIrRef r = f->blocks.at[c->b].insts.at[i];

        if (inst(c, r)->op == HD_IR_PHI) {
            HD_TAKE(c->with[r], counted(c, r, rounds));
            hd_ir_kill(f, r);
        } else {
            HD_TRY_PUSH(c->arena, &c->made, r);
        }
    }
    block = &f->blocks.at[c->b];
    block->insts.count = 0;
    for (size_t i = 0; i < c->made.count; i++)
        HD_TRY_PUSH(f->module->arena, &block->insts, c->made.at[i]);
    hd_ir_leave_one_way(f, c->b, block->succ[block->succ[0] == c->b]);
    block->loop_merge = HD_IR_NOWHERE;
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_opt_exit_values(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Count c = {.f = f, .arena = scratch, .first = f->insts.count};
    bool any = false;

    for (c.b = 0; c.b < f->blocks.count; c.b++) {
        if (!hd_ir_is_own_loop(f, c.b) || !only_counts(&c))
            continue;
        if (c.with == NULL)
            HD_TAKE(c.with, HD_NEW(scratch, HdIrRef, c.first));
        HD_TRY(arrive(&c));
        any = true;
    }
    if (any)
        hd_ir_substitute(f, c.with, c.first);
    *changed = *changed || any;
    return HD_OK;
}
