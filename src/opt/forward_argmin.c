/* opt/forward_argmin.c -- the value at a chosen place is kept beside the place.
 *
 * `if (x[j] < x[least]) least = j;` loads x[least] in each round, which is what the loop began with
 * or x[j] of a round that chose it. As a phi of these it needs no load, which lanes would gather,
 * and no round waits for the address that the one before has chosen.
 *
 * Addresses are compared as sums of products, since the index that is chosen is often a part of the
 * counter that steps through memory: i32 beside i64.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/memory.h"
#include "opt/pass.h"

/* Products in the sum that an address is. */
#define MOST_TERMS 8u
/* Operations from an address back to its terms. */
#define MOST_DEPTH  12u
#define MOST_LOADS  16u /* of a loop that are compared */
#define MOST_BLOCKS 64u /* of a loop */

/* A value as it is in a sum, or extended to 64 bits. */
typedef struct Term {
    HdIrRef of;
    HdIrOp how; /* ADD: as it is; SEXT, ZEXT */
    uint64_t times;
} Term;

typedef struct Sum {
    uint64_t number;
    Term terms[MOST_TERMS];
    unsigned count;
} Sum;

typedef struct Chosen {
    HdIrFunc *f;
    const HdIrGraph *g;
    HdIrRef *with; /* [count] */
    size_t count;
    uint32_t loop, head, latch; /* latch: the one block that leads back */
    unsigned written;           /* kinds of memory */
    HdIrRef phi, by;            /* of sums: `by` in place of the phi; 0: the phi itself */
    bool has_phi;               /* it was in the sum */
} Chosen;

static const HdIrInst *at(const Chosen *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

/* ---- is a long number one of 32 bits? ----------------------------------------------------------
 */

static bool stays_within(const Chosen *x, HdIrRef v, bool is_signed, bool above, unsigned depth);

/* A loop's counter: it starts within, and goes up until it comes to what is within. */
static bool counter_stays(const Chosen *x, HdIrRef phi, bool is_signed, bool above, unsigned depth)
{
    const HdIrInst *in = at(x, phi), *test, *next;
    uint32_t loop = x->g->loop[in->block], last = HD_IR_NOWHERE;
    HdIrRef step = 0, asked;
    bool starts = true;
    int64_t by = 0;
    unsigned how;

    if (loop == HD_IR_NOWHERE || x->g->loops[loop].head != in->block)
        return false;
    for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
        if (!hd_ir_loop_holds(x->g, loop, hd_ir_arg(x->f, phi, k))) {
            starts =
                starts && stays_within(x, hd_ir_arg(x->f, phi, k + 1), is_signed, above, depth);
        } else {
            if (step != 0)
                return false;
            last = hd_ir_arg(x->f, phi, k);
            step = hd_ir_arg(x->f, phi, k + 1);
        }
    }
    next = at(x, step);
    if (step == 0 || next->op != HD_IR_ADD || (next->flags & HD_IR_NSW) == 0 ||
        hd_ir_arg(x->f, step, 0) != phi || !hd_ir_is_number(x->f, hd_ir_arg(x->f, step, 1), &by) ||
        by <= 0)
        return false;
    if (!above)
        return starts;
    if (at(x, hd_ir_last(x->f, last))->op != HD_IR_CONDBR)
        return false;
    asked = hd_ir_arg(x->f, hd_ir_last(x->f, last), 0);
    test = at(x, asked);
    if (test->op != HD_IR_ICMP || hd_ir_arg(x->f, asked, 0) != step ||
        !stays_within(x, hd_ir_arg(x->f, asked, 1), is_signed, true, depth))
        return false;
    how = x->f->blocks.at[last].succ[0] == in->block ? test->sub : hd_ir_icmp_inverse(test->sub);
    /* Steps of one that come to a number which stays the same do not wrap, and so began below. */
    if (how == HD_IR_NE)
        return by == 1 && !hd_ir_loop_holds(x->g, loop, at(x, hd_ir_arg(x->f, asked, 1))->block);
    return starts && (how == HD_IR_SLT || (how == HD_IR_ULT && !is_signed));
}

