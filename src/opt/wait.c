/* opt/wait.c -- loops that wait for another sub-group yield to it.
 *
 * The sub-groups of a work-group share one thread, so a loop that iterates until another sub-group
 * has stored something would never end. Such a loop is one whose exit depends on the result of an
 * atomic operation, a volatile load or a runtime call inside it. It gets a YIELD at its back edges;
 * a function with one needs a stack for each sub-group.
 *
 * Not every retry waits: a compare-and-swap that is retried with the value just seen fails only if
 * another work-item made progress, which no stopped sub-group can have done. A loop that exits as
 * soon as its compare-and-swap succeeds, and tries in every iteration, does not wait, whatever its
 * other exits are. Nor does one that claims the first free slot of a table: if all that a kernel
 * does to shared memory is to replace a certain constant, the stores of others never free a slot
 * that was taken.
 *
 * Spec: OpenCL API, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/linear.h"
#include "opt/pass.h"

/* The current loop. */
typedef struct Loop {
    HdIrFunc *f;
    const HdIrGraph *g;
    uint32_t index, first, last; /* positions in g->order */
    uint64_t *values;            /* [insts] depend on what others may store */
    uint64_t *blocks;            /* [blocks] run or not depending on such a value */
    uint64_t *entered;           /* [blocks] scratch of control_region */
    const uint32_t *uses;        /* [insts] as hd_ir_count_uses has them */
    HD_ARRAY(uint32_t) stack;
    HdArena *a;
    bool is_private_dirty; /* such a value went to private memory */
    bool changed;
} Loop;

static bool is_inside(const Loop *l, uint32_t block)
{
    return block < l->g->count && hd_ir_loop_holds(l->g, l->index, block);
}

/* Does it bring in what another sub-group may have stored? */
static bool is_source(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_RTCALL: return true;
    case HD_IR_CALL: return f->module->funcs.at[in->imm]->waits.sees_others;
    case HD_IR_LOAD: return (in->flags & HD_IR_VOLATILE) != 0 && in->sub != HD_SPACE_PRIVATE;
    default: return false;
    }
}

static bool has_source(const Loop *l)
{
    for (uint32_t r = l->first; r <= l->last; r++) {
        const HdIrBlock *b = &l->f->blocks.at[l->g->order[r]];

        for (size_t i = 0; i < b->insts.count; i++)
            if (is_source(l->f, b->insts.at[i]))
                return true;
    }
    return false;
}

static void taint(Loop *l, HdIrRef v)
{
    l->changed = l->changed || !hd_bit_has(l->values, v);
    hd_bit_add(l->values, v);
}

/* What runs, or where ways meet, between a block that decides and the one where all its ways have
 * met again. */
static HdStatus control_region(Loop *l, uint32_t block)
{
    uint32_t end = l->g->ipdom[block];
    const HdIrBlock *from = &l->f->blocks.at[block];

    for (size_t w = 0; w < HD_BITSET_WORDS(l->g->count); w++)
        l->entered[w] = 0;
    for (uint32_t i = 0; i < from->succ_count; i++)
        HD_TRY_PUSH(l->a, &l->stack, from->succ[i]);
    while (l->stack.count > 0) {
        uint32_t b = l->stack.at[--l->stack.count];
        const HdIrBlock *at = &l->f->blocks.at[b];

        if (!is_inside(l, b) || hd_bit_has(l->entered, b))
            continue;
        hd_bit_add(l->entered, b);
        for (size_t i = 0; i < at->insts.count; i++) {
            if (l->f->insts.at[at->insts.at[i]].op != HD_IR_PHI)
                break;
            taint(l, at->insts.at[i]);
        }
        if (b == end || b == l->g->loops[l->index].head)
            continue;
        l->changed = l->changed || !hd_bit_has(l->blocks, b);
        hd_bit_add(l->blocks, b);
        for (uint32_t i = 0; i < at->succ_count; i++)
            HD_TRY_PUSH(l->a, &l->stack, at->succ[i]);
    }
    return HD_OK;
}

