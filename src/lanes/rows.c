/* lanes/rows.c -- loops in which each lane traverses a row of its own.
 *
 * `for (k = 0; k < n; k++) sum += a[row * n + k] * x[k];` gathers one element for each lane in
 * every iteration. Several iterations at a time gather adjacent elements, which codegen loads
 * together (codegen/runs.c). Such a loop is preceded by another one with straight-line copies of
 * its body and a test that enough iterations remain; the loop itself executes the remainder, if
 * there is one. Only single-block loops whose trip count is the same for all lanes, and known when
 * they begin.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/rows.h"

#include "ir/counted.h"
#include "ir/edit.h"

#define MOST_BODY  64u /* instructions of an iteration */
#define MOST_ADDED 400u
#define FAR_STEP   8    /* elements between lanes that are loaded whole and shuffled otherwise */
#define FAR_APART  1024 /* bytes: rows that may be in each other's way in a cache */

typedef struct Rows {
    HdIrFunc *f;
    const HdShapes *s;
    HdCounted loop;
    uint32_t b, before;     /* the loop's block, the one before it */
    unsigned rounds, bytes; /* bytes: of the widest elements of rows */
} Rows;

/* ---- which loops ------------------------------------------------------------------------------
 */

/* Does each lane load or store adjacent elements, one per iteration? Then the bytes of one; whether
 * the rows are traversed only once is recorded. */
static unsigned row_bytes(const Rows *x, HdIrRef r)
{
    const HdIrInst *in = &x->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;
    HdIrRef address;
    int64_t step, bytes;
    HdShape shape;

    if (in->op == HD_IR_STORE)
        t = (HdIrType)x->f->insts.at[hd_ir_arg(x->f, r, 1)].type;
    else if (in->op != HD_IR_LOAD)
        return 0;
    bytes = hd_ir_type_bytes(t);
    if (t == HD_IR_BOOL)
        return 0;
    address = hd_ir_arg(x->f, r, 0);
    shape = hd_shape_at(x->s, address, x->b);
    if (shape.kind == HD_SHAPE_UNIFORM ||
        (shape.kind != HD_SHAPE_VARYING && shape.stride <= FAR_STEP * bytes))
        return 0;
    if (!hd_counted_step(&x->loop.in, x->loop.latch, address, true, &step) || step != bytes)
        return 0;
    if (bytes >= 4 && (shape.kind == HD_SHAPE_VARYING || shape.stride >= FAR_APART) &&
        x->s->g->loops[x->loop.in.loop].parent == HD_IR_NOWHERE)
        x->f->lanes.rows_once = true;
    return hd_counted_step(&x->loop.in, x->loop.latch, address, false, &step) ? (unsigned)bytes : 0;
}

static bool may_copy(const HdIrInst *in)
{
    if (in->op == HD_IR_PHI || in->op == HD_IR_CONDBR)
        return true;
    return (hd_ir_op_is_pure(in->op) && in->op != HD_IR_ALLOCA && in->op != HD_IR_MATH) ||
           ((in->op == HD_IR_LOAD || in->op == HD_IR_STORE) && (in->flags & HD_IR_VOLATILE) == 0);
}

/* Is the step of all iterations of a group a number of the counter's type? Else it wraps. */
static bool holds_steps(const Rows *x)
{
    HdIrType t = (HdIrType)x->f->insts.at[x->loop.counter.phi].type;
    bool is_signed = x->loop.predicate >= HD_IR_SLT;
    uint64_t step = (uint64_t)x->loop.counter.step;

    step = x->loop.counter.step < 0 ? -step : step;
    return step <= (hd_ir_ones(t) >> is_signed) / x->rounds;
}

