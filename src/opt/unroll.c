/* opt/unroll.c -- full unrolling of loops with a small, known trip count.
 *
 * Mainly for private arrays that a loop counter indexes: once every index is a constant they become
 * values (opt/sroa.c). The trip count is found by evaluating what depends on the loop's counters
 * only, iteration by iteration. Loops with convergent operations are unrolled only if all lanes
 * that enter iterate together: one back edge, one exit.
 *
 * Values that are used after the loop other than by the phis of its exits go through an ALLOCA,
 * which becomes phis again.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/eval.h"
#include "ir/graph.h"
#include "ir/memory.h"
#include "opt/pass.h"
#include "opt/slide.h"

#include <string.h>

#define MOST_ROUNDS   128u /* of a loop */
#define MOST_PLAIN    192u /* operations that a loop may become */
#define FEW_ROUNDS    8u
#define MOST_IN_FEW   512u   /* one with few iterations, with loops inside it */
#define MOST_SLIDING  512u   /* one whose loads the next iteration mostly repeats */
#define MOST_INDEXING 6000u  /* one that indexes arrays which may become values */
#define MOST_ARRAY    2048u  /* bytes of such an array */
#define MOST_EVALUATE 40000u /* operations evaluated for one loop */
#define MOST_FUNCTION 60000u /* operations of a function that still grows */
#define MOST_LOOPS    100u   /* unrolled in one run */

typedef struct Count {
    uint32_t entries; /* times that the head is entered; 0: not known */
    uint32_t exit;    /* the block that leaves in the last of them */
    uint32_t cost;    /* operations of an iteration that constants do not eliminate */
    bool indexes;     /* arrays that may become values */
    bool slides;      /* what the next iteration loads again is not in the cost */
    bool folds;       /* all iterations together shrink to the size of one */
    bool assumed;     /* entries will be known when the loop around is unrolled */
} Count;

typedef struct Unroll {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    Count *counts;    /* [loops] */
    uint8_t *counted; /* [insts] the same for all work-items, and known in each iteration */
    size_t insts;     /* at the start */
    uint32_t old_blocks;
    uint8_t *is_done; /* [old_blocks] a loop unrolled by this run; newer ones are all of such */
} Unroll;

static uint32_t block_of(const Unroll *s, HdIrRef r)
{
    return s->f->insts.at[r].block;
}

/* ---- how often ------------------------------------------------------------------------------- */

/* The values of one iteration. */
typedef struct Round {
    uint64_t *bits; /* [insts] */
    uint8_t *known; /* [insts] */
    HdIrRef *heads; /* phis of the header, and their values in the next iteration */
    uint64_t *next;
    uint8_t *next_known;
    uint32_t head_count;
} Round;

static bool value_in(const Unroll *s, const Round *x, HdIrRef r, uint64_t *bits)
{
    if (hd_ir_is_const(s->f, r, bits))
        return true;
    *bits = x->bits[r];
    return x->known[r] != 0;
}

/* The value of a phi of the header from inside or outside; false if that is not a single known
 * number. */
static bool phi_from(const Unroll *s, const Round *x, uint32_t loop, HdIrRef r, bool inside,
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
    const Unroll *s;
    const Round *x;
} InRound;

static bool is_known(const void *pass, HdIrRef r, uint64_t *bits)
{
    const InRound *in = pass;

    return value_in(in->s, in->x, r, bits);
}

/* Load from a table at an address that is known in this iteration. */
static bool look_up(const Unroll *s, const Round *x, HdIrRef r, uint64_t *bits)
{
    uint64_t at;

    return hd_ir_table_at(s->f, r, is_known, &(InRound){s, x}, &at) &&
           hd_ir_table_read(s->f, r, at, bits);
}

static void evaluate(const Unroll *s, Round *x, HdIrRef r)
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