static bool is_tainted(const Loop *l, HdIrRef v)
{
    const HdIrInst *in = &l->f->insts.at[v];

    if (is_source(l->f, v))
        return true;
    if (in->op == HD_IR_LOAD && l->is_private_dirty &&
        (in->sub == HD_SPACE_PRIVATE || in->sub == HD_SPACE_GENERIC))
        return true;
    for (unsigned i = 0; i < in->nargs; i++)
        if (hd_ir_arg_is_value(in, i) && hd_bit_has(l->values, hd_ir_arg(l->f, v, i)))
            return true;
    return false;
}

static HdStatus visit(Loop *l, uint32_t block)
{
    const HdIrBlock *b = &l->f->blocks.at[block];

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef v = b->insts.at[i];
        const HdIrInst *in = &l->f->insts.at[v];

        if (hd_bit_has(l->values, v) || !is_tainted(l, v))
            continue;
        taint(l, v);
        if (((in->op == HD_IR_STORE || in->op == HD_IR_MEMSET || in->op == HD_IR_MEMCPY) &&
             (in->sub == HD_SPACE_PRIVATE || in->sub == HD_SPACE_GENERIC)) ||
            in->op == HD_IR_CALL)
            l->is_private_dirty = true;
        if (in->op == HD_IR_CONDBR || in->op == HD_IR_SWITCH)
            HD_TRY(control_region(l, block));
    }
    return HD_OK;
}

/* The value that a compare-and-swap compares with: one that was just read at the same place? */
static bool is_fresh(const Loop *l, HdIrRef compared, HdIrRef swap)
{
    const HdIrInst *in = &l->f->insts.at[compared];

    if (in->op == HD_IR_BITCAST) {
        compared = hd_ir_arg(l->f, compared, 0);
        in = &l->f->insts.at[compared];
    }
    if (!is_inside(l, in->block))
        return false;
    if (in->op == HD_IR_ATOMIC_LOAD || in->op == HD_IR_LOAD)
        return hd_ir_arg(l->f, compared, 0) == hd_ir_arg(l->f, swap, 0);
    if (in->op != HD_IR_PHI || is_inside(l, l->f->insts.at[hd_ir_arg(l->f, swap, 0)].block))
        return false;
    for (unsigned i = 0; i < in->nargs; i += 2)
        if (is_inside(l, hd_ir_arg(l->f, compared, i)) && hd_ir_arg(l->f, compared, i + 1) != swap)
            return false;
    return true;
}

static bool is_retry(const Loop *l, HdIrRef cond)
{
    const HdIrInst *in = &l->f->insts.at[cond];

    if (in->op != HD_IR_ICMP || (in->sub != HD_IR_EQ && in->sub != HD_IR_NE))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        HdIrRef swap = hd_ir_arg(l->f, cond, i), other = hd_ir_arg(l->f, cond, 1 - i);

        if (l->f->insts.at[swap].op == HD_IR_ATOMIC_CMPXCHG && hd_ir_arg(l->f, swap, 2) == other &&
            is_fresh(l, other, swap))
            return true;
    }
    return false;
}

static bool leaves(const Loop *l, uint32_t block)
{
    const HdIrBlock *b = &l->f->blocks.at[block];

    for (uint32_t i = 0; i < b->succ_count; i++)
        if (!is_inside(l, b->succ[i]))
            return true;
    return false;
}

static bool goes_back(const Loop *l, uint32_t block)
{
    const HdIrBlock *b = &l->f->blocks.at[block];

    for (uint32_t i = 0; i < b->succ_count; i++) {
        uint32_t to = b->succ[i];

        if (to == l->g->loops[l->index].head ||
            (l->g->loops[l->index].irreducible && is_inside(l, to) &&
             l->g->rank[to] <= l->g->rank[block]))
            return true;
    }
    return false;
}

/* Of a branch on whether a compare-and-swap found what it compares with. */
static bool leaves_on_success(const Loop *l, HdIrRef branch)
{
    const HdIrInst *in = &l->f->insts.at[branch];
    bool equal = l->f->insts.at[hd_ir_arg(l->f, branch, 0)].sub == HD_IR_EQ;

    return !is_inside(l, l->f->blocks.at[in->block].succ[equal ? 0 : 1]);
}

