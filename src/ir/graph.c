/* ir/graph.c -- predecessors, dominators, loops and order of a function's blocks.
 *
 * Loops are strongly connected components: the first block of each becomes its head, and the
 * components that remain without edges to the head are the inner loops. That treats irreducible
 * graphs like any other, and makes every loop contiguous in the order. Nothing recurses on the host
 * stack.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/dominators.h"

#define NOWHERE HD_IR_NOWHERE

/* Adjacency: the neighbours of b are list[first[b]] … list[first[b + 1] - 1]. */
typedef struct Edges {
    uint32_t *first, *list;
} Edges;

/* Nodes from `root` in reverse post-order; earlier neighbours come earlier. */
static HdStatus reverse_post_order(HdArena *a, uint32_t count, uint32_t root, const Edges *out,
                                   uint32_t *order, uint32_t *pos, uint32_t *reached)
{
    uint32_t *stack, *next, depth = 0, put = count;

    HD_TAKE(stack, HD_NEW(a, uint32_t, count));
    HD_TAKE(next, HD_NEW(a, uint32_t, count));
    for (uint32_t i = 0; i < count; i++)
        pos[i] = NOWHERE;
    stack[depth++] = root;
    pos[root] = 0;
    next[root] = out->first[root + 1];
    while (depth != 0) {
        uint32_t b = stack[depth - 1];

        if (next[b] > out->first[b]) {
            uint32_t s = out->list[--next[b]];

            if (pos[s] == NOWHERE) {
                pos[s] = 0;
                next[s] = out->first[s + 1];
                stack[depth++] = s;
            }
        } else {
            order[--put] = b;
            depth--;
        }
    }
    *reached = count - put;
    memmove(order, order + put, *reached * sizeof *order);
    for (uint32_t i = 0; i < *reached; i++)
        pos[order[i]] = i;
    return HD_OK;
}

/* Successors, each once. */
static HdStatus collect_succ(const HdIrFunc *f, HdArena *a, Edges *out)
{
    uint32_t count = (uint32_t)f->blocks.count, *seen;
    size_t total = 0;

    for (uint32_t b = 0; b < count; b++)
        total += f->blocks.at[b].succ_count;
    HD_TAKE(out->first, HD_NEW(a, uint32_t, (size_t)count + 2));
    HD_TAKE(out->list, HD_NEW(a, uint32_t, total + 1));
    HD_TAKE(seen, HD_NEW(a, uint32_t, (size_t)count + 1));
    total = 0;
    for (uint32_t b = 0; b < count; b++) {
        const HdIrBlock *block = &f->blocks.at[b];

        out->first[b] = (uint32_t)total;
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t s = block->succ[i];

            if (s >= count)
                return HD_BUG;
            if (seen[s] == b + 1)
                continue;
            seen[s] = b + 1;
            out->list[total++] = s;
        }
    }
    out->first[count] = (uint32_t)total;
    return HD_OK;
}

/* Reverse every edge. */
static HdStatus invert(HdArena *a, uint32_t count, const Edges *from, Edges *to)
{
    uint32_t total = from->first[count];

    HD_TAKE(to->first, HD_NEW(a, uint32_t, (size_t)count + 2));
    HD_TAKE(to->list, HD_NEW(a, uint32_t, (size_t)total + 1));
    for (uint32_t e = 0; e < total; e++)
        to->first[from->list[e] + 2]++;
    for (uint32_t b = 1; b <= count; b++)
        to->first[b + 1] += to->first[b];
    /* first[b + 1] is where b's list is filled, and ends up as its end */
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t e = from->first[b]; e < from->first[b + 1]; e++)
            to->list[to->first[from->list[e] + 1]++] = b;
    return HD_OK;
}

/* Which blocks a way leads out of to the end of the function. */
static HdStatus find_ends(HdArena *a, uint32_t count, const Edges *succ, const Edges *pred,
                          bool **ends)
{
    uint32_t *stack, depth = 0;

    HD_TAKE(*ends, HD_NEW(a, bool, (size_t)count + 1));
    HD_TAKE(stack, HD_NEW(a, uint32_t, (size_t)count + 1));
    for (uint32_t b = 0; b < count; b++)
        if (succ->first[b] == succ->first[b + 1]) {
            (*ends)[b] = true;
            stack[depth++] = b;
        }
    while (depth != 0) {
        uint32_t b = stack[--depth];

        for (uint32_t e = pred->first[b]; e < pred->first[b + 1]; e++)
            if (!(*ends)[pred->list[e]]) {
                (*ends)[pred->list[e]] = true;
                stack[depth++] = pred->list[e];
            }
    }
    return HD_OK;
}

