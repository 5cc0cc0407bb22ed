/* tests/base/reach_test.c -- random graphs, with cycles and without: what is reached, beside a walk
 * from each vertex.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/reach.h"

#include <stdlib.h>

#include "../launch/check.h"

#define VERTICES 40u
#define EDGES    60u

typedef struct Graph {
    uint32_t first[VERTICES + 1], to[EDGES];
} Graph;

/* Edges of a vertex lead to those before it only, where there may be no cycle. */
static void make_graph(Graph *g, bool may_cycle)
{
    uint32_t count = 0;

    for (uint32_t v = 0; v < VERTICES; v++) {
        g->first[v] = count;
        for (uint32_t left = (uint32_t)rand() % 4; left != 0 && count < EDGES; left--)
            if (may_cycle || v != 0)
                g->to[count++] = (uint32_t)rand() % (may_cycle ? VERTICES : v);
    }
    g->first[VERTICES] = count;
}

static uint64_t walk(const Graph *g, uint32_t v, uint64_t seen)
{
    seen |= UINT64_C(1) << v;
    for (uint32_t at = g->first[v]; at < g->first[v + 1]; at++)
        if ((seen >> g->to[at] & 1) == 0)
            seen = walk(g, g->to[at], seen);
    return seen;
}

static void check_graph(Checks *c, const Graph *g, bool may_cycle)
{
    HdArena *a = hd_arena_open();
    HdReach r = {.count = VERTICES, .first = g->first, .end = g->first + 1, .to = g->to};
    uint64_t added = 0, ordered = 0;

    CHECK(c, a != NULL && hd_reach_open(a, &r) == HD_OK);
    for (unsigned i = 0; i < 5; i++) {
        uint32_t v = (uint32_t)rand() % VERTICES;

        hd_reach_add(&r, v);
        added |= walk(g, v, 0);
    }
    for (uint32_t i = 0; i < r.order_count; i++) {
        uint32_t v = r.order[i];

        CHECK(c, (ordered >> v & 1) == 0);
        ordered |= UINT64_C(1) << v;
        for (uint32_t at = g->first[v]; !may_cycle && at < g->first[v + 1]; at++)
            CHECK(c, ordered >> g->to[at] & 1);
        r.mask[v] = UINT64_MAX;
    }
    CHECK(c, ordered == added);
    CHECK(c, may_cycle || !r.is_cyclic);
    hd_reach_clear(&r);
    for (uint32_t i = 0; i < r.order_count; i++)
        r.mask[r.order[i]] |= UINT64_C(1) << r.order[i];
    hd_reach_spread(&r);
    for (uint32_t i = 0; i < r.order_count; i++)
        CHECK(c, r.mask[r.order[i]] == walk(g, r.order[i], 0));
    hd_arena_drop(a);
}

int main(void)
{
    Checks c = {0};

    srand(1);
    for (unsigned i = 0; i < 2000; i++) {
        Graph g;

        make_graph(&g, i % 2 != 0);
        check_graph(&c, &g, i % 2 != 0);
    }
    return checks_end(&c, "reach_test");
}
