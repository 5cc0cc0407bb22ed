/* base/gather.h -- in which order blocks run at which the lanes of a sub-group wait.
 *
 * The rule that both engines follow (docs/execution-model.md, "The order rule"): of the blocks at
 * which lanes wait, the first in the graph's order runs; but a block with an operation for which
 * lanes wait for each other runs after the other blocks of a loop around it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_GATHER_H
#define HD_BASE_GATHER_H

#include <stdbool.h>

#include "base/arena.h"

/* What a block's operations ask for. */
typedef enum HdGather {
    HD_GATHER_NONE,
    HD_GATHER_ROUND, /* those lanes that come by in one iteration of a loop */
    HD_GATHER_ALL    /* all lanes of a scope reach it, or none */
} HdGather;

/* A graph in its order: loops are contiguous, and begin with the only block that edges lead back to
 * from the rest of the loop, but for loops inside. */
typedef struct HdGatherGraph {
    uint32_t count, reachable;
    const uint32_t *order, *rank;      /* rank UINT32_MAX: not reachable */
    const uint32_t *succ_first, *succ; /* [count + 1]; successors of b: succ[succ_first[b]] … */
    const unsigned char *kind;         /* [count] HdGather */
    /* [count] the block heads a loop whose rounds are iterations, as shaders say of every loop: no
     * lane comes to the next round of a loop around it before. NULL: nothing is said. */
    const bool *is_round;
} HdGatherGraph;

typedef struct HdGatherOrder {
    uint32_t *turn, *order; /* [count] where a block stands in the rule's order; the order */
    /* [count] the loop in which it comes after others, by ranks; first UINT32_MAX: it does not.
     * ALL: the outermost loop around it. ROUND: the outermost one in which every way from the first
     * block back to it leads through the block, and in which no loop of `is_round` is around it. */
    uint32_t *first, *last;
    const unsigned char *kind; /* the graph's */
} HdGatherOrder;

/* False without memory. Time is in proportion to the graph, times the number of blocks that gather
 * and are in loops, at most. */
bool hd_gather_order(const HdGatherGraph *g, HdArena *a, HdGatherOrder *out);

#endif
