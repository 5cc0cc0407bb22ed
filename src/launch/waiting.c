/* launch/waiting.c -- work-groups of a launch that wait for others of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/waiting.h"

#include <sched.h>

#include "base/clock.h"
#include "base/memory.h"

/* Turns of its sub-groups after which a group waits for others, if none of the thread does yet: a
 * millisecond or so. A neighbour's group on another thread stores its flag sooner. */
#define FIRST_TURNS 4096u

void hd_waiting_open(HdWaiting *t, HdRtWorker *own, const HdWaitingHow *how)
{
    *t = (HdWaiting){.how = how, .free = &t->own};
    t->own.worker = own;
}

static void put(HdWaitingGroup **list, HdWaitingGroup *g)
{
    g->next = *list;
    *list = g;
}

static HdWaitingGroup *take(HdWaitingGroup **list)
{
    HdWaitingGroup *g = *list;

    *list = g->next;
    return g;
}

/* Room for one more group. */
static bool add(HdWaiting *t)
{
    HdWaitingGroup *g;

    if (t->is_full || t->bytes >= t->how->most_bytes || t->stacks >= t->how->most_stacks)
        return false;
    g = hd_alloc(sizeof *g);
    if (g != NULL)
        g->worker = t->how->make(t->how->user);
    if (g == NULL || g->worker == NULL) {
        hd_free(g);
        t->is_full = true;
        return false;
    }
    g->bytes = 0;
    t->stacks += g->worker->stacks.count;
    put(&t->free, g);
    return true;
}

bool hd_waiting_may_begin(HdWaiting *t)
{
    return t->count == 0 || (t->may_more != 0 && (t->free != NULL || add(t)));
}

/* A group has been left. */
static void see_to(HdWaiting *t, HdWaitingGroup *g, bool is_at_end)
{
    t->bytes -= g->bytes;
    g->bytes = 0;
    if (is_at_end) {
        if (g->worker->failure.status != HD_OK)
            t->failed = g->worker;
        put(&t->free, g);
        return;
    }
    g->bytes = hd_rt_group_bytes(g->worker);
    t->bytes += g->bytes;
    t->count++;
    put(&t->first, g);
}

void hd_waiting_begin(HdWaiting *t, const HdRtGroup *g)
{
    HdWaitingGroup *at = take(&t->free);
    bool is_first = t->count == 0;

    at->group = *g;
    at->worker->most_turns = is_first ? FIRST_TURNS : g->subgroups;
    if (!is_first)
        t->may_more--;
    see_to(t, at, t->how->run(t->how->user, at->worker, &at->group));
    if (is_first && t->count != 0)
        t->since_ns = hd_clock_ns();
}

/* `before` groups have had a turn. */
static void judge(HdWaiting *t, uint32_t before)
{
    uint64_t now = hd_clock_ns();

    if (t->count < before) {
        t->may_more += before - t->count;
        t->since_ns = now;
        return;
    }
    if (now - t->since_ns >= t->how->patience_ns) {
        t->may_more = t->count;
        t->since_ns = now;
    }
    sched_yield(); /* it may be up to other threads, or to the host's */
}

/* The order is the other one each time: of groups that wait for the one before them, or after them,
 * many get ahead in one of two rounds. */
void hd_waiting_turns(HdWaiting *t)
{
    HdWaitingGroup *left = t->first;
    uint32_t before = t->count;

    t->first = NULL;
    t->count = 0;
    while (left != NULL) {
        HdWaitingGroup *g = take(&left);

        g->worker->most_turns = g->group.subgroups;
        see_to(t, g, hd_rt_group_continue(g->worker));
    }
    judge(t, before);
}

static void drop(HdWaiting *t, HdWaitingGroup *list)
{
    while (list != NULL) {
        HdWaitingGroup *g = take(&list);

        if (g == &t->own)
            continue;
        hd_rt_worker_close(g->worker);
        hd_free(g->worker);
        hd_free(g);
    }
}

void hd_waiting_close(HdWaiting *t)
{
    drop(t, t->first);
    drop(t, t->free);
}
