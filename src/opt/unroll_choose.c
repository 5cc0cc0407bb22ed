/* opt/unroll_choose.c -- which loop to unroll: its trip count, and what unrolling it is good for.
 *
 * The trip count is found by evaluating what depends on the loop's counters only, iteration by
 * iteration.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "ir/each.h"
#include "ir/edit.h"
#include "ir/eval.h"
#include "ir/memory.h"
#include "opt/unroll.h"
#include "opt/window_reuse.h"

#define MOST_ROUNDS 128u /* of a loop */
#define MOST_PLAIN  192u /* operations that a loop may become */
/* Iterations of a loop that may become MOST_IN_FEW operations. */
#define FEW_ROUNDS    8u
#define MOST_IN_FEW   512u   /* one with few iterations, with loops inside it */
#define MOST_SLIDING  512u   /* one whose loads the next iteration mostly repeats */
#define MOST_INDEXING 6000u  /* one that indexes arrays which may become values */
#define MOST_ARRAY    2048u  /* bytes of such an array */
#define MOST_EVALUATE 40000u /* operations evaluated for one loop */

typedef struct Count {
    uint32_t entries; /* times that the head is entered; 0: not known */
    uint32_t exit;    /* the block that leaves in the last of them */
    uint32_t open;    /* the last of them in which it is not known whether it leaves; 0: none */
    uint32_t
        rounds;    /* iterations of the body: a loop that tests at its head enters that once more */
    uint32_t cost; /* operations of an iteration that constants do not eliminate */
    uint32_t indexes; /* accesses to arrays that may become values */
    uint32_t keeps;   /* to arrays that will not */
    bool slides;      /* what the next iteration loads again is not in the cost */
    bool folds;       /* all iterations together shrink to the size of one */
    bool assumed;     /* entries will be known when the loop around is unrolled */
} Count;

typedef struct Choose {
    const HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    Count *counts;    /* [loops] */
    uint8_t *counted; /* [insts] the same for all work-items, and known in each iteration */
    uint8_t *fixed;   /* [insts] the same in each iteration of the loop that is counted */
} Choose;

/* ---- how often ------------------------------------------------------------------------------- */

/* The values of one iteration. */
typedef struct Round {
    uint64_t *bits; /* [insts] */
    uint8_t *known; /* [insts] */
    HdIrRef *heads; /* phis of the header, and their values in the next iteration */
    uint64_t *next;
    uint8_t *next_known;
    uint32_t head_count;
    uint32_t *open; /* [blocks] of exits: the last iteration in which the condition was not known */
} Round;

static bool value_in(const Choose *s, const Round *x, HdIrRef r, uint64_t *bits)
{
    if (hd_ir_is_const(s->f, r, bits))
        return true;
    *bits = x->bits[r];
    return x->known[r] != 0;
}

/* The value of a phi of the header from inside or outside; false if that is not a single known
 * number. */
static bool phi_from(const Choose *s, const Round *x, uint32_t loop, HdIrRef r, bool inside,
                     uint64_t *out)
{
    const HdIrInst *in = &s->f->insts.at[r];
    bool any = false;

    for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
        uint64_t bits;

        if (hd_ir_loop_holds(s->g, loop, hd_ir_arg(s->f, r, k)) != inside)
            continue;
        if (!value_in(s, x, hd_ir_arg(s->f, r, k + 1), &bits) || (any && bits != *out))
            return false;
        *out = bits;
        any = true;
    }
    return any;
}

typedef struct InRound {
    const Choose *s;
    const Round *x;
} InRound;

static bool is_known(const void *pass, HdIrRef r, uint64_t *bits)
{
    const InRound *in = pass;

    return value_in(in->s, in->x, r, bits);
}

/* Load from a table at an address that is known in this iteration. */
static bool look_up(const Choose *s, const Round *x, HdIrRef r, uint64_t *bits)
{
    uint64_t at;

    return hd_ir_table_at(s->f, r, is_known, &(InRound){s, x}, &at) &&
           hd_ir_table_read(s->f, r, at, bits);
}