static void evaluate_round(const Unroll *s, Round *x, uint32_t loop)
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
static bool is_exit(const Unroll *s, uint32_t loop, uint32_t b)
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
static int is_left(const Unroll *s, const Round *x, uint32_t loop, uint32_t *exit)
{
    int known = -1;

    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        uint32_t b = s->g->order[i];
        uint64_t bits;

        if (!is_exit(s, loop, b) || !value_in(s, x, hd_ir_arg(s->f, hd_ir_last(s->f, b), 0), &bits))
            continue;
        known = 0;
        *exit = b;
        if (!hd_ir_loop_holds(s->g, loop, s->f->blocks.at[b].succ[bits != 0 ? 0 : 1]))
            return 1;
    }
    return known;
}

static HdStatus open_round(Unroll *s, uint32_t loop, Round *x)
{
    const HdIrBlock *head = &s->f->blocks.at[s->g->loops[loop].head];
    uint32_t n = 0;

    while (s->f->insts.at[head->insts.at[n]].op == HD_IR_PHI)
        n++;
    HD_TAKE(x->next, HD_NEW(s->arena, uint64_t, n + 1u));
    HD_TAKE(x->next_known, HD_NEW(s->arena, uint8_t, n + 1u));
    x->heads = head->insts.at;
    x->head_count = n;
    return HD_OK;
}

static bool step(const Unroll *s, Round *x, uint32_t loop, bool inside)
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

/* Of what constants do not take away. */
static uint32_t cost_of(const Unroll *s, const Round *x, uint32_t loop, uint32_t *all)
{
    uint32_t cost = 0;

    *all = 0;
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrBlock *block = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < block->insts.count; k++) {
            unsigned op = s->f->insts.at[block->insts.at[k]].op;

            ++*all;
            cost += x->known[block->insts.at[k]] == 0 && op != HD_IR_PHI && op != HD_IR_BR &&
                    op != HD_IR_CONST;
        }
    }
    return cost;
}

/* Is what constants do not take away a chain of sums and products with constants (x * a + c)? */
static bool is_chain(const Unroll *s, const Round *x, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrBlock *block = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < block->insts.count; k++) {
            HdIrRef r = block->insts.at[k];
            const HdIrInst *in = &s->f->insts.at[r];
            uint64_t c;

            if (x->known[r] != 0 || in->op == HD_IR_PHI || hd_ir_op_is_terminator(in->op))
                continue;
            if ((in->op != HD_IR_ADD && in->op != HD_IR_MUL) ||
                !hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &c))
                return false;
        }
    }
    return true;
}

static HdStatus count_rounds(Unroll *s, uint32_t loop, Round *x)
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
        left = is_left(s, x, loop, &exit);
        c->cost = cost_of(s, x, loop, &all);
        c->folds = is_chain(s, x, loop);
        if (left == 1)
            c->entries = round;
        if (left != 0 || all * round > MOST_EVALUATE || !step(s, x, loop, true))
            break;
    }
    c->exit = exit;
    if (c->entries > FEW_ROUNDS) {
        uint32_t again = hd_opt_slides(s->f, s->g, loop);

        c->slides = again != 0;
        c->cost -= again < c->cost ? again : c->cost;
    }
    for (uint32_t i = 0; i < x->head_count && c->entries != 0; i++)
        s->counted[x->heads[i]] = x->known[x->heads[i]];
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrBlock *block = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < block->insts.count; k++)
            x->known[block->insts.at[k]] = 0;
    }
    return HD_OK;
}

/* ---- what it is good for ----------------------------------------------------------------------
 */

/* Private arrays: which one a value points into, and how. */
typedef struct Arrays {
    HdIrRef *of;      /* [insts] the ALLOCA */
    uint8_t *indexed; /* [insts] by something counted that is not a constant */
    uint8_t *stays;   /* [insts] ALLOCAs that will not become values */
} Arrays;

static bool is_counted(const Unroll *s, HdIrRef r)
{
    return s->counted[r] != 0 || s->f->insts.at[r].op == HD_IR_CONST;
}

static bool steps_counted(const void *pass, HdIrRef r, uint64_t *bits)
{
    *bits = 0;
    return is_counted(pass, r);
}

