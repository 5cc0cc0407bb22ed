/* tests/lanes/lanes_gen.c -- random kernels in lane IR, the same for the same seed.
 *
 * Variables are ALLOCAs, as from a compiler without optimisation; passes turn them into phis of all
 * kinds. Control flow is structured (with breaks, continues and returns) or any graph at all, which
 * a count of rounds ends; conditions are uniform or vary.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes_gen.h"

#include <string.h>

#include "module/cfg.h"

#define VARS     9
#define ARRAYS   3
#define ELEMENTS 8u

typedef struct Gen {
    HdIrFunc *f;
    uint64_t state;
    uint32_t block, exit;
    HdIrRef var[VARS], array[ARRAYS], in, out, shared[2], id, lane;
    HdIrType type[VARS];
    uint32_t breaks[4], continues[4]; /* targets of the loops around */
    unsigned loops, statements, depth;
    bool collectives, has_memset;
} Gen;

static const HdIrType array_type[ARRAYS] = {HD_IR_I32, HD_IR_I8, HD_IR_F32};

#include "../ir/gen_body.h"

static HdIrRef flagged(Gen *g, HdIrRef x, unsigned flags)
{
    g->f->insts.at[x].flags = (HdIrFlags)flags;
    return x;
}

/* Any value as any type; floats stay small. */
static HdIrRef as(Gen *g, HdIrRef x, HdIrType to)
{
    HdIrType from = (HdIrType)g->f->insts.at[x].type;
    unsigned a = hd_ir_type_bits(from), b = hd_ir_type_bits(to);

    if (from == to)
        return x;
    if (to == HD_IR_BOOL)
        return from == HD_IR_F32
                   ? op(g, HD_IR_FCMP, to, HD_IR_OLT, x, constant(g, from, 0x41200000), 0)
                   : op(g, HD_IR_ICMP, to, HD_IR_NE, x, constant(g, from, roll(g, 4)), 0);
    if (from == HD_IR_F32)
        return as(g, op(g, HD_IR_FPTOSI, HD_IR_I32, 0, x, 0, 0), to);
    if (to == HD_IR_F32) {
        x = op(g, HD_IR_AND, HD_IR_I32, 0, as(g, x, HD_IR_I32), constant(g, HD_IR_I32, 1023), 0);
        return op(g, HD_IR_SITOFP, to, 0, x, 0, 0);
    }
    return op(g, a > b ? HD_IR_TRUNC : roll(g, 2) ? HD_IR_SEXT : HD_IR_ZEXT, to, 0, x, 0, 0);
}

static HdIrRef expr(Gen *g, HdIrType t, unsigned depth);

/* The same in all work-items, but for variables' sake only at run time. */
static HdIrRef uniform(Gen *g)
{
    HdIrRef x = g->shared[roll(g, 2)];

    switch (roll(g, 4)) {
    case 0: return op(g, HD_IR_ADD, HD_IR_I32, 0, x, constant(g, HD_IR_I32, roll(g, 9)), 0);
    case 1: return op(g, HD_IR_LSHR, HD_IR_I32, 0, x, constant(g, HD_IR_I32, roll(g, 6)), 0);
    case 2:
        return load(
            g,
            op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->in, constant(g, HD_IR_I64, roll(g, 900) * 4), 0),
            HD_IR_I32);
    default: return x;
    }
}

static HdIrRef bytes(Gen *g, HdIrRef base, HdIrRef index, HdIrType index_type, unsigned size)
{
    if (index_type != HD_IR_I64)
        index = op(g, roll(g, 2) ? HD_IR_SEXT : HD_IR_ZEXT, HD_IR_I64, 0, index, 0, 0);
    index = op(g, HD_IR_MUL, HD_IR_I64, 0, index, constant(g, HD_IR_I64, size), 0);
    if (roll(g, 2))
        g->f->insts.at[index].flags = HD_IR_NSW;
    return op(g, HD_IR_PTRADD, HD_IR_PTR, 0, base, index, 0);
}