/* Is v, of 64 bits, at most (`above`) or at least what fits in 32? */
static bool stays_within(const Chosen *x, HdIrRef v, bool is_signed, bool above, unsigned depth)
{
    const HdIrInst *in = at(x, v);
    int64_t k;
    unsigned bits;

    if (in->type != HD_IR_I64 || depth == 0)
        return false;
    if (hd_ir_is_number(x->f, v, &k))
        return above ? k <= (is_signed ? INT32_MAX : UINT32_MAX) : k >= (is_signed ? INT32_MIN : 0);
    switch ((HdIrOp)in->op) {
    case HD_IR_SEXT: return is_signed || above;
    case HD_IR_ZEXT:
        bits = hd_ir_type_bits((HdIrType)at(x, hd_ir_arg(x->f, v, 0))->type);
        return bits < 32 || !is_signed || !above;
    case HD_IR_PHI: return counter_stays(x, v, is_signed, above, depth - 1);
    default: return false;
    }
}

/* ---- addresses as sums -------------------------------------------------------------------------
 */

/* False: there is no room, or it is no term of the next round's address, which this round's values
 * do not tell: only what stays the same in the loop does, and the phi's next value. */
static bool add_term(const Chosen *x, Sum *s, HdIrRef of, HdIrOp how, uint64_t times)
{
    if (x->by != 0 && hd_ir_loop_holds(x->g, x->loop, at(x, of)->block))
        return false;
    for (unsigned i = 0; i < s->count; i++)
        if (s->terms[i].of == of && s->terms[i].how == how) {
            s->terms[i].times += times;
            return true;
        }
    if (s->count == MOST_TERMS)
        return false;
    s->terms[s->count++] = (Term){of, how, times};
    return true;
}

/* Is the operation on what is extended that of what it is made of, extended? */
static bool passes(const HdIrInst *in, HdIrOp how)
{
    return how == HD_IR_ADD || (in->flags & (how == HD_IR_SEXT ? HD_IR_NSW : HD_IR_NUW)) != 0;
}

/* The factor of a product with a constant. */
static bool factor_of(const Chosen *x, HdIrRef r, HdIrOp how, uint64_t *factor)
{
    HdIrRef by = hd_ir_arg(x->f, r, 1);
    int64_t k;

    if (!hd_ir_is_number(x->f, by, &k))
        return false;
    if (at(x, r)->op == HD_IR_SHL) {
        *factor = (uint64_t)1 << (k & 31);
        return k >= 0 && k < 31;
    }
    *factor = how == HD_IR_ZEXT ? at(x, by)->imm : (uint64_t)k;
    return true;
}

static bool add_value(Chosen *x, HdIrRef r, HdIrOp how, uint64_t times, unsigned depth, Sum *s)
{
    const HdIrInst *in = at(x, r);
    HdIrRef a = 0;
    uint64_t factor;
    int64_t k;

    if (r == x->phi && x->by != 0) {
        HdIrRef by = x->by;
        bool ok;

        x->by = 0; /* what it is made of may be the phi */
        ok = add_value(x, by, how, times, depth, s);
        x->by = by;
        x->has_phi = true;
        return ok;
    }
    if (depth == 0)
        return add_term(x, s, r, how, times);
    if (hd_ir_is_number(x->f, r, &k)) {
        s->number += times * (how == HD_IR_ZEXT ? in->imm : (uint64_t)k);
        return true;
    }
    if (in->nargs != 0 && hd_ir_arg_is_value(in, 0))
        a = hd_ir_arg(x->f, r, 0);
    switch ((HdIrOp)in->op) {
    case HD_IR_PTRADD:
    case HD_IR_ADD:
    case HD_IR_SUB:
        if (!passes(in, how))
            break;
        return add_value(x, a, how, times, depth - 1, s) &&
               add_value(x, hd_ir_arg(x->f, r, 1), how, in->op == HD_IR_SUB ? -times : times,
                         depth - 1, s);
    case HD_IR_SHL:
    case HD_IR_MUL:
        if (!passes(in, how) || !factor_of(x, r, how, &factor))
            break;
        return add_value(x, a, how, times * factor, depth - 1, s);
    case HD_IR_SEXT:
    case HD_IR_ZEXT:
        if (at(x, a)->type == HD_IR_BOOL || (how == HD_IR_ZEXT && in->op == HD_IR_SEXT))
            break;
        return add_value(x, a, (HdIrOp)in->op, times, depth - 1, s);
    case HD_IR_TRUNC:
        if (how == HD_IR_ADD || in->type != HD_IR_I32 ||
            !stays_within(x, a, how == HD_IR_SEXT, true, MOST_DEPTH) ||
            !stays_within(x, a, how == HD_IR_SEXT, false, MOST_DEPTH))
            break;
        return add_value(x, a, HD_IR_ADD, times, depth - 1, s);
    default: break;
    }
    return add_term(x, s, r, how, times);
}

