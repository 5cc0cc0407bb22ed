/* debug/watches.c -- stopping when memory changes.
 *
 * A watchpoint keeps the bytes of a place. Before each instruction they are compared with what is
 * there now: what has changed them is the instruction before, and which of its lanes, its pointers
 * tell. Memory of a work-group is watched until that ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/memory.h"
#include "debug/private.h"
#include "interp/watch.h"

uint32_t hd_debug_watch(HdDebug *d, uint32_t item, uint32_t frame, const char *text, HdStrbuf *why)
{
    HdDebugBreak b = {.number = d->last_break + 1, .at = {.file = HD_NO_FILE}, .is_enabled = true};
    HdDebugValue v;

    if (hd_debug_eval(d, item, frame, text, &v, why) != HD_OK)
        return 0;
    if (v.address == 0 || v.type == NULL || !v.is_variable) {
        hd_strbuf_add(why, "only memory can be watched: this is a computed value");
        return 0;
    }
    if (hd_type_size(v.type) > HD_DEBUG_WATCHED) {
        hd_strbuf_printf(why, "at most %u bytes can be watched, this has %llu", HD_DEBUG_WATCHED,
                         (unsigned long long)hd_type_size(v.type));
        return 0;
    }
    b.where = hd_strdup(text);
    b.watched =
        (HdDebugWatch){.type = v.type,
                       .address = v.address,
                       .bytes = (uint32_t)hd_type_size(v.type),
                       .is_of_group = hd_check_find(&d->r->watch->c->map, v.address) == NULL};
    memcpy(b.watched.now, v.at, b.watched.bytes);
    if (b.where == NULL || !HD_PUSH(NULL, &d->breaks, b)) {
        hd_free(b.where);
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

bool hd_debug_watch_hit(HdDebug *d, HdDebugStop *stop)
{
    for (size_t i = 0; d->wrote != NULL && i < d->breaks.count; i++) {
        HdDebugBreak *b = &d->breaks.at[i];
        HdDebugWatch *w = &b->watched;
        HdDebugValue now;

        if (w->bytes == 0 || !hd_debug_at(d, w->type, w->address, &now) ||
            memcmp(w->now, now.at, w->bytes) == 0)
            continue;
        memcpy(w->before, w->now, w->bytes);
        memcpy(w->now, now.at, w->bytes);
        if (!b->is_enabled)
            continue;
        b->hits++;
        if (b->ignore > 0) {
            b->ignore--;
            continue;
        }
        stop->reason = HD_STOP_WATCH;
        stop->breakpoint = b->number;
        stop->lanes = lane_of(d, w);
        if (stop->lanes == 0)
            stop->lanes = d->wrote_mask;
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
