/* codegen/tuples.h -- operations of a work-item alone that are made as one vector operation.
 *
 * Lane IR has no vectors. Where a kernel runs item by item (width 1), the operations on the
 * components of a float4 are a tuple: alike, in one block, independent of each other. Tuples are
 * found by following the operands of stores to adjacent elements, and of operations that came from
 * one instruction of the module, to loads of adjacent elements (tuples_find.c); the instructions of
 * a block are put in an order in which the members of each follow one another (tuples_order.c),
 * and each is emitted once (tuples.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_TUPLES_H
#define HD_CODEGEN_TUPLES_H

#include "codegen/gen.h"

#define HD_TUPLE_MOST 16u /* members */

typedef enum HdTupleKind {
    HD_TUPLE_OP,    /* one operation for each member */
    HD_TUPLE_PHI,   /* of one block */
    HD_TUPLE_LOAD,  /* of adjacent elements */
    HD_TUPLE_STORE, /* likewise */
    /* operands of those, which instructions do not become members of */
    HD_TUPLE_CONSTANTS,
    HD_TUPLE_SAME,   /* one value for all */
    HD_TUPLE_SORTED, /* elements of one other tuple */
    HD_TUPLE_MIXED   /* values that are put together one by one */
} HdTupleKind;

typedef struct HdTuple {
    HdIrRef m[HD_TUPLE_MOST];
    uint8_t n, kind;
    uint32_t block;    /* that it is emitted in */
    HdIrRef rep;       /* OP: the member whose operation represents all */
    uint32_t *kid;     /* numbers of tuples: by operand, of a PHI by incoming edge */
    LLVMValueRef made; /* when it is emitted */
} HdTuple;

typedef struct HdTuples {
    HD_ARRAY(HdTuple) at; /* [0] is unused */
    uint32_t *of;         /* [insts] number of the tuple that an instruction is a member of, or 0 */
    HdIrRef **order;      /* [blocks] the instructions of those in which it is another; or NULL */
} HdTuples;

/* Has a tuple instructions? */
static inline bool hd_tuple_acts(const HdTuple *t)
{
    return t->kind <= HD_TUPLE_STORE;
}

/* Which member is r? */
static inline unsigned hd_tuple_place(const HdTuple *t, HdIrRef r)
{
    unsigned c = 0;

    while (c + 1u < t->n && t->m[c] != r)
        c++;
    return c;
}

/* *out: NULL where none gains. Errors: HD_NO_MEMORY. */
HdStatus hd_tuples_find(const HdGen *g, HdArena *a, HdTuples **out);

/* ---- tuples_order.c ---- */
typedef struct HdTuplesOrder HdTuplesOrder;
HdStatus hd_tuples_order_open(const HdIrFunc *f, HdArena *a, HdTuplesOrder **out);
/* Set t->order of the blocks of tuples from number `first` on. *fits: false where tuples depend on
 * each other in a circle. Errors: HD_NO_MEMORY. */
HdStatus hd_tuples_order(HdTuplesOrder *o, HdTuples *t, size_t first, bool *fits);
/* The place that a LOAD, STORE, CTX_GET or CTX_SET accesses: two of one base and index are as far
 * apart as their offsets. */
typedef struct HdPlace {
    uint64_t base;
    HdIrRef index;
    int64_t offset;
    unsigned bytes;
} HdPlace;
HdPlace hd_tuples_place(const HdIrFunc *f, HdIrRef r);

#endif
