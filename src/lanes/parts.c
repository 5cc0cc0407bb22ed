/* lanes/parts.c -- finding the parts of a function in which lanes may diverge.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/parts.h"

static uint32_t find(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

/* Divergent blocks with an edge between them are in one part, and so are the divergent targets of
 * one varying branch: their lanes meet at one place. */
static void unite_blocks(const HdShapes *s, uint32_t *parent)
{
    for (uint32_t r = 0; r < s->g->reachable; r++) {
        uint32_t b = s->g->order[r];
        const HdIrBlock *block = &s->f->blocks.at[b];
        uint32_t first = s->divergent[b] ? b : HD_IR_NOWHERE;

        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t t = block->succ[i];

            if (!s->divergent[t] || (!s->divergent[b] && !s->varying[b]))
                continue;
            if (first == HD_IR_NOWHERE)
                first = t;
            parent[find(parent, t)] = find(parent, first);
        }
    }
}

static uint32_t common_dominator(const HdIrGraph *g, uint32_t a, uint32_t b)
{
    while (a != HD_IR_NOWHERE && !hd_ir_dominates(g, a, b))
        a = g->idom[a];
    return a == HD_IR_NOWHERE ? 0 : a;
}

/* Chain the blocks of each part in execution order, last to first. */
static void chain(const HdShapes *s, HdParts *p, uint32_t *after)
{
    const HdIrGraph *g = s->g;

    for (uint32_t part = 0; part < p->count; part++)
        after[part] = p->exit[part];
    for (uint32_t r = g->reachable; r-- > 0;) {
        uint32_t b = g->order[r], part = p->part[b];

        if (part == HD_IR_NOWHERE)
            continue;
        p->next[b] = after[part];
        after[part] = b;
    }
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r], l = g->loop[b];

        p->skip[b] = p->next[b];
        if (p->part[b] == HD_IR_NOWHERE || l == HD_IR_NOWHERE || g->loops[l].head != b ||
            s->loop_tangled[l])
            continue;
        /* Lanes reach a header from before the loop or through a back edge: none waits inside. */
        while (p->skip[b] != HD_IR_NOWHERE && p->part[p->skip[b]] == p->part[b] &&
               g->rank[p->skip[b]] <= g->loops[l].last)
            p->skip[b] = p->next[p->skip[b]];
    }
}

/* No lane leaves a part that ends in endless loops: its exit is where those go on that a branch
 * does not send there. */
static void find_exit_of_endless(const HdShapes *s, HdParts *p, uint32_t b)
{
    const HdIrBlock *block = &s->f->blocks.at[b];
    uint32_t on = HD_IR_NOWHERE;

    if (s->divergent[b] || !s->varying[b])
        return;
    for (uint32_t i = 0; i < block->succ_count; i++)
        if (!s->divergent[block->succ[i]])
            on = block->succ[i];
    for (uint32_t i = 0; i < block->succ_count; i++) {
        uint32_t part = p->part[block->succ[i]];

        if (part != HD_IR_NOWHERE && p->exit[part] == HD_IR_NOWHERE)
            p->exit[part] = on;
    }
}

static void find_exits(const HdShapes *s, HdParts *p)
{
    for (uint32_t r = 0; r < s->g->reachable; r++) {
        uint32_t b = s->g->order[r];
        const HdIrBlock *block = &s->f->blocks.at[b];

        if (p->part[b] == HD_IR_NOWHERE)
            continue;
        for (uint32_t i = 0; i < block->succ_count; i++)
            if (!s->divergent[block->succ[i]])
                p->exit[p->part[b]] = block->succ[i];
    }
    for (uint32_t r = 0; r < s->g->reachable; r++)
        find_exit_of_endless(s, p, s->g->order[r]);
}

HdStatus hd_lanes_parts(const HdShapes *s, HdArena *a, HdParts **out)
{
    size_t blocks = s->f->blocks.count;
    uint32_t *parent, *number;
    HdParts *p;

    HD_TAKE(p, HD_NEW(a, HdParts, 1));
    HD_TAKE(p->part, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(p->next, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(p->skip, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(parent, HD_NEW(a, uint32_t, blocks));
    HD_TAKE(number, HD_NEW(a, uint32_t, blocks));
    for (uint32_t b = 0; b < blocks; b++) {
        parent[b] = b;
        number[b] = p->part[b] = p->next[b] = p->skip[b] = HD_IR_NOWHERE;
    }
    unite_blocks(s, parent);
    for (uint32_t r = 0; r < s->g->reachable; r++) {
        uint32_t b = s->g->order[r];

        if (!s->divergent[b])
            continue;
        if (number[find(parent, b)] == HD_IR_NOWHERE)
            number[find(parent, b)] = p->count++;
        p->part[b] = number[find(parent, b)];
    }
    HD_TAKE(p->common, HD_NEW(a, uint32_t, p->count + 1));
    HD_TAKE(p->exit, HD_NEW(a, uint32_t, p->count + 1));
    for (uint32_t i = 0; i < p->count; i++)
        p->common[i] = p->exit[i] = HD_IR_NOWHERE;
    for (uint32_t r = 0; r < s->g->reachable; r++) {
        uint32_t b = s->g->order[r], part = p->part[b];

        if (part != HD_IR_NOWHERE)
            p->common[part] =
                p->common[part] == HD_IR_NOWHERE ? b : common_dominator(s->g, p->common[part], b);
    }
    find_exits(s, p);
    chain(s, p, number);
    *out = p;
    return HD_OK;
}