static void evaluate(const Choose *s, Round *x, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    uint64_t args[3];
    HdIrType from;

    x->known[r] = in->op == HD_IR_LOAD && look_up(s, x, r, &x->bits[r]);
    if (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI || in->nargs == 0 || in->nargs > 3)
        return;
    for (unsigned k = 0; k < in->nargs; k++)
        if (!value_in(s, x, hd_ir_arg(s->f, r, k), &args[k]))
            return;
    from = (HdIrType)s->f->insts.at[hd_ir_arg(s->f, r, in->op == HD_IR_SELECT ? 1 : 0)].type;
    x->known[r] = hd_ir_eval(in, from, args, &x->bits[r]);
}

static void evaluate_round(const Choose *s, Round *x, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        uint32_t b = s->g->order[i];
        const HdIrBlock *block = &s->f->blocks.at[b];

        for (size_t k = 0; k < block->insts.count; k++)
            if (b != s->g->loops[loop].head || s->f->insts.at[block->insts.at[k]].op != HD_IR_PHI)
                evaluate(s, x, block->insts.at[k]);
    }
}

/* Does every iteration leave block b by one of two edges, one of which exits the loop? */
static bool is_exit(const Choose *s, uint32_t loop, uint32_t b)
{
    const HdIrBlock *block = &s->f->blocks.at[b];
    uint32_t head = s->g->loops[loop].head;

    if (s->g->loop[b] != loop || s->f->insts.at[hd_ir_last(s->f, b)].op != HD_IR_CONDBR ||
        hd_ir_loop_holds(s->g, loop, block->succ[0]) ==
            hd_ir_loop_holds(s->g, loop, block->succ[1]))
        return false;
    for (uint32_t e = s->g->pred_first[head]; e < s->g->pred_first[head + 1]; e++)
        if (hd_ir_loop_holds(s->g, loop, s->g->pred[e]) && !hd_ir_dominates(s->g, b, s->g->pred[e]))
            return false;
    return true;
}

/* After an iteration: 1 the loop is left at *exit, 0 it is not, -1 unknown. */
static int is_left(const Choose *s, Round *x, uint32_t loop, uint32_t round, uint32_t *exit)
{
    int known = -1;

    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        uint32_t b = s->g->order[i];
        uint64_t bits;

        if (!is_exit(s, loop, b))
            continue;
        if (!value_in(s, x, hd_ir_arg(s->f, hd_ir_last(s->f, b), 0), &bits)) {
            x->open[b] = round;
            continue;
        }
        known = 0;
        *exit = b;
        if (!hd_ir_loop_holds(s->g, loop, s->f->blocks.at[b].succ[bits != 0 ? 0 : 1]))
            return 1;
    }
    return known;
}

static HdStatus open_round(Choose *s, uint32_t loop, Round *x)
{
    uint32_t head = s->g->loops[loop].head;
    uint32_t n = (uint32_t)hd_ir_phi_count(s->f, head);

    HD_TAKE(x->next, HD_NEW(s->arena, uint64_t, n + 1u));
    HD_TAKE(x->next_known, HD_NEW(s->arena, uint8_t, n + 1u));
    x->heads = s->f->blocks.at[head].insts.at;
    x->head_count = n;
    return HD_OK;
}

static bool step(const Choose *s, Round *x, uint32_t loop, bool inside)
{
    bool any = false;

    for (uint32_t i = 0; i < x->head_count; i++)
        x->next_known[i] = phi_from(s, x, loop, x->heads[i], inside, &x->next[i]);
    for (uint32_t i = 0; i < x->head_count; i++) {
        x->bits[x->heads[i]] = x->next[i];
        x->known[x->heads[i]] = x->next_known[i];
        any = any || x->next_known[i];
    }
    return any;
}

/* Does a pure operation only take what comes from outside the loop? However often the loop is
 * unrolled, it is done once: the addresses of a shader's bindings are found where they are used. */
