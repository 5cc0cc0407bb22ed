/* module/order.c -- the order in which engines run blocks where lanes diverge.
 *
 * Strongly connected parts of a graph in topological order, successors in operand order; inside a
 * part, its head (the block that a depth-first walk in operand order meets first: the header of a
 * loop, and one entry of a part that has several), then the rest ordered the same way with the
 * edges to the head taken away. So loops are contiguous, nested ones too, what a loop leaves to
 * comes after it, and graphs that are no nest of loops have an order as well.
 *
 * The nest of parts is found from the inside to the outside: each block, from the one that was met
 * last, takes in what reaches it by blocks met later, and what was taken in counts as one from then
 * on (Tarjan; Ramalingam, "Identifying loops in almost linear time"). The order in a part is that
 * in which a walk from its head, in the opposite order of operands, finishes. Where a part is
 * entered at its head, as loops are, the walk around it has done its blocks in that order already;
 * only a part that is entered elsewhere is walked again. So work is nearly proportional to edges,
 * times the depth in which parts with several entries are nested. Nothing recurses.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/cfg.h"

typedef struct Frame {
    uint32_t v;
    uint32_t next; /* meet_all: successors done; walk: successors left, counted from the last one */
} Frame;

/* An element of a part is a block in it that no part inside has, or the head of a part in it, for
 * all of that one. Arrays are indexed by block, but where another thing is named. */
typedef struct Order {
    const uint32_t *succ_first, *succ;
    uint32_t reached;
    uint32_t *met;    /* when the walk in operand order met a block, from 1 on; 0: never */
    uint32_t *by_met; /* the other way about, from 0 on */
    uint32_t *up;     /* head of the part that this is an element of; HD_NO_BLOCK: of none */
    bool *is_head;
    uint32_t *size;   /* blocks of the element */
    uint32_t *place;  /* in `laid`, where parts are contiguous and begin with their head */
    uint32_t *laid;   /* place → block */
    uint32_t *seen;   /* when the last walk met a block, from 1 on; 0: not yet */
    uint32_t *done;   /* blocks in the order in which the last walk finished them */
    uint32_t *first;  /* of an element: the block of it that the last walk met first */
    uint32_t *sorts;  /* the element that comes where the walk finished this block; HD_NO_BLOCK */
    uint32_t *inside; /* first element of the part that this heads, in their order */
    uint32_t *after;  /* the next element */
    uint32_t outside; /* the first element of all */
    uint32_t *again;  /* heads of parts to walk again, a stack */
    Frame *frames;
} Order;

/* Room that only the search for parts needs. */
typedef struct Nest {
    uint32_t *root;  /* union-find. First: the lowest block above in the tree of the walk whose
                        successors are not done; then: the head that took the block in last */
    uint32_t *from;  /* edge → its block */
    uint32_t *next;  /* edge → the next in its list */
    uint32_t *edges; /* lists of edges: those that matter from this block on, which is the lowest
                        one above both their ends; HD_NO_BLOCK ends a list */
    uint32_t *into;  /* lists of edges: into what this has taken in, from what it has not */
    uint32_t *work;  /* a stack */
} Nest;

static uint32_t find(uint32_t *root, uint32_t v)
{
    while (root[v] != v) {
        root[v] = root[root[v]];
        v = root[v];
    }
    return v;
}

static void prepend(uint32_t *list, uint32_t *next, uint32_t edge)
{
    next[edge] = *list;
    *list = edge;
}

/* ---- the nest of parts --------------------------------------------------------------------- */

/* Number the blocks in the order of a walk and give each edge to the lowest block above its ends.
 */
static void meet_all(Order *o, Nest *n)
{
    uint32_t depth = 0, clock = 0;

    o->met[0] = ++clock;
    o->by_met[0] = 0;
    o->frames[depth++] = (Frame){0, 0};
    while (depth != 0) {
        Frame *f = &o->frames[depth - 1];
        uint32_t v = f->v, e = o->succ_first[v] + f->next++, w;

        if (e == o->succ_first[v + 1]) {
            if (--depth != 0)
                n->root[v] = o->frames[depth - 1].v;
            continue;
        }
        w = o->succ[e];
        n->from[e] = v;
        prepend(&n->edges[o->met[w] == 0 ? v : find(n->root, w)], n->next, e);
        if (o->met[w] == 0) {
            o->by_met[clock] = w;
            o->met[w] = ++clock;
            o->frames[depth++] = (Frame){w, 0};
        }
    }
    o->reached = clock;
}

