/* opt/unswitch.c -- a loop that does nothing unless a condition holds is entered only if it does.
 *
 *     for (k = 0; k < n; k++)                 if (x < width)
 *         if (x < width)                to        for (k = 0; k < n; k++)
 *             row[k] = 0;                             row[k] = 0;
 *
 * The condition is the same in all iterations. Where it does not hold, an iteration only computes,
 * and what the loop leaves behind is what it began with. Nothing is copied, unlike where both ways
 * have effects. The lanes that enter the loop are those that took the way with effects before, and
 * all others meet them behind it, so loops with convergent operations stay as they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/counted.h"
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/loop_by_loop.h"
#include "opt/pass.h"

#define MOST_LOOPS 16u    /* of a function */
#define MOST_INSTS 20000u /* of a function: each loop needs a graph of its own */
#define MOST_PHIS  8u     /* in each other */

typedef struct Unswitch {
    HdIrFunc *f;
    const HdIrGraph *g;
    HdArena *arena;
    HdCounted of;
    uint32_t branch; /* the block that the condition ends */
    unsigned idle;   /* its successor where nothing is done */
    bool *is_idle;   /* [blocks] reached in an iteration that goes there */
    HD_ARRAY(uint32_t) todo;
} Unswitch;

/* ---- which conditions --------------------------------------------------------------------------
 */

/* Does a block only compute, and go on to one block or two? */
static bool has_no_effect(const HdIrFunc *f, uint32_t b)
{
    const HdIrBlock *block = &f->blocks.at[b];
    HdIrRef last = hd_ir_last(f, b);

    for (size_t i = 0; i + 1 < block->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[block->insts.at[i]];
        bool loads = in->op == HD_IR_LOAD && (in->flags & HD_IR_VOLATILE) == 0;

        if ((!hd_ir_op_is_pure(in->op) && !loads) || in->op == HD_IR_ALLOCA)
            return false;
    }
    return f->insts.at[last].op == HD_IR_BR || f->insts.at[last].op == HD_IR_CONDBR;
}

static bool is_convergent(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop)
{
    for (uint32_t i = g->loops[loop].first; i <= g->loops[loop].last; i++) {
        const HdIrBlock *b = &f->blocks.at[g->order[i]];

        for (size_t k = 0; k < b->insts.count; k++)
            if (hd_ir_op_is_convergent(f->insts.at[b->insts.at[k]].op))
                return true;
    }
    return false;
}

static HdStatus visit(Unswitch *u, uint32_t b)
{
    if (u->is_idle[b])
        return HD_OK;
    u->is_idle[b] = true;
    HD_TRY_PUSH(u->arena, &u->todo, b);
    return HD_OK;
}

/* The blocks of an iteration that takes the idle way. *idle: do they only compute, and does the
 * other way lead elsewhere? */
static HdStatus find_idle(Unswitch *u, bool *idle)
{
    const HdIrBlock *branch = &u->f->blocks.at[u->branch];

    *idle = false;
    HD_TAKE(u->is_idle, HD_NEW(u->arena, bool, u->f->blocks.count));
    u->todo.count = 0;
    HD_TRY(visit(u, u->of.in.head));
    while (u->todo.count != 0) {
        uint32_t b = u->todo.at[--u->todo.count];
        const HdIrBlock *block = &u->f->blocks.at[b];

        if (!has_no_effect(u->f, b))
            return HD_OK;
        for (uint32_t k = 0; k < block->succ_count && b != u->of.latch; k++)
            if (b != u->branch || k == u->idle)
                HD_TRY(visit(u, block->succ[k]));
    }
    *idle = !u->is_idle[branch->succ[1 - u->idle]];
    return HD_OK;
}

/* The operand of a phi that is reached on idle ways; 0: there are several. */
static HdIrRef idle_operand(const Unswitch *u, HdIrRef phi)
{
    const HdIrInst *in = &u->f->insts.at[phi];
    HdIrRef found = 0;

    for (unsigned k = 0; k + 1 < in->nargs; k += 2) {
        uint32_t from = hd_ir_arg(u->f, phi, k);
        bool is_taken = from != u->branch || u->f->blocks.at[from].succ[u->idle] == in->block;

        if (!u->is_idle[from] || !is_taken)
            continue;
        if (found != 0)
            return 0;
        found = hd_ir_arg(u->f, phi, k + 1);
    }
    return found;
}