/* Is r counted where its operands are? */
static bool follows_counts(const Unroll *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    bool all = in->nargs != 0 && hd_ir_op_is_pure(in->op) && in->op != HD_IR_PHI;
    uint64_t at;

    for (unsigned k = 0; all && k < in->nargs; k++)
        all = is_counted(s, hd_ir_arg(s->f, r, k));
    return all || hd_ir_table_at(s->f, r, steps_counted, s, &at);
}

static void look_at(Unroll *s, Arrays *a, HdIrRef r)
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
    if (in->op == HD_IR_PTRADD && a->of[args[0]] != 0 && is_counted(s, args[1])) {
        a->of[r] = a->of[args[0]];
        a->indexed[r] = a->indexed[args[0]] || s->f->insts.at[args[1]].op != HD_IR_CONST;
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

#define ASSUMED 2 /* in Unroll.counted: once the loop around is unrolled */

/* Mark what is the same number for all work-items if the marked phis of the head are. */
static void assume_round(Unroll *s, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < b->insts.count; k++) {
            HdIrRef r = b->insts.at[k];

            if (s->counted[r] == 0 && follows_counts(s, r))
                s->counted[r] = ASSUMED;
        }
    }
}

/* Are all operands of a head's phi from inside (or outside) such? */
static bool comes_counted(const Unroll *s, uint32_t loop, HdIrRef phi, bool inside)
{
    for (unsigned k = 0; k + 1 < s->f->insts.at[phi].nargs; k += 2)
        if (hd_ir_loop_holds(s->g, loop, hd_ir_arg(s->f, phi, k)) == inside &&
            !is_counted(s, hd_ir_arg(s->f, phi, k + 1)))
            return false;
    return true;
}

/* A phi of the head that was taken to be such and is not; 0 = none. */
static HdIrRef wrongly_assumed(const Unroll *s, uint32_t loop)
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
static bool ends_counted(const Unroll *s, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++)
        if (is_exit(s, loop, s->g->order[i]) &&
            is_counted(s, hd_ir_arg(s->f, hd_ir_last(s->f, s->g->order[i]), 0)))
            return true;
    return false;
}

/* For the whole loop, or only for what was derived from its phis. */
static void forget_assumed(Unroll *s, uint32_t loop, bool all)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < b->insts.count; k++) {
            HdIrRef r = b->insts.at[k];

            if (s->counted[r] == ASSUMED && (all || s->f->insts.at[r].op != HD_IR_PHI))
                s->counted[r] = 0;
        }
    }
}

/* A loop whose trip count depends on a counter of an enclosing loop, such as one over the rest of
 * an array: its own counters will be known when that one is unrolled. */
static void assume_counted(Unroll *s, uint32_t loop)
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

/* Note which loops index arrays that will become values if they are unrolled. */
static HdStatus find_arrays(Unroll *s)
{
    Arrays a;

    HD_TAKE(a.of, HD_NEW(s->arena, HdIrRef, s->insts));
    HD_TAKE(a.indexed, HD_NEW(s->arena, uint8_t, s->insts));
    HD_TAKE(a.stays, HD_NEW(s->arena, uint8_t, s->insts));
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];
        uint32_t l = s->g->loop[s->g->order[i]];

        if (l != HD_IR_NOWHERE && s->g->loops[l].head == s->g->order[i])
            assume_counted(s, l);
        for (size_t k = 0; k < b->insts.count; k++)
            look_at(s, &a, b->insts.at[k]);
    }
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        const HdIrBlock *b = &s->f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < b->insts.count; k++) {
            const HdIrInst *in = &s->f->insts.at[b->insts.at[k]];
            HdIrRef address = in->nargs != 0 ? hd_ir_arg(s->f, b->insts.at[k], 0) : 0;

            if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || a.of[address] == 0 ||
                a.stays[a.of[address]] || !a.indexed[address])
                continue;
            for (uint32_t l = s->g->loop[s->g->order[i]]; l != HD_IR_NOWHERE;
                 l = s->g->loops[l].parent)
                s->counts[l].indexes = true;
        }
    }
    return HD_OK;
}