/* Post-dominators: dominators of the reversed graph with one virtual exit, node `count`. Blocks of
 * endless loops lead there as well: what follows a branch to one does not post-dominate it. */
static HdStatus find_postdominators(HdArena *a, uint32_t count, const Edges *succ,
                                    const Edges *pred, uint32_t *ipdom)
{
    uint32_t total = succ->first[count], *idom, put = 0;
    HdDominators back = {.count = count + 1};
    Edges in, out;
    bool *ends;

    HD_TRY(find_ends(a, count, succ, pred, &ends));
    HD_TAKE(in.first, HD_NEW(a, uint32_t, (size_t)count + 2));
    HD_TAKE(in.list, HD_NEW(a, uint32_t, (size_t)total + count + 1));
    HD_TAKE(idom, HD_NEW(a, uint32_t, (size_t)count + 1));
    for (uint32_t b = 0; b < count; b++) {
        in.first[b] = put;
        for (uint32_t e = succ->first[b]; e < succ->first[b + 1]; e++)
            in.list[put++] = succ->list[e];
        if (put == in.first[b] || !ends[b])
            in.list[put++] = count;
    }
    in.first[count] = in.first[count + 1] = put;
    HD_TRY(invert(a, count + 1, &in, &out));
    back.succ_first = out.first;
    back.succ = out.list;
    back.pred_first = in.first;
    back.pred = in.list;
    if (!hd_dominators_find(a, &back, count, idom))
        return HD_NO_MEMORY;
    for (uint32_t b = 0; b < count; b++)
        ipdom[b] = idom[b] == count ? NOWHERE : idom[b];
    return HD_OK;
}

/* Number the dominator tree so that a subtree is an interval. */
static HdStatus number_tree(HdArena *a, HdIrGraph *g, const uint32_t *order)
{
    uint32_t n = g->count, *child, *sibling, *stack, depth = 0, clock = 0;

    HD_TAKE(child, HD_NEW(a, uint32_t, n));
    HD_TAKE(sibling, HD_NEW(a, uint32_t, n));
    HD_TAKE(stack, HD_NEW(a, uint32_t, n));
    for (uint32_t b = 0; b < n; b++) {
        child[b] = sibling[b] = NOWHERE;
        g->dom_in[b] = UINT32_MAX; /* unreachable: dominated by all, dominates none */
        g->dom_out[b] = 0;
    }
    for (uint32_t i = g->reachable; i-- > 1;) {
        uint32_t b = order[i];

        sibling[b] = child[g->idom[b]];
        child[g->idom[b]] = b;
    }
    stack[depth++] = 0;
    g->dom_in[0] = clock++;
    while (depth != 0) {
        uint32_t b = stack[depth - 1], c = child[b];

        if (c != NOWHERE) {
            child[b] = sibling[c];
            g->dom_in[c] = clock++;
            stack[depth++] = c;
        } else {
            g->dom_out[b] = clock;
            depth--;
        }
    }
    return HD_OK;
}

/* A strongly connected part, or a single block, on its way into the order. */
typedef struct Part {
    uint32_t rank, pos; /* sort keys: of its first block */
    uint32_t head, first, count;
    uint32_t parent;
    bool loop;
} Part;

typedef HD_ARRAY(Part) Parts;

typedef struct Order {
    HdArena *arena;
    HdIrGraph *g;
    const Edges *succ;
    const uint32_t *pos;  /* in reverse post-order */
    const uint32_t *keys; /* rank of each block, or the same as pos */
    uint32_t *region;     /* which part of the graph a block belongs to just now */
    uint32_t regions;
    uint32_t *index, *low, *edge, *stack, *path;
    uint32_t *mark; /* number of the part that a block was last found in */
    uint32_t marks;
    uint32_t *pool;    /* all blocks; a part is a slice, split in place */
    uint32_t *rest;    /* blocks of the region being split */
    uint32_t *part_of; /* number, in its region, of the part that a block is in */
    uint32_t pooled;
    Parts parts; /* still to be ordered, the first one on top */
    HD_ARRAY(struct HdIrLoop) loops;
    uint32_t placed;
} Order;

static int compare_parts(const void *x, const void *y)
{
    const Part *a = x, *b = y;

    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return a->pos > b->pos ? -1 : a->pos < b->pos;
}

static bool before(const Order *o, uint32_t x, uint32_t y)
{
    return o->keys[x] != o->keys[y] ? o->keys[x] < o->keys[y] : o->pos[x] < o->pos[y];
}

