/* debug/debug.c -- when to stop.
 *
 * SPDX-License-Identifier: MIT
 */
#include "debug/debug.h"

#include <string.h>

#include "base/memory.h"
#include "debug/private.h"

#define TICKS 1024u /* instructions between two checks for a requested pause */

/* ---- stopping ------------------------------------------------------------------------------ */

static uint32_t depth_of(const HdDebug *d, uint32_t item)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];

    return hd_debug_frames(d, item, frames);
}

static HdDebugPlace place_of(const HdDebug *d, uint32_t item)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];

    if (hd_debug_frames(d, item, frames) == 0)
        return (HdDebugPlace){.file = HD_NO_FILE};
    return frames[0].place;
}

/* Remember where the step that follows begins. */
static void begin_step(HdDebug *d)
{
    d->start.place = place_of(d, d->focus);
    d->start.depth = depth_of(d, d->focus);
    if (d->go != HD_GO_GROUP)
        return;
    for (uint32_t i = 0; i < d->r->sub_count && i < d->start_count; i++) {
        d->starts[i].place = hd_debug_sub_place(d, &d->r->subs[i]);
        d->has_arrived[i] = false;
    }
}

static void stop(HdDebug *d, const HdDebugStop *why)
{
    d->is_stopped = true;
    d->go = HD_GO_ON;
    d->host.stopped(d->host.user, why);
    d->is_stopped = false;
    if (d->go == HD_GO_AWAY)
        *d->cancel = true;
    else
        begin_step(d);
}

static void focus_on(HdDebug *d, const HdInterpSub *s, uint64_t mask)
{
    uint32_t lane = hd_debug_lane(d, d->focus);

    if (d->has_focus && hd_debug_sub(d, d->focus) == s && (mask >> lane & 1) != 0)
        return;
    d->focus = s->e.first + hd_lane_first(mask);
    d->has_focus = true;
}

static bool is_alive(const HdDebug *d)
{
    const HdInterpSub *s = hd_debug_sub(d, d->focus);

    return d->has_focus && s->state != HD_SUB_DONE &&
           (s->live >> hd_debug_lane(d, d->focus) & 1) != 0;
}

static bool is_other_line(const HdDebugPlace *a, const HdDebugPlace *b)
{
    return b->file != HD_NO_FILE && (a->file != b->file || a->line != b->line);
}

/* Has the step of the work-item in focus, which is about to execute something, ended? */
static bool has_stepped(HdDebug *d)
{
    uint32_t depth;
    HdDebugPlace here;

    switch (d->go) {
    case HD_GO_INST: return true;
    case HD_GO_OVER_INST: return depth_of(d, d->focus) <= d->start.depth;
    case HD_GO_OUT: return depth_of(d, d->focus) < d->start.depth;
    case HD_GO_LINE:
    case HD_GO_OVER_LINE:
        depth = depth_of(d, d->focus);
        if (depth > d->start.depth && d->go == HD_GO_OVER_LINE)
            return false;
        here = place_of(d, d->focus);
        return is_other_line(&d->start.place, &here) ||
               (depth != d->start.depth && here.file != HD_NO_FILE);
    default: return false;
    }
}

/* A step of the whole group: has this sub-group made it, have all? */
static bool group_waits(HdDebug *d, const HdInterpSub *s, bool *all)
{
    uint32_t own = (uint32_t)(s - d->r->subs);
    HdDebugPlace here = hd_debug_sub_place(d, s);

    *all = false;
    if (own >= d->start_count)
        return false;
    if (!d->has_arrived[own])
        d->has_arrived[own] = is_other_line(&d->starts[own].place, &here);
    if (!d->has_arrived[own])
        return false;
    *all = true;
    for (uint32_t i = 0; i < d->r->sub_count; i++)
        if (d->r->subs[i].state == HD_SUB_READY && !d->has_arrived[i])
            *all = false;
    return !*all;
}

/* ---- the hook ------------------------------------------------------------------------------ */

static void on_begin(void *user, HdInterpRun *r)
{
    HdDebug *d = user;

    d->r = r;
    d->s = NULL;
    d->wrote = NULL;
    d->has_focus = false;
    if (r->sub_count > d->start_count) {
        HdDebugStart *starts = hd_realloc(d->starts, r->sub_count * sizeof *starts);
        bool *arrived = hd_realloc(d->has_arrived, r->sub_count * sizeof *arrived);

        d->starts = starts != NULL ? starts : d->starts;
        d->has_arrived = arrived != NULL ? arrived : d->has_arrived;
        if (starts != NULL && arrived != NULL)
            d->start_count = r->sub_count;
    }
}

static void on_end(void *user, HdInterpRun *r)
{
    HdDebug *d = user;

    (void)r;
    hd_debug_watches_end(d);
    d->r = NULL;
    d->s = NULL;
    d->has_focus = false;
}

static bool wants_pause(HdDebug *d)
{
    return d->host.wants_pause != NULL && d->host.wants_pause(d->host.user);
}

/* Watched memory that the last instruction changed: a stop for each place. Was there one? */
static bool stop_at_changes(HdDebug *d)
{
    HdInterpSub *wrote = d->wrote;
    bool stops = false;

    hd_debug_watch_look(d);
    for (HdDebugStop why = {0}; !*d->cancel && hd_debug_watch_hit(d, &why);) {
        d->s = wrote;
        d->stops_at_entry = false;
        focus_on(d, wrote, why.lanes);
        stop(d, &why);
        stops = true;
    }
    return stops;
}

