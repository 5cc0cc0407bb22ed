/* interp/watch.c -- the additional state of a checked run, opened and closed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/watch.h"

#include "base/clock.h"
#include "base/memory.h"
#include "interp/alias.h"
#include "interp/counters.h"
#include "interp/plan.h"
#include "interp/provenance.h"
#include "interp/race_mutual.h"
#include "interp/room.h"
#include "interp/sync.h"

/* ---- a run's own --------------------------------------------------------------------------- */

HdStatus hd_interp_check_open(const HdInterpProgram *p, const HdKernelInfo *k, uint64_t groups,
                              HdInterpCheck *c)
{
    uint64_t each = p->info.has_epochs || p->info.has_fences ? 64 : 2;
    uint64_t most = HD_CELL_EPOCHS / 2;

    if (groups > most / each)
        each = most / groups > 2 ? most / groups : 2;
    if (groups > most / each)
        groups = most / each;
    c->group_epochs = (uint32_t)each;
    c->epoch_count = (uint32_t)(groups * each) + 1;
    HD_TRY(hd_check_epochs(c->check, c->epoch_count, &c->first_epoch));
    HD_TAKE(c->trace, hd_alloc_zero((p->info.inst_count + 1) * sizeof *c->trace));
    pthread_mutex_init(&c->lock, NULL);
    HD_TRY(hd_alias_open(c, k));
    HD_TRY(hd_race_mutual_open(p->m, k, &c->last_atomics));
    HD_TRY(hd_counters_open(p, k, c));
    return hd_sync_open(&c->syncs);
}

void hd_interp_check_close(HdInterpCheck *c)
{
    hd_counters_close(c);
    if (c->first_epoch != 0)
        hd_check_epochs_end(c->check, c->first_epoch);
    c->first_epoch = 0;
    if (c->trace != NULL)
        pthread_mutex_destroy(&c->lock);
    hd_free(c->trace);
    hd_alias_close(c);
    hd_sync_close(c->syncs);
    hd_race_mutual_close(c->last_atomics);
    c->trace = NULL;
    c->syncs = NULL;
    c->last_atomics = NULL;
}

HdStatus hd_watch_open(HdInterpRun *r, HdInterpCheck *c)
{
    uint64_t local = r->g->local_bytes, slots = (c->epoch_count - 1) / c->group_epochs;
    uint32_t count = r->p->info.inst_count + 1;
    HdWatch *w;

    HD_TAKE(w, hd_room_take(r->room, sizeof *w));
    r->watch = w;
    w->c = c;
    HD_TAKE(w->local_shadow, hd_room_take(r->room, local + 1));
    HD_TAKE(w->local_cells, hd_room_take(r->room, (local / HD_CELL_BYTES + 2) * 8));
    HD_TAKE(w->cache, hd_room_take(r->room, count * sizeof(HdRegion *)));
    HD_TAKE(w->trace, hd_room_take(r->room, count * sizeof *w->trace));
    HD_TRY(hd_counters_begin(r, &w->counters));
    w->notes_accesses = w->counters != NULL || c->observing != NULL;
    memset(w->local_shadow, r->g->zeroes_local ? 0 : 0xff, (size_t)local + 1);
    w->local_low = w->local_shown = 1;
    w->local_next = 2;
    w->global_base = w->global_low = w->global_shown = w->image_low =
        c->first_epoch + 1 + (uint32_t)(r->g->number % slots) * c->group_epochs;
    w->global_next = w->global_base + 1;
    w->global_end = w->global_base + c->group_epochs;
    w->deadline_ns = c->seconds > 0 ? hd_clock_ns() + c->seconds * 1000000000u : UINT64_MAX;
    for (uint32_t i = 0; i < r->sub_count; i++) {
        r->subs[i].watch.local = w->local_low;
        r->subs[i].watch.global = w->global_base;
        r->subs[i].watch.image_fence = w->global_base;
    }
    return hd_provenance_open(r);
}

static void keep_trace(HdWatch *w, uint32_t count)
{
    HdInterpCheck *c = w->c;

    pthread_mutex_lock(&c->lock);
    for (uint32_t i = 0; i < count; i++) {
        const HdTrace *from = &w->trace[i];
        HdTrace *to = &c->trace[i];

        if (from->high == 0)
            continue;
        if (to->high == 0) {
            *to = *from;
            continue;
        }
        to->varies |= from->varies | (from->at ^ to->at);
        to->low = from->low < to->low ? from->low : to->low;
        to->high = from->high > to->high ? from->high : to->high;
        to->first = from->first < to->first ? from->first : to->first;
        to->last = from->last > to->last ? from->last : to->last;
    }
    pthread_mutex_unlock(&c->lock);
}

void hd_watch_close(HdInterpRun *r)
{
    HdWatch *w = r->watch;

    if (w == NULL)
        return;
    if (w->trace != NULL)
        keep_trace(w, r->p->info.inst_count);
    for (uint32_t i = 0; i < r->sub_count; i++) {
        HD_ARRAY_FREE(&r->subs[i].watch.seen.over);
        for (unsigned level = 0; level < HD_SYNC_LEVELS; level++)
            HD_ARRAY_FREE(&r->subs[i].watch.pending[level].over);
    }
    for (size_t i = 0; i < w->told.count; i++)
        hd_free(w->told.at[i].text);
    HD_ARRAY_FREE(&w->copies);
    HD_ARRAY_FREE(&w->told);
    HD_ARRAY_FREE(&w->provenances);
    hd_free(w->local_fine);
    hd_free(w->stains);
    hd_free(w->sink);
    r->watch = NULL;
}

uint64_t hd_watch_time_left(const HdWatch *w)
{
    uint64_t now = hd_clock_ns();

    return w->deadline_ns == UINT64_MAX ? UINT64_MAX
           : w->deadline_ns > now       ? w->deadline_ns - now
                                        : 0;
}

void hd_watch_give_time(HdWatch *w, uint64_t ns)
{
    w->deadline_ns = ns == UINT64_MAX ? UINT64_MAX : hd_clock_ns() + ns;
}

bool hd_watch_is_late(const HdWatch *w)
{
    return w->deadline_ns != UINT64_MAX && hd_clock_ns() > w->deadline_ns;
}
