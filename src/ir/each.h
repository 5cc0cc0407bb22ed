/* ir/each.h -- the instructions of several blocks, one after the other.
 *
 *     for (HdIrEach e = hd_ir_each_reachable(f, g); hd_ir_next(&e);)
 *         look_at(f, e.inst);
 *
 * Instructions may change meanwhile, and those behind e.inst in its block may come and go; blocks
 * that are added are not visited.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_EACH_H
#define HD_IR_EACH_H

#include "ir/graph.h"
#include "ir/ir.h"

typedef struct HdIrEach {
    HdIrRef inst;
    uint32_t block; /* its */
    const HdIrFunc *f;
    const uint32_t *order; /* NULL: blocks by number */
    uint32_t at, end;      /* of the block: position in the order */
    size_t next;           /* instruction of the block */
} HdIrEach;

/* Of all blocks, by number. */
static inline HdIrEach hd_ir_each(const HdIrFunc *f)
{
    return (HdIrEach){.f = f, .end = (uint32_t)f->blocks.count};
}

/* Of all blocks that are reached, in the order in which they run. */
static inline HdIrEach hd_ir_each_reachable(const HdIrFunc *f, const HdIrGraph *g)
{
    return (HdIrEach){.f = f, .order = g->order, .end = g->reachable};
}

/* Of the blocks of a loop, in that order. */
static inline HdIrEach hd_ir_each_in_loop(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop)
{
    return (HdIrEach){
        .f = f, .order = g->order, .at = g->loops[loop].first, .end = g->loops[loop].last + 1};
}

static inline bool hd_ir_next(HdIrEach *e)
{
    for (; e->at < e->end; e->at++, e->next = 0) {
        const HdIrBlock *b;

        e->block = e->order != NULL ? e->order[e->at] : e->at;
        b = &e->f->blocks.at[e->block];
        if (e->next < b->insts.count) {
            e->inst = b->insts.at[e->next++];
            return true;
        }
    }
    return false;
}

#endif
