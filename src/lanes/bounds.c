/* lanes/bounds.c -- 32-bit indices that do not wrap in a loop.
 *
 * An unsigned int index, as get_global_id mostly becomes, may wrap: a[row * n + k] must be added in
 * 32 bits and extended in every iteration, one more operation for each load, and vector accesses
 * test in each iteration whether their lanes are still adjacent. The range of a sum A + B k of the
 * loop counter k is known before the loop: if it stays below 2^32 up to the last iteration, the
 * same sum in 64 bits is equal, and addressing modes absorb it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/bounds.h"

#include "ir/counted.h"
#include "ir/edit.h"

#define MOST_DEPTH 6u  /* operations in a sum */
#define MOST_SUMS  32u /* of a loop */

/* A loop with one block, or several, that counts up from 0 by one. */
typedef struct Counted {
    uint32_t loop, before; /* number; the block before it */
    HdIrRef counter;       /* PHI of I32 or I64 */
    HdIrRef count;         /* trip count, of the same type */
} Counted;

typedef struct Bounds {
    HdIrFunc *f;
    const HdIrGraph *g;
    Counted l;
    HdIrRef test, last; /* in `before`: all sums stay in bounds; the last iteration, I64 */
    HdIrRef *with;      /* [count] what becomes of a sum made long */
    size_t count;
    unsigned sums;
} Bounds;

bool hd_lanes_stores(const HdIrFunc *f, uint32_t block)
{
    for (size_t i = 0; i < f->blocks.at[block].insts.count; i++)
        if (f->insts.at[f->blocks.at[block].insts.at[i]].op == HD_IR_STORE)
            return true;
    return false;
}

HdStatus hd_lanes_late(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, bool **out)
{
    bool *late;

    HD_TAKE(late, HD_NEW(a, bool, g->count));
    for (bool again = true; again;) {
        again = false;
        for (uint32_t r = 0; r < g->reachable; r++) {
            const HdIrBlock *b = &f->blocks.at[g->order[r]];
            bool stores = late[g->order[r]] || hd_lanes_stores(f, g->order[r]);

            for (uint32_t i = 0; stores && i < b->succ_count; i++) {
                again = again || !late[b->succ[i]];
                late[b->succ[i]] = true;
            }
        }
    }
    *out = late;
    return HD_OK;
}

/* ---- loops that count ---------------------------------------------------------------------------
 */

static bool is_invariant(const Bounds *x, HdIrRef v)
{
    return !hd_ir_loop_holds(x->g, x->l.loop, x->f->insts.at[v].block);
}

/* The preheader and the latch of a loop; false if there is not exactly one of each. */
static bool find_ends(const Bounds *x, uint32_t *before, uint32_t *latch)
{
    uint32_t head = x->g->loops[x->l.loop].head;

    *before = *latch = HD_IR_NOWHERE;
    for (uint32_t i = x->g->pred_first[head]; i < x->g->pred_first[head + 1]; i++) {
        uint32_t *to = hd_ir_loop_holds(x->g, x->l.loop, x->g->pred[i]) ? latch : before;

        if (*to != HD_IR_NOWHERE)
            return false;
        *to = x->g->pred[i];
    }
    return *before != HD_IR_NOWHERE && *latch != HD_IR_NOWHERE &&
           x->f->blocks.at[*before].succ_count == 1;
}

/* Does the loop continue, at the end of `latch`, until its counter reaches a number? */
static bool find_counter(Bounds *x, uint32_t latch)
{
    const HdIrFunc *f = x->f;
    HdIrRef end = hd_ir_last(f, latch), cond, next;
    HdLoop loop = hd_loop_of(f, x->g, x->l.loop);
    uint32_t head = loop.head;
    HdCounter counter;
    const HdIrInst *in;
    uint64_t number;
    bool goes_on;

    if (f->insts.at[end].op != HD_IR_CONDBR)
        return false;
    cond = hd_ir_arg(f, end, 0);
    in = &f->insts.at[cond];
    goes_on = f->blocks.at[latch].succ[0] == head;
    if (in->op != HD_IR_ICMP || (in->sub != (goes_on ? HD_IR_NE : HD_IR_EQ) &&
                                 in->sub != (goes_on ? HD_IR_ULT : HD_IR_UGE)))
        return false;
    next = hd_ir_arg(f, cond, 0);
    x->l.count = hd_ir_arg(f, cond, 1);
    if (f->insts.at[next].op != HD_IR_ADD || !is_invariant(x, x->l.count) ||
        !hd_counter_find(&loop, hd_ir_arg(f, next, 0), &counter))
        return false;
    x->l.counter = counter.phi;
    return hd_ir_type_bits((HdIrType)f->insts.at[counter.phi].type) >= 32 && counter.step == 1 &&
           counter.next == next && counter.start != 0 &&
           hd_ir_is_const(f, counter.start, &number) && number == 0;
}

