/* check/check.c -- the map of memory.
 *
 * Launches work on a copy of the map (HdCheckMap) that keeps its regions alive, so that the host
 * may continue to allocate and release memory while kernels run.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bisect.h"
#include "check/cell.h"
#include "check/observer.h"
#include "check/private.h"

#define KEPT_RELEASED 256u

/* What is known of each byte. Of most there is nothing, which must cost nothing either: releases
 * ask all that went before. */
static void forget_bytes(HdRegion *r)
{
    if (atomic_load(&r->shadow) == NULL && atomic_load(&r->cells) == NULL &&
        atomic_load(&r->fine) == NULL)
        return;
    hd_free(atomic_exchange(&r->shadow, NULL));
    hd_free(atomic_exchange(&r->cells, NULL));
    hd_free(atomic_exchange(&r->fine, NULL));
}

static void drop_region(HdRegion *r)
{
    if (atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) != 1)
        return;
    forget_bytes(r);
    hd_free(r);
}

HdStatus hd_check_open(HdCheck **out)
{
    HdCheck *c = hd_alloc_zero(sizeof *c);

    *out = NULL;
    if (c == NULL)
        return HD_NO_MEMORY;
    c->arena = hd_arena_open();
    if (c->arena == NULL) {
        hd_free(c);
        return HD_NO_MEMORY;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_mutex_init(&c->texts_lock, NULL);
    pthread_mutex_init(&c->counts_lock, NULL);
    c->epoch = 1;
    *out = c;
    return HD_OK;
}

void hd_check_close(HdCheck *c)
{
    if (c == NULL)
        return;
    hd_check_observe(c, NULL);
    for (size_t i = 0; i < c->regions.count; i++)
        drop_region(c->regions.at[i]);
    for (size_t i = 0; i < c->released.count; i++)
        drop_region(c->released.at[i]);
    HD_ARRAY_FREE(&c->regions);
    HD_ARRAY_FREE(&c->ranges);
    HD_ARRAY_FREE(&c->released);
    HD_ARRAY_FREE(&c->defects);
    HD_ARRAY_FREE(&c->spoiled);
    for (size_t i = 0; i < c->texts.count; i++)
        hd_free(c->texts.at[i]);
    HD_ARRAY_FREE(&c->texts);
    HD_ARRAY_FREE(&c->counts); /* which are in the codes' arenas */
    for (size_t i = 0; i < c->codes.count; i++)
        hd_arena_drop(c->codes.at[i]->arena);
    HD_ARRAY_FREE(&c->codes);
    pthread_mutex_destroy(&c->counts_lock);
    pthread_mutex_destroy(&c->texts_lock);
    pthread_mutex_destroy(&c->lock);
    hd_arena_drop(c->arena);
    hd_free(c);
}

/* First region that ends after `at`. */
static size_t place_of(HdRegion *const *regions, size_t count, uint64_t at)
{
    size_t i;

    HD_BISECT(i, count, regions[i]->at + regions[i]->bytes > at);
    return i;
}

/* Is the region before a place one without bytes that begins here? It ends before all others. */
static bool is_empty_at(HdRegion *const *regions, size_t place, uint64_t at)
{
    return place > 0 && regions[place - 1]->bytes == 0 && regions[place - 1]->at == at;
}

static void release(HdCheck *c, size_t i)
{
    HdRegion *r = c->regions.at[i];

    memmove(c->regions.at + i, c->regions.at + i + 1,
            (c->regions.count - i - 1) * sizeof(HdRegion *));
    c->regions.count--;
    r->is_released = true;
    if (c->released.count == KEPT_RELEASED) {
        drop_region(c->released.at[0]);
        memmove(c->released.at, c->released.at + 1, (KEPT_RELEASED - 1) * sizeof(HdRegion *));
        c->released.count--;
    }
    if (!HD_PUSH(NULL, &c->released, r))
        drop_region(r);
    /* Reports need to know what was there. Its shadow is several times as large, and no longer
     * needed except by launches in flight. */
    for (size_t k = 0; k < c->released.count; k++)
        if (atomic_load_explicit(&c->released.at[k]->refs, memory_order_acquire) == 1)
            forget_bytes(c->released.at[k]);
}

static const char *copy_of(HdCheck *c, const char *text)
{
    return text != NULL ? hd_arena_string(c->arena, text, strlen(text)) : NULL;
}

static HdStatus add(HdCheck *c, const HdRegion *what, const char *name)
{
    HdRegion *r;
    size_t i = place_of(c->regions.at, c->regions.count, what->at);

    if (what->bytes == 0 && i < c->regions.count && c->regions.at[i]->at < what->at)
        return HD_OK; /* it takes nothing away from what is there */
    if (is_empty_at(c->regions.at, i, what->at))
        release(c, i - 1);
    HD_TAKE(r, hd_alloc_zero(sizeof *r));
    r->at = what->at;
    r->bytes = what->bytes;
    r->kind = what->kind;
    r->is_read_only = what->is_read_only;
    r->is_write_only = what->is_write_only;
    r->is_undefined = what->is_undefined;
    r->name = name != NULL
                  ? hd_arena_string(c->arena, name, strlen(name))
                  : hd_arena_printf(c->arena, "%s %u",
                                    what->kind == HD_REGION_IMAGE ? "image" : "buffer", c->made++);
    r->owner = what->owner;
    r->made = copy_of(c, what->made);
    atomic_init(&r->refs, 1);
    while ((i = place_of(c->regions.at, c->regions.count, r->at)) < c->regions.count &&
           c->regions.at[i]->at < r->at + r->bytes) {
        c->regions.at[i]->taken = r->name;
        release(c, i);
    }
    if (!HD_ARRAY_RESERVE(NULL, &c->regions, 1)) {
        drop_region(r);
        return HD_NO_MEMORY;
    }
    memmove(c->regions.at + i + 1, c->regions.at + i, (c->regions.count - i) * sizeof(HdRegion *));
    c->regions.at[i] = r;
    c->regions.count++;
    return HD_OK;
}

HdStatus hd_check_add(HdCheck *c, const HdRegion *what, const char *name)
{
    HdStatus st;

    pthread_mutex_lock(&c->lock);
    st = add(c, what, name);
    pthread_mutex_unlock(&c->lock);
    return st;
}

void hd_check_remove(HdCheck *c, uint64_t at, const void *owner, const char *where)
{
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c->regions.at, c->regions.count, at);
    i -= is_empty_at(c->regions.at, i, at) && c->regions.at[i - 1]->owner == owner;
    if (i < c->regions.count && c->regions.at[i]->at == at && c->regions.at[i]->owner == owner) {
        c->regions.at[i]->gone = copy_of(c, where);
        release(c, i);
    }
    pthread_mutex_unlock(&c->lock);
}

