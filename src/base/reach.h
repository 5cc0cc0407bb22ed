/* base/reach.h -- reachability in a graph, for 64 targets at a time.
 *
 * Reachability sets for all vertices take quadratic space. Here each vertex has one word, with a
 * bit for each of 64 targets, and the next 64 take another pass.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_REACH_H
#define HD_BASE_REACH_H

#include <stdbool.h>

#include "base/arena.h"

/* A graph of vertices 0 .. count - 1. The successors of v are to[first[v]] .. to[end[v] - 1]; one
 * may be listed twice. */
typedef struct HdReach {
    uint32_t count;
    const uint32_t *first, *end, *to;
    uint32_t *order; /* the requested vertices and all that they reach, successors before their
                      * predecessors (except in cycles) */
    uint32_t order_count;
    bool is_cyclic;
    uint64_t *mask;         /* [count] */
    uint32_t *next, *stack; /* [count] */
} HdReach;

/* Make room, all from the arena, for a graph whose lists and count are filled in. */
HdStatus hd_reach_open(HdArena *a, HdReach *r);
/* Put a vertex into the order, and what it reaches. */
void hd_reach_add(HdReach *r, uint32_t vertex);
/* No vertex of the order has a bit. */
void hd_reach_clear(HdReach *r);
/* Let each vertex of the order have the bits of all that it reaches. */
void hd_reach_spread(HdReach *r);

#endif