static bool is_row_loop(Rows *x)
{
    const HdIrBlock *block = &x->f->blocks.at[x->b];
    const HdIrGraph *g = x->s->g;
    unsigned n, loaded = 0;

    if (g->rank[x->b] == HD_IR_NOWHERE || block->insts.count > MOST_BODY ||
        g->loop[x->b] == HD_IR_NOWHERE || !hd_counted_find(x->f, g, g->loop[x->b], &x->loop) ||
        x->loop.in.head != x->loop.latch || x->s->divergent[x->b] || x->s->varying[x->b] ||
        g->pred_first[x->b + 1] - g->pred_first[x->b] != 2)
        return false;
    x->before = g->pred[g->pred_first[x->b]];
    if (x->before == x->b)
        x->before = g->pred[g->pred_first[x->b] + 1];
    if (x->f->blocks.at[x->before].succ_count != 1)
        return false;
    for (size_t i = 0; i < block->insts.count; i++) {
        if (!may_copy(&x->f->insts.at[block->insts.at[i]]))
            return false;
        n = row_bytes(x, block->insts.at[i]);
        x->bytes = n > x->bytes ? n : x->bytes;
        if (x->f->insts.at[block->insts.at[i]].op == HD_IR_LOAD &&
            (n != 8 || x->s->target.long_rows))
            loaded = n > loaded ? n : loaded;
    }
    if (loaded == 0)
        return false;
    x->rounds = loaded == 1 && block->insts.count <= MOST_BODY / 2 ? 8 : 4;
    return holds_steps(x);
}

/* ---- what they become -------------------------------------------------------------------------
 */

typedef struct Copy {
    Rows *x;
    uint32_t to;   /* the new loop's block */
    HdIrRef *now;  /* [insts] value in the copied iteration */
    HdIrRef *last; /* [insts] of phis: in the last iteration */
} Copy;

static HdIrRef value_now(const Copy *c, HdIrRef r)
{
    return c->now[r] != 0 ? c->now[r] : r;
}

static HdIrRef emit_const(Rows *x, uint32_t at, HdIrType t, int64_t value)
{
    return hd_ir_const(x->f, at, t, (uint64_t)value & hd_ir_ones(t));
}

static HdIrRef emit(Rows *x, uint32_t at, HdIrOp op, HdIrType t, unsigned sub, HdIrRef a, HdIrRef b)
{
    HdIrRef args[2] = {a, b};

    return hd_ir_emit_sub(x->f, at, op, t, sub, 0, args, 2);
}

/* Are enough iterations left for a group, when the counter is `now`? */
static HdIrRef emit_test(Rows *x, uint32_t at, HdIrRef now)
{
    HdIrType t = (HdIrType)x->f->insts.at[x->loop.counter.phi].type;
    unsigned bits = hd_ir_type_bits(t);
    bool is_signed = x->loop.predicate >= HD_IR_SLT, up = x->loop.counter.step > 0;
    int64_t step = x->loop.counter.step, by = step * (int64_t)(x->rounds - 1), limit;
    HdIrRef bound = x->loop.bound, far, near;

    if (!hd_loop_is_outside(&x->loop.in, bound)) /* a constant */
        bound = emit_const(x, at, t, hd_ir_sign_extend(t, x->f->insts.at[bound].imm));
    if (x->loop.predicate == HD_IR_NE) {
        step = up ? step : -step;
        far = up ? emit(x, at, HD_IR_SUB, t, 0, bound, now)
                 : emit(x, at, HD_IR_SUB, t, 0, now, bound);
        if (!x->loop.tests_next)
            far = emit(x, at, HD_IR_ADD, t, 0, far, emit_const(x, at, t, step));
        return emit(x, at, HD_IR_ICMP, HD_IR_BOOL, HD_IR_UGE, far,
                    emit_const(x, at, t, step * (int64_t)x->rounds));
    }
    /* Where they begin and where they would continue, without a wrap in between. */
    if (up)
        limit = is_signed ? (int64_t)(hd_ir_ones(t) >> 1) - by
                          : (int64_t)(hd_ir_ones(t) - (uint64_t)by);
    else
        limit = is_signed ? (int64_t)(UINT64_MAX << (bits - 1)) - by : -by;
    near = emit(x, at, HD_IR_ICMP, HD_IR_BOOL,
                up ? (is_signed ? HD_IR_SLE : HD_IR_ULE) : (is_signed ? HD_IR_SGE : HD_IR_UGE), now,
                emit_const(x, at, t, limit));
    far = emit(x, at, HD_IR_ADD, t, 0, now, emit_const(x, at, t, by));
    far = emit(x, at, HD_IR_ICMP, HD_IR_BOOL, x->loop.predicate, far, bound);
    return emit(x, at, HD_IR_AND, HD_IR_BOOL, 0, near, far);
}

static HdStatus copy_inst(Copy *c, HdIrRef r, HdArena *a)
{
    HdIrFunc *f = c->x->f;
    HdIrInst in = f->insts.at[r];
    HdIrRef *args, made;

    HD_TAKE(args, HD_NEW(a, HdIrRef, in.nargs + 1u));
    for (unsigned i = 0; i < in.nargs; i++)
        args[i] = value_now(c, hd_ir_arg(f, r, i));
    HD_TAKE(made, hd_ir_emit_sub(f, c->to, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args,
                                 in.nargs));
    hd_ir_inst(f, made)->flags = in.flags;
    hd_ir_inst(f, made)->place = in.place;
    c->now[r] = made;
    return HD_OK;
}

