/* ir/parts.c -- runs of accesses to adjacent elements, and what is computed from them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/parts.h"

#include <stdlib.h>

#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/linear.h"

#define MOST_BYTES 64u /* of a vector register */

typedef struct Access {
    HdIrRef base, ref;
    int64_t offset;
    uint8_t op, type;
} Access;

typedef HD_ARRAY(Access) Accesses;

static HdIrType accessed_type(const HdIrFunc *f, HdIrRef r)
{
    return (HdIrType)f->insts.at[f->insts.at[r].op == HD_IR_LOAD ? r : hd_ir_arg(f, r, 1)].type;
}

static Access access_at(const HdIrFunc *f, HdIrRef r)
{
    Access x = {.ref = r, .op = (uint8_t)f->insts.at[r].op, .type = (uint8_t)accessed_type(f, r)};

    x.base = hd_linear_base(f, hd_ir_arg(f, r, 0), &x.offset);
    return x;
}

static int compare(const void *a, const void *b)
{
    const Access *x = a, *y = b;

    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool is_next(const Access *x, const Access *y)
{
    return x->op == y->op && x->base == y->base && x->type == y->type &&
           y->offset - x->offset == (int64_t)hd_ir_type_bytes((HdIrType)x->type);
}

/* The loads and stores of a block, neighbours side by side. */
static HdStatus find_accesses(const HdIrFunc *f, uint32_t block, HdArena *a, Accesses *out)
{
    const HdIrBlock *b = &f->blocks.at[block];

    out->count = 0;
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];
        unsigned op = f->insts.at[r].op;

        if ((op == HD_IR_LOAD || op == HD_IR_STORE) && accessed_type(f, r) != HD_IR_PTR &&
            accessed_type(f, r) != HD_IR_BOOL)
            HD_TRY_PUSH(a, out, access_at(f, r));
    }
    if (out->count > 1)
        qsort(out->at, out->count, sizeof *out->at, compare);
    return HD_OK;
}

/* Where the run that begins at `i` ends. */
static size_t end_of_run(const Accesses *s, size_t i)
{
    do
        i++;
    while (i < s->count && is_next(&s->at[i - 1], &s->at[i]));
    return i;
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* Can a vector operation do several of it? */
static bool may_be_part(HdIrOp op)
{
    switch (op) {
    case HD_IR_PTRADD:
    case HD_IR_MATH:
    case HD_IR_CONVERT:
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM:
    case HD_IR_RTCALL:
    case HD_IR_CALL:
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: return false;
    default: return true;
    }
}

static uint8_t part_of(const HdIrFunc *f, HdIrRef r, const uint8_t *parts)
{
    const HdIrInst *in = &f->insts.at[r];
    unsigned step = in->op == HD_IR_PHI ? 2 : 1;
    uint8_t n = 0;

    if (!may_be_part((HdIrOp)in->op))
        return 1;
    for (unsigned k = step - 1; k < in->nargs; k += step)
        if (hd_ir_arg_is_value(in, k))
            n = least(n, parts[hd_ir_arg(f, r, k)]);
    return n;
}

/* Loads are known; a store is no more than what it stores. */
static void propagate(const HdIrFunc *f, const HdIrGraph *g, uint8_t *parts)
{
    for (HdIrEach e = hd_ir_each_reachable(f, g); hd_ir_next(&e);) {
        HdIrRef r = e.inst;

        if (f->insts.at[r].op == HD_IR_STORE)
            parts[r] = least(parts[r], parts[hd_ir_arg(f, r, 1)]);
        else if (f->insts.at[r].op == HD_IR_SLOT_SET)
            parts[hd_ir_arg(f, r, 0)] = least(parts[hd_ir_arg(f, r, 0)], parts[hd_ir_arg(f, r, 1)]);
        else if (f->insts.at[r].op != HD_IR_LOAD && f->insts.at[r].op != HD_IR_SLOT)
            parts[r] = part_of(f, r, parts);
    }
}

HdStatus hd_ir_parts(const HdIrFunc *f, HdArena *a, uint8_t **parts)
{
    Accesses s = {0};
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TAKE(*parts, HD_NEW(a, uint8_t, f->insts.count));
    for (uint32_t i = 0; i < g->reachable; i++) {
        HD_TRY(find_accesses(f, g->order[i], a, &s));
        for (size_t k = 0, end; k < s.count; k = end) {
            size_t bytes = hd_ir_type_bytes((HdIrType)s.at[k].type), most = MOST_BYTES / bytes;

            end = end_of_run(&s, k);
            for (size_t n = k; n < end; n++)
                (*parts)[s.at[n].ref] = (uint8_t)(end - k < most ? end - k : most);
        }
    }
    propagate(f, g, *parts);
    propagate(f, g, *parts); /* what loops carry */
    return HD_OK;
}