/* Does every iteration end after `block`? */
static bool is_in_every_round(const Loop *l, uint32_t block)
{
    for (uint32_t r = l->first; r <= l->last; r++)
        if (goes_back(l, l->g->order[r]) && !hd_ir_dominates(l->g, block, l->g->order[r]))
            return false;
    return true;
}

static bool waits(const Loop *l)
{
    bool found = false, retries;

    for (uint32_t r = l->first; r <= l->last; r++) {
        uint32_t block = l->g->order[r];
        HdIrRef end = hd_ir_last(l->f, block);

        if (l->f->blocks.at[block].succ_count < 2 || !leaves(l, block))
            continue;
        retries = is_retry(l, hd_ir_arg(l->f, end, 0));
        if (retries && leaves_on_success(l, end) && is_in_every_round(l, block))
            return false;
        found = found || hd_bit_has(l->blocks, block) ||
                (!retries && hd_bit_has(l->values, hd_ir_arg(l->f, end, 0)));
    }
    return found;
}

/* ---- taking free places -----------------------------------------------------------------------
 */

/* What the whole kernel does to memory that work-items share. */
typedef struct Takes {
    bool only;     /* it swaps `what` for something else, and stores plainly to other objects */
    uint64_t what; /* bits of a constant */
} Takes;

/* May two addresses be of one object? Arguments are taken to be different objects where one of them
 * is stored to plainly: with atomics on the same that would be a race. */
static bool may_be_same(const HdIrFunc *f, HdIrRef a, HdIrRef b)
{
    const HdIrInst *x = &f->insts.at[a], *y = &f->insts.at[b];

    if (x->op == HD_IR_ALLOCA || y->op == HD_IR_ALLOCA)
        return a == b;
    if (x->op == HD_IR_KARG && y->op == HD_IR_KARG)
        return x->imm == y->imm;
    return true;
}

static bool is_private(const HdIrFunc *f, HdIrRef access)
{
    return f->insts.at[access].sub == HD_SPACE_PRIVATE ||
           f->insts.at[hd_linear_object(f, hd_ir_arg(f, access, 0))].op == HD_IR_ALLOCA;
}

/* The first swap of a kernel gives the constant and the object, which all others share. */
static bool takes(const HdIrFunc *f, HdIrRef r, HdIrRef *table, Takes *t)
{
    HdIrRef object = hd_linear_object(f, hd_ir_arg(f, r, 0));
    uint64_t what;

    if (!hd_ir_is_const(f, hd_ir_arg(f, r, 2), &what))
        return false;
    if (*table == 0) {
        *table = object;
        t->what = what;
    }
    return what == t->what && may_be_same(f, object, *table);
}

static Takes look_for_takes(const HdIrFunc *f)
{
    Takes t = {.only = true};
    HdIrRef table = 0;

    for (HdIrRef r = 1; r < f->insts.count && t.only; r++)
        if (f->insts.at[r].block != HD_IR_NOWHERE && f->insts.at[r].op == HD_IR_ATOMIC_CMPXCHG)
            t.only = takes(f, r, &table, &t);
    for (HdIrRef r = 1; r < f->insts.count && t.only; r++) {
        const HdIrInst *in = &f->insts.at[r];

        if (in->block == HD_IR_NOWHERE)
            continue;
        switch ((HdIrOp)in->op) {
        case HD_IR_STORE:
        case HD_IR_MEMSET:
        case HD_IR_MEMCPY:
            t.only = is_private(f, r) ||
                     ((in->flags & HD_IR_VOLATILE) == 0 &&
                      !may_be_same(f, hd_linear_object(f, hd_ir_arg(f, r, 0)), table));
            break;
        case HD_IR_ATOMIC_STORE:
        case HD_IR_ATOMIC_RMW:
        case HD_IR_IMAGE_PUT:
        case HD_IR_CALL:
        case HD_IR_RTCALL: t.only = false; break;
        default: break;
        }
    }
    t.only = t.only && table != 0;
    return t;
}