static bool is_fixed(const Choose *s, uint32_t loop, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];

    if (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_PHI)
        return false;
    for (unsigned k = 0; k < in->nargs; k++) {
        HdIrRef x = hd_ir_arg(s->f, r, k);

        if (hd_ir_arg_is_value(in, k) && s->fixed[x] == 0 &&
            hd_ir_loop_holds(s->g, loop, s->f->insts.at[x].block))
            return false;
    }
    return true;
}

static bool has_inner(const HdIrGraph *g, uint32_t loop)
{
    for (uint32_t l = 0; l < g->loop_count; l++)
        if (l != loop && g->loops[l].parent == loop)
            return true;
    return false;
}

#define FIXED_PER_OTHER                                                      \
    4u /* fixed operations that count as one: they are copied before they go \
        */

/* Of what constants do not take away. */
static uint32_t cost_of(const Choose *s, const Round *x, uint32_t loop, uint32_t *all)
{
    uint32_t cost = 0, fixed = 0;

    *all = 0;
    memset(s->fixed, 0, s->f->insts.count);
    for (HdIrEach e = hd_ir_each_in_loop(s->f, s->g, loop); hd_ir_next(&e);) {
        unsigned op = s->f->insts.at[e.inst].op;

        ++*all;
        s->fixed[e.inst] = is_fixed(s, loop, e.inst);
        if (x->known[e.inst] != 0 || op == HD_IR_PHI || op == HD_IR_BR || op == HD_IR_CONST)
            continue;
        cost += !s->fixed[e.inst];
        fixed += s->fixed[e.inst];
    }
    return cost + (has_inner(s->g, loop) ? fixed : fixed / FIXED_PER_OTHER);
}

/* Is what constants do not take away a chain of sums and products with constants (x * a + c)? */
static bool is_chain(const Choose *s, const Round *x, uint32_t loop)
{
    for (HdIrEach e = hd_ir_each_in_loop(s->f, s->g, loop); hd_ir_next(&e);) {
        HdIrRef r = e.inst;
        const HdIrInst *in = &s->f->insts.at[r];
        uint64_t c;

        if (x->known[r] != 0 || in->op == HD_IR_PHI || hd_ir_op_is_terminator(in->op))
            continue;
        if ((in->op != HD_IR_ADD && in->op != HD_IR_MUL) ||
            !hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &c))
            return false;
    }
    return true;
}

static HdStatus count_rounds(Choose *s, uint32_t loop, Round *x)
{
    Count *c = &s->counts[loop];
    uint32_t all, exit = HD_IR_NOWHERE;
    int left = 0;

    if (s->g->loops[loop].irreducible)
        return HD_OK;
    HD_TRY(open_round(s, loop, x));
    if (!step(s, x, loop, false))
        return HD_OK;
    for (uint32_t round = 1; round <= MOST_ROUNDS && left == 0; round++) {
        evaluate_round(s, x, loop);
        left = is_left(s, x, loop, round, &exit);
        c->cost = cost_of(s, x, loop, &all);
        c->folds = is_chain(s, x, loop);
        if (left == 1)
            c->entries = round;
        if (left != 0 || all * round > MOST_EVALUATE || !step(s, x, loop, true))
            break;
    }
    c->exit = exit;
    c->open = c->entries != 0 ? x->open[exit] : 0;
    c->rounds = c->entries;
    /* A loop of one block does all of its work there. */
    if (c->entries != 0 && exit == s->g->loops[loop].head &&
        s->g->loops[loop].first != s->g->loops[loop].last)
        c->rounds--;
    if (c->rounds > FEW_ROUNDS) {
        uint32_t again = hd_opt_window_reuse(s->f, s->g, loop);

        c->slides = again != 0;
        c->cost -= again < c->cost ? again : c->cost;
    }
    for (uint32_t i = 0; i < x->head_count && c->entries != 0; i++)
        s->counted[x->heads[i]] = x->known[x->heads[i]];
    for (HdIrEach e = hd_ir_each_in_loop(s->f, s->g, loop); hd_ir_next(&e);)
        x->known[e.inst] = 0;
    return HD_OK;
}