/* An address in `in` with room for 8 bytes, inside it for every work-item. */
static HdIrRef input(Gen *g, HdIrType t)
{
    unsigned size = hd_ir_type_bytes(t);
    HdIrRef i = g->id;

    switch (roll(g, 6)) {
    case 0: /* contiguous */
        i = flagged(g, op(g, HD_IR_ADD, HD_IR_I32, 0, i, constant(g, HD_IR_I32, roll(g, 64)), 0),
                    roll(g, 4));
        return bytes(g, g->in, i, HD_IR_I32, size);
    case 1: /* strided, or downwards */
        i = roll(g, 2) ? op(g, HD_IR_SUB, HD_IR_I32, 0, constant(g, HD_IR_I32, 200), i, 0) : i;
        return bytes(g, g->in, i, HD_IR_I32, size * (1 + roll(g, 3)));
    case 2: /* one place for all */
        i = op(g, HD_IR_AND, HD_IR_I32, 0, uniform(g), constant(g, HD_IR_I32, 255), 0);
        return bytes(g, g->in, i, HD_IR_I32, size);
    case 3: /* a row of something */
        i = op(g, HD_IR_AND, HD_IR_I32, 0, expr(g, HD_IR_I32, 1), constant(g, HD_IR_I32, 127), 0);
        i = op(g, HD_IR_ADD, HD_IR_I32, 0, i, g->id, 0);
        return bytes(g, g->in, i, HD_IR_I32, size);
    default:
        i = op(g, HD_IR_AND, HD_IR_I32, 0, expr(g, HD_IR_I32, 1), constant(g, HD_IR_I32, 511), 0);
        return bytes(g, g->in, i, HD_IR_I32, size);
    }
}

static HdIrRef element(Gen *g, unsigned which)
{
    HdIrType t = array_type[which];
    HdIrRef i = roll(g, 3) == 0   ? constant(g, HD_IR_I32, roll(g, ELEMENTS))
                : roll(g, 2) == 0 ? uniform(g)
                                  : expr(g, HD_IR_I32, 1);

    i = op(g, HD_IR_AND, HD_IR_I32, 0, i, constant(g, HD_IR_I32, ELEMENTS - 1), 0);
    return bytes(g, g->array[which], i, HD_IR_I32, hd_ir_type_bytes(t));
}

static HdIrRef leaf(Gen *g, HdIrType t)
{
    static const uint64_t ints[] = {0,  1,   2,   3,          5,           7,         8,
                                    31, 100, 255, 0x7fffffff, 0x80000000u, UINT64_MAX};
    unsigned i = roll(g, VARS);

    switch (roll(g, 9)) {
    case 0: return as(g, constant(g, HD_IR_I32, (uint32_t)ints[roll(g, 13)]), t);
    case 1: return as(g, g->id, t);
    case 2: return as(g, uniform(g), t);
    case 3: {
        HdIrType from = t == HD_IR_BOOL || t == HD_IR_F32 ? HD_IR_I32 : t;

        return as(g, load(g, input(g, from), from), t);
    }
    case 4: i = roll(g, ARRAYS); return as(g, load(g, element(g, i), array_type[i]), t);
    default: return as(g, load(g, g->var[i], g->type[i]), t);
    }
}

static HdIrRef expr(Gen *g, HdIrType t, unsigned depth)
{
    static const HdIrOp ints[] = {HD_IR_ADD,  HD_IR_SUB,  HD_IR_MUL,  HD_IR_AND, HD_IR_OR,
                                  HD_IR_XOR,  HD_IR_SHL,  HD_IR_LSHR, HD_IR_ADD, HD_IR_UDIV,
                                  HD_IR_SREM, HD_IR_UMAX, HD_IR_SMIN, HD_IR_ADD};
    HdIrRef a, b;

    if (depth == 0 || roll(g, 4) == 0)
        return leaf(g, t);
    if (roll(g, 8) == 0) {
        a = expr(g, HD_IR_BOOL, depth - 1);
        b = expr(g, t, depth - 1);
        return op(g, HD_IR_SELECT, t, 0, a, b, expr(g, t, depth - 1));
    }
    if (t == HD_IR_BOOL) {
        HdIrType of = roll(g, 4) == 0 ? HD_IR_F32 : roll(g, 3) == 0 ? HD_IR_I64 : HD_IR_I32;

        a = expr(g, of, depth - 1);
        b = expr(g, of, depth - 1);
        return of == HD_IR_F32 ? op(g, HD_IR_FCMP, t, roll(g, 14), a, b, 0)
                               : op(g, HD_IR_ICMP, t, roll(g, 10), a, b, 0);
    }
    a = expr(g, t, depth - 1);
    b = expr(g, t, depth - 1);
    if (t == HD_IR_F32)
        return op(g, (HdIrOp)(HD_IR_FADD + roll(g, 3)), t, 0, a, b, 0);
    return op(g, ints[roll(g, sizeof ints / sizeof *ints)], t, 0, a, b, 0);
}