/* Does an edge from outside the part lead to this block of it? */
static bool is_entered(const Order *o, uint32_t b)
{
    for (uint32_t e = o->g->pred_first[b]; e < o->g->pred_first[b + 1]; e++) {
        uint32_t from = o->g->pred[e];

        if (o->pos[from] != NOWHERE && o->mark[from] != o->mark[b])
            return true;
    }
    return o->g->pred_first[b] == o->g->pred_first[b + 1];
}

/* Pop the part that `b` closes from the stack and keep it. Its head is the first of the blocks that
 * it is entered at: a block inside may have a smaller rank since passes removed the edge to it. */
static HdStatus keep_part(Order *o, uint32_t b, uint32_t *top, uint32_t parent)
{
    Part p = {.head = NOWHERE, .first = o->pooled, .parent = parent};
    uint32_t member;

    o->marks++;
    do {
        member = o->stack[--*top];
        o->low[member] = NOWHERE; /* done */
        o->mark[member] = o->marks;
        o->pool[o->pooled++] = member;
    } while (member != b);
    p.count = o->pooled - p.first;
    for (uint32_t i = 0; i < p.count; i++) {
        member = o->pool[p.first + i];
        if (is_entered(o, member) && (p.head == NOWHERE || before(o, member, p.head)))
            p.head = member;
    }
    if (p.head == NOWHERE)
        return HD_BUG; /* blocks that nothing reaches are not ordered */
    p.rank = o->keys[p.head];
    p.pos = o->pos[p.head];
    p.loop = p.count > 1;
    for (uint32_t e = o->succ->first[b]; !p.loop && e < o->succ->first[b + 1]; e++)
        p.loop = o->succ->list[e] == b;
    HD_TRY_PUSH(o->arena, &o->parts, p);
    return HD_OK;
}

/* Tarjan's strongly connected parts among the blocks of one region, reachable from `b`. */
static HdStatus find_parts(Order *o, uint32_t b, uint32_t region, uint32_t parent, uint32_t *clock)
{
    uint32_t depth = 0, top = 0;

    o->path[depth++] = b;
    o->index[b] = o->low[b] = (*clock)++;
    o->edge[b] = o->succ->first[b];
    o->stack[top++] = b;
    while (depth != 0) {
        b = o->path[depth - 1];
        if (o->edge[b] < o->succ->first[b + 1]) {
            uint32_t s = o->succ->list[o->edge[b]++];

            if (o->region[s] != region)
                continue;
            if (o->index[s] == NOWHERE) {
                o->path[depth++] = s;
                o->index[s] = o->low[s] = (*clock)++;
                o->edge[s] = o->succ->first[s];
                o->stack[top++] = s;
            } else if (o->low[s] != NOWHERE && o->index[s] < o->low[b]) {
                o->low[b] = o->index[s];
            }
            continue;
        }
        depth--;
        if (depth != 0 && o->low[b] < o->low[o->path[depth - 1]])
            o->low[o->path[depth - 1]] = o->low[b];
        if (o->low[b] == o->index[b])
            HD_TRY(keep_part(o, b, &top, parent));
    }
    return HD_OK;
}

/* A heap of parts, by compare_parts: the one to be ordered first on top. */
typedef struct Ready {
    const Part *parts;
    uint32_t *at, count;
} Ready;

static bool goes_first(const Ready *h, uint32_t x, uint32_t y)
{
    return compare_parts(&h->parts[h->at[x]], &h->parts[h->at[y]]) > 0;
}

static void swap(Ready *h, uint32_t x, uint32_t y)
{
    uint32_t kept = h->at[x];

    h->at[x] = h->at[y];
    h->at[y] = kept;
}