enum { UNKNOWN = -1 };

/* What a condition is where `swap` gave the constant that it compares with. */
static int on_success(const HdIrFunc *f, HdIrRef cond, HdIrRef swap, unsigned depth)
{
    const HdIrInst *in = &f->insts.at[cond];
    int a, b;

    if (depth == 0 || in->nargs != 2)
        return UNKNOWN;
    if (in->op == HD_IR_ICMP && (in->sub == HD_IR_EQ || in->sub == HD_IR_NE))
        return hd_ir_arg(f, cond, 0) == swap && hd_ir_arg(f, cond, 1) == hd_ir_arg(f, swap, 2)
                   ? in->sub == HD_IR_EQ
                   : UNKNOWN;
    if (in->op != HD_IR_OR && in->op != HD_IR_AND)
        return UNKNOWN;
    a = on_success(f, hd_ir_arg(f, cond, 0), swap, depth - 1);
    b = on_success(f, hd_ir_arg(f, cond, 1), swap, depth - 1);
    if (in->op == HD_IR_OR)
        return a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : UNKNOWN;
    return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : UNKNOWN;
}

/* Does the loop see nothing of what others store but by swaps that end it when they succeed? */
static bool ends_by_taking(const Loop *l)
{
    for (uint32_t r = l->first; r <= l->last; r++) {
        uint32_t block = l->g->order[r];
        const HdIrBlock *b = &l->f->blocks.at[block];
        HdIrRef end = hd_ir_last(l->f, block);

        for (size_t i = 0; i < b->insts.count; i++) {
            const HdIrInst *in = &l->f->insts.at[b->insts.at[i]];
            int success;

            if (!is_source(l->f, b->insts.at[i]))
                continue;
            if (in->op != HD_IR_ATOMIC_CMPXCHG || l->f->insts.at[end].op != HD_IR_CONDBR)
                return false;
            success = on_success(l->f, hd_ir_arg(l->f, end, 0), b->insts.at[i], 8);
            if (success == UNKNOWN || is_inside(l, b->succ[success == 1 ? 0 : 1]))
                return false;
        }
    }
    return true;
}

static HdStatus find(Loop *l, bool *result)
{
    *result = false;
    if (!has_source(l))
        return HD_OK;
    for (size_t i = 0; i < HD_BITSET_WORDS(l->f->insts.count); i++)
        l->values[i] = 0;
    for (size_t i = 0; i < HD_BITSET_WORDS(l->g->count); i++)
        l->blocks[i] = 0;
    l->is_private_dirty = false;
    do {
        l->changed = false;
        for (uint32_t r = l->first; r <= l->last; r++)
            HD_TRY(visit(l, l->g->order[r]));
    } while (l->changed);
    *result = waits(l);
    return HD_OK;
}

/* ---- lanes that wait for each other -----------------------------------------------------------
 *
 * A lock that is taken in a loop is given back after it, and compilers move there what was in the
 * loop (`while (!done) if (take(…)) { …; give(…); done = true; }`). The lane that has the lock then
 * waits after the loop for those that wait for the lock. */

/* Does the loop end where control gets to a block of phis from `pred`? One of them may be what the
 * block's branch asks for. */
static bool ends_from(const Loop *l, uint32_t block, uint32_t pred)
{
    HdIrRef end = hd_ir_last(l->f, block), cond;
    const HdIrInst *phi;
    uint64_t bit;

    if (l->f->insts.at[end].op != HD_IR_CONDBR)
        return false;
    cond = hd_ir_arg(l->f, end, 0);
    phi = &l->f->insts.at[cond];
    if (phi->op != HD_IR_PHI || phi->block != block)
        return false;
    for (unsigned k = 0; k < phi->nargs; k += 2)
        if (hd_ir_arg(l->f, cond, k) == pred &&
            hd_ir_is_const(l->f, hd_ir_arg(l->f, cond, k + 1), &bit))
            return !is_inside(l, l->f->blocks.at[block].succ[bit != 0 ? 0 : 1]);
    return false;
}