/* Take into the part of `head` what an edge begins at. */
static void take_in(Order *o, Nest *n, uint32_t head, uint32_t edge, uint32_t *top)
{
    uint32_t v = find(n->root, n->from[edge]);

    if (v == head)
        return;
    o->up[v] = head;
    n->root[v] = head;
    n->work[(*top)++] = v;
}

/* All parts. Whoever reaches a block by blocks that were met after it lies below it in the tree of
 * the walk, and so do all edges of such a path. */
static void find_parts(Order *o, Nest *n)
{
    for (uint32_t v = 0; v < o->reached; v++)
        n->root[o->by_met[v]] = o->by_met[v];
    for (uint32_t i = o->reached; i-- > 0;) {
        uint32_t head = o->by_met[i], back = HD_NO_BLOCK, top = 0, next;

        for (uint32_t e = n->edges[head]; e != HD_NO_BLOCK; e = next) {
            next = n->next[e];
            prepend(o->succ[e] == head ? &back : &n->into[find(n->root, o->succ[e])], n->next, e);
        }
        o->is_head[head] = back != HD_NO_BLOCK;
        for (; back != HD_NO_BLOCK; back = n->next[back])
            take_in(o, n, head, back, &top);
        while (top != 0) {
            uint32_t v = n->work[--top];

            for (uint32_t e = n->into[v]; e != HD_NO_BLOCK; e = n->next[e])
                take_in(o, n, head, e, &top);
        }
    }
}

/* Give each part a range of places. */
static void lay_out(Order *o)
{
    uint32_t outside = 0;

    for (uint32_t i = o->reached; i-- > 0;) {
        uint32_t v = o->by_met[i];

        o->size[v]++;
        if (o->up[v] != HD_NO_BLOCK)
            o->size[o->up[v]] += o->size[v];
    }
    for (uint32_t i = 0; i < o->reached; i++) {
        uint32_t v = o->by_met[i], *at = &outside;

        if (o->up[v] != HD_NO_BLOCK)
            at = &o->first[o->up[v]]; /* not needed yet for what it is there for */
        o->place[v] = *at;
        o->laid[*at] = v;
        *at += o->size[v];
        o->first[v] = o->place[v] + 1;
    }
}

/* ---- the order in them --------------------------------------------------------------------- */

/* Walk `count` blocks from place `from` on, beginning at `root`: fill seen and done. */
static void walk(Order *o, uint32_t root, uint32_t from, uint32_t count)
{
    uint32_t depth = 0, clock = 0, done = 0;

    for (uint32_t i = from; i < from + count; i++)
        o->seen[o->laid[i]] = 0;
    o->seen[root] = ++clock;
    o->frames[depth++] = (Frame){root, o->succ_first[root + 1] - o->succ_first[root]};
    while (depth != 0) {
        Frame *f = &o->frames[depth - 1];
        uint32_t w;

        if (f->next == 0) {
            o->done[done++] = f->v;
            depth--;
            continue;
        }
        w = o->succ[o->succ_first[f->v] + --f->next];
        if (o->place[w] - from >= count || o->seen[w] != 0)
            continue;
        o->seen[w] = ++clock;
        o->frames[depth++] = (Frame){w, o->succ_first[w + 1] - o->succ_first[w]};
    }
}

/* Which block of each element the walk met first. */
static void find_first(Order *o, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        o->first[o->laid[i]] = o->laid[i];
    for (uint32_t i = end; i-- > from;) {
        uint32_t v = o->laid[i], up = o->up[v];

        if (i != from && up != HD_NO_BLOCK && o->seen[o->first[v]] < o->seen[o->first[up]])
            o->first[up] = o->first[v];
    }
}

/* Order the elements at places from `from` on, and those of the parts inside, as far as the last
 * walk, of `count` blocks, has entered parts at their head. An element is finished when the block
 * of it is that was met first. */