/* A condition: of a few work-items, of all alike, or of anything. */
static HdIrRef condition(Gen *g)
{
    HdIrRef x;

    switch (roll(g, 5)) {
    case 0:
        x = op(g, HD_IR_AND, HD_IR_I32, 0, uniform(g), constant(g, HD_IR_I32, 1 + roll(g, 3)), 0);
        return op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, x, constant(g, HD_IR_I32, roll(g, 2)), 0);
    case 1:
        return op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULT, g->id, constant(g, HD_IR_I32, roll(g, 40)),
                  0);
    case 2:
        x = op(g, HD_IR_AND, HD_IR_I32, 0, g->id, constant(g, HD_IR_I32, 1 + roll(g, 7)), 0);
        return op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_NE, x, constant(g, HD_IR_I32, roll(g, 3)), 0);
    default: return expr(g, HD_IR_BOOL, 2);
    }
}

static void statement(Gen *g);

static void statements(Gen *g, unsigned n)
{
    while (n-- != 0)
        statement(g);
}

static void branch(Gen *g)
{
    uint32_t yes = hd_ir_block(g->f), no = hd_ir_block(g->f), join = hd_ir_block(g->f);
    bool both = roll(g, 2) != 0;

    hd_ir_condbr(g->f, g->block, condition(g), yes, both ? no : join);
    g->block = yes;
    statements(g, 1 + roll(g, 2));
    hd_ir_br(g->f, g->block, join);
    g->block = no;
    statements(g, both ? roll(g, 3) : 0);
    hd_ir_br(g->f, g->block, join);
    g->block = join;
}

static HdIrRef counter(Gen *g, unsigned start)
{
    HdIrRef c = hd_ir_insert(g->f, 0, 0, HD_IR_ALLOCA, HD_IR_PTR, 2, 4, NULL, 0);

    store(g, c, constant(g, HD_IR_I32, start));
    return c;
}

/* Rounds are counted up at the head, or on each of the ways back to it. */
static void loop(Gen *g)
{
    uint32_t head = hd_ir_block(g->f), body = hd_ir_block(g->f), after = hd_ir_block(g->f);
    uint32_t latch = hd_ir_block(g->f);
    HdIrRef c = counter(g, 0), i, limit, stop;
    bool at_head = roll(g, 2) != 0;

    limit = op(g, HD_IR_AND, HD_IR_I32, 0, roll(g, 2) ? uniform(g) : expr(g, HD_IR_I32, 1),
               constant(g, HD_IR_I32, 7), 0);
    hd_ir_br(g->f, g->block, head);
    g->block = head;
    i = load(g, c, HD_IR_I32);
    stop = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_UGE, i, limit, 0);
    if (at_head)
        store(g, c, op(g, HD_IR_ADD, HD_IR_I32, 0, i, constant(g, HD_IR_I32, 1), 0));
    hd_ir_condbr(g->f, g->block, stop, after, body);
    g->breaks[g->loops] = after;
    g->continues[g->loops++] = at_head ? head : latch;
    g->block = body;
    statements(g, 1 + roll(g, 3));
    hd_ir_br(g->f, g->block, latch);
    g->loops--;
    g->block = latch;
    if (!at_head) {
        i = load(g, c, HD_IR_I32);
        store(g, c, op(g, HD_IR_ADD, HD_IR_I32, 0, i, constant(g, HD_IR_I32, 1), 0));
    }
    hd_ir_br(g->f, g->block, head);
    g->block = after;
}

static void leave(Gen *g)
{
    uint32_t on = hd_ir_block(g->f), to = g->exit;
    unsigned what = roll(g, 7);

    if (g->loops != 0 && what != 0) {
        unsigned which = roll(g, 3) == 0 ? roll(g, g->loops) : g->loops - 1;

        to = what & 1 ? g->breaks[which] : g->continues[which];
    }
    hd_ir_condbr(g->f, g->block, condition(g), to, on);
    g->block = on;
}