/* Do all lanes that enter a loop iterate together, or is the difference unobservable? */
static bool keeps_together(const Unroll *s, uint32_t loop)
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
    if (c->indexes || c->folds)
        return MOST_INDEXING;
    if (c->slides)
        return MOST_SLIDING;
    return c->entries <= FEW_ROUNDS ? MOST_IN_FEW : MOST_PLAIN;
}

/* How often a block of a loop runs in one iteration: inner loops whose trip count will be known
 * iterate about half as often as this one. */
static uint64_t times_in(const Unroll *s, uint32_t loop, uint32_t block)
{
    uint64_t times = 1;

    for (uint32_t l = s->g->loop[block]; l != loop; l = s->g->loops[l].parent)
        if (s->counts[l].assumed && times <= MOST_INDEXING)
            times *= s->counts[loop].entries / 2 + 1;
    return times;
}

/* Operations of all iterations, including those of inner loops. */
static double all_rounds(const Unroll *s, uint32_t loop)
{
    const Count *c = &s->counts[loop];
    double once = 0, all = 0;

    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        double insts = (double)s->f->blocks.at[s->g->order[i]].insts.count;

        once += insts;
        all += insts * (double)times_in(s, loop, s->g->order[i]);
    }
    return (double)c->entries * c->cost * all / once;
}

/* Is it a loop over rows that seldom go through it (lanes/row_loop.h), to have less code? */
static bool is_rare(const Unroll *s, uint32_t loop)
{
    for (uint32_t i = s->g->loops[loop].first; i <= s->g->loops[loop].last; i++) {
        const HdIrInst *end = &s->f->insts.at[hd_ir_last(s->f, s->g->order[i])];

        if (s->g->loop[s->g->order[i]] == loop && end->op == HD_IR_CONDBR &&
            (end->flags & HD_IR_TESTED) != 0)
            return true;
    }
    return false;
}

static bool is_worth_it(const Unroll *s, uint32_t loop)
{
    const Count *c = &s->counts[loop];
    uint32_t limit = limit_of(c);

    if (c->entries == 0 || is_rare(s, loop) || (uint64_t)c->entries * c->cost > limit)
        return false;
    /* Others inside first; what does not pay there hardly does around them. */
    for (uint32_t l = 0; l < s->g->loop_count; l++) {
        if (l == loop || !hd_ir_loop_holds(s->g, loop, s->g->loops[l].head))
            continue;
        if (s->counts[l].entries != 0 || !c->indexes)
            return false;
    }
    return all_rounds(s, loop) <= limit && keeps_together(s, loop);
}

/* ---- copies -----------------------------------------------------------------------------------
 */

typedef struct Copies {
    uint32_t loop;
    uint32_t blocks, insts; /* of one iteration */
    uint32_t *block_index;  /* [blocks] 1 + place in the loop, 0: elsewhere */
    uint32_t *inst_index;   /* [insts] likewise */
    uint32_t *block_copy;   /* [iteration * blocks + place] */
    HdIrRef *inst_copy;     /* [iteration * insts + place] */
} Copies;

static uint32_t block_in(const Copies *c, uint32_t round, uint32_t b)
{
    return c->block_index[b] == 0 ? b : c->block_copy[round * c->blocks + c->block_index[b] - 1];
}

static HdIrRef value_of(const Unroll *s, const Copies *c, uint32_t round, HdIrRef r)
{
    return r >= s->insts || c->inst_index[r] == 0
               ? r
               : c->inst_copy[round * c->insts + c->inst_index[r] - 1];
}

