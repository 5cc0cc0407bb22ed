/* lanes/walk.c -- bytes that each lane reads sequentially.
 *
 * `for (j = 0; j < n; j++) h = h * 31 + text[item * 32 + j];` gathers a byte for each lane in each
 * iteration. A gather of eight bytes of each lane costs the same, and serves eight iterations.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/walk.h"

#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/linear.h"
#include "ir/memory.h"

#define MOST_DEPTH  8u
#define MOST_STEP   3  /* bytes per iteration */
#define MOST_FACTOR 2u /* of a counter; parts of three are interleaved */

typedef struct Walk {
    const HdIrFunc *f;
    const HdIrGraph *g;
    uint32_t loop; /* of g */
} Walk;

static bool is_inside(const Walk *x, HdIrRef r)
{
    uint32_t block = x->f->insts.at[r].block;

    return block != HD_IR_NOWHERE && hd_ir_loop_holds(x->g, x->loop, block);
}

static bool is_carried(const Walk *x, HdIrRef r)
{
    return x->f->insts.at[r].op == HD_IR_PHI &&
           x->f->insts.at[r].block == x->g->loops[x->loop].head;
}

/* Is it a number from 0 to MOST_STEP? Then which at most. */
static bool is_short(const HdIrFunc *f, HdIrRef r, int64_t *most)
{
    const HdIrInst *in = &f->insts.at[r];
    int64_t other;

    *most = 1;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return hd_ir_is_number(f, r, most) && *most >= 0 && *most <= MOST_STEP;
    case HD_IR_AND: return is_short(f, hd_ir_arg(f, r, 1), most);
    case HD_IR_ZEXT:
        return f->insts.at[hd_ir_arg(f, r, 0)].type == HD_IR_BOOL ||
               is_short(f, hd_ir_arg(f, r, 0), most);
    case HD_IR_SELECT:
        if (!is_short(f, hd_ir_arg(f, r, 1), most) || !is_short(f, hd_ir_arg(f, r, 2), &other))
            return false;
        *most = other > *most ? other : *most;
        return true;
    default: return false;
    }
}

/* How far at most `next` is ahead of phi; false: unknown, or it may be less. */
static bool is_ahead(const Walk *x, HdIrRef next, HdIrRef phi, unsigned depth, int64_t *most)
{
    const HdIrInst *in = &x->f->insts.at[next];
    const HdIrRef *args = hd_ir_args(x->f, next);
    int64_t other;

    *most = 0;
    if (next == phi)
        return true;
    if (depth == 0 || !is_inside(x, next) || is_carried(x, next))
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_ADD:
    case HD_IR_PTRADD:
        for (unsigned i = 0; i < 2; i++)
            if (is_short(x->f, args[1 - i], &other)) {
                bool is_known = is_ahead(x, args[i], phi, depth - 1, most);

                *most += other;
                return is_known;
            }
        return false;
    case HD_IR_SELECT:
        if (!is_ahead(x, args[1], phi, depth - 1, most) ||
            !is_ahead(x, args[2], phi, depth - 1, &other))
            return false;
        *most = other > *most ? other : *most;
        return true;
    case HD_IR_PHI:
        for (unsigned i = 1; i < in->nargs; i += 2) {
            if (!is_ahead(x, args[i], phi, depth - 1, &other))
                return false;
            *most = other > *most ? other : *most;
        }
        return true;
    default: return false;
    }
}

/* By how much at most a phi of the head grows per iteration; false: unknown, or it may shrink. */
static bool carries_on(const Walk *x, HdIrRef r, int64_t *most)
{
    const HdIrInst *in = &x->f->insts.at[r];
    const HdIrRef *args = hd_ir_args(x->f, r);
    int64_t other;

    *most = 0;
    for (unsigned i = 0; i < in->nargs && is_carried(x, r); i += 2) {
        if (!hd_ir_loop_holds(x->g, x->loop, args[i]))
            continue;
        if (!is_ahead(x, args[i + 1], r, MOST_DEPTH, &other))
            return false;
        *most = other > *most ? other : *most;
    }
    return is_carried(x, r);
}

static bool is_outside(const void *x, HdIrRef r)
{
    return !is_inside(x, r);
}

/* By how much at most a value grows per iteration, except for wraps; false: unknown, or it may
 * shrink. */
static bool grows(const Walk *x, HdIrRef r, int64_t *most)
{
    HdLinearRules rules = {.f = x->f, .extend = HD_LINEAR_ASSUME, .user = x, .leaf = is_outside};
    HdLinear s = hd_linear_of(&rules, r);
    int64_t own;

    *most = 0;
    if (!s.is_whole || (s.base != 0 && is_inside(x, s.base) && !carries_on(x, s.base, most)))
        return false;
    for (unsigned i = 0; i < s.count; i++) {
        if (!is_inside(x, s.terms[i].of))
            continue;
        if (s.terms[i].factor > MOST_FACTOR || !carries_on(x, s.terms[i].of, &own))
            return false;
        *most += (int64_t)s.terms[i].factor * own;
    }
    return true;
}

/* The memory that an address leads to, which a loop may carry. */
static unsigned memory_of(const Walk *x, HdIrRef load)
{
    HdIrRef at = hd_ir_arg(x->f, load, 0);

    for (unsigned depth = MOST_DEPTH; depth > 0; depth--) {
        const HdIrInst *in = &x->f->insts.at[at];

        if (in->op == HD_IR_PTRADD)
            at = hd_ir_arg(x->f, at, 0);
        for (unsigned i = 0; in->op == HD_IR_PHI && is_carried(x, at) && i < in->nargs; i += 2)
            if (!hd_ir_loop_holds(x->g, x->loop, hd_ir_arg(x->f, at, i))) {
                at = hd_ir_arg(x->f, at, i + 1);
                break;
            }
    }
    return hd_ir_memory_at(x->f, at, x->f->insts.at[load].sub);
}

static bool is_candidate(const HdIrInst *in)
{
    return in->op == HD_IR_LOAD && in->block != HD_IR_NOWHERE &&
           (in->flags & (HD_IR_VOLATILE | HD_IR_NONTEMPORAL)) == 0 &&
           (in->type == HD_IR_I8 || in->type == HD_IR_I16 || in->type == HD_IR_F16) &&
           (in->sub == HD_SPACE_GLOBAL || in->sub == HD_SPACE_GENERIC ||
            in->sub == HD_SPACE_CONSTANT);
}

HdStatus hd_lanes_walk(HdIrFunc *f, HdArena *a)
{
    unsigned written = 0;
    HdIrGraph *graph = NULL;
    bool any = false;
    int64_t step;

    for (HdIrRef r = 1; r < f->insts.count; r++) {
        any = any || is_candidate(&f->insts.at[r]);
        if (f->insts.at[r].block != HD_IR_NOWHERE)
            written |= hd_ir_memory_written(f, r);
    }
    if (!any)
        return HD_OK;
    HD_TRY(hd_ir_graph(f, a, &graph));
    for (HdIrRef r = 1; r < f->insts.count; r++) {
        HdIrInst *in = &f->insts.at[r];
        Walk x = {.f = f, .g = graph};

        if (!is_candidate(in))
            continue;
        x.loop = graph->loop[in->block];
        if (x.loop != HD_IR_NOWHERE && !graph->loops[x.loop].irreducible &&
            (memory_of(&x, r) & written) == 0 && grows(&x, hd_ir_arg(f, r, 0), &step) && step > 0 &&
            step <= MOST_STEP)
            in->flags |= HD_IR_WALKS;
    }
    return HD_OK;
}