static void choose(Gen *g)
{
    uint32_t n = 2 + roll(g, 4), to[6], join = hd_ir_block(g->f), from = g->block;
    HdIrRef x = op(g, HD_IR_AND, HD_IR_I32, 0, roll(g, 4) == 0 ? uniform(g) : expr(g, HD_IR_I32, 2),
                   constant(g, HD_IR_I32, 7), 0);

    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 == n && g->loops != 0 && roll(g, 3) == 0)
            to[i] = roll(g, 2) ? g->continues[g->loops - 1] : g->breaks[g->loops - 1];
        else
            to[i] = roll(g, 5) == 0            ? join
                    : i > 0 && roll(g, 6) == 0 ? to[i - 1]
                                               : hd_ir_block(g->f);
    }
    set_switch(g, from, x, to, n, 1);
    for (uint32_t i = 0; i < n; i++) {
        if (g->f->blocks.at[to[i]].insts.count != 0 || to[i] < join || to[i] == join)
            continue;
        g->block = to[i];
        statements(g, roll(g, 2));
        /* Now and then one falls through into the next. */
        hd_ir_br(g->f, g->block,
                 i + 1 < n && to[i + 1] > join && to[i + 1] != to[i] && roll(g, 3) == 0 ? to[i + 1]
                                                                                        : join);
    }
    g->block = join;
}

/* Blocks that branch anywhere, until a count of rounds is used up. */
static void any_graph(Gen *g)
{
    uint32_t n = 2 + roll(g, 6), from[8] = {0}, on[8] = {0}, end = hd_ir_block(g->f), to[3];
    HdIrRef fuel = counter(g, 4 + roll(g, 12)), left, c;
    const Gen around = *g; /* its loops are not to be jumped into */

    for (uint32_t i = 0; i < n; i++) {
        from[i] = hd_ir_block(g->f);
        on[i] = hd_ir_block(g->f);
    }
    if (roll(g, 2))
        hd_ir_br(g->f, g->block, from[0]);
    else
        hd_ir_condbr(g->f, g->block, condition(g), from[0], from[1]);
    g->loops = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 3; k++)
            to[k] = roll(g, 6) == 0 ? end : from[roll(g, n)];
        g->block = from[i];
        statements(g, roll(g, 3));
        left =
            op(g, HD_IR_SUB, HD_IR_I32, 0, load(g, fuel, HD_IR_I32), constant(g, HD_IR_I32, 1), 0);
        store(g, fuel, left);
        c = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_SLE, left, constant(g, HD_IR_I32, 0), 0);
        hd_ir_condbr(g->f, g->block, c, end, on[i]);
        g->block = on[i];
        if (roll(g, 4) == 0)
            hd_ir_br(g->f, g->block, to[0]);
        else if (roll(g, 4) != 0)
            hd_ir_condbr(g->f, g->block, condition(g), to[0], to[1]);
        else
            set_switch(g, g->block, expr(g, HD_IR_I32, 1), to, 3, 1);
    }
    g->loops = around.loops;
    memcpy(g->breaks, around.breaks, sizeof g->breaks);
    memcpy(g->continues, around.continues, sizeof g->continues);
    g->block = end;
}

/* Write something to this work-item's part of `out`. */
static void output(Gen *g)
{
    static const HdIrType types[] = {HD_IR_I32, HD_IR_I32, HD_IR_I8, HD_IR_I64, HD_IR_I16};
    unsigned area = roll(g, LANES_AREAS - 1);
    HdIrType t = types[area < 5 ? area : 0];
    unsigned size = hd_ir_type_bytes(t), step = area == 1 ? 16 : area == 3 ? 24 : size;
    HdIrRef base = op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->out,
                      constant(g, HD_IR_I64,
                               area * LANES_AREA + (area == 1   ? roll(g, 4) * 4
                                                    : area == 3 ? roll(g, 3) * 8
                                                    : area == 5 ? roll(g, 8) * 4
                                                                : 0)),
                      0);
    HdIrRef at = base;

    if (area != 5)
        at = roll(g, 2)
                 ? bytes(g, base, g->id, HD_IR_I32, step)
                 : bytes(g, base, op(g, HD_IR_ZEXT, HD_IR_I64, 0, g->id, 0, 0), HD_IR_I64, step);
    store(g, at, area == 5 ? constant(g, HD_IR_I32, 77) : expr(g, t, 2));
}

/* A load that only some work-items may make: the others' addresses are nowhere. */
static void guarded(Gen *g)
{
    uint32_t yes = hd_ir_block(g->f), join = hd_ir_block(g->f);
    HdIrRef i = roll(g, 2) ? expr(g, HD_IR_I32, 2)
                           : op(g, HD_IR_ADD, HD_IR_I32, 0, g->id,
                                constant(g, HD_IR_I32, (uint32_t)(roll(g, 60) - 30)), 0);
    HdIrRef c = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_ULT, i, constant(g, HD_IR_I32, 500), 0);

    hd_ir_condbr(g->f, g->block, c, yes, join);
    g->block = yes;
    store(g, g->var[1], load(g, bytes(g, g->in, i, HD_IR_I32, 4), HD_IR_I32));
    hd_ir_br(g->f, g->block, join);
    g->block = join;
}

