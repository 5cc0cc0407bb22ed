/* opt/unroll.c -- full unrolling of loops with a small, known trip count.
 *
 * Mainly for private arrays that a loop counter indexes: once every index is a constant they become
 * values (opt/sroa.c). Loops with convergent operations are unrolled only if all lanes that enter
 * iterate together: one back edge, one exit. opt/unroll_choose.c says which loop is next; here it
 * becomes copies of its blocks.
 *
 *     before                            before
 *     head: if (go on) body else exit   head 1, body 1
 *     body: ... back to head      to    head 2, body 2
 *     exit                              ...
 *                                       exit
 *
 * Values that are used after the loop other than by the phis of its exits go through an ALLOCA,
 * which becomes phis again.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/unroll.h"

#include "ir/edit.h"
#include "opt/pass.h"

#define MOST_FUNCTION 60000u /* operations of a function that still grows */
#define MOST_LOOPS    100u   /* unrolled in one run */

typedef struct Copies {
    uint32_t loop, rounds, exit, open; /* of HdUnrollLoop */
    uint32_t blocks, insts;            /* of one iteration */
    uint32_t *block_index;             /* [blocks] 1 + place in the loop, 0: elsewhere */
    uint32_t *inst_index;              /* [insts] likewise */
    uint32_t *block_copy;              /* [iteration * blocks + place] */
    HdIrRef *inst_copy;                /* [iteration * insts + place] */
} Copies;

typedef struct Unroll {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    size_t insts; /* before there are copies */
} Unroll;

/* ---- copies -----------------------------------------------------------------------------------
 */

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
static HdStatus number_copies(Unroll *s, Copies *c)
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
    HD_TAKE(c->block_copy, HD_NEW(s->arena, uint32_t, (size_t)c->blocks * c->rounds));
    HD_TAKE(c->inst_copy, HD_NEW(s->arena, HdIrRef, (size_t)c->insts * c->rounds));
    for (uint32_t n = 0; n < c->rounds; n++) {
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

static HdStatus copy_block(Unroll *s, const Copies *c, uint32_t round, uint32_t b)
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
        succ[i] = block_in(c, from->succ[i] == head && round + 1 < c->rounds ? round + 1 : round,
                           from->succ[i]);
    to->succ = succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    to->loop_merge = HD_IR_NOWHERE;
    if (b != head && from->loop_merge != HD_IR_NOWHERE)
        to->loop_merge = block_in(c, round, from->loop_merge);
    return HD_OK;
}

/* Fold the branch that exits in the last iteration, where it is known that it does not. */
static void decide(HdIrFunc *f, const Copies *c, uint32_t way_out)
{
    for (uint32_t n = c->open; n < c->rounds; n++) {
        uint32_t b = block_in(c, n, c->exit);

        hd_ir_leave_one_way(f, b, f->blocks.at[b].succ[n + 1 == c->rounds ? way_out : 1 - way_out]);
    }
}

/* The phis of an exit, for the edges of all iterations. */
static HdStatus widen_exit(Unroll *s, const Copies *c, HdIrRef r)
{
    HdIrFunc *f = s->f;
    unsigned nargs = f->insts.at[r].nargs, n = 0;
    HdIrRef *args;

    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, (size_t)nargs * c->rounds + 1));
    for (unsigned k = 0; k + 1 < nargs; k += 2) {
        uint32_t from = hd_ir_arg(f, r, k);

        if (c->block_index[from] == 0) {
            args[n++] = from;
            args[n++] = hd_ir_arg(f, r, k + 1);
            continue;
        }
        for (uint32_t i = 0; i < c->rounds; i++) {
            if (from == c->exit && i >= c->open && i + 1 < c->rounds)
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
                uint32_t home = f->insts.at[hd_ir_arg(f, r, k)].block;

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
static HdStatus unroll(Unroll *s, const HdUnrollLoop *u, uint32_t *order, uint32_t *count)
{
    const struct HdIrLoop *l = &s->g->loops[u->loop];
    HdIrFunc *f = s->f;
    uint32_t way_out = hd_ir_loop_holds(s->g, u->loop, f->blocks.at[u->exit].succ[0]) ? 1 : 0;
    Copies c = {.loop = u->loop, .rounds = u->entries, .exit = u->exit, .open = u->open};

    HD_TRY(number_copies(s, &c));
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        const HdIrBlock *b = &f->blocks.at[s->g->order[i]];

        for (size_t k = 0; k < b->insts.count && !hd_ir_loop_holds(s->g, u->loop, s->g->order[i]);
             k++) {
            if (f->insts.at[b->insts.at[k]].op != HD_IR_PHI)
                break;
            HD_TRY(widen_exit(s, &c, b->insts.at[k]));
        }
    }
    /* The first iteration is the loop itself, and the source of the copies: it is processed
     * last. */
    for (uint32_t n = c.rounds; n-- > 0;)
        for (uint32_t i = l->first; i <= l->last; i++)
            HD_TRY(copy_block(s, &c, n, s->g->order[i]));
    decide(f, &c, way_out);
    for (uint32_t i = 0; i < c.blocks * c.rounds; i++)
        order[(*count)++] = c.block_copy[i];
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* Unroll one; *did says whether there was any. */
static HdStatus unroll_one(HdIrFunc *f, HdArena *a, const HdLoopsDone *done, bool *did)
{
    Unroll s = {.f = f, .arena = a};
    uint32_t *order, count = 0;
    const struct HdIrLoop *l;
    HdUnrollLoop u;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    s.g = g;
    if (g->loop_count == 0)
        return HD_OK;
    HD_TRY(hd_opt_unroll_choose(f, g, done, a, &u));
    if (u.loop == HD_IR_NOWHERE)
        return HD_OK;
    l = &g->loops[u.loop];
    HD_TRY(keep_values(&s, u.loop));
    s.insts = f->insts.count;
    HD_TAKE(order,
            HD_NEW(a, uint32_t, g->reachable + (size_t)u.entries * (l->last - l->first + 1)));
    for (uint32_t i = 0; i < g->reachable; i++) {
        if (i == l->first)
            HD_TRY(unroll(&s, &u, order, &count));
        if (hd_ir_loop_holds(g, u.loop, g->order[i]))
            done->is_in[g->order[i]] = true;
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
    bool ignored;

    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    HD_TRY(hd_opt_loop_by_loop(f, scratch, unroll_one, MOST_LOOPS, MOST_FUNCTION, changed));
    return hd_ir_drop_unreachable(f, scratch, &ignored);
}