/* ---- what unrolling is good for ---------------------------------------------------------------
 */

/* Private arrays: which one a value points into, and how. */
typedef struct Arrays {
    HdIrRef *of;      /* [insts] the ALLOCA */
    uint8_t *indexed; /* [insts] by something that is not a constant */
    uint8_t *stays; /* [insts] ALLOCAs that will not become values: too large, their address is used
                     * otherwise, or what indexes them is not counted */
} Arrays;

static bool is_counted(const Choose *s, HdIrRef r)
{
    return s->counted[r] != 0 || s->f->insts.at[r].op == HD_IR_CONST;
}

static bool steps_counted(const void *pass, HdIrRef r, uint64_t *bits)
{
    *bits = 0;
    return is_counted(pass, r);
}

/* Is r counted where its operands are? */
static bool follows_counts(const Choose *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    bool all = in->nargs != 0 && hd_ir_op_is_pure(in->op) && in->op != HD_IR_PHI;
    uint64_t at;

    for (unsigned k = 0; all && k < in->nargs; k++)
        all = is_counted(s, hd_ir_arg(s->f, r, k));
    return all || hd_ir_table_at(s->f, r, steps_counted, s, &at);
}

static void look_at(Choose *s, Arrays *a, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    const HdIrRef *args = hd_ir_args(s->f, r);

    if (in->op == HD_IR_ALLOCA) {
        a->of[r] = r;
        a->stays[r] = in->imm > MOST_ARRAY || (in->flags & HD_IR_INTERLEAVED) != 0;
        return;
    }
    if (follows_counts(s, r))
        s->counted[r] = 1;
    if (in->op == HD_IR_PTRADD && a->of[args[0]] != 0) {
        a->of[r] = a->of[args[0]];
        a->indexed[r] = a->indexed[args[0]] || s->f->insts.at[args[1]].op != HD_IR_CONST;
        a->stays[a->of[r]] |= !is_counted(s, args[1]);
        return;
    }
    for (unsigned k = 0; k < in->nargs; k++) {
        bool is_address = k == 0 && (in->op == HD_IR_LOAD || in->op == HD_IR_STORE ||
                                     in->op == HD_IR_MEMCPY || in->op == HD_IR_MEMSET);

        is_address = is_address || (k == 1 && in->op == HD_IR_MEMCPY);
        if (hd_ir_arg_is_value(in, k) && a->of[args[k]] != 0 &&
            (!is_address || (in->flags & HD_IR_VOLATILE) != 0))
            a->stays[a->of[args[k]]] = 1;
    }
}

#define ASSUMED 2 /* in Choose.counted: once the loop around is unrolled */

/* Mark what is the same number for all work-items if the marked phis of the head are. */
static void assume_round(Choose *s, uint32_t loop)
{
    for (HdIrEach e = hd_ir_each_in_loop(s->f, s->g, loop); hd_ir_next(&e);) {
        HdIrRef r = e.inst;

        if (s->counted[r] == 0 && follows_counts(s, r))
            s->counted[r] = ASSUMED;
    }
}

/* Are all operands of a head's phi from inside (or outside) such? */
static bool comes_counted(const Choose *s, uint32_t loop, HdIrRef phi, bool inside)
{
    for (unsigned k = 0; k + 1 < s->f->insts.at[phi].nargs; k += 2)
        if (hd_ir_loop_holds(s->g, loop, hd_ir_arg(s->f, phi, k)) == inside &&
            !is_counted(s, hd_ir_arg(s->f, phi, k + 1)))
            return false;
    return true;
}

/* A phi of the head that was taken to be such and is not; 0 = none. */
static HdIrRef wrongly_assumed(const Choose *s, uint32_t loop)
{
    const HdIrBlock *head = &s->f->blocks.at[s->g->loops[loop].head];
    HdIrRef wrong = 0;

    for (size_t i = 0; s->f->insts.at[head->insts.at[i]].op == HD_IR_PHI; i++)
        if (s->counted[head->insts.at[i]] == ASSUMED &&
            !comes_counted(s, loop, head->insts.at[i], true))
            wrong = head->insts.at[i];
    return wrong;
}

