/* codegen/slp.h -- operations of a work-item alone that are made as one vector operation.
 *
 * Lane IR has no vectors. Where a kernel runs item by item (width 1), the operations on the
 * components of a float4 are a bundle: alike, in one block, independent of each other. Bundles are
 * found by following the operands of stores to adjacent elements, and of operations that came from
 * one instruction of the module, to loads of adjacent elements (slp_find.c); the instructions of
 * a block are put in an order in which the members of each follow one another (slp_order.c),
 * and each is emitted once (slp.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_SLP_H
#define HD_CODEGEN_SLP_H

#include "codegen/bundle.h"

/* *out: NULL where none gains. Errors: HD_NO_MEMORY. */
HdStatus hd_slp_find(const HdGen *g, HdArena *a, HdSlp **out);

/* ---- slp_alike.c ---- */
#define HD_SLP_MOST_BYTES 64u /* of a vector */
bool hd_slp_is_lane_wise(const HdIrInst *in);
bool hd_slp_is_plain_access(const HdIrFunc *f, HdIrRef r);
HdIrType hd_slp_access_type(const HdIrFunc *f, HdIrRef r); /* of what it loads or stores */
bool hd_slp_is_next(const HdIrFunc *f, HdIrRef a, HdIrRef b);
bool hd_slp_are_alike(const HdGen *g, HdIrRef a, HdIrRef b);
bool hd_slp_are_of_row(const HdGen *g, HdIrRef a, HdIrRef b);
bool hd_slp_may_be_bundle(const HdGen *g, const HdIrRef *m, unsigned n);
bool hd_slp_has_zero(unsigned op); /* is x op 0 = x? */
/* May the bundle of which `lead` is a member pass those of n values whose bits are in `passed`? */
bool hd_slp_may_pass(const HdIrFunc *f, const HdIrRef *m, unsigned n, HdIrRef lead,
                     unsigned passed);
/* How much what t passes, among its members' operands number i, looks like a vector. */
int hd_slp_order_with(const HdGen *g, const HdBundle *t, unsigned i);

/* ---- slp_gain.c ---- */
/* Bundles from number `start` on, those before them are kept. */
typedef struct HdSlpTree {
    const HdGen *g;
    const HdSlp *t;
    const uint32_t *user_first, *user; /* user[user_first[r]] … user[user_first[r + 1] - 1] use r */
    const double *weight;              /* [blocks] how often they run */
    double loss;                       /* what operands take that are no bundles */
    size_t start;
} HdSlpTree;
bool hd_slp_gains(const HdSlpTree *s, uint32_t root);

/* ---- slp_order.c ---- */
typedef struct HdSlpOrder HdSlpOrder;
HdStatus hd_slp_order_open(const HdIrFunc *f, HdArena *a, HdSlpOrder **out);
/* Set t->order of the blocks of bundles from number `first` on. *fits: false where bundles depend
 * on each other in a circle. Errors: HD_NO_MEMORY. */
HdStatus hd_slp_order(HdSlpOrder *o, HdSlp *t, size_t first, bool *fits);
/* The place that a LOAD, STORE, CTX_GET or CTX_SET accesses: two of one base and index are as far
 * apart as their offsets. */
typedef struct HdPlace {
    uint64_t base;
    HdIrRef index;
    int64_t offset;
    unsigned bytes;
} HdPlace;
HdPlace hd_slp_place(const HdIrFunc *f, HdIrRef r);

/* Do two accesses, or one and whatever may have effects, stay in their order? */
bool hd_slp_keeps_order(const HdIrFunc *f, HdIrRef a, HdIrRef b);

/* Before the first instruction. */
HdStatus hd_gen_slp_open(HdGen *g);
/* The instructions of a block in the order in which they are emitted. */
const HdIrRef *hd_gen_order(const HdGen *g, uint32_t block);
/* Is an instruction the first of its bundle, or emitted alone? */
bool hd_gen_leads_bundle(const HdGen *g, HdIrRef r);
/* Emit r's bundle, if r is the first of it; a phi has no operands yet. */
void hd_gen_bundle(HdGen *g, HdIrRef r);
/* Emit what is loaded again where r is, after r. */
void hd_gen_load_again(HdGen *g, HdIrRef r);
/* The value of a bundle of phis from their edge number `edge`. */
LLVMValueRef hd_gen_bundle_from(HdGen *g, HdIrRef r, unsigned edge);

#endif
