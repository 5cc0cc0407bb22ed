/* base/dominators.c -- immediate dominators of any graph.
 *
 * Lengauer's and Tarjan's algorithm, with path compression alone: n log n for any graph. (Semi-NCA,
 * which climbs the tree instead of keeping buckets, is quadratic where two chains lead to each
 * other like a ladder's rungs; iteration over reverse post-order where a vertex meets a long chain
 * again and again, as the cases of a switch that fall through do backwards.) Vertices are linked
 * from the last number to the first. Nothing recurses.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/dominators.h"

#include <string.h>

/* The k-th successor of a vertex; false when it has not so many. */
static bool successor(const HdDominators *g, uint32_t v, uint32_t k, uint32_t *to)
{
    uint32_t at;

    if (g->successor != NULL)
        return g->successor(g->graph, v, k, to);
    at = g->succ_first[v] + k;
    if (at >= g->succ_first[v + 1])
        return false;
    *to = g->succ[at];
    return true;
}

/* Those of the arrays that the caller has not lent. */
static bool take_arrays(HdArena *a, HdDominators *g)
{
    uint32_t **arrays[] = {&g->number, &g->ancestor, &g->semi, &g->label, &g->idom};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (*arrays[i] == NULL &&
            (*arrays[i] = hd_arena_take(a, (size_t)g->count * sizeof **arrays[i])) == NULL)
            return false;
    memset(g->number, 0xff, g->count * sizeof *g->number);
    return true;
}

static void enter(HdDominators *g, uint32_t v, uint32_t parent)
{
    uint32_t i = g->reached++;

    g->number[v] = i;
    g->semi[i] = v;
    g->ancestor[i] = parent;
    g->label[i] = 0;
}

static void number_vertices(HdDominators *g, uint32_t root)
{
    uint32_t at = 0, w;

    enter(g, root, 0);
    for (;;) {
        if (successor(g, g->semi[at], g->label[at]++, &w)) {
            if (g->number[w] != HD_NO_VERTEX)
                continue;
            enter(g, w, at);
            at = g->number[w];
        } else if (at != 0) {
            at = g->ancestor[at];
        } else {
            return;
        }
    }
}

/* The vertex of least semidominator on the path from the linked v up to the last linked one
 * (numbers above `linked` are linked). The way back is kept in the links that are shortened. */
static uint32_t evaluate(HdDominators *g, uint32_t v, uint32_t linked)
{
    uint32_t below = HD_NO_VERTEX, x = v, root;

    while ((root = g->ancestor[x]) > linked) {
        g->ancestor[x] = below;
        below = x;
        x = root;
    }
    while (below != HD_NO_VERTEX) {
        uint32_t up = x;

        x = below;
        below = g->ancestor[x];
        if (g->semi[g->label[up]] < g->semi[g->label[x]])
            g->label[x] = g->label[up];
        g->ancestor[x] = root;
    }
    return g->label[v];
}

static uint32_t semidominator(HdDominators *g, uint32_t i)
{
    uint32_t v = g->semi[i], least = i;

    for (uint32_t p = g->pred_first[v]; p < g->pred_first[v + 1]; p++) {
        uint32_t u = g->number[g->pred[p]];

        if (u == HD_NO_VERTEX)
            continue;
        if (u > i)
            u = g->semi[evaluate(g, u, i)];
        least = u < least ? u : least;
    }
    return least;
}

static void link_vertex(HdDominators *g, uint32_t i, uint32_t semi)
{
    g->semi[i] = semi;
    g->label[i] = i; /* nobody has it for semidominator any more */
    g->idom[i] = g->label[semi];
    g->label[semi] = i;
}

/* Vertices whose semidominator is `up` are all linked, i last: each has that one for its dominator,
 * or the same as the vertex of least semidominator on the way. */
static void empty_bucket(HdDominators *g, uint32_t i, uint32_t up)
{
    for (uint32_t next, w = g->label[up]; w != HD_NO_VERTEX; w = next) {
        uint32_t u = evaluate(g, w, i - 1);

        next = g->idom[w];
        g->idom[w] = g->semi[u] < g->semi[w] ? u : up;
    }
    g->label[up] = HD_NO_VERTEX;
}

/* Fills g->idom with immediate dominators, by preorder number; the root's is itself. */
static void find(HdDominators *g, uint32_t root)
{
    number_vertices(g, root);
    memset(g->label, 0xff, g->reached * sizeof *g->label);
    for (uint32_t i = g->reached; i-- > 1;) {
        uint32_t up = g->ancestor[i];

        link_vertex(g, i, semidominator(g, i));
        empty_bucket(g, i, up);
    }
    g->idom[0] = 0;
    for (uint32_t i = 1; i < g->reached; i++)
        if (g->idom[i] != g->semi[i])
            g->idom[i] = g->idom[g->idom[i]];
    for (uint32_t v = 0; v < g->count; v++)
        if (g->number[v] != HD_NO_VERTEX)
            g->semi[g->number[v]] = v;
}

bool hd_dominators_find(HdArena *a, HdDominators *g, uint32_t root, uint32_t *idom)
{
    if (!take_arrays(a, g))
        return false;
    find(g, root);
    memset(idom, 0xff, g->count * sizeof *idom);
    for (uint32_t i = 1; i < g->reached; i++)
        idom[g->semi[i]] = g->semi[g->idom[i]];
    return true;
}

bool hd_dominators_of(HdArena *a, HdDominators *g, uint32_t *idom)
{
    uint32_t count = g->count, edges = g->succ_first[count];
    uint32_t *first = HD_NEW(a, uint32_t, (size_t)count + 1), *pred = HD_NEW(a, uint32_t, edges);

    if (first == NULL || pred == NULL)
        return false;
    for (uint32_t e = 0; e < edges; e++)
        first[g->succ[e]]++;
    for (uint32_t i = 1; i <= count; i++)
        first[i] += first[i - 1];
    for (uint32_t from = count; from-- > 0;)
        for (uint32_t e = g->succ_first[from + 1]; e-- > g->succ_first[from];)
            pred[--first[g->succ[e]]] = from;
    g->pred_first = first;
    g->pred = pred;
    return hd_dominators_find(a, g, 0, idom);
}