/* May a value be the same in the next round? Not what goes on with each. */
static bool may_stay(const Loop *l, HdIrRef v, unsigned depth)
{
    const HdIrInst *in = &l->f->insts.at[v];

    if (!is_inside(l, in->block))
        return true;
    if (depth == 0)
        return false;
    if (in->op == HD_IR_PHI) {
        for (unsigned i = 0; i < in->nargs; i += 2) {
            HdIrRef next = hd_ir_arg(l->f, v, i + 1);
            const HdIrInst *from = &l->f->insts.at[next];
            unsigned step = from->op == HD_IR_PHI ? 2 : 1;

            if (!is_inside(l, hd_ir_arg(l->f, v, i)))
                continue;
            for (unsigned k = step - 1; k < from->nargs && is_inside(l, from->block); k += step)
                if ((from->op == HD_IR_PHI || from->op == HD_IR_SELECT) &&
                    hd_ir_arg(l->f, next, k) == v &&
                    (from->op == HD_IR_SELECT ||
                     !ends_from(l, from->block, hd_ir_arg(l->f, next, k - 1))))
                    return true;
            if (next == v)
                return true;
        }
        return false;
    }
    for (unsigned i = 0; i < in->nargs; i++)
        if (hd_ir_arg_is_value(in, i) && !may_stay(l, hd_ir_arg(l->f, v, i), depth - 1))
            return false;
    return true;
}

/* Does it store where a place is, which is in memory that work-items share? */
static bool may_store_to(const HdIrFunc *f, HdIrRef r, HdIrRef place)
{
    switch ((HdIrOp)f->insts.at[r].op) {
    case HD_IR_STORE:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
        return !is_private(f, r) &&
               may_be_same(f, hd_linear_object(f, hd_ir_arg(f, r, 0)), hd_linear_object(f, place));
    default: return false;
    }
}

/* May one that has left the loop store there before it meets the others at a barrier? */
static HdStatus stores_later(Loop *l, HdIrRef place, bool *result)
{
    for (size_t w = 0; w < HD_BITSET_WORDS(l->g->count); w++)
        l->entered[w] = 0;
    l->stack.count = 0;
    for (uint32_t r = l->first; r <= l->last; r++) {
        const HdIrBlock *b = &l->f->blocks.at[l->g->order[r]];

        for (uint32_t i = 0; i < b->succ_count; i++)
            if (!is_inside(l, b->succ[i]))
                HD_TRY_PUSH(l->a, &l->stack, b->succ[i]);
    }
    while (l->stack.count > 0 && !*result) {
        uint32_t at = l->stack.at[--l->stack.count];
        const HdIrBlock *b = &l->f->blocks.at[at];
        bool meets = false;

        if (is_inside(l, at) || hd_bit_has(l->entered, at))
            continue;
        hd_bit_add(l->entered, at);
        for (size_t i = 0; i < b->insts.count && !meets; i++) {
            meets = l->f->insts.at[b->insts.at[i]].op == HD_IR_BARRIER;
            *result = *result || (!meets && may_store_to(l->f, b->insts.at[i], place));
        }
        for (uint32_t i = 0; i < b->succ_count && !meets; i++)
            HD_TRY_PUSH(l->a, &l->stack, b->succ[i]);
    }
    l->stack.count = 0;
    return HD_OK;
}

/* Is a value an id of the work-item in its group, or in the launch? */
static bool is_id(const HdIrFunc *f, HdIrRef v)
{
    const HdIrInst *in = &f->insts.at[v];

    while (in->op == HD_IR_TRUNC || in->op == HD_IR_SEXT || in->op == HD_IR_ZEXT)
        in = &f->insts.at[hd_ir_arg(f, (HdIrRef)(in - f->insts.at), 0)];
    return in->op == HD_IR_BUILTIN &&
           (in->sub == HD_BUILTIN_LOCAL_ID || in->sub == HD_BUILTIN_GLOBAL_ID);
}

