/* base/dominators.h -- immediate dominators of any graph.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_DOMINATORS_H
#define HD_BASE_DOMINATORS_H

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"

#define HD_NO_VERTEX UINT32_MAX

/* The k-th successor of v; false when there are not so many. */
typedef bool HdSuccessor(const void *graph, uint32_t v, uint32_t k, uint32_t *to);

/* The predecessors of each vertex, once each, in ascending order. Most have one, and take no list.
 */
#define HD_SEVERAL 0x80000000u
typedef struct HdPredecessors {
    uint32_t *of; /* [count] the only one; HD_NO_VERTEX: none; HD_SEVERAL and where in lists they
                   * begin, after their number */
    uint32_t *lists;
    uint32_t edges;
} HdPredecessors;

/* Make the lists of numbers of predecessors: out->of counts them, and is then 0 where there is one,
 * HD_SEVERAL and where its list ends where there are more. False without memory. */
bool hd_predecessors_place(HdArena *a, uint32_t count, HdPredecessors *out);
/* Find them: the first time, each edge is counted, the second time, they are placed. There are
 * fewer than 2^31 vertices and as many edges. `mark` is room for count numbers. Inline, so that
 * `successor` is, too: most of the time of modules that are mostly blocks was spent here. */
static inline bool hd_predecessors_open(HdArena *a, uint32_t count, uint32_t *mark,
                                        HdPredecessors *out)
{
    *out = (HdPredecessors){.of = HD_NEW(a, uint32_t, count)};
    memset(mark, 0, count * sizeof *mark);
    return out->of != NULL;
}
static inline void hd_predecessors_count(HdPredecessors *p, uint32_t *mark, uint32_t v, uint32_t to)
{
    p->of[to] += mark[to] != v + 1;
    mark[to] = v + 1;
}
/* After all have been counted. False without memory. */
static inline __attribute__((always_inline)) bool
hd_predecessors_fill(HdArena *a, uint32_t count, HdSuccessor *successor, const void *graph,
                     uint32_t *mark, HdPredecessors *out)
{
    uint32_t to;

    if (!hd_predecessors_place(a, count, out))
        return false;
    memset(mark, 0, count * sizeof *mark);
    for (uint32_t v = count; v-- > 0;) /* from the last on, so that they end up in order */
        for (uint32_t k = 0; successor(graph, v, k, &to); k++) {
            if (mark[to] == v + 1)
                continue;
            mark[to] = v + 1;
            if (out->of[to] < HD_SEVERAL)
                out->of[to] = v;
            else
                out->lists[--out->of[to] & ~HD_SEVERAL] = v;
        }
    return true;
}
/* All of it. */
static inline __attribute__((always_inline)) bool
hd_predecessors_find(HdArena *a, uint32_t count, HdSuccessor *successor, const void *graph,
                     uint32_t *mark, HdPredecessors *out)
{
    uint32_t to;

    if (!hd_predecessors_open(a, count, mark, out))
        return false;
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t k = 0; successor(graph, v, k, &to); k++)
            hd_predecessors_count(out, mark, v, to);
    return hd_predecessors_fill(a, count, successor, graph, mark, out);
}
/* Those of v. */
static inline const uint32_t *hd_predecessors(const HdPredecessors *p, uint32_t v, uint32_t *count)
{
    uint32_t at = p->of[v];

    *count = at == HD_NO_VERTEX ? 0 : 1;
    if (at < HD_SEVERAL || at == HD_NO_VERTEX)
        return &p->of[v];
    at &= ~HD_SEVERAL;
    *count = p->lists[at - 1];
    return p->lists + at;
}

/* A graph of vertices 0 .. count - 1. The neighbours of v are list[first[v]] .. list[first[v + 1] -
 * 1]; one may be listed twice. Then room for count numbers each, taken from the arena if NULL:
 * arrays are reused for several purposes, since there are modules that consist only of blocks. */
typedef struct HdDominators {
    uint32_t count;
    const uint32_t *succ_first, *succ, *pred_first, *pred;
    const HdPredecessors *preds; /* instead of pred_first and pred, where it is not NULL; then all
                                    arrays are lent, and hd_dominators_number has been called */
    uint32_t *number;            /* vertex → preorder number, HD_NO_VERTEX when not reached */
    uint32_t *ancestor;          /* this and all of the following by preorder number: parent in the
                                    depth-first tree; of linked ones, forest of path compression */
    uint32_t *semi; /* the vertex; of linked ones, the semidominator; in the end the vertex again */
    uint32_t *label; /* which successor to visit next; then the first of those whose semidominator
                        this is, HD_NO_VERTEX: none; of linked ones, the label */
    uint32_t *idom;  /* of linked ones: the next of the same semidominator, HD_NO_VERTEX: none; then
                        the immediate dominator */
    uint32_t reached;
} HdDominators;

/* The depth-first tree from a vertex on. `find` does it for graphs of lists; inline for others, as
 * above. g->number, g->ancestor, g->semi and g->label must be there, numbers all HD_NO_VERTEX. */
static inline void hd_dominators_enter(HdDominators *g, uint32_t v, uint32_t parent)
{
    uint32_t i = g->reached++;

    g->number[v] = i;
    g->semi[i] = v;
    g->ancestor[i] = parent;
    g->label[i] = 0;
}
static inline __attribute__((always_inline)) void
hd_dominators_number(HdDominators *g, HdSuccessor *successor, const void *graph, uint32_t root)
{
    uint32_t at = 0, w;

    hd_dominators_enter(g, root, 0);
    for (;;) {
        if (successor(graph, g->semi[at], g->label[at]++, &w)) {
            if (g->number[w] != HD_NO_VERTEX)
                continue;
            hd_dominators_enter(g, w, at);
            at = g->number[w];
        } else if (at != 0) {
            at = g->ancestor[at];
        } else {
            return;
        }
    }
}

/* Fills idom[vertex]: HD_NO_VERTEX for the root and what it does not reach. It may be g->ancestor.
 * False without memory. */
bool hd_dominators_find(HdArena *a, HdDominators *g, uint32_t root, uint32_t *idom);

#endif