/* The low half of a counter, in terms of the first iteration: addresses then differ by a constant
 * between iterations, as codegen detects. */
static HdStatus copy_low_half(Copy *c, HdIrRef r, HdArena *a)
{
    HdIrFunc *f = c->x->f;
    HdIrType t = (HdIrType)f->insts.at[r].type;
    int64_t step;

    if (c->now[r] == 0 || !hd_counted_step(&c->x->loop.in, c->x->loop.latch, r, false, &step))
        return copy_inst(c, r, a);
    HD_TAKE(c->now[r],
            emit(c->x, c->to, HD_IR_ADD, t, 0, c->now[r], emit_const(c->x, c->to, t, step)));
    return HD_OK;
}

static HdStatus copy_round(Copy *c, const HdIrRef *body, size_t count, HdArena *a)
{
    HdIrFunc *f = c->x->f;
    HdIrRef *next;

    HD_TAKE(next, HD_NEW(a, HdIrRef, count));
    for (size_t i = 0; i < count; i++)
        if (f->insts.at[body[i]].op == HD_IR_TRUNC)
            HD_TRY(copy_low_half(c, body[i], a));
        else if (f->insts.at[body[i]].op != HD_IR_PHI && f->insts.at[body[i]].op != HD_IR_CONDBR)
            HD_TRY(copy_inst(c, body[i], a));
    for (size_t i = 0; i < count && f->insts.at[body[i]].op == HD_IR_PHI; i++)
        next[i] = value_now(c, hd_ir_phi_value(f, body[i], c->x->b));
    for (size_t i = 0; i < count && f->insts.at[body[i]].op == HD_IR_PHI; i++) {
        c->last[body[i]] = c->now[body[i]];
        c->now[body[i]] = next[i];
    }
    return HD_OK;
}

static HdStatus add_incoming(HdIrFunc *f, HdIrRef phi, uint32_t from, HdIrRef value, HdArena *a)
{
    unsigned n = f->insts.at[phi].nargs;
    HdIrRef *args;

    HD_TAKE(args, HD_NEW(a, HdIrRef, n + 2u));
    for (unsigned i = 0; i < n; i++)
        args[i] = hd_ir_arg(f, phi, i);
    args[n] = from;
    args[n + 1] = value;
    hd_ir_set_args(f, phi, args, n + 2u);
    return HD_OK;
}

/* An empty block at the position of the loop. */
static uint32_t add_block(const Rows *x)
{
    uint32_t made = hd_ir_block(x->f);

    if (made != HD_IR_NOWHERE) {
        x->f->blocks.at[made].rank = x->f->blocks.at[x->b].rank;
        x->f->blocks.at[made].along = x->f->blocks.at[x->b].along;
        x->f->blocks.at[made].loop_merge = HD_IR_NOWHERE;
    }
    return made;
}

/* The loop's value r in block `out`, after it: that of the last iteration, or of the last one of a
 * group. */
static HdStatus behind(Copy *c, HdIrRef r, uint32_t mid, uint32_t out, HdIrRef *made)
{
    HdIrRef args[4] = {c->x->b, r, mid, c->last[r] != 0 ? c->last[r] : value_now(c, r)};

    if (*made == 0)
        HD_TAKE(*made, hd_ir_insert(c->x->f, out, 0, HD_IR_PHI, (HdIrType)c->x->f->insts.at[r].type,
                                    0, 0, args, 4));
    return HD_OK;
}

/* Exits of the loop and uses of its values go through `out`. `blocks` and `insts` are the numbers
 * that existed before. */
static HdStatus lead_out(Copy *c, uint32_t mid, uint32_t out, uint32_t blocks, size_t insts,
                         HdArena *a)
{
    HdIrFunc *f = c->x->f;
    HdIrRef *made;

    HD_TAKE(made, HD_NEW(a, HdIrRef, insts));
    for (uint32_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count && b != c->x->b; i++) {
            HdIrRef user = f->blocks.at[b].insts.at[i];
            bool is_phi = f->insts.at[user].op == HD_IR_PHI;

            for (unsigned k = 0; k < f->insts.at[user].nargs; k++) {
                HdIrRef *arg = &f->args.at[f->insts.at[user].args + k];

                if (is_phi && k % 2 == 0) {
                    *arg = *arg == c->x->b ? out : *arg;
                } else if (*arg < insts && f->insts.at[*arg].block == c->x->b) {
                    HdIrRef r = *arg;

                    HD_TRY(behind(c, r, mid, out, &made[r]));
                    f->args.at[f->insts.at[user].args + k] = made[r];
                }
            }
        }
    return HD_OK;
}

