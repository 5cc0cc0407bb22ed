/* codegen/slp_order.c -- an order of a block's instructions in which bundles are contiguous.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/slp.h"

#include <string.h>

#include "ir/edit.h"
#include "ir/linear.h"
#include "ir/memory.h"

typedef struct Edge {
    uint32_t from, to; /* positions; then units */
} Edge;

/* A block's instructions between its phis and its terminator, by their position. What each has to
 * follow does not depend on bundles. */
typedef struct Block {
    const HdIrRef *inst;
    uint32_t phis, count;
    HD_ARRAY(Edge) edges;
    bool is_known;
} Block;

struct HdSlpOrder {
    const HdIrFunc *f;
    HdArena *a;
    uint32_t *at; /* [insts] 1 + position in the block that is looked at, or 0 */
    Block *block; /* [blocks] */
};

HdPlace hd_slp_place(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r], *base;
    bool kept = in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET;
    bool stores = in->op == HD_IR_STORE || in->op == HD_IR_CTX_SET;
    HdIrRef at = 0;
    HdPlace p = {
        .bytes = hd_ir_type_bytes(
            (HdIrType)(stores ? f->insts.at[hd_ir_arg(f, r, kept ? 0 : 1)].type : in->type))};

    if (kept) {
        p.base = UINT64_MAX;
        p.offset = (int64_t)in->imm;
        return p;
    }
    at = hd_linear_base(f, hd_ir_arg(f, r, 0), &p.offset);
    p.base = at;
    base = &f->insts.at[at];
    if (base->op == HD_IR_PTRADD) {
        p.index = hd_ir_arg(f, at, 1);
        p.base = hd_ir_arg(f, at, 0);
        base = &f->insts.at[p.base];
    }
    if ((base->op == HD_IR_LOCAL_ADDR || base->op == HD_IR_KARG_ADDR ||
         base->op == HD_IR_PROGRAM_ADDR) &&
        base->nargs == 0) {
        p.offset = (int64_t)((uint64_t)p.offset + base->imm);
        p.base = UINT64_MAX - base->op;
    }
    return p;
}

static bool is_access(const HdIrInst *in)
{
    return (in->op == HD_IR_LOAD || in->op == HD_IR_STORE || in->op == HD_IR_CTX_GET ||
            in->op == HD_IR_CTX_SET) &&
           (in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET ||
            (in->flags & HD_IR_VOLATILE) == 0);
}

/* Has the order of two instructions, the first of which has effects or reads, to be kept? */
static bool conflict(const HdIrFunc *f, HdIrRef a, HdIrRef b)
{
    const HdIrInst *x = &f->insts.at[a], *y = &f->insts.at[b];
    bool kept_x = x->op == HD_IR_CTX_GET || x->op == HD_IR_CTX_SET;
    bool kept_y = y->op == HD_IR_CTX_GET || y->op == HD_IR_CTX_SET;
    HdPlace p, q;

    if (!is_access(x) || !is_access(y))
        return hd_ir_op_has_effects(x->op) || hd_ir_op_has_effects(y->op) ||
               ((x->flags | y->flags) & HD_IR_VOLATILE) != 0;
    if (!hd_ir_op_has_effects(x->op) && !hd_ir_op_has_effects(y->op))
        return false;
    if (kept_x != kept_y)
        return false;
    if (!kept_x && (hd_ir_memory_at(f, hd_ir_arg(f, a, 0), x->sub) &
                    hd_ir_memory_at(f, hd_ir_arg(f, b, 0), y->sub)) == 0)
        return false;
    p = hd_slp_place(f, a);
    q = hd_slp_place(f, b);
    return p.base != q.base || p.index != q.index ||
           (p.offset < q.offset + (int64_t)q.bytes && q.offset < p.offset + (int64_t)p.bytes);
}

bool hd_slp_keeps_order(const HdIrFunc *f, HdIrRef a, HdIrRef b)
{
    return !hd_ir_op_is_pure(f->insts.at[a].op) && conflict(f, a, b);
}

typedef HD_ARRAY(uint32_t) Positions;

/* The instruction at `i` follows those of `before` that it conflicts with. */
static HdStatus follow(HdSlpOrder *o, Block *b, uint32_t i, const Positions *before)
{
    for (size_t k = 0; k < before->count; k++)
        if (conflict(o->f, b->inst[before->at[k]], b->inst[i]))
            HD_TRY_PUSH(o->a, &b->edges, ((Edge){before->at[k], i}));
    return HD_OK;
}