/* Create instructions and blocks of all iterations, without operands and targets yet. */
static HdStatus number_copies(Unroll *s, Copies *c, uint32_t rounds)
{
    const struct HdIrLoop *l = &s->g->loops[c->loop];
    HdIrFunc *f = s->f;

    c->blocks = l->last - l->first + 1;
    HD_TAKE(c->block_index, HD_NEW(s->arena, uint32_t, s->g->count));
    HD_TAKE(c->inst_index, HD_NEW(s->arena, uint32_t, s->insts));
    for (uint32_t i = 0; i < c->blocks; i++) {
        const HdIrBlock *b = &f->blocks.at[s->g->order[l->first + i]];

        c->block_index[s->g->order[l->first + i]] = i + 1;
        for (size_t k = 0; k < b->insts.count; k++)
            c->inst_index[b->insts.at[k]] = ++c->insts;
    }
    HD_TAKE(c->block_copy, HD_NEW(s->arena, uint32_t, (size_t)c->blocks * rounds));
    HD_TAKE(c->inst_copy, HD_NEW(s->arena, HdIrRef, (size_t)c->insts * rounds));
    for (uint32_t n = 0; n < rounds; n++) {
        HdIrRef *to = c->inst_copy + (size_t)n * c->insts;

        for (uint32_t i = 0; i < c->blocks; i++) {
            uint32_t from = s->g->order[l->first + i], b = n == 0 ? from : hd_ir_block(f);

            if (b == HD_IR_NOWHERE)
                return HD_NO_MEMORY;
            c->block_copy[n * c->blocks + i] = b;
            for (size_t k = 0; k < f->blocks.at[from].insts.count; k++) {
                HdIrRef r = f->blocks.at[from].insts.at[k];
                HdIrInst in = f->insts.at[r];

                *to = r;
                if (n != 0) {
                    in.block = b;
                    in.nargs = 0; /* they get separate operands */
                    HD_TRY_PUSH(f->module->arena, &f->insts, in);
                    *to = (HdIrRef)(f->insts.count - 1);
                    HD_TRY_PUSH(f->module->arena, &f->blocks.at[b].insts, *to);
                }
                to++;
            }
        }
    }
    return HD_OK;
}

/* A phi of the header: in later iterations its value comes from the previous one. */
static HdStatus copy_head_phi(Unroll *s, const Copies *c, uint32_t round, HdIrRef r)
{
    HdIrFunc *f = s->f;
    HdIrRef *args, to = value_of(s, c, round, r);
    unsigned nargs = f->insts.at[r].nargs, n = 0;

    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, nargs + 1u));
    for (unsigned k = 0; k + 1 < nargs; k += 2) {
        uint32_t from = hd_ir_arg(f, r, k);

        if ((c->block_index[from] != 0) != (round != 0))
            continue;
        args[n++] = round != 0 ? block_in(c, round - 1, from) : from;
        args[n++] =
            round != 0 ? value_of(s, c, round - 1, hd_ir_arg(f, r, k + 1)) : hd_ir_arg(f, r, k + 1);
    }
    hd_ir_set_args(f, to, args, n);
    return HD_OK;
}

static HdStatus copy_inst(Unroll *s, const Copies *c, uint32_t round, HdIrRef r)
{
    HdIrFunc *f = s->f;
    unsigned nargs = f->insts.at[r].nargs;
    HdIrRef *args;

    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, nargs + 1u));
    for (unsigned k = 0; k < nargs; k++)
        args[k] = hd_ir_arg_is_value(&f->insts.at[r], k) ? value_of(s, c, round, hd_ir_arg(f, r, k))
                                                         : block_in(c, round, hd_ir_arg(f, r, k));
    hd_ir_set_args(f, value_of(s, c, round, r), args, nargs);
    return HD_OK;
}

static HdStatus copy_block(Unroll *s, const Copies *c, uint32_t rounds, uint32_t round, uint32_t b)
{
    HdIrFunc *f = s->f;
    uint32_t head = s->g->loops[c->loop].head, *succ;
    HdIrBlock *from = &f->blocks.at[b], *to = &f->blocks.at[block_in(c, round, b)];

    for (size_t k = 0; k < from->insts.count; k++) {
        HdIrRef r = from->insts.at[k];

        if (b == head && f->insts.at[r].op == HD_IR_PHI)
            HD_TRY(copy_head_phi(s, c, round, r));
        else if (round != 0)
            HD_TRY(copy_inst(s, c, round, r));
    }
    HD_TAKE(succ, HD_NEW(f->module->arena, uint32_t, from->succ_count + 1u));
    for (uint32_t i = 0; i < from->succ_count; i++)
        /* The last iteration does not reach its end: the target does not matter. */
        succ[i] = block_in(c, from->succ[i] == head && round + 1 < rounds ? round + 1 : round,
                           from->succ[i]);
    to->succ = succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    to->loop_merge = HD_IR_NOWHERE;
    if (b != head && from->loop_merge != HD_IR_NOWHERE)
        to->loop_merge = block_in(c, round, from->loop_merge);
    return HD_OK;
}