/* ---- sums ---------------------------------------------------------------------------------------
 */

/* A + B k, both of I32 and computed before the loop; 0: nothing. */
typedef struct Sum {
    HdIrRef a, b;
} Sum;

static HdIrRef put(Bounds *x, HdIrOp op, HdIrType type, HdIrRef a, HdIrRef b)
{
    HdIrRef pair[2] = {a, b};

    return hd_ir_emit(x->f, x->l.before, op, type, pair, b == 0 ? 1 : 2);
}

static HdIrRef put_sum(Bounds *x, HdIrRef a, HdIrRef b)
{
    return a == 0 ? b : b == 0 ? a : put(x, HD_IR_ADD, HD_IR_I32, a, b);
}

static bool is_counter(const Bounds *x, HdIrRef v)
{
    return v == x->l.counter ||
           (x->f->insts.at[v].op == HD_IR_TRUNC && hd_ir_arg(x->f, v, 0) == x->l.counter);
}

/* Is it a sum of that form? Makes its parts. */
static bool take_apart(Bounds *x, HdIrRef v, unsigned depth, Sum *out)
{
    HdIrInst in = x->f->insts.at[v];
    HdIrRef left, right;
    Sum p, q;

    *out = (Sum){0};
    if (in.type != HD_IR_I32 || depth == 0)
        return false;
    if (is_invariant(x, v)) {
        out->a = v;
        return true;
    }
    if (is_counter(x, v)) {
        out->b = hd_ir_const(x->f, x->l.before, HD_IR_I32, 1);
        return true;
    }
    if (in.op != HD_IR_ADD && in.op != HD_IR_MUL && in.op != HD_IR_SHL)
        return false;
    left = hd_ir_arg(x->f, v, 0);
    right = hd_ir_arg(x->f, v, 1);
    if (in.op != HD_IR_ADD && !is_invariant(x, right)) {
        HdIrRef other = left;

        if (in.op == HD_IR_SHL || !is_invariant(x, left))
            return false;
        left = right;
        right = other;
    }
    if (!take_apart(x, left, depth - 1, &p))
        return false;
    if (in.op != HD_IR_ADD) {
        out->a = p.a == 0 ? 0 : put(x, (HdIrOp)in.op, HD_IR_I32, p.a, right);
        out->b = p.b == 0 ? 0 : put(x, (HdIrOp)in.op, HD_IR_I32, p.b, right);
        return true;
    }
    if (!take_apart(x, right, depth - 1, &q))
        return false;
    out->a = put_sum(x, p.a, q.a);
    out->b = put_sum(x, p.b, q.b);
    return true;
}

static HdIrRef put_long(Bounds *x, HdIrRef v)
{
    return v == 0 ? hd_ir_const(x->f, x->l.before, HD_IR_I64, 0)
                  : put(x, HD_IR_ZEXT, HD_IR_I64, v, 0);
}

static void require(Bounds *x, HdIrRef value)
{
    HdIrRef pair[2] = {value, hd_ir_const(x->f, x->l.before, HD_IR_I64, UINT32_MAX)}, below;

    below = hd_ir_emit_sub(x->f, x->l.before, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULE, 0, pair, 2);
    x->test = x->test == 0 ? below : put(x, HD_IR_AND, HD_IR_BOOL, x->test, below);
}

/* In front of the instruction at *at of its block, which is the sum made long: the same in 64 bits.
 */
