/* module/order.c -- the order in which engines run blocks where lanes part.
 *
 * Strongly connected parts of a graph in topological order, successors in operand order; inside a
 * part, its first block (the one that a depth-first walk in operand order meets first: the header
 * of a loop, and one entry of a part that has several), then the rest ordered the same way with the
 * edges to that first block taken away. So loops are contiguous, nested ones too, what a loop
 * leaves to comes behind it, and graphs that are no nest of loops have an order as well. Work is
 * proportional to edges times nesting depth; nothing recurses.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/cfg.h"
#include "base/array.h"

typedef struct Frame {
    uint32_t v;
    uint32_t next; /* successors left to visit, counted from the last one (meet_all: done) */
} Frame;

typedef struct Part {
    uint32_t first, count; /* range of the order that its blocks take */
} Part;

typedef struct Order {
    uint32_t n;
    const uint32_t *succ_first, *succ;
    uint32_t *part;  /* block → number of the part being ordered that it is in */
    uint32_t *met;   /* when a walk in operand order meets a block */
    uint32_t *index; /* Tarjan: 0 = not visited in this part yet */
    uint32_t *low;
    bool *on_stack;
    uint32_t *stack;
    Frame *frames;
    uint32_t *order;     /* out */
    uint32_t *loop_head; /* out */
} Order;

typedef HD_ARRAY(Part) Parts;

/* Fill o->met. */
static void meet_all(Order *o)
{
    uint32_t depth = 0, clock = 0;

    o->met[0] = ++clock;
    o->frames[depth++] = (Frame){0, 0};
    while (depth != 0) {
        Frame *f = &o->frames[depth - 1];
        uint32_t w;

        if (o->succ_first[f->v] + f->next == o->succ_first[f->v + 1]) {
            depth--;
            continue;
        }
        w = o->succ[o->succ_first[f->v] + f->next++];
        if (o->met[w] == 0) {
            o->met[w] = ++clock;
            o->frames[depth++] = (Frame){w, 0};
        }
    }
}

static void visit(Order *o, uint32_t v, uint32_t *clock, uint32_t *top)
{
    o->index[v] = o->low[v] = ++*clock;
    o->stack[(*top)++] = v;
    o->on_stack[v] = true;
}

/* Order the blocks reachable from `root` inside part `number`, without edges to `head`, into
 * order[end - count .. end). Tarjan finishes parts from the last to the first, so they fill the
 * range backwards. Parts of more than one block, and loops of one, go to `todo`.
 * Returns false without memory; *filled_from is where the range begins. */
static bool order_part(HdArena *a, Order *o, uint32_t root, uint32_t number, uint32_t head,
                       uint32_t end, Parts *todo, uint32_t *filled_from)
{
    uint32_t clock = 0, top = 0, depth = 0, at = end;

    visit(o, root, &clock, &top);
    o->frames[depth++] = (Frame){root, o->succ_first[root + 1] - o->succ_first[root]};
    while (depth != 0) {
        Frame *f = &o->frames[depth - 1];
        uint32_t v = f->v;

        if (f->next != 0) {
            uint32_t w = o->succ[o->succ_first[v] + --f->next];

            if (o->part[w] != number || w == head)
                continue;
            if (o->index[w] == 0) {
                visit(o, w, &clock, &top);
                o->frames[depth++] = (Frame){w, o->succ_first[w + 1] - o->succ_first[w]};
            } else if (o->on_stack[w] && o->index[w] < o->low[v]) {
                o->low[v] = o->index[w];
            }
            continue;
        }
        depth--;
        if (depth != 0 && o->low[v] < o->low[o->frames[depth - 1].v])
            o->low[o->frames[depth - 1].v] = o->low[v];
        if (o->low[v] != o->index[v])
            continue;
        /* v is the first block of a finished part; the others lie above it on the stack. */
        uint32_t size = 0, w, first = at - 1;
        bool self = false;

        do {
            w = o->stack[--top];
            o->on_stack[w] = false;
            o->order[--at] = w;
            if (o->met[w] < o->met[o->order[first]])
                first = at;
            size++;
        } while (w != v);
        w = o->order[at];
        o->order[at] = o->order[first];
        o->order[first] = w;
        for (uint32_t e = o->succ_first[v]; size == 1 && e < o->succ_first[v + 1]; e++)
            self |= o->succ[e] == v && v != head;
        if ((size > 1 || self) && !HD_PUSH(a, todo, ((Part){at, size})))
            return false;
    }
    *filled_from = at;
    return true;
}

/* Order what comes behind a part's first block, which order_part put in front. */
static bool order_inside(HdArena *a, Order *o, Part p, uint32_t number, Parts *todo)
{
    uint32_t head = o->order[p.first], from;

    for (uint32_t i = p.first; i < p.first + p.count; i++) {
        o->part[o->order[i]] = number;
        o->index[o->order[i]] = 0;
        o->loop_head[o->order[i]] = head;
    }
    if (p.count == 1)
        return true;
    /* From the head, without edges back to it, everything in the part is reached; the head comes
     * out as a part of its own, before all others. Its own loop was noted above. */
    return order_part(a, o, head, number, head, p.first + p.count, todo, &from);
}

bool hd_cfg_order(HdArena *a, uint32_t count, const uint32_t *succ_first, const uint32_t *succ,
                  uint32_t *order, uint32_t *rank, uint32_t *loop_head, uint32_t *reachable)
{
    Order o = {.n = count, .succ_first = succ_first, .succ = succ, .loop_head = loop_head};
    Parts todo = {0};
    uint32_t from = 0, number = 1;

    o.part = HD_NEW(a, uint32_t, count);
    o.index = HD_NEW(a, uint32_t, count);
    o.met = HD_NEW(a, uint32_t, count);
    o.low = HD_NEW(a, uint32_t, count);
    o.on_stack = HD_NEW(a, bool, count);
    o.stack = HD_NEW(a, uint32_t, count);
    o.frames = HD_NEW(a, Frame, count);
    o.order = HD_NEW(a, uint32_t, count);
    if (o.part == NULL || o.index == NULL || o.met == NULL || o.low == NULL || o.on_stack == NULL ||
        o.stack == NULL || o.frames == NULL || o.order == NULL)
        return false;
    memset(rank, 0xff, count * sizeof *rank);
    memset(loop_head, 0xff, count * sizeof *loop_head);
    *reachable = 0;
    if (count == 0)
        return true;
    meet_all(&o);
    if (!order_part(a, &o, 0, 0, HD_NO_BLOCK, count, &todo, &from))
        return false;
    while (todo.count != 0) {
        Part p = todo.at[--todo.count];

        if (!order_inside(a, &o, p, number++, &todo))
            return false;
    }
    *reachable = count - from;
    for (uint32_t i = from; i < count; i++) {
        order[i - from] = o.order[i];
        rank[o.order[i]] = i - from;
    }
    return true;
}