static bool on_before(void *user, HdInterpRun *r, HdInterpSub *s)
{
    HdDebug *d = user;
    const HdInterpFrame *f = s->top;
    const HdInst *in = &f->code->insts[f->at];
    HdDebugStop why = {.reason = HD_STOP_STEP, .lanes = f->mask};
    bool stops = false, all;

    (void)r;
    if (*d->cancel)
        return true;
    d->s = s;
    if (d->watch_count > 0 && stop_at_changes(d)) {
        d->s = s;
    } else if (++d->ticks % TICKS == 0 && wants_pause(d)) {
        why.reason = HD_STOP_ASKED;
        stops = true;
    } else if (hd_bit_has(d->break_at, in->word) &&
               hd_debug_break_hit(d, in->word, f->mask, &why)) {
        why.reason = HD_STOP_BREAKPOINT;
        stops = true;
    } else if (d->stops_at_entry && hd_debug_lines_at(&d->lines, in->word).file != HD_NO_FILE) {
        why.reason = HD_STOP_ENTRY;
        stops = true;
    } else if (d->go == HD_GO_GROUP) {
        if (group_waits(d, s, &all))
            return true;
        stops = all;
    } else if (d->go != HD_GO_ON && !is_alive(d)) {
        why.reason = HD_STOP_ENDED;
        stops = hd_debug_lines_at(&d->lines, in->word).file != HD_NO_FILE;
    } else if (d->go != HD_GO_ON && hd_debug_sub(d, d->focus) == s &&
               (f->mask >> hd_debug_lane(d, d->focus) & 1) != 0) {
        stops = has_stepped(d);
    }
    if (stops) {
        d->stops_at_entry = false;
        focus_on(d, s, why.lanes);
        stop(d, &why);
    }
    if (d->watch_count > 0)
        hd_debug_watch_note(d, s, in, f->mask);
    return *d->cancel;
}

static void on_defect(void *user, HdEval *e, uint64_t lanes, const HdDefect *defect)
{
    HdDebug *d = user;
    HdDebugStop why = {.reason = HD_STOP_DEFECT, .defect = defect, .lanes = lanes};

    if (!d->stops_at_defects || d->is_stopped || d->r == NULL || e->sub == NULL ||
        e->sub->top == NULL || *d->cancel)
        return;
    d->s = e->sub;
    if (why.lanes == 0)
        why.lanes = e->sub->top->mask != 0 ? e->sub->top->mask : e->sub->live;
    if (why.lanes == 0)
        return;
    focus_on(d, e->sub, why.lanes);
    stop(d, &why);
}

/* ---- the session --------------------------------------------------------------------------- */

HdStatus hd_debug_open(const HdModule *m, const HdBuildLayout *layout, const char *path,
                       const char *text, size_t len, volatile bool *cancel, const HdDebugHost *host,
                       HdDebug **out)
{
    HdArena *a;
    HdDebug *d;
    HdStatus st;

    *out = NULL;
    HD_TAKE(a, hd_arena_open());
    d = HD_NEW(a, HdDebug, 1);
    if (d == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    *d = (HdDebug){.m = m,
                   .layout = layout,
                   .arena = a,
                   .host = *host,
                   .cancel = cancel,
                   .stops_at_defects = true};
    d->hook = (HdInterpHook){
        .user = d, .begins = on_begin, .ends = on_end, .before = on_before, .found = on_defect};
    d->break_at = HD_NEW(a, uint64_t, HD_BITSET_WORDS(m->nwords) + 1);
    st = d->break_at == NULL ? HD_NO_MEMORY : hd_debug_lines_open(m, path, text, len, &d->lines);
    if (st == HD_OK)
        st = hd_names_open(m->words, m->nwords, &d->names);
    if (st == HD_OK && text != NULL && d->lines.is_assembly)
        st = hd_text_ids(text, len, NULL, &d->ids);
    if (st != HD_OK)
        hd_debug_close(d);
    else
        *out = d;
    return st;
}

void hd_debug_close(HdDebug *d)
{
    if (d == NULL)
        return;
    hd_debug_breaks_free(d);
    HD_ARRAY_FREE(&d->types);
    hd_debug_lines_close(&d->lines);
    hd_names_close(d->names);
    hd_text_ids_free(&d->ids);
    hd_free(d->starts);
    hd_free(d->has_arrived);
    hd_arena_drop(d->arena);
}

const HdInterpHook *hd_debug_hook(HdDebug *d)
{
    return &d->hook;
}

void hd_debug_start(HdDebug *d, bool stops_at_entry)
{
    d->go = HD_GO_ON;
    d->stops_at_entry = stops_at_entry;
}

void hd_debug_go(HdDebug *d, HdDebugGo how)
{
    d->go = how;
}

bool hd_debug_is_stopped(const HdDebug *d)
{
    return d->is_stopped;
}

void hd_debug_stop_at_defects(HdDebug *d, bool stops)
{
    d->stops_at_defects = stops;
}

HdDebugLines *hd_debug_lines(HdDebug *d)
{
    return &d->lines;
}

const HdModule *hd_debug_module(const HdDebug *d)
{
    return d->m;
}