static HdStatus find_edges(HdSlpOrder *o, Block *b)
{
    Positions reads = {0}, writes = {0};

    for (uint32_t i = 0; i < b->count; i++) {
        const HdIrInst *in = &o->f->insts.at[b->inst[i]];
        bool is_write = hd_ir_op_has_effects(in->op) || (in->flags & HD_IR_VOLATILE) != 0;

        for (unsigned k = 0; k < in->nargs; k++) {
            uint32_t from = o->at[hd_ir_arg(o->f, b->inst[i], k)];

            if (from != 0)
                HD_TRY_PUSH(o->a, &b->edges, ((Edge){from - 1, i}));
        }
        if (hd_ir_op_is_pure(in->op))
            continue;
        HD_TRY(follow(o, b, i, &writes));
        if (is_write)
            HD_TRY(follow(o, b, i, &reads));
        HD_TRY_PUSH(o->a, is_write ? &writes : &reads, i);
    }
    return HD_OK;
}

static HdStatus know(HdSlpOrder *o, uint32_t number)
{
    const HdIrBlock *block = &o->f->blocks.at[number];
    uint32_t all = (uint32_t)block->insts.count;
    Block *b = &o->block[number];

    if (b->is_known)
        return HD_OK;
    b->phis = (uint32_t)hd_ir_phi_count(o->f, number);
    b->inst = block->insts.at + b->phis;
    b->count = all - b->phis - 1;
    b->is_known = true;
    for (uint32_t i = 0; i < b->count; i++)
        o->at[b->inst[i]] = i + 1;
    HD_TRY(find_edges(o, b));
    for (uint32_t i = 0; i < b->count; i++)
        o->at[b->inst[i]] = 0;
    return HD_OK;
}

/* A heap of units, the smallest first. */
static void sift_up(uint32_t *heap, uint32_t i)
{
    for (; i > 0 && heap[i] < heap[(i - 1) / 2]; i = (i - 1) / 2) {
        uint32_t x = heap[i];

        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = x;
    }
}

static uint32_t take_least(uint32_t *heap, uint32_t *count)
{
    uint32_t least = heap[0], i = 0;

    heap[0] = heap[--*count];
    while (2 * i + 1 < *count) {
        uint32_t k = 2 * i + 1, x = heap[i];

        k += k + 1 < *count && heap[k + 1] < heap[k];
        if (heap[k] >= x)
            break;
        heap[i] = heap[k];
        heap[k] = x;
        i = k;
    }
    return least;
}

/* Of the units that nothing has to precede any more always the first. */
static HdStatus sort(HdArena *a, const HdSlp *t, const Block *b, const uint32_t *unit,
                     HdIrRef *order, bool *fits)
{
    uint32_t *first, *next, *waits, *heap, count = 0, done = 0;

    HD_TAKE(first, HD_NEW(a, uint32_t, b->count + 2));
    HD_TAKE(next, HD_NEW(a, uint32_t, b->edges.count + 1));
    HD_TAKE(waits, HD_NEW(a, uint32_t, b->count + 1));
    HD_TAKE(heap, HD_NEW(a, uint32_t, b->count + 1));
    for (size_t e = 0; e < b->edges.count; e++)
        first[unit[b->edges.at[e].from] + 2]++;
    for (uint32_t i = 2; i < b->count + 2; i++)
        first[i] += first[i - 1];
    for (size_t e = 0; e < b->edges.count; e++) {
        uint32_t from = unit[b->edges.at[e].from], to = unit[b->edges.at[e].to];

        next[first[from + 1]++] = to;
        waits[to]++; /* for ever, if a member of a bundle follows another one */
    }
    for (uint32_t i = 0; i < b->count; i++)
        if (unit[i] == i && waits[i] == 0) {
            heap[count++] = i;
            sift_up(heap, count - 1);
        }
    while (count > 0) {
        uint32_t u = take_least(heap, &count), number = t->of[b->inst[u]];

        if (number == 0)
            order[done++] = b->inst[u];
        for (unsigned c = 0; number != 0 && c < t->at.at[number].n; c++)
            if (!hd_bundle_passes(&t->at.at[number], c))
                order[done++] = t->at.at[number].m[c];
        for (uint32_t k = first[u]; k < first[u + 1]; k++)
            if (--waits[next[k]] == 0) {
                heap[count++] = next[k];
                sift_up(heap, count - 1);
            }
    }
    *fits = done == b->count;
    return HD_OK;
}