/* The address of a load, with `by` in place of the phi if it is not 0. */
static bool sum_of(Chosen *x, HdIrRef load, HdIrRef by, Sum *s)
{
    *s = (Sum){0};
    x->by = by;
    x->has_phi = false;
    return add_value(x, hd_ir_arg(x->f, load, 0), HD_IR_ADD, 1, MOST_DEPTH, s);
}

static bool has_terms(const Sum *a, const Sum *b)
{
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t times = 0;

        for (unsigned k = 0; k < b->count; k++)
            if (b->terms[k].of == a->terms[i].of && b->terms[k].how == a->terms[i].how)
                times = b->terms[k].times;
        if (times != a->terms[i].times)
            return false;
    }
    return true;
}

static bool is_same(const Sum *a, const Sum *b)
{
    return a->number == b->number && has_terms(a, b) && has_terms(b, a);
}

/* ---- loads ------------------------------------------------------------------------------------
 */

static bool is_plain_load(const Chosen *x, HdIrRef r)
{
    const HdIrInst *in = at(x, r);

    return in->op == HD_IR_LOAD && r < x->count && x->with[r] == 0 &&
           (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED | HD_IR_NONTEMPORAL)) == 0;
}

/* A load of every round from where the choice of this round is, before `r` of the next one: of what
 * `sum` is; 0: there is none. */
static HdIrRef find_load(Chosen *x, HdIrRef r, const Sum *sum)
{
    const struct HdIrLoop *l = &x->g->loops[x->loop];
    unsigned seen = 0;
    Sum other;

    for (uint32_t i = l->first; i <= l->last; i++) {
        uint32_t b = x->g->order[i];

        if (!hd_ir_dominates(x->g, b, x->latch))
            continue;
        for (size_t k = 0; k < x->f->blocks.at[b].insts.count; k++) {
            HdIrRef a = x->f->blocks.at[b].insts.at[k];

            if (a == r || !is_plain_load(x, a) || at(x, a)->type != at(x, r)->type ||
                at(x, a)->sub != at(x, r)->sub || seen++ == MOST_LOADS)
                continue;
            if (sum_of(x, a, 0, &other) && is_same(sum, &other))
                return a;
        }
    }
    return 0;
}

/* What v is where the head is come to from p: made at the end of p if it must be; 0: it cannot. */
static HdIrRef made_in(Chosen *x, HdIrRef v, uint32_t p, unsigned depth)
{
    HdIrInst in = *at(x, v);
    HdIrRef args[3];
    bool same = true;

    if (in.block != x->head)
        return v;
    if (in.op == HD_IR_PHI)
        return hd_ir_phi_value(x->f, v, p);
    if ((in.op != HD_IR_LOAD && (!hd_ir_op_is_pure(in.op) || in.op == HD_IR_ALLOCA)) ||
        in.nargs > 3 || depth == 0)
        return 0;
    for (unsigned k = 0; k < in.nargs; k++) {
        args[k] = made_in(x, hd_ir_arg(x->f, v, k), p, depth - 1);
        if (args[k] == 0)
            return 0;
        same = same && args[k] == hd_ir_arg(x->f, v, k);
    }
    if (same && in.op != HD_IR_LOAD && in.op != HD_IR_CONST)
        return 0; /* of nothing that p knows */
    v = hd_ir_insert(x->f, p, x->f->blocks.at[p].insts.count - 1, (HdIrOp)in.op, (HdIrType)in.type,
                     in.sub, in.imm, args, in.nargs);
    if (v != 0)
        hd_ir_inst(x->f, v)->flags = in.flags;
    return v;
}

/* Make load r of the head a phi: load a is of the place that `choice` may choose. */
static HdStatus replace(Chosen *x, HdIrRef r, HdIrRef a, HdIrRef choice, HdArena *scratch)
{
    uint32_t first = x->g->pred_first[x->head], count = x->g->pred_first[x->head + 1] - first;
    unsigned kept = hd_ir_arg(x->f, choice, 1) == x->phi ? 1 : 2;
    HdIrType t = (HdIrType)at(x, r)->type;
    HdIrRef *args, phi, pick[3];

    HD_TAKE(args, HD_NEW(scratch, HdIrRef, 2 * (size_t)count));
    for (uint32_t e = 0; e < count; e++) {
        uint32_t p = x->g->pred[first + e];

        args[2 * e] = p;
        args[2 * e + 1] = r; /* for now */
        if (p == x->latch)
            continue;
        args[2 * e + 1] = made_in(x, r, p, MOST_DEPTH);
        if (args[2 * e + 1] == 0)
            return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
    }
    HD_TAKE(phi, hd_ir_insert(x->f, x->head, 0, HD_IR_PHI, t, 0, 0, args, 2 * (size_t)count));
    pick[0] = hd_ir_arg(x->f, choice, 0);
    pick[kept] = phi;
    pick[3 - kept] = a;
    HD_TAKE(pick[0], hd_ir_insert(x->f, x->latch, x->f->blocks.at[x->latch].insts.count - 1,
                                  HD_IR_SELECT, t, 0, 0, pick, 3));
    for (uint32_t e = 0; e < count; e++)
        if (args[2 * e] == x->latch)
            args[2 * e + 1] = pick[0];
    hd_ir_set_args(x->f, phi, args, 2 * (size_t)count);
    x->with[r] = phi;
    return HD_OK;
}

