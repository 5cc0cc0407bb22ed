/* ir/graph.h -- predecessors, dominators and order of a function's blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_GRAPH_H
#define HD_IR_GRAPH_H

#include "ir/ir.h"

typedef struct HdIrGraph {
    uint32_t count;
    uint32_t *pred_first, *pred; /* predecessors of b: pred[pred_first[b]] … (each once) */
    uint32_t *idom, *ipdom;      /* HD_IR_NOWHERE: none */
    uint32_t *order, *rank;      /* execution order: blocks by HdIrBlock.rank where build/ set it,
                                    made contiguous for loops; rank[b] = HD_IR_NOWHERE: unreachable */
    uint32_t reachable;
    uint32_t *dom_in, *dom_out; /* dominator tree intervals */
    uint32_t *loop;             /* innermost loop index or HD_IR_NOWHERE */
    struct HdIrLoop {
        uint32_t head;        /* first block in the order */
        uint32_t parent;      /* enclosing loop or HD_IR_NOWHERE */
        uint32_t first, last; /* positions in order, inclusive: contiguous */
        bool irreducible;     /* entered at another block than its head */
    } * loops;
    uint32_t loop_count;
} HdIrGraph;

HdStatus hd_ir_graph(const HdIrFunc *f, HdArena *a, HdIrGraph **out);
/* The operands of phis for all slots of a wide function, in the block that most ways lead to. The
 * block that a dispatcher returns to has all others before it, and all slots live: from
 * HD_IR_MANY_WAYS on they stay in memory, as phis would take minutes here and in LLVM. */
uint64_t hd_ir_slot_ways(const HdIrFunc *f, HdArena *scratch);
#define HD_IR_MANY_WAYS ((uint64_t)1 << 23)
/* [blocks] whether it is part of some loop; NULL: no memory. */
bool *hd_ir_in_loops(const HdIrFunc *f, HdArena *a);
static inline bool hd_ir_dominates(const HdIrGraph *g, uint32_t a, uint32_t b)
{
    return g->dom_in[a] <= g->dom_in[b] && g->dom_out[b] <= g->dom_out[a];
}

/* Is the block part of the loop, or of one inside it? An unreachable one (rank HD_IR_NOWHERE, above
 * every last position) never is. */
static inline bool hd_ir_loop_holds(const HdIrGraph *g, uint32_t loop, uint32_t block)
{
    return g->rank[block] >= g->loops[loop].first && g->rank[block] <= g->loops[loop].last;
}

#endif