/* Does one work-item get to the loop alone, by `if (id == 0)`? */
static bool is_of_one(const Loop *l)
{
    uint32_t head = l->g->loops[l->index].head;

    for (uint32_t r = 0; r < l->g->reachable; r++) {
        uint32_t block = l->g->order[r];
        const HdIrBlock *b = &l->f->blocks.at[block];
        HdIrRef end = hd_ir_last(l->f, block), cond;
        const HdIrInst *test;

        if (l->f->insts.at[end].op != HD_IR_CONDBR || !hd_ir_dominates(l->g, block, head))
            continue;
        cond = hd_ir_arg(l->f, end, 0);
        test = &l->f->insts.at[cond];
        if (test->op == HD_IR_ICMP && (test->sub == HD_IR_EQ || test->sub == HD_IR_NE) &&
            is_id(l->f, hd_ir_arg(l->f, cond, 0)) &&
            hd_ir_dominates(l->g, b->succ[test->sub == HD_IR_EQ ? 0 : 1], head) &&
            l->g->pred_first[b->succ[test->sub == HD_IR_EQ ? 0 : 1] + 1] -
                    l->g->pred_first[b->succ[test->sub == HD_IR_EQ ? 0 : 1]] ==
                1)
            return true;
    }
    return false;
}

static HdStatus find_waiting_lanes(Loop *l)
{
    for (uint32_t r = l->first; r <= l->last; r++) {
        const HdIrBlock *b = &l->f->blocks.at[l->g->order[r]];

        for (size_t i = 0; i < b->insts.count && !l->f->waits.lanes_wait; i++) {
            HdIrRef v = b->insts.at[i];
            unsigned op = l->f->insts.at[v].op;

            if (is_source(l->f, v) && op != HD_IR_RTCALL && op != HD_IR_CALL && l->uses[v] != 0 &&
                may_stay(l, hd_ir_arg(l->f, v, 0), 16) && !is_of_one(l))
                HD_TRY(stores_later(l, hd_ir_arg(l->f, v, 0), &l->f->waits.lanes_wait));
        }
    }
    return HD_OK;
}

static void yield_at_back_edges(Loop *l)
{
    for (uint32_t r = l->first; r <= l->last; r++) {
        uint32_t block = l->g->order[r];
        size_t end = l->f->blocks.at[block].insts.count - 1;

        if (!goes_back(l, block) ||
            (end > 0 && l->f->insts.at[l->f->blocks.at[block].insts.at[end - 1]].op == HD_IR_YIELD))
            continue;
        hd_ir_insert(l->f, block, end, HD_IR_YIELD, HD_IR_VOID, 0, 0, NULL, 0);
        l->f->waits.needs_fibers = true;
    }
}

static bool sees_others(const HdIrFunc *f)
{
    for (HdIrRef r = 1; r < f->insts.count; r++)
        if (f->insts.at[r].block != HD_IR_NOWHERE && is_source(f, r))
            return true;
    return false;
}

HdStatus hd_opt_wait(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Loop l = {.f = f, .a = scratch};
    HdIrGraph *g;
    Takes takes;

    f->waits.sees_others = sees_others(f);
    HD_TRY(hd_ir_graph(f, scratch, &g));
    if (g->loop_count == 0)
        return HD_OK;
    l.g = g;
    takes = look_for_takes(f);
    /* A few more than there are: YIELDs become instructions too. */
    HD_TAKE(l.values, HD_NEW(scratch, uint64_t, HD_BITSET_WORDS(f->insts.count + g->count)));
    HD_TAKE(l.blocks, HD_NEW(scratch, uint64_t, HD_BITSET_WORDS(g->count)));
    HD_TAKE(l.entered, HD_NEW(scratch, uint64_t, HD_BITSET_WORDS(g->count)));
    HD_TAKE(l.uses, hd_ir_count_uses(f, scratch));
    for (l.index = 0; l.index < g->loop_count; l.index++) {
        bool is_waiting;

        l.first = g->loops[l.index].first;
        l.last = g->loops[l.index].last;
        HD_TRY(find(&l, &is_waiting));
        if (!is_waiting || (takes.only && ends_by_taking(&l)))
            continue;
        HD_TRY(find_waiting_lanes(&l));
        yield_at_back_edges(&l);
        *changed = true;
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