/* The end of what was taken together: back to it, to the loop for the rest, or out. */
static HdStatus close_copies(Copy *c, uint32_t blocks, size_t insts, HdArena *a)
{
    HdIrFunc *f = c->x->f;
    uint32_t b = c->x->b, mid = add_block(c->x), out = add_block(c->x);
    HdIrRef more = value_now(c, hd_ir_arg(f, hd_ir_last(f, b), 0));
    HdIrRef again = emit_test(c->x, c->to, c->now[c->x->loop.counter.phi]);
    unsigned way_out = f->blocks.at[b].succ[0] == b;

    if (f->module->failed)
        return HD_NO_MEMORY;
    HD_TRY(lead_out(c, mid, out, blocks, insts, a));
    hd_ir_condbr(f, c->to, again, c->to, mid);
    hd_ir_condbr(f, mid, more, way_out == 1 ? b : out, way_out == 1 ? out : b);
    hd_ir_br(f, out, f->blocks.at[b].succ[way_out]);
    f->blocks.at[b].succ[way_out] = out;
    c->to = mid;
    return HD_OK;
}

static HdStatus take_more(Rows *x, HdArena *a)
{
    HdIrFunc *f = x->f;
    size_t count = f->blocks.at[x->b].insts.count, phis = 0, insts = f->insts.count;
    uint32_t blocks = (uint32_t)f->blocks.count, wide;
    Copy c = {.x = x};
    HdIrRef *body, *heads, test;

    HD_TAKE(body, HD_NEW(a, HdIrRef, count));
    HD_TAKE(heads, HD_NEW(a, HdIrRef, count));
    HD_TAKE(c.now, HD_NEW(a, HdIrRef, insts));
    HD_TAKE(c.last, HD_NEW(a, HdIrRef, insts));
    for (size_t i = 0; i < count; i++)
        body[i] = f->blocks.at[x->b].insts.at[i];
    wide = c.to = add_block(x);
    if (c.to == HD_IR_NOWHERE || f->module->failed)
        return HD_NO_MEMORY;
    for (; phis < count && f->insts.at[body[phis]].op == HD_IR_PHI; phis++) {
        HD_TAKE(heads[phis],
                hd_ir_emit(f, c.to, HD_IR_PHI, (HdIrType)f->insts.at[body[phis]].type, NULL, 0));
        c.now[body[phis]] = heads[phis];
    }
    for (unsigned n = 0; n < x->rounds; n++)
        HD_TRY(copy_round(&c, body, count, a));
    HD_TRY(close_copies(&c, blocks, insts, a));
    hd_ir_kill(f, hd_ir_last(f, x->before));
    f->blocks.at[x->before].insts.count--;
    test = emit_test(x, x->before, hd_ir_phi_value(f, x->loop.counter.phi, x->before));
    hd_ir_condbr(f, x->before, test, wide, x->b);
    for (size_t i = 0; i < phis && !f->module->failed; i++) {
        HdIrRef args[4] = {x->before, hd_ir_phi_value(f, body[i], x->before), wide, c.now[body[i]]};

        hd_ir_set_args(f, heads[i], args, 4);
        HD_TRY(add_incoming(f, body[i], c.to, c.now[body[i]], a));
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_lanes_rows(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed)
{
    uint32_t blocks = (uint32_t)f->blocks.count;
    size_t added = 0;

    *changed = false;
    for (uint32_t b = 0; b < blocks; b++) {
        Rows x = {.f = f, .s = s, .b = b};
        size_t before = f->insts.count;

        if (s->g->loop_count == 0 || f->blocks.at[b].insts.count == 0 || added > MOST_ADDED ||
            !is_row_loop(&x))
            continue;
        HD_TRY(take_more(&x, a));
        added += f->insts.count - before;
        *changed = true;
        f->lanes.has_rows = f->lanes.has_rows || x.bytes >= 4;
    }
    return HD_OK;
}