static void push_ready(Ready *h, uint32_t part)
{
    uint32_t i = h->count++;

    h->at[i] = part;
    for (; i != 0 && goes_first(h, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(h, i, (i - 1) / 2);
}

static uint32_t pop_ready(Ready *h)
{
    uint32_t top = h->at[0];

    h->at[0] = h->at[--h->count];
    for (uint32_t i = 0, child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && goes_first(h, child + 1, child))
            child++;
        if (!goes_first(h, child, i))
            break;
        swap(h, i, child);
    }
    return top;
}

/* Does edge e of block b lead to another part of the region? */
static bool part_edge(const Order *o, const uint32_t *part_of, uint32_t region, uint32_t b,
                      uint32_t e, uint32_t *to)
{
    uint32_t s = o->succ->list[e];

    if (o->region[s] != region || part_of[s] == part_of[b])
        return false;
    *to = part_of[s];
    return true;
}

/* Passes remove edges, so that a loop's blocks may be left in an order that was only right inside
 * the loop: follow the ranks only as far as every component comes after its predecessors. */
static HdStatus sort_topologically(Order *o, Part *parts, uint32_t count, uint32_t region)
{
    Ready ready = {.parts = parts};
    uint32_t *part_of = o->part_of, *waits, to;
    bool sorted = true;
    Part *out;

    HD_TAKE(waits, HD_NEW(o->arena, uint32_t, count));
    HD_TAKE(ready.at, HD_NEW(o->arena, uint32_t, count));
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = 0; i < parts[p].count; i++)
            part_of[o->pool[parts[p].first + i]] = p;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = 0; i < parts[p].count; i++) {
            uint32_t b = o->pool[parts[p].first + i];

            for (uint32_t e = o->succ->first[b]; e < o->succ->first[b + 1]; e++)
                if (part_edge(o, part_of, region, b, e, &to)) {
                    waits[to]++;
                    sorted = sorted && to < p; /* the list is last to first */
                }
        }
    if (sorted)
        return HD_OK;
    HD_TAKE(out, HD_NEW(o->arena, Part, count));
    for (uint32_t p = 0; p < count; p++)
        if (waits[p] == 0)
            push_ready(&ready, p);
    for (uint32_t left = count; ready.count != 0;) {
        const Part *p = &parts[pop_ready(&ready)];

        out[--left] = *p;
        for (uint32_t i = 0; i < p->count; i++) {
            uint32_t b = o->pool[p->first + i];

            for (uint32_t e = o->succ->first[b]; e < o->succ->first[b + 1]; e++)
                if (part_edge(o, part_of, region, b, e, &to) && --waits[to] == 0)
                    push_ready(&ready, to);
        }
    }
    memcpy(parts, out, count * sizeof *parts);
    return HD_OK;
}

/* Split the blocks in o->rest into parts, which fill the pool from `first` on, and put these on the
 * list, first one last. */
static HdStatus split_region(Order *o, uint32_t first, uint32_t count, uint32_t parent)
{
    uint32_t region = ++o->regions, clock = 0;
    size_t listed = o->parts.count;

    for (uint32_t i = 0; i < count; i++) {
        o->region[o->rest[i]] = region;
        o->index[o->rest[i]] = NOWHERE;
    }
    o->pooled = first;
    for (uint32_t i = 0; i < count; i++)
        if (o->index[o->rest[i]] == NOWHERE)
            HD_TRY(find_parts(o, o->rest[i], region, parent, &clock));
    qsort(o->parts.at + listed, o->parts.count - listed, sizeof(Part), compare_parts);
    return sort_topologically(o, o->parts.at + listed, (uint32_t)(o->parts.count - listed), region);
}

static void place(Order *o, uint32_t b, uint32_t loop)
{
    o->g->rank[b] = o->placed;
    o->g->order[o->placed++] = b;
    o->g->loop[b] = loop;
}

/* Order one part: its head, then what is left of it. */
static HdStatus place_part(Order *o, Part p)
{
    struct HdIrLoop loop = {.head = p.head, .parent = p.parent, .first = o->placed};
    uint32_t number = (uint32_t)o->loops.count, left = 0;

    if (!p.loop) {
        place(o, p.head, p.parent);
        return HD_OK;
    }
    loop.last = loop.first + p.count - 1;
    HD_TRY_PUSH(o->arena, &o->loops, loop);
    place(o, p.head, number);
    o->region[p.head] = 0;
    for (uint32_t i = 0; i < p.count; i++)
        if (o->pool[p.first + i] != p.head)
            o->rest[left++] = o->pool[p.first + i];
    return split_region(o, p.first, left, number);
}

/* Are all loops entered at their heads? */
static void mark_irreducible(HdIrGraph *g)
{
    for (uint32_t i = 0; i < g->reachable; i++) {
        uint32_t b = g->order[i];

        for (uint32_t e = g->pred_first[b]; e < g->pred_first[b + 1]; e++) {
            uint32_t from = g->rank[g->pred[e]];

            if (from == NOWHERE)
                continue;
            for (uint32_t l = g->loop[b]; l != NOWHERE; l = g->loops[l].parent) {
                if (from >= g->loops[l].first && from <= g->loops[l].last)
                    break;
                if (g->loops[l].head != b)
                    g->loops[l].irreducible = true;
            }
        }
    }
}