/* A phi of the head that keeps its value or takes another one. */
static HdStatus look_at(Chosen *x, HdIrRef phi, HdArena *scratch, bool *changed)
{
    HdIrRef choice = hd_ir_phi_value(x->f, phi, x->latch), other, a;
    const HdIrBlock *head = &x->f->blocks.at[x->head];
    Sum sum;

    if (choice == 0 || at(x, choice)->op != HD_IR_SELECT ||
        (hd_ir_arg(x->f, choice, 1) == phi) == (hd_ir_arg(x->f, choice, 2) == phi))
        return HD_OK;
    other = hd_ir_arg(x->f, choice, hd_ir_arg(x->f, choice, 1) == phi ? 2 : 1);
    x->phi = phi;
    for (size_t i = 0; i < head->insts.count; i++) {
        HdIrRef r = head->insts.at[i];

        if (!is_plain_load(x, r) ||
            (hd_ir_memory_at(x->f, hd_ir_arg(x->f, r, 0), at(x, r)->sub) & x->written) != 0 ||
            !sum_of(x, r, other, &sum) || !x->has_phi)
            continue;
        a = find_load(x, r, &sum);
        if (a == 0)
            continue;
        HD_TRY(replace(x, r, a, choice, scratch));
        *changed = *changed || x->with[r] != 0;
        return HD_OK; /* the blocks have changed */
    }
    return HD_OK;
}

/* Is it a loop that one block leads back in, and blocks that lead nowhere else lead to? */
static bool suits(Chosen *x, uint32_t loop)
{
    const HdIrGraph *g = x->g;
    const struct HdIrLoop *l = &g->loops[loop];

    x->loop = loop;
    x->head = l->head;
    x->latch = HD_IR_NOWHERE;
    x->written = 0;
    if (l->irreducible || l->last - l->first >= MOST_BLOCKS)
        return false;
    for (uint32_t e = g->pred_first[x->head]; e < g->pred_first[x->head + 1]; e++) {
        uint32_t p = g->pred[e];

        if (g->rank[p] == HD_IR_NOWHERE ||
            (!hd_ir_loop_holds(g, loop, p) && x->f->blocks.at[p].succ_count != 1) ||
            (hd_ir_loop_holds(g, loop, p) && x->latch != HD_IR_NOWHERE))
            return false;
        if (hd_ir_loop_holds(g, loop, p))
            x->latch = p;
    }
    for (uint32_t i = l->first; i <= l->last; i++) {
        const HdIrBlock *b = &x->f->blocks.at[g->order[i]];

        for (size_t k = 0; k < b->insts.count; k++)
            x->written |= hd_ir_memory_written(x->f, b->insts.at[k]);
    }
    return x->latch != HD_IR_NOWHERE;
}

HdStatus hd_opt_forward_argmin(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Chosen x = {.f = f, .count = f->insts.count};
    HdIrGraph *g;

    *changed = false;
    HD_TRY(hd_ir_graph(f, scratch, &g));
    x.g = g;
    HD_TAKE(x.with, HD_NEW(scratch, HdIrRef, x.count));
    for (uint32_t l = 0; l < g->loop_count; l++) {
        if (!suits(&x, l))
            continue;
        for (size_t i = 0; i < f->blocks.at[x.head].insts.count; i++) {
            HdIrRef phi = f->blocks.at[x.head].insts.at[i];

            if (f->insts.at[phi].op == HD_IR_PHI && phi < x.count)
                HD_TRY(look_at(&x, phi, scratch, changed));
        }
    }
    if (!*changed)
        return HD_OK;
    for (HdIrRef r = 1; r < x.count; r++)
        if (x.with[r] != 0)
            hd_ir_kill(f, r);
    hd_ir_substitute(f, x.with, x.count);
    hd_ir_sweep(f);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