void hd_check_remove_all(HdCheck *c, const void *owner)
{
    pthread_mutex_lock(&c->lock);
    for (size_t i = c->regions.count; i-- > 0;)
        if (owner != NULL && c->regions.at[i]->owner == owner)
            release(c, i);
    pthread_mutex_unlock(&c->lock);
}

void hd_check_mapped(HdCheck *c, uint64_t at, uint64_t bytes)
{
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c->regions.at, c->regions.count, at);
    if (i < c->regions.count && c->regions.at[i]->at <= at) {
        HdRegion *r = c->regions.at[i];
        bool is_first = atomic_load(&r->maps) == 0;

        r->mapped_at = is_first || at < r->mapped_at ? at : r->mapped_at;
        r->mapped_end = is_first || at + bytes > r->mapped_end ? at + bytes : r->mapped_end;
        atomic_fetch_add(&r->maps, 1);
    }
    pthread_mutex_unlock(&c->lock);
}

void hd_check_unmapped(HdCheck *c, uint64_t at)
{
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c->regions.at, c->regions.count, at);
    if (i < c->regions.count && c->regions.at[i]->at <= at && c->regions.at[i]->maps > 0)
        atomic_fetch_sub(&c->regions.at[i]->maps, 1);
    pthread_mutex_unlock(&c->lock);
}

bool hd_check_knows(HdCheck *c, uint64_t at)
{
    bool is_known;
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c->regions.at, c->regions.count, at);
    is_known = i < c->regions.count && c->regions.at[i]->at <= at;
    pthread_mutex_unlock(&c->lock);
    return is_known;
}

HdStatus hd_check_map(HdCheck *c, HdCheckMap *out)
{
    size_t count, released;

    *out = (HdCheckMap){0};
    pthread_mutex_lock(&c->lock);
    count = c->regions.count;
    released = c->released.count;
    out->at = hd_alloc((count + 1) * sizeof *out->at);
    out->released = hd_alloc((released + 1) * sizeof *out->released);
    if (out->at != NULL && out->released != NULL) {
        out->count = count;
        out->released_count = released;
        for (size_t i = 0; i < count; i++) {
            out->at[i] = c->regions.at[i];
            atomic_fetch_add_explicit(&out->at[i]->refs, 1, memory_order_relaxed);
        }
        for (size_t i = 0; i < released; i++) {
            out->released[i] = c->released.at[i];
            atomic_fetch_add_explicit(&out->released[i]->refs, 1, memory_order_relaxed);
        }
    }
    pthread_mutex_unlock(&c->lock);
    if (out->at != NULL && out->released != NULL)
        return HD_OK;
    hd_check_unmap(out);
    return HD_NO_MEMORY;
}