/* Fold the branch that exits in the last iteration and in no other. */
static void decide(HdIrFunc *f, const Copies *c, uint32_t exit, uint32_t rounds, uint32_t way_out)
{
    for (uint32_t n = 0; n < rounds; n++) {
        uint32_t b = block_in(c, n, exit);
        HdIrInst *last = hd_ir_inst(f, hd_ir_last(f, b));

        f->blocks.at[b].succ[0] = f->blocks.at[b].succ[n + 1 == rounds ? way_out : 1 - way_out];
        f->blocks.at[b].succ_count = 1;
        last->op = HD_IR_BR;
        last->nargs = 0;
    }
}

/* The phis of an exit, for the edges of all iterations. */
static HdStatus widen_exit(Unroll *s, const Copies *c, uint32_t rounds, HdIrRef r)
{
    HdIrFunc *f = s->f;
    unsigned nargs = f->insts.at[r].nargs, n = 0;
    HdIrRef *args;

    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, (size_t)nargs * rounds + 1));
    for (unsigned k = 0; k + 1 < nargs; k += 2) {
        uint32_t from = hd_ir_arg(f, r, k);

        if (c->block_index[from] == 0) {
            args[n++] = from;
            args[n++] = hd_ir_arg(f, r, k + 1);
            continue;
        }
        for (uint32_t i = 0; i < rounds; i++) {
            if (from == s->counts[c->loop].exit && i + 1 < rounds)
                continue;
            args[n++] = block_in(c, i, from);
            args[n++] = value_of(s, c, i, hd_ir_arg(f, r, k + 1));
        }
    }
    hd_ir_set_args(f, r, args, n);
    return HD_OK;
}

/* ---- values used after ------------------------------------------------------------------------
 */

static HdStatus keep_values(Unroll *s, uint32_t loop)
{
    HdIrFunc *f = s->f;
    HdIrRef *kept;

    HD_TAKE(kept, HD_NEW(s->arena, HdIrRef, f->insts.count));
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t b = s->g->order[i];

        if (hd_ir_loop_holds(s->g, loop, b))
            continue;
        for (size_t at = 0; at < f->blocks.at[b].insts.count; at++) {
            HdIrRef r = f->blocks.at[b].insts.at[at];
            bool is_phi = f->insts.at[r].op == HD_IR_PHI;

            for (unsigned k = is_phi ? 1 : 0; k < f->insts.at[r].nargs; k += is_phi ? 2 : 1) {
                uint32_t home = block_of(s, hd_ir_arg(f, r, k));

                if (!hd_ir_loop_holds(s->g, loop, home) ||
                    (is_phi && hd_ir_loop_holds(s->g, loop, hd_ir_arg(f, r, k - 1))))
                    continue;
                HD_TRY(hd_ir_fetch(f, kept, b, &at, k));
            }
        }
    }
    return HD_OK;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Replace a loop by its iterations; their blocks are appended to `order`. */