/* *out: the block with an order of what bundles pass before them. */
static HdStatus with_passed(HdSlpOrder *o, const HdSlp *t, const Block *b, HdArena *a, Block *out)
{
    *out = *b;
    memset(&out->edges, 0, sizeof out->edges);
    for (uint32_t i = 0; i < b->count; i++)
        o->at[b->inst[i]] = i + 1;
    for (size_t e = 0; e < b->edges.count; e++)
        HD_TRY_PUSH(a, &out->edges, b->edges.at[e]);
    for (uint32_t i = 0; i < b->count; i++) {
        const HdBundle *x = &t->at.at[t->of[b->inst[i]]];

        for (unsigned c = 0; x->passed != 0 && c < x->n; c++)
            if (hd_bundle_passes(x, c) && o->at[x->m[c]] != 0)
                HD_TRY_PUSH(a, &out->edges, ((Edge){o->at[x->m[c]] - 1, i}));
    }
    for (uint32_t i = 0; i < b->count; i++)
        o->at[b->inst[i]] = 0;
    return HD_OK;
}

/* Bundles, and instructions that are in none, are units; a unit's number is its first position. */
static HdStatus order_block(HdSlpOrder *o, HdSlp *t, uint32_t number, HdArena *a, bool *fits)
{
    const HdIrBlock *block = &o->f->blocks.at[number];
    size_t all = block->insts.count;
    uint32_t *unit, *first;
    bool passes = false;
    HdIrRef *order;
    Block *b = &o->block[number], changed;

    HD_TRY(know(o, number));
    HD_TAKE(unit, HD_NEW(a, uint32_t, b->count + 1));
    HD_TAKE(first, HD_NEW(a, uint32_t, t->at.count));
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t *of = &first[t->of[b->inst[i]]];

        if (of != first && *of == 0)
            *of = i + 1;
        unit[i] = of != first ? *of - 1 : i;
        passes = passes || t->at.at[t->of[b->inst[i]]].passed != 0;
    }
    if (passes) {
        HD_TRY(with_passed(o, t, b, a, &changed));
        b = &changed;
    }
    HD_TAKE(order, HD_NEW(a, HdIrRef, all));
    memcpy(order, block->insts.at, b->phis * sizeof *order);
    order[all - 1] = block->insts.at[all - 1];
    HD_TRY(sort(a, t, b, unit, order + b->phis, fits));
    if (t->order[number] == NULL)
        HD_TAKE(t->order[number], HD_NEW(o->a, HdIrRef, all));
    memcpy(t->order[number], order, all * sizeof *order);
    return HD_OK;
}

HdStatus hd_slp_order_open(const HdIrFunc *f, HdArena *a, HdSlpOrder **out)
{
    HdSlpOrder *o;

    HD_TAKE(o, HD_NEW(a, HdSlpOrder, 1));
    o->f = f;
    o->a = a;
    HD_TAKE(o->at, HD_NEW(a, uint32_t, f->insts.count));
    HD_TAKE(o->block, HD_NEW(a, Block, f->blocks.count));
    *out = o;
    return HD_OK;
}

HdStatus hd_slp_order(HdSlpOrder *o, HdSlp *t, size_t first, bool *fits)
{
    HdArena *a = hd_arena_open();
    HdStatus status = HD_OK;
    bool *has = a != NULL ? HD_NEW(a, bool, o->f->blocks.count) : NULL;

    *fits = true;
    if (has == NULL)
        status = HD_NO_MEMORY;
    for (size_t i = first; i < t->at.count && status == HD_OK; i++)
        if (hd_bundle_acts(&t->at.at[i]) && t->at.at[i].kind != HD_BUNDLE_PHI)
            has[t->at.at[i].block] = true;
    for (uint32_t i = 0; i < o->f->blocks.count && *fits && status == HD_OK; i++)
        if (has[i])
            status = order_block(o, t, i, a, fits);
    hd_arena_drop(a);
    return status;
}
