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
#include "ir/counted.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "ir/memory.h"
#include "opt/pass.h"

#define MOST_DEPTH  12u /* operations that are made where the loop begins */
#define MOST_LOADS  16u /* of a loop that are compared */
#define MOST_BLOCKS 64u /* of a loop */

typedef struct Chosen {
    HdIrFunc *f;
    const HdIrGraph *g;
    HdIrRef *with; /* [count] */
    size_t count;
    uint32_t loop, head, latch; /* latch: the one block that leads back */
    unsigned written;           /* kinds of memory */
    HdIrRef phi;                /* that keeps its value or takes another one */
} Chosen;

static const HdIrInst *at(const Chosen *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

/* ---- addresses as sums -------------------------------------------------------------------------
 */

static bool fits(const void *user, HdIrRef r, unsigned bits, bool is_signed)
{
    const Chosen *x = user;

    return hd_counted_fits(x->f, x->g, r, bits, is_signed);
}

static HdLinear sum_of(const Chosen *x, HdIrRef load)
{
    HdLinearRules rules = {.f = x->f, .extend = HD_LINEAR_PROVE, .user = x, .fits = fits};

    return hd_linear_of(&rules, hd_ir_arg(x->f, load, 0));
}

static bool is_inside(const Chosen *x, HdIrRef r)
{
    return hd_ir_loop_holds(x->g, x->loop, at(x, r)->block);
}

/* The address of a load in the next round, if the phi is `by` then: false if it does not depend on
 * the phi, or is made of something else that this round's values do not tell. */
static bool next_sum(const Chosen *x, HdIrRef load, HdIrRef by, HdLinear *s)
{
    HdLinearRules rules = {.f = x->f, .extend = HD_LINEAR_PROVE, .user = x, .fits = fits};
    HdLinear now = sum_of(x, load);
    bool is_base = now.base == x->phi, has_phi = is_base;

    *s = now;
    if (!now.is_whole || (!is_base && is_inside(x, now.base)))
        return false;
    if (is_base)
        s->base = 0;
    for (unsigned i = now.count; i-- > 0;) {
        if (now.terms[i].of == x->phi)
            hd_linear_drop(s, i);
        else if (is_inside(x, now.terms[i].of))
            return false;
    }
    if (is_base)
        hd_linear_add(&rules, s, by, HD_IR_ADD, 1);
    for (unsigned i = 0; i < now.count; i++)
        if (now.terms[i].of == x->phi) {
            hd_linear_add(&rules, s, by, now.terms[i].how, now.terms[i].factor);
            has_phi = true;
        }
    return has_phi && s->is_whole;
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
static HdIrRef find_load(const Chosen *x, HdIrRef r, const HdLinear *sum)
{
    const struct HdIrLoop *l = &x->g->loops[x->loop];
    unsigned seen = 0;
    HdLinear other;

    for (uint32_t i = l->first; i <= l->last; i++) {
        uint32_t b = x->g->order[i];

        if (!hd_ir_dominates(x->g, b, x->latch))
            continue;
        for (size_t k = 0; k < x->f->blocks.at[b].insts.count; k++) {
            HdIrRef a = x->f->blocks.at[b].insts.at[k];

            if (a == r || !is_plain_load(x, a) || at(x, a)->type != at(x, r)->type ||
                at(x, a)->sub != at(x, r)->sub || seen++ == MOST_LOADS)
                continue;
            other = sum_of(x, a);
            if (hd_linear_alike(sum, &other) && sum->constant == other.constant)
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
    HdLinear sum;

    x->phi = phi;
    if (choice == 0 || at(x, choice)->op != HD_IR_SELECT ||
        (hd_ir_arg(x->f, choice, 1) == phi) == (hd_ir_arg(x->f, choice, 2) == phi))
        return HD_OK;
    other = hd_ir_arg(x->f, choice, hd_ir_arg(x->f, choice, 1) == phi ? 2 : 1);
    for (size_t i = 0; i < head->insts.count; i++) {
        HdIrRef r = head->insts.at[i];

        if (!is_plain_load(x, r) ||
            (hd_ir_memory_at(x->f, hd_ir_arg(x->f, r, 0), at(x, r)->sub) & x->written) != 0 ||
            !next_sum(x, r, other, &sum))
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
