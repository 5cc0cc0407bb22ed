/* base/gather.c -- in which order blocks run at which the lanes of a sub-group wait.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/gather.h"

#include <string.h>

/* Steps of the search for loops that come by a block. Beyond them such blocks keep their places: a
 * kernel has hundreds of blocks, and what has more than thousands of loops and operations was not
 * written to be run. */
#define MOST_STEPS (1u << 26)

typedef struct Work {
    const HdGatherGraph *g;
    HdGatherOrder *out;
    uint32_t *far; /* [ranks] the last block that an edge leads back to it from, or itself */
    bool *is_head; /* [ranks] an edge leads back to it */
    uint32_t *stack, *seen, stamp;
    uint32_t steps;
    uint32_t *spare; /* [ranks] */
} Work;

static void find_back_edges(Work *w)
{
    const HdGatherGraph *g = w->g;

    for (uint32_t at = 0; at < g->reachable; at++)
        w->far[at] = at;
    for (uint32_t at = 0; at < g->reachable; at++)
        for (uint32_t e = g->succ_first[g->order[at]]; e < g->succ_first[g->order[at] + 1]; e++) {
            uint32_t to = g->rank[g->succ[e]];

            if (to > at)
                continue;
            w->is_head[to] = true;
            if (w->far[to] < at)
                w->far[to] = at;
        }
}

/* The rank of the last block of the loop that begins at rank `first`. */
static uint32_t end_of(const Work *w, uint32_t first)
{
    uint32_t last = first;

    for (uint32_t at = first; at <= last; at++)
        last = w->far[at] > last ? w->far[at] : last;
    return last;
}

/* Does every way from a loop's first block back to it lead through the block at rank `by`? */
static bool comes_by(Work *w, uint32_t first, uint32_t last, uint32_t by)
{
    const HdGatherGraph *g = w->g;
    uint32_t depth = 0;

    if (by == first)
        return true;
    w->stamp++;
    w->stack[depth++] = first;
    while (depth != 0) {
        uint32_t b = g->order[w->stack[--depth]];

        w->steps++;
        for (uint32_t e = g->succ_first[b]; e < g->succ_first[b + 1]; e++) {
            uint32_t to = g->rank[g->succ[e]];

            if (to == first)
                return false;
            if (to < first || to > last || to == by || w->seen[to] == w->stamp)
                continue;
            w->seen[to] = w->stamp;
            w->stack[depth++] = to;
        }
    }
    return true;
}

static void set_range(Work *w, uint32_t at, uint32_t first, uint32_t last)
{
    w->out->first[w->g->order[at]] = first;
    w->out->last[w->g->order[at]] = last;
}

/* Where the innermost loop of `is_round` around rank `at` begins; `outermost`: there is none. */
static uint32_t innermost_round(Work *w, uint32_t outermost, uint32_t at)
{
    if (w->g->is_round == NULL)
        return outermost;
    for (uint32_t first = at; first > outermost; first--) {
        uint32_t last;

        w->steps++;
        if (!w->is_head[first] || !w->g->is_round[w->g->order[first]])
            continue;
        last = end_of(w, first);
        w->steps += last - first;
        if (last >= at)
            return first;
    }
    return outermost;
}

/* The loop for the block of HD_GATHER_ROUND at rank `at`. Its loops begin before it; the outermost
 * one comes first. */
static void find_round(Work *w, uint32_t outermost, uint32_t at)
{
    if (w->steps > MOST_STEPS)
        return;
    outermost = innermost_round(w, outermost, at);
    for (uint32_t first = outermost; first <= at; first++) {
        uint32_t last;

        if (!w->is_head[first])
            continue;
        last = end_of(w, first);
        w->steps += last - first;
        if (last >= at && comes_by(w, first, last, at)) {
            set_range(w, at, first, last);
            return;
        }
    }
}

/* In the loop that begins at rank `first`, those that come after others there move behind them. */
static void move_late(Work *w, uint32_t first)
{
    uint32_t last = end_of(w, first), kept = first, late = 0;

    for (uint32_t at = first; at <= last; at++) {
        uint32_t b = w->out->order[at];

        if (w->out->first[b] == first)
            w->spare[late++] = b;
        else
            w->out->order[kept++] = b;
    }
    memcpy(w->out->order + kept, w->spare, late * sizeof *w->spare);
}

bool hd_gather_order(const HdGatherGraph *g, HdArena *a, HdGatherOrder *out)
{
    Work w = {.g = g, .out = out};
    uint32_t n = g->count + 1, behind = 0, outermost = 0;

    out->kind = g->kind;
    out->turn = HD_NEW(a, uint32_t, n);
    out->order = HD_NEW(a, uint32_t, n);
    out->first = HD_NEW(a, uint32_t, n);
    out->last = HD_NEW(a, uint32_t, n);
    w.far = HD_NEW(a, uint32_t, n);
    w.is_head = HD_NEW(a, bool, n);
    w.stack = HD_NEW(a, uint32_t, n);
    w.seen = HD_NEW(a, uint32_t, n);
    w.spare = HD_NEW(a, uint32_t, n);
    if (out->turn == NULL || out->order == NULL || out->first == NULL || out->last == NULL ||
        w.far == NULL || w.is_head == NULL || w.stack == NULL || w.seen == NULL || w.spare == NULL)
        return false;
    memset(out->first, 0xff, n * sizeof *out->first);
    memset(out->turn, 0xff, n * sizeof *out->turn);
    memcpy(out->order, g->order, g->reachable * sizeof *out->order);
    find_back_edges(&w);
    for (uint32_t at = 0; at < g->reachable; at++) {
        if (at >= behind) { /* of the outermost loop before */
            outermost = at;
            behind = end_of(&w, at) + 1;
        }
        if (g->kind[g->order[at]] == HD_GATHER_ROUND)
            find_round(&w, outermost, at);
        else if (g->kind[g->order[at]] == HD_GATHER_ALL && w.is_head[outermost])
            set_range(&w, at, outermost, behind - 1);
    }
    for (uint32_t first = g->reachable; first-- > 0;) /* inner loops before outer ones */
        if (w.is_head[first])
            move_late(&w, first);
    for (uint32_t at = 0; at < g->reachable; at++)
        out->turn[out->order[at]] = at;
    return true;
}