static HdStatus find_order(const HdIrFunc *f, HdArena *a, HdIrGraph *g, const Edges *succ,
                           const uint32_t *rpo, const uint32_t *pos)
{
    Order o = {.arena = a, .g = g, .succ = succ, .pos = pos};
    uint32_t n = g->count, *keys;
    bool ranked = true;

    HD_TAKE(keys, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.region, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.index, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.low, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.edge, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.stack, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.path, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.mark, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.pool, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.rest, HD_NEW(a, uint32_t, n));
    HD_TAKE(o.part_of, HD_NEW(a, uint32_t, n));
    for (uint32_t i = 1; i < g->reachable; i++) /* the entry is first whatever its rank */
        ranked = ranked && f->blocks.at[rpo[i]].rank != NOWHERE;
    for (uint32_t b = 1; b < n; b++)
        keys[b] = ranked ? f->blocks.at[b].rank : pos[b];
    o.keys = keys;
    memcpy(o.rest, rpo, g->reachable * sizeof *rpo);
    HD_TRY(split_region(&o, 0, g->reachable, NOWHERE));
    while (o.parts.count != 0)
        HD_TRY(place_part(&o, o.parts.at[--o.parts.count]));
    g->loops = o.loops.at;
    g->loop_count = (uint32_t)o.loops.count;
    mark_irreducible(g);
    return HD_OK;
}

HdStatus hd_ir_graph(const HdIrFunc *f, HdArena *a, HdIrGraph **out)
{
    uint32_t n = (uint32_t)f->blocks.count, *rpo, *pos;
    HdDominators forward;
    HdIrGraph *g;
    Edges succ, pred;

    HD_TAKE(g, HD_NEW(a, HdIrGraph, 1));
    g->count = n;
    HD_TAKE(g->idom, HD_NEW(a, uint32_t, n));
    HD_TAKE(g->ipdom, HD_NEW(a, uint32_t, n));
    HD_TAKE(g->order, HD_NEW(a, uint32_t, n));
    HD_TAKE(g->rank, HD_NEW(a, uint32_t, n));
    HD_TAKE(g->dom_in, HD_NEW(a, uint32_t, n));
    HD_TAKE(g->dom_out, HD_NEW(a, uint32_t, n));
    HD_TAKE(g->loop, HD_NEW(a, uint32_t, n));
    HD_TAKE(rpo, HD_NEW(a, uint32_t, n));
    HD_TAKE(pos, HD_NEW(a, uint32_t, n));
    for (uint32_t b = 0; b < n; b++)
        g->rank[b] = g->loop[b] = NOWHERE;
    HD_TRY(collect_succ(f, a, &succ));
    HD_TRY(invert(a, n, &succ, &pred));
    g->pred_first = pred.first;
    g->pred = pred.list;
    HD_TRY(reverse_post_order(a, n, 0, &succ, rpo, pos, &g->reachable));
    forward = (HdDominators){.count = n,
                             .succ_first = succ.first,
                             .succ = succ.list,
                             .pred_first = pred.first,
                             .pred = pred.list};
    if (!hd_dominators_find(a, &forward, 0, g->idom))
        return HD_NO_MEMORY;
    HD_TRY(find_postdominators(a, n, &succ, &pred, g->ipdom));
    HD_TRY(number_tree(a, g, rpo));
    HD_TRY(find_order(f, a, g, &succ, rpo, pos));
    *out = g;
    return HD_OK;
}

bool *hd_ir_in_loops(const HdIrFunc *f, HdArena *a)
{
    bool *in_loop = HD_NEW(a, bool, f->blocks.count);
    HdIrGraph *g = NULL;

    if (in_loop == NULL || hd_ir_graph(f, a, &g) != HD_OK)
        return NULL;
    for (size_t b = 0; b < f->blocks.count; b++)
        in_loop[b] = g->loop[b] != NOWHERE;
    return in_loop;
}

uint64_t hd_ir_slot_ways(const HdIrFunc *f, HdArena *scratch)
{
    uint32_t *ways = HD_NEW(scratch, uint32_t, f->blocks.count + 1), most = 0;
    uint64_t slots = 0;

    for (size_t b = 0; ways != NULL && b < f->blocks.count; b++)
        for (uint32_t k = 0; k < f->blocks.at[b].succ_count; k++)
            if (++ways[f->blocks.at[b].succ[k]] > most)
                most = ways[f->blocks.at[b].succ[k]];
    for (size_t i = 0; f->blocks.count != 0 && i < f->blocks.at[0].insts.count; i++)
        slots += f->insts.at[f->blocks.at[0].insts.at[i]].op == HD_IR_SLOT;
    return slots * most;
}
