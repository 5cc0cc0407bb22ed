/* base/reach.c -- reachability in a graph, for 64 targets at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/reach.h"

/* State of a vertex that is not in the order, instead of the next of its list. */
#define IS_NEW  0u
#define IS_DONE UINT32_MAX

HdStatus hd_reach_open(HdArena *a, HdReach *r)
{
    HD_TAKE(r->mask, HD_NEW(a, uint64_t, r->count));
    HD_TAKE(r->order, HD_NEW(a, uint32_t, r->count));
    HD_TAKE(r->next, HD_NEW(a, uint32_t, r->count));
    HD_TAKE(r->stack, HD_NEW(a, uint32_t, r->count));
    return HD_OK;
}

void hd_reach_add(HdReach *r, uint32_t vertex)
{
    uint32_t depth = 0;

    if (r->next[vertex] != IS_NEW)
        return;
    r->next[vertex] = 1;
    r->stack[depth++] = vertex;
    while (depth != 0) {
        uint32_t v = r->stack[depth - 1], at = r->first[v] + r->next[v] - 1, to;

        if (at >= r->end[v]) {
            r->next[v] = IS_DONE;
            r->order[r->order_count++] = v;
            depth--;
            continue;
        }
        r->next[v]++;
        to = r->to[at];
        if (r->next[to] == IS_NEW) {
            r->next[to] = 1;
            r->stack[depth++] = to;
        } else if (r->next[to] != IS_DONE) {
            r->is_cyclic = true;
        }
    }
}

void hd_reach_clear(HdReach *r)
{
    for (uint32_t i = 0; i < r->order_count; i++)
        r->mask[r->order[i]] = 0;
}

void hd_reach_spread(HdReach *r)
{
    uint64_t changed;

    do {
        changed = 0;
        for (uint32_t i = 0; i < r->order_count; i++) {
            uint32_t v = r->order[i];
            uint64_t mask = r->mask[v];

            for (uint32_t at = r->first[v]; at < r->end[v]; at++)
                mask |= r->mask[r->to[at]];
            changed |= mask ^ r->mask[v];
            r->mask[v] = mask;
        }
    } while (r->is_cyclic && changed != 0);
}