static void put_in_place(Bounds *x, size_t *at, HdIrRef v, HdIrRef a, HdIrRef b)
{
    uint32_t block = x->f->insts.at[v].block;
    HdIrRef pair[2] = {x->l.counter, b}, r;

    if (x->f->insts.at[x->l.counter].type == HD_IR_I32)
        pair[0] = hd_ir_insert(x->f, block, (*at)++, HD_IR_ZEXT, HD_IR_I64, 0, 0, pair, 1);
    r = hd_ir_insert(x->f, block, (*at)++, HD_IR_MUL, HD_IR_I64, 0, 0, pair, 2);
    hd_ir_inst(x->f, r)->flags = HD_IR_NSW | HD_IR_NUW;
    pair[0] = r;
    pair[1] = a;
    r = hd_ir_insert(x->f, block, (*at)++, HD_IR_ADD, HD_IR_I64, 0, 0, pair, 2);
    hd_ir_inst(x->f, r)->flags = HD_IR_NSW | HD_IR_NUW;
    x->with[v] = r;
}

static void look_at(Bounds *x, uint32_t block)
{
    for (size_t i = 0; i < x->f->blocks.at[block].insts.count && x->sums < MOST_SUMS; i++) {
        HdIrRef v = x->f->blocks.at[block].insts.at[i], a, b;
        const HdIrInst *in = &x->f->insts.at[v];
        Sum s;

        if (v >= x->count || in->op != HD_IR_ZEXT || in->type != HD_IR_I64 ||
            is_counter(x, hd_ir_arg(x->f, v, 0)) ||
            !take_apart(x, hd_ir_arg(x->f, v, 0), MOST_DEPTH, &s) || s.b == 0)
            continue;
        if (x->last == 0) {
            HdIrRef rounds =
                x->f->insts.at[x->l.count].type == HD_IR_I32 ? put_long(x, x->l.count) : x->l.count;

            x->last = put(x, HD_IR_ADD, HD_IR_I64, rounds,
                          hd_ir_const(x->f, x->l.before, HD_IR_I64, UINT64_MAX));
            require(x, x->last);
        }
        a = put_long(x, s.a);
        b = put_long(x, s.b);
        require(x, put(x, HD_IR_ADD, HD_IR_I64, put(x, HD_IR_MUL, HD_IR_I64, b, x->last), a));
        put_in_place(x, &i, v, a, b);
        x->sums++;
    }
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

/* The branch into the loop, after its test. */
static void put_branch(Bounds *x, uint32_t elsewhere)
{
    uint32_t head = x->f->blocks.at[x->l.before].succ[0];
    HdIrRef all;

    if (elsewhere == 0 || x->test == 0) {
        hd_ir_br(x->f, x->l.before, head);
        return;
    }
    all = put(x, HD_IR_ALL, HD_IR_BOOL, x->test, 0);
    hd_ir_condbr(x->f, x->l.before, all, head, elsewhere);
}

static void bound_loop(Bounds *x, uint32_t elsewhere)
{
    HdIrBlock *before = &x->f->blocks.at[x->l.before];

    x->test = x->last = 0;
    x->sums = 0;
    hd_ir_kill(x->f, hd_ir_last(x->f, x->l.before)); /* new instructions are inserted before it */
    before->insts.count--;
    for (uint32_t r = x->g->loops[x->l.loop].first; r <= x->g->loops[x->l.loop].last; r++)
        look_at(x, x->g->order[r]);
    put_branch(x, elsewhere);
}

HdStatus hd_lanes_bounds(HdIrFunc *f, const bool *inside, uint32_t blocks, uint32_t elsewhere,
                         HdArena *a)
{
    Bounds x = {.f = f, .count = f->insts.count};
    uint32_t latch;
    HdIrGraph *g;
    bool *late;

    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TRY(hd_lanes_late(f, g, a, &late));
    HD_TAKE(x.with, HD_NEW(a, HdIrRef, x.count));
    x.g = g;
    for (uint32_t l = 0; l < g->loop_count; l++) {
        x.l = (Counted){.loop = l};
        if (g->loops[l].irreducible || g->loops[l].head >= blocks || !inside[g->loops[l].head] ||
            !find_ends(&x, &x.l.before, &latch) || late[x.l.before] ||
            hd_lanes_stores(f, x.l.before) || !find_counter(&x, latch))
            continue;
        bound_loop(&x, elsewhere);
    }
    hd_ir_substitute(f, x.with, x.count);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
