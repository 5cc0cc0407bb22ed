/* base/dominators.c -- immediate dominators of any graph.
 *
 * The Lengauer-Tarjan algorithm, with path compression only: n log n for any graph. (Semi-NCA,
 * which climbs the tree instead of keeping buckets, is quadratic where two chains are connected
 * like the rungs of a ladder; iteration over reverse post-order where a vertex meets a long chain
 * repeatedly, as with the cases of a switch that fall through backwards.) Vertices are linked from
 * the last number to the first. Nothing recurses.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/dominators.h"

#include <string.h>

bool hd_predecessors_place(HdArena *a, uint32_t count, HdPredecessors *out)
{
    uint32_t room = 0, at = 0;

    for (uint32_t v = 0; v < count; v++) {
        out->edges += out->of[v];
        room += out->of[v] > 1 ? out->of[v] + 1 : 0;
    }
    out->lists = hd_arena_take(a, (size_t)room * sizeof *out->lists);
    if (out->lists == NULL)
        return false;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t n = out->of[v];

        if (n > 1) {
            out->lists[at] = n;
            at += n + 1;
        }
        out->of[v] = n > 1 ? HD_SEVERAL | at : n == 1 ? 0 : HD_NO_VERTEX;
    }
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

/* The k-th successor of a vertex, by the lists. */
static bool successor(const void *graph, uint32_t v, uint32_t k, uint32_t *to)
{
    const HdDominators *g = graph;
    uint32_t at = g->succ_first[v] + k;

    if (at >= g->succ_first[v + 1])
        return false;
    *to = g->succ[at];
    return true;
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

static const uint32_t *predecessors(const HdDominators *g, uint32_t v, uint32_t *count)
{
    if (g->preds != NULL)
        return hd_predecessors(g->preds, v, count);
    *count = g->pred_first[v + 1] - g->pred_first[v];
    return g->pred + g->pred_first[v];
}

static uint32_t semidominator(HdDominators *g, uint32_t i)
{
    uint32_t least = i, count;
    const uint32_t *preds = predecessors(g, g->semi[i], &count);

    for (uint32_t k = 0; k < count; k++) {
        uint32_t u = g->number[preds[k]];

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
    g->label[i] = i; /* no longer the semidominator of any vertex */
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
static void find(HdDominators *g)
{
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
    if (g->preds == NULL) {
        if (!take_arrays(a, g))
            return false;
        hd_dominators_number(g, successor, g, root);
    }
    find(g);
    memset(idom, 0xff, g->count * sizeof *idom);
    for (uint32_t i = 1; i < g->reached; i++)
        idom[g->semi[i]] = g->semi[g->idom[i]];
    return true;
}
