/* base/dominators.h -- immediate dominators of any graph.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_DOMINATORS_H
#define HD_BASE_DOMINATORS_H

#include <stdbool.h>

#include "base/arena.h"

#define HD_NO_VERTEX UINT32_MAX

/* A graph of vertices 0 .. count - 1. The neighbours of v are list[first[v]] .. list[first[v + 1] -
 * 1]; one may stand there twice. Then room for count numbers each, taken from the arena where it is
 * NULL: one array is used for one thing after the other, since there are modules of nothing but
 * blocks. */
typedef struct HdDominators {
    uint32_t count;
    const uint32_t *succ_first, *succ;
    /* Instead of them, where it is not NULL: the k-th successor of v; false when there are not so
     * many. */
    bool (*successor)(const void *graph, uint32_t v, uint32_t k, uint32_t *to);
    const void *graph;
    const uint32_t *pred_first, *pred;
    uint32_t *number;   /* vertex → preorder number, HD_NO_VERTEX when not reached */
    uint32_t *ancestor; /* this and all of the following by preorder number: parent in the
                           depth-first tree; of linked ones, forest of path compression */
    uint32_t *semi; /* the vertex; of linked ones, the semidominator; in the end the vertex again */
    uint32_t *label; /* which successor to visit next; then the first of those whose semidominator
                        this is, HD_NO_VERTEX: none; of linked ones, the label */
    uint32_t *idom;  /* of linked ones: the next of the same semidominator, HD_NO_VERTEX: none; then
                        the immediate dominator */
    uint32_t reached;
} HdDominators;

/* Fills idom[vertex]: HD_NO_VERTEX for the root and what it does not reach. It may be g->ancestor.
 * False without memory. */
bool hd_dominators_find(HdArena *a, HdDominators *g, uint32_t root, uint32_t *idom);
/* The same from successors in two arrays alone, from vertex 0. */
bool hd_dominators_of(HdArena *a, HdDominators *g, uint32_t *idom);

#endif