void hd_check_unmap(HdCheckMap *m)
{
    for (size_t i = 0; i < m->count; i++)
        drop_region(m->at[i]);
    for (size_t i = 0; i < m->released_count; i++)
        drop_region(m->released[i]);
    hd_free(m->at);
    hd_free(m->released);
    *m = (HdCheckMap){0};
}

HdRegion *hd_check_find(const HdCheckMap *m, uint64_t at)
{
    size_t i = place_of(m->at, m->count, at);

    return i < m->count && m->at[i]->at <= at ? m->at[i] : NULL;
}

HdRegion *hd_check_find_first(const HdCheckMap *m, uint64_t at)
{
    size_t i = place_of(m->at, m->count, at);

    if (i < m->count && m->at[i]->at <= at)
        return m->at[i];
    return is_empty_at(m->at, i, at) ? m->at[i - 1] : NULL;
}

HdRegion *hd_check_find_released(const HdCheckMap *m, uint64_t at)
{
    for (size_t i = m->released_count; i-- > 0;)
        if (at >= m->released[i]->at && at - m->released[i]->at < m->released[i]->bytes)
            return m->released[i];
    return NULL;
}

HdRegion *hd_check_find_near(const HdCheckMap *m, uint64_t at, uint64_t reach)
{
    size_t i = place_of(m->at, m->count, at);

    if (i > 0 && at - (m->at[i - 1]->at + m->at[i - 1]->bytes) < reach)
        return m->at[i - 1];
    return i < m->count && m->at[i]->at - at <= reach ? m->at[i] : NULL;
}

/* ---- shadow -------------------------------------------------------------------------------- */

unsigned char *hd_region_shadow(HdRegion *r)
{
    unsigned char *shadow = atomic_load_explicit(&r->shadow, memory_order_acquire), *fresh;

    if (shadow != NULL)
        return shadow;
    fresh = hd_alloc_zero((size_t)r->bytes);
    if (fresh == NULL || atomic_compare_exchange_strong(&r->shadow, &shadow, fresh))
        return fresh;
    hd_free(fresh);
    return shadow;
}

static uint64_t *cells_in(_Atomic(uint64_t *) *at, uint64_t count)
{
    uint64_t *cells = atomic_load_explicit(at, memory_order_acquire), *fresh;

    if (cells != NULL)
        return cells;
    fresh = hd_alloc_zero((size_t)count * sizeof *fresh);
    if (fresh == NULL || atomic_compare_exchange_strong(at, &cells, fresh))
        return fresh;
    hd_free(fresh);
    return cells;
}

/* Regions begin anywhere: cells are counted from the granule that holds the first byte. */
uint64_t *hd_region_cells(HdRegion *r)
{
    return cells_in(&r->cells, r->bytes / HD_CELL_BYTES + 2);
}

uint64_t *hd_region_fine(HdRegion *r)
{
    return cells_in(&r->fine, r->bytes + 2 * HD_CELL_BYTES);
}

/* Bytes are initialised from here on; a whole region, before any access, costs no shadow memory. */
static void define(HdRegion *r, uint64_t at, uint64_t bytes)
{
    unsigned char *shadow = atomic_load(&r->shadow);

    if (shadow == NULL && bytes == r->bytes)
        r->is_undefined = false;
    if (shadow == NULL && r->is_undefined)
        shadow = hd_region_shadow(r);
    if (shadow != NULL)
        memset(shadow + (at - r->at), r->is_undefined ? 0xff : 0, (size_t)bytes);
}

void hd_check_host_wrote(HdCheck *c, uint64_t at, uint64_t bytes)
{
    HdRegion *r = NULL;
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c->regions.at, c->regions.count, at);
    if (i < c->regions.count && c->regions.at[i]->at <= at)
        r = c->regions.at[i];
    if (r != NULL && bytes <= r->bytes - (at - r->at))
        define(r, at, bytes);
    pthread_mutex_unlock(&c->lock);
}