static void sort(Order *o, uint32_t from, uint32_t end, uint32_t count, uint32_t *todo)
{
    for (uint32_t i = from; i < end;) {
        uint32_t v = o->laid[i];

        o->sorts[o->first[v]] = v;
        if (o->first[v] == v) {
            i++;
        } else {
            o->again[(*todo)++] = v;
            i += o->size[v];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = o->sorts[o->done[i]], *list;

        o->sorts[o->done[i]] = HD_NO_BLOCK;
        if (v == HD_NO_BLOCK)
            continue;
        list = o->up[v] == HD_NO_BLOCK ? &o->outside : &o->inside[o->up[v]];
        o->after[v] = *list;
        *list = v;
    }
}

static void sort_all(Order *o)
{
    uint32_t todo = 0;

    walk(o, 0, 0, o->reached);
    find_first(o, 0, o->reached);
    sort(o, 0, o->reached, o->reached, &todo);
    while (todo != 0) {
        uint32_t head = o->again[--todo], from = o->place[head], end = from + o->size[head];

        walk(o, head, from, end - from);
        find_first(o, from, end);
        sort(o, from + 1, end, end - from, &todo);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool make_room(HdArena *a, uint32_t count, Order *o, Nest *n)
{
    uint32_t **zeros[] = {&o->met, &o->by_met, &o->size, &o->place, &o->laid, &o->first};
    uint32_t **none[] = {&o->up, &n->edges, &n->into, &n->work};
    uint32_t edges = o->succ_first[count];

    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        if ((*zeros[i] = HD_NEW(a, uint32_t, count)) == NULL)
            return false;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if ((*none[i] = hd_arena_take(a, count * sizeof **none[i])) == NULL)
            return false;
        memset(*none[i], 0xff, count * sizeof **none[i]);
    }
    n->root = hd_arena_take(a, count * sizeof *n->root);
    for (uint32_t v = 0; n->root != NULL && v < count; v++)
        n->root[v] = v;
    o->is_head = HD_NEW(a, bool, count);
    o->frames = HD_NEW(a, Frame, count);
    n->from = HD_NEW(a, uint32_t, (size_t)edges + 1);
    n->next = HD_NEW(a, uint32_t, (size_t)edges + 1);
    return n->root != NULL && o->is_head != NULL && o->frames != NULL && n->from != NULL &&
           n->next != NULL;
}

/* What the parts were found with is room for their order. */
static void use_again(Order *o, const Nest *n, uint32_t count)
{
    o->seen = n->root;
    o->done = n->edges;
    o->again = n->work;
    o->sorts = n->into;
    o->inside = o->met;
    o->after = o->by_met;
    memset(o->sorts, 0xff, count * sizeof *o->sorts);
    memset(o->inside, 0xff, count * sizeof *o->inside);
}

static void order_all(Order *o, Nest *n, uint32_t count, uint32_t *order, uint32_t *rank,
                      uint32_t *loop_head)
{
    uint32_t at = 0;

    meet_all(o, n);
    find_parts(o, n);
    lay_out(o);
    use_again(o, n, count);
    sort_all(o);
    for (uint32_t v = o->outside; v != HD_NO_BLOCK;) {
        order[at] = v;
        rank[v] = at++;
        loop_head[v] = o->is_head[v] ? v : o->up[v];
        if (o->inside[v] != HD_NO_BLOCK) {
            v = o->inside[v];
            continue;
        }
        while (v != HD_NO_BLOCK && o->after[v] == HD_NO_BLOCK)
            v = o->up[v];
        if (v != HD_NO_BLOCK)
            v = o->after[v];
    }
}

bool hd_cfg_order(uint32_t count, const uint32_t *succ_first, const uint32_t *succ, uint32_t *order,
                  uint32_t *rank, uint32_t *loop_head, uint32_t *reachable)
{
    Order o = {.succ_first = succ_first, .succ = succ, .outside = HD_NO_BLOCK};
    HdArena *scratch;
    Nest n = {0};
    bool fits;

    memset(rank, 0xff, count * sizeof *rank);
    memset(loop_head, 0xff, count * sizeof *loop_head);
    *reachable = 0;
    if (count == 0)
        return true;
    scratch = hd_arena_open();
    fits = scratch != NULL && make_room(scratch, count, &o, &n);
    if (fits)
        order_all(&o, &n, count, order, rank, loop_head);
    *reachable = o.reached;
    hd_arena_drop(scratch);
    return fits;
}