/* Several neighbouring elements: all of a group, or all but one. */
static void vector(Gen *g)
{
    HdIrType t = roll(g, 3) ? HD_IR_I32 : HD_IR_I16;
    unsigned n = 2u << roll(g, 2), size = hd_ir_type_bytes(t), left_out = roll(g, 2 * n), order;
    HdIrRef in, out, x[8] = {0}, i = g->id;

    if (roll(g, 2))
        i = op(g, HD_IR_ADD, HD_IR_I32, 0, i, constant(g, HD_IR_I32, roll(g, 7)), 0);
    in = bytes(g, g->in, i, HD_IR_I32, n * size);
    out = bytes(g,
                op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->out,
                   constant(g, HD_IR_I64, 7 * LANES_AREA + (size == 2 ? LANES_AREA / 2 : 0)), 0),
                g->id, HD_IR_I32, 4 * size);
    for (unsigned k = 0; k < n; k++)
        x[k] =
            k == left_out
                ? as(g, g->id, t)
                : load(g,
                       op(g, HD_IR_PTRADD, HD_IR_PTR, 0, in, constant(g, HD_IR_I64, k * size), 0),
                       t);
    order = roll(g, 4);
    for (unsigned k = 0; k < 4; k++)
        if (k != left_out)
            store(g,
                  op(g, HD_IR_PTRADD, HD_IR_PTR, 0, out, constant(g, HD_IR_I64, (k ^ order) * size),
                     0),
                  op(g, HD_IR_ADD, t, 0, x[k % n], x[(k + 1) % n], 0));
}

static void collective(Gen *g)
{
    static const HdIrCollective ops[] = {HD_COLL_ADD,
                                         HD_COLL_UMAX,
                                         HD_COLL_ANY,
                                         HD_COLL_BALLOT,
                                         HD_COLL_SHUFFLE,
                                         HD_COLL_ALL,
                                         HD_COLL_BROADCAST_FIRST,
                                         HD_COLL_ELECT};
    HdIrCollective how = ops[roll(g, 8)];
    HdIrRef x = expr(g, HD_IR_I32, 1), args[2];
    HdIrType t = HD_IR_I32;
    uint64_t imm = 0;
    size_t n = 1;

    if (how == HD_COLL_SHUFFLE)
        n = 2;
    else if (how == HD_COLL_ADD || how == HD_COLL_UMAX)
        imm = HD_IR_COLL_IMM(roll(g, 3), 0);
    else if (how == HD_COLL_ELECT)
        n = 0, t = HD_IR_BOOL;
    else if (how != HD_COLL_BROADCAST_FIRST)
        t = how == HD_COLL_BALLOT ? HD_IR_I64 : HD_IR_BOOL, x = as(g, x, HD_IR_BOOL);
    args[0] = x;
    /* Read from itself: other lanes may be off. */
    args[1] = g->lane;
    x = hd_ir_emit_sub(g->f, g->block, HD_IR_COLLECTIVE, t, (unsigned)how, imm, args, n);
    store(g, g->var[0], as(g, x, HD_IR_I32));
}

/* A loop with two ways back that ends when no lane that came together wants to go on. */
static void talking_loop(Gen *g)
{
    uint32_t head = hd_ir_block(g->f), body = hd_ir_block(g->f), after = hd_ir_block(g->f);
    uint32_t way[2] = {hd_ir_block(g->f), hd_ir_block(g->f)};
    HdIrRef fuel = counter(g, 1 + roll(g, 6)), rounds = counter(g, 0), x;

    hd_ir_br(g->f, g->block, head);
    g->block = head;
    x = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_SGT, load(g, fuel, HD_IR_I32),
           constant(g, HD_IR_I32, 0), 0);
    x = hd_ir_emit_sub(g->f, head, HD_IR_COLLECTIVE, HD_IR_BOOL,
                       roll(g, 2) ? HD_COLL_ANY : HD_COLL_ALL, 0, &x, 1);
    store(g, rounds,
          op(g, HD_IR_ADD, HD_IR_I32, 0, load(g, rounds, HD_IR_I32), constant(g, HD_IR_I32, 1), 0));
    hd_ir_condbr(g->f, head, x, body, after);
    g->block = body;
    hd_ir_condbr(g->f, body, condition(g), way[0], way[1]);
    for (unsigned i = 0; i < 2; i++) {
        g->block = way[i];
        store(g, fuel,
              op(g, HD_IR_SUB, HD_IR_I32, 0, load(g, fuel, HD_IR_I32),
                 constant(g, HD_IR_I32, 1 + i), 0));
        hd_ir_br(g->f, g->block, head);
    }
    g->block = after;
    store(g, g->var[2], load(g, rounds, HD_IR_I32));
}