/* First byte of a range without a value; UINT64_MAX when all have one. */
static uint64_t undefined_in(const HdRegion *r, uint64_t at, uint64_t bytes)
{
    const unsigned char *shadow = atomic_load(&r->shadow);

    if (shadow == NULL && !r->is_undefined)
        return UINT64_MAX;
    for (uint64_t i = 0; i < bytes; i++)
        if (hd_region_undefined(r, shadow, at + i - r->at) != 0)
            return at + i;
    return UINT64_MAX;
}

void hd_check_host_reads(HdCheck *c, uint64_t at, uint64_t bytes, const char *what)
{
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->spoiled.count; i++) {
        HdSpoiled *s = &c->spoiled.at[i];
        uint64_t first = s->at > at ? s->at : at, found = UINT64_MAX;
        uint64_t end = s->at + s->bytes < at + bytes ? s->at + s->bytes : at + bytes;
        size_t place = place_of(c->regions.at, c->regions.count, first);
        const HdRegion *r = place < c->regions.count ? c->regions.at[place] : NULL;

        if (s->is_told || first >= end || r == NULL || r->at > first)
            continue;
        end = end < r->at + r->bytes ? end : r->at + r->bytes;
        found = undefined_in(r, first, end - first);
        if (found == UINT64_MAX)
            continue;
        s->is_told = true;
        s->defect.message = hd_arena_printf(
            c->arena, "%s reads byte %llu of %s, where this %s stored an undefined value", what,
            (unsigned long long)(found - r->at), r->name,
            s->defect.is_shader ? "shader" : "kernel");
        hd_check_keep(c, &s->defect);
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- launches ------------------------------------------------------------------------------ */

/* Those of bytes are taken from these again. Other launches may be at their cells. To them what the
 * cells then say is of another launch, and comes before. */
static void empty_cells(const HdRegion *r)
{
    uint64_t *cells = atomic_load(&r->cells);

    for (uint64_t i = 0; cells != NULL && i < r->bytes / HD_CELL_BYTES + 2; i++)
        __atomic_store_n(&cells[i], 0, __ATOMIC_RELAXED);
}

/* The launches that still run go on writing their numbers into cells: these stay theirs, until
 * cells are emptied after their end. */
static void begin_again(HdCheck *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->regions.count; i++)
        empty_cells(c->regions.at[i]);
    for (size_t i = 0; i < c->ranges.count; i++) {
        if (c->ranges.at[i].has_ended)
            continue;
        c->ranges.at[kept] = c->ranges.at[i];
        c->ranges.at[kept++].is_old = true;
    }
    c->ranges.count = kept;
    c->epoch = 1;
}

/* The first number from `epoch` on behind which `count` are not an earlier round's. */
static uint32_t free_from(const HdCheck *c, uint32_t epoch, uint32_t count)
{
    for (size_t i = 0; i < c->ranges.count; i++) {
        const HdEpochs *e = &c->ranges.at[i];

        if (e->is_old && epoch < e->first + e->count && e->first < epoch + count)
            return free_from(c, e->first + e->count, count);
    }
    return epoch;
}

HdStatus hd_check_epochs(HdCheck *c, uint32_t count, uint32_t *first)
{
    HdStatus st = HD_NO_MEMORY;

    pthread_mutex_lock(&c->lock);
    if (HD_ARRAY_RESERVE(NULL, &c->ranges, 1)) {
        *first = free_from(c, c->epoch, count);
        if (count >= HD_CELL_EPOCHS - *first) {
            begin_again(c);
            *first = free_from(c, c->epoch, count);
        }
        if (count >= HD_CELL_EPOCHS - *first) /* launches that run have nearly all */
            *first = c->epoch;
        c->epoch = *first + count;
        c->ranges.at[c->ranges.count++] = (HdEpochs){.first = *first, .count = count};
        st = HD_OK;
    }
    pthread_mutex_unlock(&c->lock);
    return st;
}

void hd_check_epochs_end(HdCheck *c, uint32_t first)
{
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->ranges.count; i++) {
        HdEpochs *e = &c->ranges.at[i];

        if (e->first != first || e->has_ended)
            continue;
        if (e->is_old)
            e->has_ended = true;
        else
            *e = c->ranges.at[--c->ranges.count];
        break;
    }
    pthread_mutex_unlock(&c->lock);
}

void hd_check_count_launch(HdCheck *c)
{
    pthread_mutex_lock(&c->lock);
    c->launches++;
    pthread_mutex_unlock(&c->lock);
}
