/* debug/watches.c -- stopping when memory changes.
 *
 * A watchpoint keeps the bytes of a place. Before each instruction they are compared with what is
 * there now: what has changed them is the instruction before, and which of its lanes, its pointers
 * tell. Each place that it has changed is a stop. Memory of a work-group is watched until that
 * ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/memory.h"
#include "debug/private.h"

bool hd_debug_may_watch(const HdDebugValue *v, HdStrbuf *why)
{
    if (v->address == 0 || v->type == NULL || !v->is_variable) {
        hd_strbuf_add(why, "only memory can be watched: this is a computed value");
        return false;
    }
    if (hd_type_size(v->type) > HD_DEBUG_WATCHED) {
        hd_strbuf_printf(why, "at most %u bytes can be watched, this has %llu", HD_DEBUG_WATCHED,
                         (unsigned long long)hd_type_size(v->type));
        return false;
    }
    return true;
}

bool hd_debug_is_of_group(const HdDebug *d, uint64_t address)
{
    return hd_check_find(&d->r->watch->c->map, address) == NULL;
}

uint32_t hd_debug_watch(HdDebug *d, uint32_t item, uint32_t frame, const char *text, HdStrbuf *why)
{
    HdDebugValue v;

    if (hd_debug_eval(d, item, frame, text, &v, why) != HD_OK)
        return 0;
    return hd_debug_watch_value(d, &v, text, NULL, why);
}

uint32_t hd_debug_watch_value(HdDebug *d, const HdDebugValue *v, const char *text,
                              const char *condition, HdStrbuf *why)
{
    HdDebugBreak b = {.number = d->last_break + 1, .at = {.file = HD_NO_FILE}, .is_enabled = true};

    if (!hd_debug_may_watch(v, why))
        return 0;
    b.where = hd_strdup(text);
    b.condition = hd_debug_condition(condition);
    b.watched = (HdDebugWatch){.type = v->type,
                               .address = v->address,
                               .bytes = (uint32_t)hd_type_size(v->type),
                               .is_of_group = hd_debug_is_of_group(d, v->address)};
    memcpy(b.watched.now, v->at, b.watched.bytes);
    if (b.where == NULL || !HD_PUSH(NULL, &d->breaks, b)) {
        hd_free(b.where);
        hd_free(b.condition);
        hd_strbuf_add(why, "no memory");
        return 0;
    }
    d->watch_count++;
    d->wrote = NULL;
    return ++d->last_break;
}

/* Is an id a pointer to something of which the place is a part? */
static bool leads_to(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdId id,
                     const HdDebugWatch *w)
{
    HdDebugValue v, at;
    const HdType *to;
    uint64_t bytes;

    if (!hd_debug_id_value(d, item, f, id, &v) || v.type == NULL || v.type->kind != HD_T_POINTER ||
        !hd_debug_number(&v, &at))
        return false;
    to = hd_type_element(v.type);
    bytes = to != NULL && hd_type_size(to) != 0 ? hd_type_size(to) : 1;
    return (uint64_t)at.integer < w->address + w->bytes &&
           w->address < (uint64_t)at.integer + bytes;
}

/* The lane of what was executed last whose pointer led into the place; 0: unknown. */
static uint64_t lane_of(HdDebug *d, const HdDebugWatch *w)
{
    const HdInterpSub *s = d->wrote;
    const HdInst *in = d->wrote_by;

    for (uint64_t left = d->wrote_mask; left != 0; left &= left - 1) {
        uint32_t item = s->e.first + hd_lane_first(left);
        HdDebugFrame frames[HD_DEBUG_FRAMES];

        if (hd_debug_frames(d, item, frames) == 0)
            continue;
        for (uint32_t i = 1; i < in->nwords; i++) /* numbers that are no ids lead nowhere */
            if (in->w[i] < d->m->bound && leads_to(d, item, &frames[0], in->w[i], w))
                return left & (0 - left);
    }
    return 0;
}

/* The lanes that a watchpoint stops, of those that executed the instruction before. */
static uint64_t stopped_lanes(HdDebug *d, const HdDebugBreak *b)
{
    uint64_t lanes = lane_of(d, &b->watched);
    HdInterpSub *runs = d->s;

    d->s = d->wrote;
    lanes = hd_debug_break_lanes(d, b, lanes != 0 ? lanes : d->wrote_mask);
    d->s = runs;
    return lanes;
}

void hd_debug_watch_look(HdDebug *d)
{
    for (size_t i = 0; d->wrote != NULL && i < d->breaks.count; i++) {
        HdDebugBreak *b = &d->breaks.at[i];
        HdDebugWatch *w = &b->watched;
        HdDebugValue now;

        w->hit_lanes = 0;
        if (w->bytes == 0 || !hd_debug_at(d, w->type, w->address, &now) ||
            memcmp(w->now, now.at, w->bytes) == 0)
            continue;
        memcpy(w->before, w->now, w->bytes);
        memcpy(w->now, now.at, w->bytes);
        w->hit_lanes = b->is_enabled ? stopped_lanes(d, b) : 0;
    }
}

bool hd_debug_watch_hit(HdDebug *d, HdDebugStop *stop)
{
    for (size_t i = 0; i < d->breaks.count; i++) {
        HdDebugBreak *b = &d->breaks.at[i];

        if (b->watched.hit_lanes == 0)
            continue;
        stop->lanes = b->watched.hit_lanes;
        b->watched.hit_lanes = 0;
        b->hits++;
        if (b->ignore > 0) {
            b->ignore--;
            continue;
        }
        stop->reason = HD_STOP_WATCH;
        stop->breakpoint = b->number;
        return true;
    }
    return false;
}

void hd_debug_watch_note(HdDebug *d, HdInterpSub *s, const HdInst *in, uint64_t mask)
{
    d->wrote = s;
    d->wrote_by = in;
    d->wrote_mask = mask;
}

void hd_debug_watches_end(HdDebug *d)
{
    d->wrote = NULL;
    for (size_t i = d->breaks.count; i-- > 0;)
        if (d->breaks.at[i].watched.is_of_group)
            hd_debug_break_remove(d, d->breaks.at[i].number);
}
