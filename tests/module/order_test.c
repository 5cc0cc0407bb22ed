/* tests/module/order_test.c -- the order of blocks, compared with its definition on random graphs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "module/cfg.h"

#define MAX_BLOCKS 40u
#define GRAPHS     60000u

typedef struct Graph {
    uint32_t count, first[MAX_BLOCKS + 1], succ[8 * MAX_BLOCKS];
    uint32_t met[MAX_BLOCKS]; /* by a walk in operand order; 0: never */
    uint32_t order[MAX_BLOCKS], head[MAX_BLOCKS], ordered;
} Graph;

/* A walk inside a set of blocks. */
typedef struct Walk {
    uint64_t left; /* blocks not met */
    uint32_t head; /* edges to it count as none */
    uint32_t clock;
    uint32_t done[MAX_BLOCKS]; /* when a block was finished */
} Walk;

static uint64_t state = 1;

static uint32_t random_below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

/* Blocks that lead to neighbours more often than to others, so that there are nests. */
static void make(Graph *g)
{
    uint32_t spread = 1 + random_below(6), degree = 2 + random_below(4), far = random_below(5);
    uint32_t at = 0;

    *g = (Graph){.count = 1 + random_below(MAX_BLOCKS)};
    for (uint32_t b = 0; b < g->count; b++) {
        g->first[b] = at;
        for (uint32_t k = random_below(degree) + (random_below(4) != 0); k-- > 0;) {
            uint32_t to = b + random_below(2 * spread + 2); /* and `spread` less */

            to = to < spread ? 0 : to - spread < g->count ? to - spread : g->count - 1;
            g->succ[at++] = random_below(4) < far ? random_below(g->count) : to;
        }
    }
    g->first[g->count] = at;
}

static void meet(Graph *g, uint32_t b, uint32_t *clock)
{
    g->met[b] = ++*clock;
    for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
        if (g->met[g->succ[e]] == 0)
            meet(g, g->succ[e], clock);
}

static void walk(const Graph *g, Walk *w, uint32_t b)
{
    w->left &= ~(1ull << b);
    for (uint32_t e = g->first[b + 1]; e-- > g->first[b];)
        if (g->succ[e] != w->head && w->left >> g->succ[e] & 1)
            walk(g, w, g->succ[e]);
    w->done[b] = ++w->clock;
}

/* What a block leads to by one edge or more. */
static uint64_t reach(const Graph *g, uint64_t set, uint32_t head, uint32_t b)
{
    uint64_t found = 0, todo = 1ull << b;

    while (todo != 0) {
        uint32_t v = (uint32_t)__builtin_ctzll(todo);

        todo &= todo - 1;
        for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
            uint64_t bit = 1ull << g->succ[e];

            if (g->succ[e] != head && set & bit & ~found) {
                found |= bit;
                todo |= bit;
            }
        }
    }
    return found;
}

/* The definition: what `root` reaches in a set, without edges to `head`. */
static void define(Graph *g, uint64_t set, uint32_t root, uint32_t head)
{
    Walk w = {.left = set, .head = head};
    uint64_t from[MAX_BLOCKS] = {0}, todo;

    walk(g, &w, root);
    set &= ~w.left;
    for (uint32_t b = 0; b < g->count; b++)
        from[b] = set >> b & 1 ? reach(g, set, head, b) : 0;
    for (todo = set; todo != 0;) {
        uint32_t last = MAX_BLOCKS, first;
        uint64_t part;

        for (uint32_t b = 0; b < g->count; b++) /* the part that is finished last */
            if (todo >> b & 1 && (last == MAX_BLOCKS || w.done[b] > w.done[last]))
                last = b;
        part = 1ull << last;
        for (uint32_t b = 0; b < g->count; b++)
            if (from[last] >> b & from[b] >> last & 1)
                part |= 1ull << b;
        todo &= ~part;
        first = last;
        for (uint32_t b = 0; b < g->count; b++)
            if (part >> b & 1 && g->met[b] < g->met[first])
                first = b;
        for (uint32_t b = 0; b < g->count; b++)
            if (part >> b & 1 && (from[first] >> first & 1))
                g->head[b] = first;
        g->order[g->ordered++] = first;
        part &= ~(1ull << first);
        if (part != 0) { /* from the head on, which is out already */
            uint32_t before = g->ordered - 1;

            g->ordered = before;
            define(g, part | 1ull << first, first, first);
        }
    }
}

static bool same(Graph *g)
{
    uint32_t order[MAX_BLOCKS], rank[MAX_BLOCKS], head[MAX_BLOCKS], reachable, clock = 0;

    meet(g, 0, &clock);
    memset(g->head, 0xff, sizeof g->head);
    define(g, g->count == 64 ? ~0ull : (1ull << g->count) - 1, 0, HD_NO_BLOCK);
    if (!hd_cfg_order(g->count, g->first, g->succ, order, rank, head, &reachable) ||
        reachable != g->ordered || memcmp(order, g->order, reachable * sizeof *order) != 0 ||
        memcmp(head, g->head, g->count * sizeof *head) != 0)
        return false;
    for (uint32_t b = 0; b < g->count; b++)
        if (g->met[b] == 0 ? rank[b] != HD_NO_BLOCK : order[rank[b]] != b)
            return false;
    return true;
}

int main(void)
{
    unsigned wrong = 0;
    Graph g;

    for (unsigned i = 0; i < GRAPHS; i++) {
        make(&g);
        wrong += !same(&g);
    }
    if (wrong != 0)
        printf("FAILED: %u of %u graphs have another order\n", wrong, GRAPHS);
    printf("order: %u passed, %u failed, 0 skipped\n", wrong == 0, wrong != 0);
    return wrong != 0;
}
