/* codegen/tuples_order.c -- an order of a block's instructions in which tuples are contiguous.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/tuples.h"

#include <string.h>

#include "ir/edit.h"
#include "ir/memory.h"

#define MOST_ACCESSES 600u /* of a block: each is compared with each */

/* A block's instructions between its phis and its terminator, by their position. Tuples, and
 * instructions that are in none, are units; a unit's number is its first position. */
typedef struct Edge {
    uint32_t from, to; /* units */
} Edge;

typedef struct Block {
    const HdIrFunc *f;
    HdTuples *t;
    HdArena *a;
    const HdIrRef *inst;
    uint32_t count, *at; /* at: 1 + position by number of the instruction */
    uint32_t *unit;      /* [count] */
    HD_ARRAY(Edge) edges;
} Block;

HdPlace hd_tuples_place(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r], *base;
    bool kept = in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET;
    bool stores = in->op == HD_IR_STORE || in->op == HD_IR_CTX_SET;
    HdIrRef at = 0;
    HdPlace p = {
        .bytes = hd_ir_type_bytes(
            (HdIrType)(stores ? f->insts.at[hd_ir_arg(f, r, kept ? 0 : 1)].type : in->type))};
    uint64_t by;

    if (kept) {
        p.base = UINT64_MAX;
        p.offset = (int64_t)in->imm;
        return p;
    }
    at = hd_ir_arg(f, r, 0);
    while (f->insts.at[at].op == HD_IR_PTRADD && hd_ir_is_const(f, hd_ir_arg(f, at, 1), &by)) {
        p.offset = (int64_t)((uint64_t)p.offset + by);
        at = hd_ir_arg(f, at, 0);
    }
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
    p = hd_tuples_place(f, a);
    q = hd_tuples_place(f, b);
    return p.base != q.base || p.index != q.index ||
           (p.offset < q.offset + (int64_t)q.bytes && q.offset < p.offset + (int64_t)p.bytes);
}

static HdStatus add_edge(Block *b, uint32_t from, uint32_t to, bool *fits)
{
    *fits = *fits && b->unit[from] != b->unit[to];
    HD_TRY_PUSH(b->a, &b->edges, ((Edge){b->unit[from], b->unit[to]}));
    return HD_OK;
}

/* What each instruction has to follow. *fits: false where that is one of its own tuple. */
static HdStatus find_edges(Block *b, bool *fits)
{
    uint32_t accesses = 0, *access;

    HD_TAKE(access, HD_NEW(b->a, uint32_t, b->count + 1));
    for (uint32_t i = 0; i < b->count && *fits; i++) {
        const HdIrInst *in = &b->f->insts.at[b->inst[i]];

        for (unsigned k = 0; k < in->nargs; k++) {
            uint32_t from = b->at[hd_ir_arg(b->f, b->inst[i], k)];

            if (from != 0)
                HD_TRY(add_edge(b, from - 1, i, fits));
        }
        if (hd_ir_op_is_pure(in->op))
            continue;
        for (uint32_t k = 0; k < accesses; k++)
            if (conflict(b->f, b->inst[access[k]], b->inst[i]))
                HD_TRY(add_edge(b, access[k], i, fits));
        access[accesses++] = i;
        *fits = *fits && accesses <= MOST_ACCESSES;
    }
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
static HdStatus sort(Block *b, HdIrRef *order, bool *fits)
{
    uint32_t *first, *next, *waits, *heap, count = 0, done = 0;

    HD_TAKE(first, HD_NEW(b->a, uint32_t, b->count + 2));
    HD_TAKE(next, HD_NEW(b->a, uint32_t, b->edges.count + 1));
    HD_TAKE(waits, HD_NEW(b->a, uint32_t, b->count + 1));
    HD_TAKE(heap, HD_NEW(b->a, uint32_t, b->count + 1));
    for (size_t e = 0; e < b->edges.count; e++)
        first[b->edges.at[e].from + 2]++;
    for (uint32_t i = 2; i < b->count + 2; i++)
        first[i] += first[i - 1];
    for (size_t e = 0; e < b->edges.count; e++) {
        next[first[b->edges.at[e].from + 1]++] = b->edges.at[e].to;
        waits[b->edges.at[e].to]++;
    }
    for (uint32_t i = 0; i < b->count; i++)
        if (b->unit[i] == i && waits[i] == 0) {
            heap[count++] = i;
            sift_up(heap, count - 1);
        }
    while (count > 0) {
        uint32_t u = take_least(heap, &count), number = b->t->of[b->inst[u]];

        if (number == 0)
            order[done++] = b->inst[u];
        for (unsigned c = 0; number != 0 && c < b->t->at.at[number].n; c++)
            order[done++] = b->t->at.at[number].m[c];
        for (uint32_t k = first[u]; k < first[u + 1]; k++)
            if (--waits[next[k]] == 0) {
                heap[count++] = next[k];
                sift_up(heap, count - 1);
            }
    }
    *fits = *fits && done == b->count;
    return HD_OK;
}

static HdStatus order_block(Block *b, uint32_t number, bool *fits)
{
    const HdIrBlock *block = &b->f->blocks.at[number];
    uint32_t phis = 0, all = (uint32_t)block->insts.count;
    HdIrRef *order;

    while (phis < all && b->f->insts.at[block->insts.at[phis]].op == HD_IR_PHI)
        phis++;
    b->inst = block->insts.at + phis;
    b->count = all - phis - 1;
    b->edges.count = 0;
    HD_TAKE(b->unit, HD_NEW(b->a, uint32_t, b->count + 1));
    for (uint32_t i = 0; i < b->count; i++)
        b->at[b->inst[i]] = i + 1;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t number_of = b->t->of[b->inst[i]];

        b->unit[i] = i;
        for (unsigned c = 0; number_of != 0 && c < b->t->at.at[number_of].n; c++) {
            uint32_t at = b->at[b->t->at.at[number_of].m[c]] - 1;

            b->unit[i] = at < b->unit[i] ? at : b->unit[i];
        }
    }
    HD_TRY(find_edges(b, fits));
    for (uint32_t i = 0; i < b->count; i++)
        b->at[b->inst[i]] = 0;
    if (!*fits)
        return HD_OK;
    HD_TAKE(order, HD_NEW(b->a, HdIrRef, all));
    memcpy(order, block->insts.at, phis * sizeof *order);
    order[all - 1] = block->insts.at[all - 1];
    b->t->order[number] = order;
    return sort(b, order + phis, fits);
}

HdStatus hd_tuples_order(const HdIrFunc *f, HdTuples *t, HdArena *a, bool *fits)
{
    Block b = {.f = f, .t = t, .a = a};
    bool *has;

    *fits = true;
    memset(t->order, 0, f->blocks.count * sizeof *t->order);
    HD_TAKE(b.at, HD_NEW(a, uint32_t, f->insts.count));
    HD_TAKE(has, HD_NEW(a, bool, f->blocks.count));
    for (size_t i = 1; i < t->at.count; i++)
        if (hd_tuple_acts(&t->at.at[i]) && t->at.at[i].kind != HD_TUPLE_PHI)
            has[t->at.at[i].block] = true;
    for (uint32_t i = 0; i < f->blocks.count && *fits; i++)
        if (has[i])
            HD_TRY(order_block(&b, i, fits));
    return HD_OK;
}