/* A loop that lanes leave on one side only of a branch at which they part, each in its own round:
 * the other side comes to the exit through later rounds. What both sides change is the same in all
 * lanes at first. */
static void lopsided_loop(Gen *g)
{
    uint32_t head = hd_ir_block(g->f), stay = hd_ir_block(g->f), look = hd_ir_block(g->f);
    uint32_t latch = roll(g, 2) ? hd_ir_block(g->f) : head, after = hd_ir_block(g->f);
    HdIrRef round = counter(g, 0), sum = counter(g, 1), mask, x, j;
    const Gen around = *g;

    hd_ir_br(g->f, g->block, head);
    g->block = head;
    g->loops = 0;
    j = op(g, HD_IR_ADD, HD_IR_I32, 0, load(g, round, HD_IR_I32), constant(g, HD_IR_I32, 1), 0);
    store(g, round, j);
    mask = constant(g, HD_IR_I32, 1 + 2 * roll(g, 2));
    x = op(g, HD_IR_AND, HD_IR_I32, 0, op(g, HD_IR_ADD, HD_IR_I32, 0, g->id, j, 0), mask, 0);
    x = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_NE, x, constant(g, HD_IR_I32, 0), 0);
    hd_ir_condbr(g->f, g->block, x, stay, look);
    g->block = stay;
    statements(g, roll(g, 2));
    store(g, sum, op(g, HD_IR_ADD, HD_IR_I32, 0, load(g, sum, HD_IR_I32), j, 0));
    hd_ir_br(g->f, g->block, latch);
    g->block = look;
    statements(g, roll(g, 2));
    store(g, sum, op(g, HD_IR_XOR, HD_IR_I32, 0, load(g, sum, HD_IR_I32), mask, 0));
    x = roll(g, 2) ? op(g, HD_IR_AND, HD_IR_I32, 0, g->id, constant(g, HD_IR_I32, 7), 0)
                   : constant(g, HD_IR_I32, roll(g, 8));
    x = op(g, HD_IR_ICMP, HD_IR_BOOL, HD_IR_SGT, load(g, round, HD_IR_I32), x, 0);
    hd_ir_condbr(g->f, g->block, x, after, latch);
    if (latch != head)
        hd_ir_br(g->f, latch, head);
    g->loops = around.loops;
    memcpy(g->breaks, around.breaks, sizeof g->breaks);
    memcpy(g->continues, around.continues, sizeof g->continues);
    g->block = after;
    store(g, g->var[1], load(g, sum, HD_IR_I32));
}

/* A loop whose lanes all come to one block, from which they go round or leave, and which may rank
 * before blocks that lead to it: it is entered there or anywhere else. */
static void gated_graph(Gen *g)
{
    uint32_t n = 1 + roll(g, 4), to[6], gate, end, inner, ways[2];
    HdIrRef fuel = counter(g, 2 + roll(g, 8)), left, c;
    const Gen around = *g;

    for (uint32_t i = 0; i < n; i++)
        to[i] = hd_ir_block(g->f);
    to[n] = gate = hd_ir_block(g->f);
    inner = hd_ir_block(g->f);
    end = hd_ir_block(g->f);
    hd_ir_condbr(g->f, g->block, condition(g), to[roll(g, 2) ? n : roll(g, n)], to[roll(g, n)]);
    g->loops = 0;
    for (uint32_t i = 0; i < n; i++) {
        g->block = to[i];
        statements(g, roll(g, 3));
        hd_ir_condbr(g->f, g->block, condition(g), to[i + 1 + roll(g, n - i)],
                     to[i + 1 + roll(g, n - i)]);
    }
    g->block = gate;
    if (g->collectives)
        collective(g);
    statements(g, roll(g, 2));
    left = op(g, HD_IR_SUB, HD_IR_I32, 0, load(g, fuel, HD_IR_I32), constant(g, HD_IR_I32, 1), 0);
    store(g, fuel, left);
    c = op(g, HD_IR_ICMP, HD_IR_BOOL, roll(g, 2) ? HD_IR_SLE : HD_IR_SGT, left,
           constant(g, HD_IR_I32, 0), 0);
    ways[0] = g->f->insts.at[c].sub == HD_IR_SLE ? end : inner;
    ways[1] = ways[0] == end ? inner : end;
    hd_ir_condbr(g->f, g->block, c, ways[0], ways[1]);
    g->block = inner;
    hd_ir_condbr(g->f, inner, condition(g), to[roll(g, n + 1)], to[roll(g, n)]);
    g->loops = around.loops;
    memcpy(g->breaks, around.breaks, sizeof g->breaks);
    memcpy(g->continues, around.continues, sizeof g->continues);
    g->block = end;
}