static HdStatus unroll(Unroll *s, uint32_t loop, uint32_t *order, uint32_t *count)
{
    const struct HdIrLoop *l = &s->g->loops[loop];
    uint32_t rounds = s->counts[loop].entries, exit = s->counts[loop].exit;
    HdIrFunc *f = s->f;
    uint32_t way_out = hd_ir_loop_holds(s->g, loop, f->blocks.at[exit].succ[0]) ? 1 : 0;
    Copies c = {.loop = loop};

    HD_TRY(number_copies(s, &c, rounds));
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        const HdIrBlock *b = &f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < b->insts.count && !hd_ir_loop_holds(s->g, loop, s->g->order[i]);
             k++) {
            if (f->insts.at[b->insts.at[k]].op != HD_IR_PHI)
                break;
            HD_TRY(widen_exit(s, &c, rounds, b->insts.at[k]));
        }
    }
    /* The first iteration is the loop itself, and the source of the copies: it is processed
     * last. */
    for (uint32_t n = rounds; n-- > 0;)
        for (uint32_t i = l->first; i <= l->last; i++)
            HD_TRY(copy_block(s, &c, rounds, n, s->g->order[i]));
    decide(f, &c, exit, rounds, way_out);
    for (uint32_t i = 0; i < c.blocks * rounds; i++)
        order[(*count)++] = c.block_copy[i];
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* A loop that is worth it and has none of this run's in it; HD_IR_NOWHERE: none. */
static HdStatus choose(Unroll *s, uint32_t *loop)
{
    Round x = {0};

    *loop = HD_IR_NOWHERE;
    HD_TAKE(s->counts, HD_NEW(s->arena, Count, s->g->loop_count));
    HD_TAKE(s->counted, HD_NEW(s->arena, uint8_t, s->insts));
    HD_TAKE(x.bits, HD_NEW(s->arena, uint64_t, s->insts));
    HD_TAKE(x.known, HD_NEW(s->arena, uint8_t, s->insts));
    for (uint32_t l = 0; l < s->g->loop_count; l++)
        HD_TRY(count_rounds(s, l, &x));
    HD_TRY(find_arrays(s));
    for (uint32_t l = 0; l < s->g->loop_count; l++) {
        bool old = true;

        for (uint32_t i = s->g->loops[l].first; i <= s->g->loops[l].last; i++) {
            uint32_t b = s->g->order[i];

            old = old && b < s->old_blocks && s->is_done[b] == 0;
        }
        if (old && is_worth_it(s, l))
            *loop = l;
    }
    return HD_OK;
}

/* Unroll one; *did says whether there was any. */
static HdStatus unroll_one(HdIrFunc *f, HdArena *a, uint32_t old_blocks, uint8_t *is_done,
                           bool *did)
{
    Unroll s = {.f = f, .arena = a, .old_blocks = old_blocks, .is_done = is_done};
    uint32_t loop, *order, count = 0;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    s.g = g;
    s.insts = f->insts.count;
    if (g->loop_count == 0)
        return HD_OK;
    HD_TRY(choose(&s, &loop));
    if (loop == HD_IR_NOWHERE)
        return HD_OK;
    HD_TRY(keep_values(&s, loop));
    s.insts = f->insts.count;
    HD_TAKE(order, HD_NEW(a, uint32_t,
                          g->reachable + (size_t)s.counts[loop].entries *
                                             (g->loops[loop].last - g->loops[loop].first + 1)));
    for (uint32_t i = 0; i < g->reachable; i++) {
        if (i == g->loops[loop].first)
            HD_TRY(unroll(&s, loop, order, &count));
        if (hd_ir_loop_holds(s.g, loop, g->order[i]))
            is_done[g->order[i]] = 1;
        else
            order[count++] = g->order[i];
    }
    for (uint32_t i = 0; i < count; i++)
        f->blocks.at[order[i]].rank = i;
    *did = true;
    return HD_OK;
}

HdStatus hd_opt_unroll(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t old_blocks;
    uint8_t *is_done;
    bool did = true, ignored;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    old_blocks = (uint32_t)f->blocks.count;
    HD_TAKE(is_done, HD_NEW(scratch, uint8_t, old_blocks));
    for (unsigned n = 0; did && n < MOST_LOOPS && f->insts.count < MOST_FUNCTION; n++) {
        HdArena *a = hd_arena_open();
        HdStatus st;

        did = false;
        st = a != NULL ? unroll_one(f, a, old_blocks, is_done, &did) : HD_NO_MEMORY;
        hd_arena_drop(a);
        HD_TRY(st);
        *changed = *changed || did;
    }
    return hd_ir_drop_unreachable(f, scratch, &ignored);
}