/* Is it known in each iteration whether it is the last? */
static bool ends_counted(const Choose *s, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++)
        if (is_exit(s, loop, s->g->order[i]) &&
            is_counted(s, hd_ir_arg(s->f, hd_ir_last(s->f, s->g->order[i]), 0)))
            return true;
    return false;
}

/* For the whole loop, or only for what was derived from its phis. */
static void forget_assumed(Choose *s, uint32_t loop, bool all)
{
    for (HdIrEach e = hd_ir_each_in_loop(s->f, s->g, loop); hd_ir_next(&e);) {
        HdIrRef r = e.inst;

        if (s->counted[r] == ASSUMED && (all || s->f->insts.at[r].op != HD_IR_PHI))
            s->counted[r] = 0;
    }
}

/* A loop whose trip count depends on a counter of an enclosing loop, such as one over the rest of
 * an array: its own counters will be known when that one is unrolled. */
static void assume_counted(Choose *s, uint32_t loop)
{
    const HdIrBlock *head = &s->f->blocks.at[s->g->loops[loop].head];
    HdIrRef wrong;

    if (s->counts[loop].entries != 0 || s->g->loops[loop].irreducible ||
        s->g->loops[loop].parent == HD_IR_NOWHERE)
        return;
    for (size_t i = 0; s->f->insts.at[head->insts.at[i]].op == HD_IR_PHI; i++)
        if (comes_counted(s, loop, head->insts.at[i], false))
            s->counted[head->insts.at[i]] = ASSUMED;
    assume_round(s, loop);
    while ((wrong = wrongly_assumed(s, loop)) != 0) {
        /* What was derived from it is wrong as well: everything but this one is marked again. */
        s->counted[wrong] = 0;
        forget_assumed(s, loop, false);
        assume_round(s, loop);
    }
    s->counts[loop].assumed = ends_counted(s, loop);
    if (!s->counts[loop].assumed)
        forget_assumed(s, loop, true);
}

/* Note which loops index arrays that will become values if they are unrolled, and how often ones
 * that stay in memory all the same: a loop that mostly does that becomes longer, hardly faster. */
static HdStatus find_arrays(Choose *s)
{
    Arrays a;

    HD_TAKE(a.of, HD_NEW(s->arena, HdIrRef, s->f->insts.count));
    HD_TAKE(a.indexed, HD_NEW(s->arena, uint8_t, s->f->insts.count));
    HD_TAKE(a.stays, HD_NEW(s->arena, uint8_t, s->f->insts.count));
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];
        uint32_t l = s->g->loop[s->g->order[i]];

        if (l != HD_IR_NOWHERE && s->g->loops[l].head == s->g->order[i])
            assume_counted(s, l);
        for (size_t k = 0; k < b->insts.count; k++)
            look_at(s, &a, b->insts.at[k]);
    }
    for (HdIrEach e = hd_ir_each_reachable(s->f, s->g); hd_ir_next(&e);) {
        const HdIrInst *in = &s->f->insts.at[e.inst];
        HdIrRef address = in->nargs != 0 ? hd_ir_arg(s->f, e.inst, 0) : 0;

        if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || a.of[address] == 0 ||
            (!a.stays[a.of[address]] && !a.indexed[address]))
            continue;
        for (uint32_t l = s->g->loop[e.block]; l != HD_IR_NOWHERE; l = s->g->loops[l].parent)
            ++*(a.stays[a.of[address]] ? &s->counts[l].keeps : &s->counts[l].indexes);
    }
    return HD_OK;
}

/* Do all lanes that enter a loop iterate together, or is the difference unobservable? */
static bool keeps_together(const Choose *s, uint32_t loop)
{
    uint32_t back = 0, out = 0, head = s->g->loops[loop].head;
    bool convergent = false;

    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];

        for (uint32_t k = 0; k < b->succ_count; k++) {
            back += b->succ[k] == head;
            out += !hd_ir_loop_holds(s->g, loop, b->succ[k]);
        }
        out += b->succ_count == 0;
        for (size_t k = 0; k < b->insts.count; k++)
            convergent = convergent || hd_ir_op_is_convergent(s->f->insts.at[b->insts.at[k]].op);
    }
    return !convergent || (back == 1 && out == 1);
}