static void statement(Gen *g)
{
    unsigned what = roll(g, 20), i = roll(g, VARS);

    if (g->statements == 0 || g->depth > 4)
        return;
    g->statements--;
    g->depth++;
    if (what <= 2)
        branch(g);
    else if (what <= 4 && g->loops < 3)
        roll(g, 3) ? loop(g) : lopsided_loop(g);
    else if (what == 5)
        choose(g);
    else if (what == 6 && g->depth < 3)
        roll(g, 2) || g->collectives ? any_graph(g) : gated_graph(g);
    else if (what <= 8)
        leave(g);
    else if (what <= 11)
        output(g);
    else if (what == 12 && roll(g, 2))
        vector(g);
    else if (what == 12)
        guarded(g);
    else if (what == 13 && g->collectives && roll(g, 2))
        roll(g, 2) ? talking_loop(g) : gated_graph(g);
    else if (what <= 14 && g->collectives)
        collective(g);
    else if (what <= 15) {
        unsigned k = roll(g, ARRAYS);

        store(g, element(g, k),
              roll(g, 2) ? as(g, uniform(g), array_type[k]) : expr(g, array_type[k], 2));
    } else
        store(g, g->var[i], expr(g, g->type[i], 3));
    g->depth--;
}

static void variables(Gen *g)
{
    static const HdIrType types[VARS] = {HD_IR_I32, HD_IR_I32, HD_IR_I32,  HD_IR_I64, HD_IR_I8,
                                         HD_IR_I16, HD_IR_F32, HD_IR_BOOL, HD_IR_I32};

    for (unsigned i = 0; i < VARS; i++) {
        g->type[i] = types[i];
        g->var[i] = hd_ir_emit_sub(g->f, 0, HD_IR_ALLOCA, HD_IR_PTR, 3, 8, NULL, 0);
    }
    for (unsigned i = 0; i < ARRAYS; i++)
        g->array[i] = hd_ir_emit_sub(g->f, 0, HD_IR_ALLOCA, HD_IR_PTR, 2,
                                     ELEMENTS * hd_ir_type_bytes(array_type[i]), NULL, 0);
    for (unsigned i = 0; i < VARS; i++)
        store(g, g->var[i], as(g, roll(g, 2) ? g->id : g->shared[0], g->type[i]));
    for (unsigned i = 0; i < ARRAYS; i++) {
        HdIrRef args[3] = {g->array[i], constant(g, HD_IR_I8, 1),
                           constant(g, HD_IR_I64, ELEMENTS * hd_ir_type_bytes(array_type[i]))};

        /* A fill lets the array escape; single stores do not. */
        if (roll(g, 2)) {
            hd_ir_emit(g->f, 0, HD_IR_MEMSET, HD_IR_VOID, args, 3);
            continue;
        }
        for (unsigned k = 0; k < ELEMENTS; k++)
            store(g,
                  op(g, HD_IR_PTRADD, HD_IR_PTR, 0, g->array[i],
                     constant(g, HD_IR_I64, k * hd_ir_type_bytes(array_type[i])), 0),
                  constant(g, array_type[i], array_type[i] == HD_IR_F32 ? 0x40000000u : k));
    }
}

static HdIrRef argument(Gen *g, HdIrType t, unsigned at)
{
    return hd_ir_emit_sub(g->f, 0, HD_IR_KARG, t, 0, at, NULL, 0);
}

