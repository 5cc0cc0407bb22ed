/* lanes/widen.h -- the state that the parts of lanes/ share while a wide function is built.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_WIDEN_H
#define HD_LANES_WIDEN_H

#include "lanes/callees.h"
#include "lanes/lanes.h"
#include "lanes/parts.h"

typedef struct HdWiden {
    const HdIrFunc *f; /* of one work-item */
    const HdShapes *s;
    const HdIrGraph *g;
    const HdParts *parts;
    HdIrFunc *w;      /* being made */
    HdIrRef *map;     /* [insts of f] value where it was made; 0 = not yet */
    HdIrRef *plain;   /* [insts] SLOT for uses in other blocks, 0 = none */
    HdIrRef *blend;   /* [insts] SLOT for uses after the loop that lanes left, 0 = none */
    HdIrRef *phi;     /* [insts] SLOT that edges fill, 0 = a PHI of the wide function */
    HdIrRef *got;     /* [insts] value as got from its slot in the current block */
    uint32_t *got_in; /* [insts] block that `got` is for */
    HdIrRef *waiting; /* [blocks] SLOT: mask of the lanes that wait to run a divergent block */
    uint32_t *first, *body; /* [blocks] wide blocks: where to jump to, where the code is */
    HdIrRef mask_of_all;    /* lanes that exist; 0 = all W */
    HdIrRef mask;           /* lanes that run now; 0 = all W */
    uint32_t block;         /* of f, being made */
    uint32_t at;            /* of w, where instructions go */
    HdIrRef next;           /* dispatcher: SLOT with the turn of each lane's next block */
    uint32_t head;          /* dispatcher: the wide block that chooses */
    uint32_t *turn,
        *order; /* dispatcher: where blocks stand in it, and its order (base/gather.h) */
    bool dispatch;
    HdCallees *callees;
} HdWiden;

/* lanes/storage.c: instructions of the wide function, and values between its blocks. */

/* Emit into the wide function with a shape. */
HdIrRef hd_widen_emit(HdWiden *x, HdIrOp op, HdIrType type, HdIrShape shape, unsigned sub,
                      uint64_t imm, const HdIrRef *args, size_t nargs);
/* Store to a slot, where `mask` is 0 of all lanes. */
void hd_widen_set(HdWiden *x, HdIrRef slot, HdIrRef value, HdIrRef mask);
/* Decide which values go through slots, and create the slots. */
HdStatus hd_widen_slots(HdWiden *x, HdArena *a);
/* The value of v for the code being made in x->block. */
HdIrRef hd_widen_use(HdWiden *x, HdIrRef v);
/* v has been emitted as `value`: keep it where later uses find it. */
void hd_widen_define(HdWiden *x, HdIrRef v, HdIrRef value);
/* Fill the phis of `to` for the edge from x->block; `edge` is its mask, 0 = all lanes. */
HdStatus hd_widen_edge_phis(HdWiden *x, uint32_t to, HdIrRef edge, HdArena *a);

/* lanes/flow.c: blocks and edges. */

/* Make the wide blocks of one block's terminator. */
HdStatus hd_widen_terminator(HdWiden *x, HdArena *a);
/* Open a divergent block: its guard, its mask. */
void hd_widen_enter(HdWiden *x);
/* Must the block be skipped if no lane waits for it? */
bool hd_widen_needs_guard(const HdWiden *x, uint32_t block);

/* a and b, where b may be poison outside of a; a == 0 means all lanes. */
HdIrRef hd_widen_and(HdWiden *x, HdIrRef a, HdIrRef b);

#endif
