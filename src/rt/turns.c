/* rt/turns.c -- sub-groups that are a fiber each and run in turn: barriers, waiting, ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/group.h"

#include <stdarg.h>
#include <stdio.h>

void hd_rt_fail(HdRtGroup *g, HdStatus st, const char *rule, const char *fmt, ...)
{
    HdRtWorker *w = g->worker;
    va_list more;

    w->failure.status = st;
    w->failure.rule = rule;
    va_start(more, fmt);
    vsnprintf(w->failure.why, sizeof w->failure.why, fmt, more);
    va_end(more);
    hd_rt_fiber_finish(&w->stacks.fibers[w->takes_turns ? w->stack : g->current], &w->home);
}

static bool is_ready(const HdRtWorker *w, uint32_t i)
{
    const HdRtSubgroup *s = &w->subgroups[i];

    return !s->is_done && s->waits_for <= w->phase &&
           (s->stands_at == NULL || s->stands_at->phase != s->stands_in);
}

/* The next sub-group after `from`, in turn, that can continue; `from` itself comes last. */
static uint32_t next_ready(const HdRtWorker *w, uint32_t from)
{
    uint32_t n = w->group->subgroups, i = from;

    do {
        i = i + 1 < n ? i + 1 : 0;
        if (is_ready(w, i))
            return i;
    } while (i != from);
    hd_rt_fail(w->group, HD_UNSUPPORTED, "launch.deadlock",
               "%u sub-groups wait at barriers that no other one will reach", (unsigned)w->alive);
}

static void open_if_all_wait(HdRtWorker *w)
{
    if (w->waiting == w->alive) {
        w->waiting = 0;
        w->phase++;
    }
}

uint32_t hd_rt_next(HdRtWorker *w, uint32_t ended)
{
    open_if_all_wait(w);
    return next_ready(w, ended);
}

static void go_on(HdRtWorker *w, uint32_t from)
{
    uint32_t to = next_ready(w, from);

    if (to == from)
        return;
    w->group->current = to;
    hd_rt_fiber_switch(&w->stacks.fibers[from], &w->stacks.fibers[to]);
}

void hd_rt_barrier(HdRtGroup *g)
{
    HdRtWorker *w = g->worker;
    uint32_t self = g->current;

    if (w->alive == 1)
        return;
    w->subgroups[self].waits_for = w->phase + 1;
    w->waiting++;
    w->turns = 0;
    open_if_all_wait(w);
    go_on(w, self);
}

void hd_rt_stand(HdRtGroup *g, const HdRtNamed *at)
{
    HdRtWorker *w = g->worker;
    HdRtSubgroup *s = &w->subgroups[g->current];

    s->stands_at = at;
    s->stands_in = at->phase;
    go_on(w, g->current);
    s->stands_at = NULL;
}

void hd_rt_leave(HdRtWorker *w, HdFiber *at)
{
    w->waits_at = at;
    hd_rt_fiber_switch(at, &w->home);
}

void hd_rt_turn(HdRtWorker *w, HdFiber *at)
{
    if (w->most_turns != 0 && ++w->turns >= w->most_turns)
        hd_rt_leave(w, at);
}

void hd_rt_yield(HdRtGroup *g, uint32_t subgroup)
{
    HdRtWorker *w = g->worker;

    (void)subgroup;
    hd_rt_turn(w, &w->stacks.fibers[g->current]);
    g->patience = HD_RT_PATIENCE;
    /* Without barriers the sub-groups run one after another on one stack. */
    if (w->alive > 1)
        go_on(w, g->current);
}
