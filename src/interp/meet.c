/* interp/meet.c -- what barriers order: of a sub-group, of sub-groups at a named barrier, of a
 * group.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/meet.h"

#include "interp/coherence.h"
#include "interp/epoch.h"
#include "interp/state.h"
#include "interp/sync.h"
#include "interp/watch_state.h"

#define GLOBAL_MEMORY                                                                   \
    (SpvMemorySemanticsCrossWorkgroupMemoryMask | SpvMemorySemanticsUniformMemoryMask | \
     SpvMemorySemanticsImageMemoryMask)

/* Classes of memory that the group's barrier orders, because each sub-group that has written some
 * of them has released it by a fence since: memoryBarrierBuffer() and barrier(). That the other
 * side lacks an acquire is not told. */
static uint64_t fenced_by_all(const HdInterpRun *r)
{
    uint64_t released = 0, open = 0;

    for (uint32_t i = 0; i < r->sub_count; i++) {
        released |= r->subs[i].watch.released;
        open |= r->subs[i].watch.unreleased;
    }
    return released & ~open;
}

void hd_meet_subgroup(HdEval *e, uint64_t semantics)
{
    HdSubWatch *sub = &e->sub->watch;

    sub->has_met = sub->has_met || semantics != 0;
    if ((semantics & SpvMemorySemanticsWorkgroupMemoryMask) != 0)
        sub->local = hd_epoch_local(e->watch);
    if ((semantics & GLOBAL_MEMORY) != 0)
        sub->global = hd_epoch_global(e->watch);
    if ((semantics & SpvMemorySemanticsImageMemoryMask) != 0)
        sub->image_fence = sub->global;
}

static bool is_at(const HdEval *e, const HdInterpSub *s, uint64_t barrier, uint32_t phase)
{
    return s == e->sub ||
           (s->state == HD_SUB_STANDING && s->stands_at == barrier && s->stands_in == phase);
}

/* What each of them has done, or knows to be before, is now before what all of them do next. */
void hd_meet_named(HdEval *e, uint64_t barrier, uint32_t phase, uint64_t semantics)
{
    const bool orders_local = (semantics & SpvMemorySemanticsWorkgroupMemoryMask) != 0;
    const bool orders_global = (semantics & GLOBAL_MEMORY) != 0;
    HdInterpRun *r = e->run;
    HdSubWatch *all = &e->sub->watch;
    HdMet met = {0};
    uint32_t local, global;

    if (!orders_local && !orders_global)
        return;
    for (uint32_t i = 0; i < r->sub_count; i++) {
        const HdSubWatch *w = &r->subs[i].watch;

        if (!is_at(e, &r->subs[i], barrier, phase))
            continue;
        met.with |= w->met.with | HD_MET_BIT(i);
        local = orders_local ? w->local : w->met.local;
        global = orders_global ? w->global : w->met.global;
        met.local = local > met.local ? local : met.local;
        met.global = global > met.global ? global : met.global;
        hd_sync_learn(&all->seen, &w->seen);
    }
    all->met = met;
    all->must_step = false;
    all->local = hd_epoch_local(e->watch);
    all->global = hd_epoch_global(e->watch);
    for (uint32_t i = 0; i < r->sub_count; i++) {
        HdSubWatch *w = &r->subs[i].watch;

        if (w == all || !is_at(e, &r->subs[i], barrier, phase))
            continue;
        w->met = met;
        w->must_step = false;
        w->local = all->local;
        w->global = all->global;
        hd_sync_learn(&w->seen, &all->seen);
    }
}

/* What one sub-group has acquired from other groups all know after a barrier that orders the
 * memory. */
static void share_seen(HdInterpRun *r)
{
    HdKnowledge *all = &r->subs[0].watch.seen;
    bool is_any = false;

    for (uint32_t i = 0; i < r->sub_count; i++)
        is_any |= r->subs[i].watch.seen.is_all || r->subs[i].watch.seen.over.count > 0;
    if (!is_any)
        return;
    for (uint32_t i = 1; i < r->sub_count; i++)
        hd_sync_learn(all, &r->subs[i].watch.seen);
    for (uint32_t i = 1; i < r->sub_count; i++)
        hd_sync_learn(&r->subs[i].watch.seen, all);
}

void hd_meet_group(HdInterpRun *r)
{
    HdWatch *w = r->watch;
    uint64_t semantics = (w->orders ? w->semantics : 0) | fenced_by_all(r);
    uint32_t local = hd_epoch_local(w), global = hd_epoch_global(w);

    if ((semantics & SpvMemorySemanticsWorkgroupMemoryMask) != 0)
        w->local_low = local;
    else
        w->local_unfenced = local;
    if ((semantics & GLOBAL_MEMORY) != 0) { /* images may be created from buffers */
        w->global_low = global;
        share_seen(r);
    } else {
        w->global_unfenced = global;
    }
    if ((semantics & SpvMemorySemanticsImageMemoryMask) != 0)
        w->image_low = global;
    else
        w->image_unfenced = global;
    if ((semantics & HD_SHOWS) == HD_SHOWS) {
        w->local_shown = w->local_low;
        w->global_shown = w->global_low;
    }
    for (uint32_t i = 0; i < r->sub_count; i++) {
        r->subs[i].watch.local = local;
        r->subs[i].watch.global = global;
        r->subs[i].watch.must_step = false;
        r->subs[i].watch.released = r->subs[i].watch.unreleased = 0;
    }
    w->semantics = 0;
}