/* What r is on idle ways: something from outside, a phi of the head, or 0. */
static HdIrRef idle_value(const Unswitch *u, HdIrRef r)
{
    for (unsigned n = 0; n < MOST_PHIS && r != 0; n++) {
        const HdIrInst *in = &u->f->insts.at[r];

        if (in->op == HD_IR_CONST || hd_loop_is_outside(&u->of.in, r) ||
            (in->op == HD_IR_PHI && in->block == u->of.in.head))
            return r;
        r = in->op == HD_IR_PHI ? idle_operand(u, r) : 0;
    }
    return 0;
}

/* The operand of a phi of the head from outside. */
static HdIrRef first_value(const Unswitch *u, HdIrRef phi)
{
    unsigned k = hd_loop_holds(&u->of.in, hd_ir_arg(u->f, phi, 0)) ? 2 : 0;

    return hd_ir_arg(u->f, phi, k + 1);
}

/* What r, of the loop, is behind it if no iteration does anything; 0: that is not known. */
static HdIrRef untouched(const Unswitch *u, HdIrRef r)
{
    HdIrRef begin = idle_value(u, r);

    if (begin == 0 || u->f->insts.at[begin].op != HD_IR_PHI ||
        u->f->insts.at[begin].block != u->of.in.head)
        return begin;
    return idle_value(u, hd_ir_phi_value(u->f, begin, u->of.latch)) == begin ? first_value(u, begin)
                                                                             : 0;
}

/* ---- what is used behind the loop ---------------------------------------------------------------
 */

static bool is_used_behind(const Unswitch *u, HdIrRef user, unsigned k)
{
    const HdIrInst *in = &u->f->insts.at[user];
    uint32_t at = in->op == HD_IR_PHI ? hd_ir_arg(u->f, user, k & ~1u) : in->block;

    return hd_ir_arg_is_value(in, k) && !hd_loop_is_outside(&u->of.in, hd_ir_arg(u->f, user, k)) &&
           (!hd_loop_holds(&u->of.in, at) || !hd_loop_holds(&u->of.in, in->block));
}

/* with[r], for each value of the loop that is used behind it: what it is if the loop is not
 * entered. *known: is that so for all of them? */
static HdStatus find_behind(const Unswitch *u, HdIrRef **with, bool *known)
{
    const HdIrFunc *f = u->f;

    *known = true;
    HD_TAKE(*with, HD_NEW(u->arena, HdIrRef, f->insts.count));
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);)
        for (unsigned k = 0; k < f->insts.at[e.inst].nargs && *known; k++) {
            HdIrRef r = hd_ir_arg(f, e.inst, k);

            if (!is_used_behind(u, e.inst, k))
                continue;
            (*with)[r] = untouched(u, r);
            *known = (*with)[r] != 0;
        }
    return HD_OK;
}

/* A phi in `out` for each of them: what the loop leaves, or what it would not have touched. */
static HdStatus join(const Unswitch *u, uint32_t front, uint32_t out, HdIrRef *with)
{
    HdIrFunc *f = u->f;
    size_t count = f->insts.count;

    for (HdIrRef r = 1; r < count; r++) {
        HdIrType type = (HdIrType)f->insts.at[r].type;
        HdIrRef args[] = {u->of.latch, r, front, with[r]};

        if (with[r] == 0)
            continue;
        if (f->insts.at[with[r]].op == HD_IR_CONST)
            args[3] = hd_ir_const(f, front, type, f->insts.at[with[r]].imm);
        HD_TAKE(with[r], hd_ir_emit(f, out, HD_IR_PHI, type, args, 4));
    }
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);)
        for (unsigned k = 0; e.inst < count && k < f->insts.at[e.inst].nargs; k++)
            if (is_used_behind(u, e.inst, k))
                hd_ir_args(f, e.inst)[k] = with[hd_ir_arg(f, e.inst, k)];
    return HD_OK;
}