/* The work-item's number, small, from ids in one dimension or all. */
static void number(Gen *g)
{
    HdIrRef x =
        hd_ir_emit_sub(g->f, 0, HD_IR_BUILTIN, HD_IR_I64,
                       roll(g, 3) ? HD_BUILTIN_LOCAL_LINEAR_ID : HD_BUILTIN_LOCAL_ID, 0, NULL, 0);

    if (g->f->insts.at[x].sub == HD_BUILTIN_LOCAL_ID) {
        HdIrRef y =
            hd_ir_emit_sub(g->f, 0, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_LOCAL_ID, 1, NULL, 0);
        HdIrRef n =
            hd_ir_emit_sub(g->f, 0, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_LOCAL_SIZE, 0, NULL, 0);

        x = op(g, HD_IR_ADD, HD_IR_I64, 0, op(g, HD_IR_MUL, HD_IR_I64, 0, y, n, 0), x, 0);
    }
    g->id = op(g, HD_IR_TRUNC, HD_IR_I32, 0, x, 0, 0);
    g->lane =
        hd_ir_emit_sub(g->f, 0, HD_IR_BUILTIN, HD_IR_I32, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0, NULL, 0);
}

/* As build/ does, before any pass. */
static bool fix_order(HdIrFunc *f, HdArena *a)
{
    uint32_t n = (uint32_t)f->blocks.count, edges = 0, reachable;
    uint32_t *first = HD_NEW(a, uint32_t, n + 1u), *order = HD_NEW(a, uint32_t, n);
    uint32_t *rank = HD_NEW(a, uint32_t, n), *head = HD_NEW(a, uint32_t, n), *succ;

    for (uint32_t b = 0; b < n; b++)
        edges += f->blocks.at[b].succ_count;
    succ = HD_NEW(a, uint32_t, edges + 1u);
    if (first == NULL || order == NULL || rank == NULL || head == NULL || succ == NULL)
        return false;
    edges = 0;
    for (uint32_t b = 0; b < n; first[++b] = edges)
        for (uint32_t i = 0; i < f->blocks.at[b].succ_count; i++)
            succ[edges++] = f->blocks.at[b].succ[i];
    if (!hd_cfg_order(n, first, succ, order, rank, head, &reachable))
        return false;
    for (uint32_t r = 0; r < reachable; r++)
        f->blocks.at[order[r]].rank = r;
    return true;
}

HdIrModule *lanes_gen(HdArena *a, uint64_t seed, bool with_collectives)
{
    Gen g = {.state = seed * 0x9e3779b97f4a7c15u + 0x7654321,
             .statements = 30,
             .collectives = with_collectives};
    HdIrModule *m = hd_ir_module(a);

    if (m == NULL)
        return NULL;
    for (unsigned i = 0; i < 8; i++)
        (void)roll(&g, 2);
    g.statements = 4 + roll(&g, 30);
    g.f = hd_ir_func(m, "random");
    if (g.f == NULL)
        return NULL;
    g.f->is_kernel = true;
    g.exit = hd_ir_block(g.f);
    g.in = argument(&g, HD_IR_PTR, 0);
    g.out = argument(&g, HD_IR_PTR, 8);
    g.shared[0] = argument(&g, HD_IR_I32, 16);
    g.shared[1] = argument(&g, HD_IR_I32, 20);
    number(&g);
    variables(&g);
    statements(&g, 3 + roll(&g, 8));
    for (unsigned i = 0; i < 3; i++)
        output(&g);
    /* What variables hold in the end is always seen. */
    for (unsigned i = 0; i < VARS; i++)
        store(&g,
              bytes(&g,
                    op(&g, HD_IR_PTRADD, HD_IR_PTR, 0, g.out,
                       constant(&g, HD_IR_I64, (LANES_AREAS - 1) * LANES_AREA + i * 4), 0),
                    g.id, HD_IR_I32, 64),
              as(&g, load(&g, g.var[i], g.type[i]), HD_IR_I32));
    hd_ir_br(g.f, g.block, g.exit);
    hd_ir_emit(g.f, g.exit, HD_IR_RET, HD_IR_VOID, NULL, 0);
    if (m->failed || (with_collectives && !fix_order(g.f, a)))
        return NULL;
    /* Ranks that fit nothing: lanes/ must find that out. */
    for (uint32_t b = 1; !with_collectives && seed % 5 == 1 && b < g.f->blocks.count; b++)
        g.f->blocks.at[b].rank = roll(&g, 100);
    return m;
}