/* Operations that a loop may become. */
static uint32_t limit_of(const Count *c)
{
    if (c->indexes > c->keeps || c->folds)
        return MOST_INDEXING;
    if (c->slides)
        return MOST_SLIDING;
    return c->rounds <= FEW_ROUNDS ? MOST_IN_FEW : MOST_PLAIN;
}

/* How often a block of a loop runs in one iteration: inner loops whose trip count will be known
 * iterate about half as often as this one. */
static uint64_t times_in(const Choose *s, uint32_t loop, uint32_t block)
{
    uint64_t times = 1;

    for (uint32_t l = s->g->loop[block]; l != loop; l = s->g->loops[l].parent)
        if (s->counts[l].assumed && times <= MOST_INDEXING)
            times *= s->counts[loop].rounds / 2 + 1;
    return times;
}

/* Operations of all iterations, including those of inner loops. */
static double all_rounds(const Choose *s, uint32_t loop)
{
    const Count *c = &s->counts[loop];
    double once = 0, all = 0;

    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        double insts = (double)s->f->blocks.at[s->g->order[i]].insts.count;

        once += insts;
        all += insts * (double)times_in(s, loop, s->g->order[i]);
    }
    return (double)c->rounds * c->cost * all / once;
}

/* Is it a loop over rows that seldom go through it (lanes/row_loop.h), to have less code? */
static bool is_rare(const Choose *s, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrInst *end = &s->f->insts.at[hd_ir_last(s->f, s->g->order[i])];

        if (s->g->loop[s->g->order[i]] == loop && end->op == HD_IR_CONDBR &&
            (end->flags & HD_IR_TESTED) != 0)
            return true;
    }
    return false;
}

static bool is_worth_it(const Choose *s, uint32_t loop)
{
    const Count *c = &s->counts[loop];
    uint32_t limit = limit_of(c);

    if (c->entries == 0 || is_rare(s, loop) || (uint64_t)c->rounds * c->cost > limit)
        return false;
    /* Others inside first; what does not pay there hardly does around them. */
    for (uint32_t l = 0; l < s->g->loop_count; l++) {
        if (l == loop || !hd_ir_loop_holds(s->g, loop, s->g->loops[l].head))
            continue;
        if (s->counts[l].entries != 0 || c->indexes == 0)
            return false;
    }
    return all_rounds(s, loop) <= limit && keeps_together(s, loop);
}

HdStatus hd_opt_unroll_choose(const HdIrFunc *f, const HdIrGraph *g, const HdLoopsDone *done,
                              HdArena *scratch, HdUnrollLoop *out)
{
    Choose s = {.f = f, .arena = scratch, .g = g};
    Round x = {0};

    out->loop = HD_IR_NOWHERE;
    HD_TAKE(s.counts, HD_NEW(scratch, Count, g->loop_count));
    HD_TAKE(s.counted, HD_NEW(scratch, uint8_t, f->insts.count));
    HD_TAKE(s.fixed, HD_NEW(scratch, uint8_t, f->insts.count));
    HD_TAKE(x.bits, HD_NEW(scratch, uint64_t, f->insts.count));
    HD_TAKE(x.known, HD_NEW(scratch, uint8_t, f->insts.count));
    HD_TAKE(x.open, HD_NEW(scratch, uint32_t, g->count));
    for (uint32_t l = 0; l < g->loop_count; l++)
        HD_TRY(count_rounds(&s, l, &x));
    HD_TRY(find_arrays(&s));
    for (uint32_t l = 0; l < g->loop_count; l++)
        if (hd_loop_is_untouched(g, l, done) && is_worth_it(&s, l))
            *out = (HdUnrollLoop){l, s.counts[l].entries, s.counts[l].exit, s.counts[l].open};
    return HD_OK;
}