/* ---- the loop -----------------------------------------------------------------------------------
 */

/* The block in front of the loop; HD_IR_NOWHERE: there are several. */
static uint32_t before(const Unswitch *u)
{
    const HdIrGraph *g = u->g;
    uint32_t head = u->of.in.head, found = HD_IR_NOWHERE;

    for (uint32_t e = g->pred_first[head]; e < g->pred_first[head + 1]; e++) {
        if (hd_loop_holds(&u->of.in, g->pred[e]))
            continue;
        if (found != HD_IR_NOWHERE)
            return HD_IR_NOWHERE;
        found = g->pred[e];
    }
    return found;
}

/* Inside, the branch goes where something is done. */
static void take_busy_way(const Unswitch *u)
{
    const uint32_t *succ = u->f->blocks.at[u->branch].succ;

    hd_ir_phi_drop(u->f, succ[u->idle], u->branch);
    hd_ir_leave_one_way(u->f, u->branch, succ[1 - u->idle]);
}

static HdStatus enter_if(Unswitch *u, HdIrRef *with)
{
    HdIrFunc *f = u->f;
    const HdIrBlock *latch = &f->blocks.at[u->of.latch];
    uint32_t head = u->of.in.head, exit = latch->succ[latch->succ[0] == head], front, out;
    HdIrRef condition = hd_ir_arg(f, hd_ir_last(f, u->branch), 0);

    front = hd_ir_split_edge(f, before(u), head, f->blocks.at[head].rank);
    out = hd_ir_split_edge(f, u->of.latch, exit, f->blocks.at[u->of.latch].rank);
    if (front == HD_IR_NOWHERE || out == HD_IR_NOWHERE)
        return HD_NO_MEMORY;
    HD_TRY(join(u, front, out, with));
    hd_ir_br(f, out, exit);
    hd_ir_condbr(f, front, condition, u->idle == 0 ? out : head, u->idle == 0 ? head : out);
    take_busy_way(u);
    return HD_OK;
}

/* Does the loop do nothing where the branch that ends this block goes one way or the other? */
static HdStatus try_branch(Unswitch *u, uint32_t branch, bool *did)
{
    HdIrRef last = hd_ir_last(u->f, branch);
    HdIrRef *with;

    if (branch == u->of.latch || u->f->insts.at[last].op != HD_IR_CONDBR ||
        u->f->blocks.at[branch].succ[0] == u->f->blocks.at[branch].succ[1] ||
        !hd_loop_is_outside(&u->of.in, hd_ir_arg(u->f, last, 0)))
        return HD_OK;
    u->branch = branch;
    for (u->idle = 0; u->idle < 2 && !*did; u->idle++) {
        HD_TRY(find_idle(u, did));
        if (*did)
            HD_TRY(find_behind(u, &with, did));
        if (*did)
            return enter_if(u, with);
    }
    return HD_OK;
}

static HdStatus do_one(HdIrFunc *f, HdArena *a, const HdLoopsDone *done, bool *did)
{
    Unswitch u = {.f = f, .arena = a};
    HdIrGraph *g;

    (void)done;
    HD_TRY(hd_ir_graph(f, a, &g));
    u.g = g;
    for (uint32_t l = g->loop_count; l-- > 0 && !*did;) {
        if (!hd_counted_find_nest(f, g, l, &u.of) || before(&u) == HD_IR_NOWHERE ||
            is_convergent(f, g, l))
            continue;
        for (uint32_t i = g->loops[l].first; i <= g->loops[l].last && !*did; i++)
            HD_TRY(try_branch(&u, g->order[i], did));
    }
    return HD_OK;
}

HdStatus hd_opt_unswitch(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    bool dropped;

    HD_TRY(hd_opt_loop_by_loop(f, scratch, do_one, MOST_LOOPS, MOST_INSTS, changed));
    if (*changed)
        HD_TRY(hd_ir_drop_unreachable(f, scratch, &dropped));
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
