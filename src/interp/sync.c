/* interp/sync.c -- ordering by atomics and fences: releases and acquires.
 *
 * Spec: SPIR-V, "Memory Semantics", "Scope"; OpenCL API, "Memory Consistency Model".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/sync.h"

#include "base/bisect.h"
#include "base/map.h"
#include "base/memory.h"
#include "interp/coherence.h"
#include "interp/epoch.h"
#include "interp/state.h"
#include "interp/watch_state.h"

#define SYNC_BITS 12u
#define MAX_KNOWN 16384u /* groups; one that knows of more counts as knowing all */

/* A place that atomics release to and acquire from. */
typedef struct HdSync {
    struct HdSync *next;
    uint64_t address, domain;
    HdKnowledge released;
} HdSync;

typedef struct HdSyncTable {
    pthread_mutex_t lock;
    HdSync *at[1u << SYNC_BITS];
} HdSyncTable;

HdStatus hd_sync_open(HdSyncTable **out)
{
    HD_TAKE(*out, hd_alloc_zero(sizeof **out));
    pthread_mutex_init(&(*out)->lock, NULL);
    return HD_OK;
}

void hd_sync_close(HdSyncTable *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < sizeof t->at / sizeof *t->at; i++)
        while (t->at[i] != NULL) {
            HdSync *s = t->at[i];

            t->at[i] = s->next;
            HD_ARRAY_FREE(&s->released.over);
            hd_free(s);
        }
    pthread_mutex_destroy(&t->lock);
    hd_free(t);
}

/* ---- what is known to be over --------------------------------------------------------------- */

static uint32_t later(uint32_t x, uint32_t y)
{
    return x > y ? x : y;
}

/* Does `all` hold what the other's work-items did? */
static bool holds(const HdOver *all, const HdOver *other)
{
    return other->global_end <= all->global_low && other->local_end <= all->local_low;
}

static void raise_to(HdOver *to, const HdOver *from)
{
    if (holds(from, to)) {
        to->first = from->first;
        to->items = from->items;
    } else if ((to->first != from->first || to->items != from->items) && !holds(to, from)) {
        to->first = 0;
        to->items = HD_OVER_ALL;
    }
    to->global_end = later(to->global_end, from->global_end);
    to->local_end = later(to->local_end, from->local_end);
    to->global_low = later(to->global_low, from->global_low);
    to->local_low = later(to->local_low, from->local_low);
}

/* Put what `to` lacks into its place, from the back. */
static void merge(HdKnowledge *to, size_t count, const HdOver *from, size_t more)
{
    size_t end = to->over.count;

    while (more > 0) {
        const HdOver *last = count > 0 ? &to->over.at[count - 1] : NULL;

        if (last != NULL && last->base >= from[more - 1].base) {
            more -= last->base == from[more - 1].base;
            to->over.at[--end] = to->over.at[--count];
        } else {
            to->over.at[--end] = from[--more];
        }
    }
}

/* What others know `to` knows as well. Both are sorted by base. */
static void learn(HdKnowledge *to, const HdOver *from, size_t more)
{
    size_t missing = 0, at = 0, count = to->over.count;

    for (size_t i = 0; i < more; i++) {
        while (at < count && to->over.at[at].base < from[i].base)
            at++;
        if (at < count && to->over.at[at].base == from[i].base)
            raise_to(&to->over.at[at], &from[i]);
        else
            missing++;
    }
    for (size_t i = 0; i < missing && !to->is_all; i++)
        to->is_all = count + missing > MAX_KNOWN || !HD_PUSH(NULL, &to->over, (HdOver){0});
    if (missing > 0 && !to->is_all)
        merge(to, count, from, more);
    else if (to->is_all)
        to->over.count = 0;
}

void hd_sync_learn(HdKnowledge *to, const HdKnowledge *from)
{
    to->is_all |= from->is_all;
    if (from != to)
        learn(to, from->over.at, from->over.count);
}

bool hd_sync_knows(const HdKnowledge *k, uint32_t st, uint32_t item, uint32_t own, bool is_local)
{
    uint32_t key = is_local ? own : st;
    const HdOver *found;
    size_t after;

    HD_BISECT(after, k->over.count, k->over.at[after].base > key);
    if (after == 0)
        return false;
    found = &k->over.at[after - 1];
    if (is_local && found->base != own)
        return false;
    if (st < (is_local ? found->local_low : found->global_low))
        return true;
    return st < (is_local ? found->local_end : found->global_end) &&
           (item == HD_OVER_ALL || item - found->first < found->items);
}

/* ---- what atomics and fences order ---------------------------------------------------------- */

#define ACQUIRES                                                            \
    (SpvMemorySemanticsAcquireMask | SpvMemorySemanticsAcquireReleaseMask | \
     SpvMemorySemanticsSequentiallyConsistentMask)
#define RELEASES                                                            \
    (SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask | \
     SpvMemorySemanticsSequentiallyConsistentMask)

#define LOCAL_MEMORY SpvMemorySemanticsWorkgroupMemoryMask
/* Texels are ordered with buffers: what a barrier does not order there is told apart (coherence.c).
 */
#define GLOBAL_MEMORY                                                                   \
    (SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsCrossWorkgroupMemoryMask | \
     SpvMemorySemanticsAtomicCounterMemoryMask | SpvMemorySemanticsImageMemoryMask)

/* Do semantics order memory of a kind? In kernels, and where none is named, all. */
static bool orders(const HdEval *e, uint64_t semantics, uint64_t memory)
{
    return !e->g->kernel->is_shader || (semantics & (LOCAL_MEMORY | GLOBAL_MEMORY)) == 0 ||
           (semantics & memory) != 0;
}

/* Learn what semantics acquire. */
static void acquire(const HdEval *e, HdKnowledge *from, uint64_t semantics)
{
    HdKnowledge *to = &e->sub->watch.seen;
    const bool local = orders(e, semantics, LOCAL_MEMORY),
               global = orders(e, semantics, GLOBAL_MEMORY);

    if (local && global) {
        hd_sync_learn(to, from);
        return;
    }
    to->is_all |= from->is_all;
    for (size_t i = 0; i < from->over.count; i++) {
        HdOver some = from->over.at[i];

        if (!local)
            some.local_end = some.local_low = 0;
        if (!global)
            some.global_end = some.global_low = 0;
        learn(to, &some, 1);
    }
}

HdSyncLevel hd_sync_level(const HdEval *e, uint64_t scope)
{
    if (!e->run->p->info.has_scopes)
        return HD_SYNC_EVERYBODY;
    switch (scope) {
    case SpvScopeWorkgroup: return HD_SYNC_GROUP;
    case SpvScopeSubgroup: return HD_SYNC_SUBGROUP;
    case SpvScopeInvocation: return HD_SYNC_LEVELS;
    default: return HD_SYNC_EVERYBODY;
    }
}

static uint64_t domain_of(const HdEval *e, HdSyncLevel level)
{
    uint64_t group = (uint64_t)e->watch->global_base << 32;

    return level == HD_SYNC_EVERYBODY ? 0
           : level == HD_SYNC_GROUP   ? group
                                      : group | (e->subgroup + 1);
}

static HdSync *sync_at(HdSyncTable *t, uint64_t address, uint64_t domain)
{
    HdSync **slot = &t->at[hd_hash_u64(address ^ hd_hash_u64(domain)) >> (64 - SYNC_BITS)];
    HdSync *s = *slot;

    while (s != NULL && (s->address != address || s->domain != domain))
        s = s->next;
    if (s != NULL)
        return s;
    s = hd_alloc_zero(sizeof *s);
    if (s != NULL) {
        s->address = address;
        s->domain = domain;
        s->next = *slot;
        *slot = s;
    }
    return s;
}

/* What the work-item did before, or before its last fence, is over for those who acquire; of others
 * what barriers have ordered. Named barriers and copies are taken to order more than they do. */
static void release(const HdEval *e, unsigned lane, bool by_fence, uint64_t semantics, HdSync *s)
{
    const HdWatch *w = e->watch;
    HdSubWatch *sub = &e->sub->watch;
    HdOver own = {.base = w->global_base,
                  .first = e->first + lane,
                  .items = 1,
                  .global_end = by_fence ? sub->fence_global : sub->global + 1,
                  .local_end = by_fence ? sub->fence_local : sub->local + 1,
                  .global_low = w->global_low,
                  .local_low = w->local_low};

    if (!by_fence && !orders(e, semantics, LOCAL_MEMORY))
        own.local_end = own.local_low = 0;
    if (!by_fence && !orders(e, semantics, GLOBAL_MEMORY))
        own.global_end = own.global_low = 0;
    if (sub->met.with != 0 || sub->copies != 0) {
        own.first = 0;
        own.items = HD_OVER_ALL;
    } else if (sub->has_met) {
        own.first = e->first;
        own.items = e->width;
    }
    sub->must_step = true;
    learn(&s->released, &own, 1);
    hd_sync_learn(&s->released, &sub->seen);
}

/* What is released is released to its scope and to narrower ones, and acquired from them alike:
 * both sides' scopes must hold the other side. */
void hd_sync_atomic(HdEval *e, unsigned lane, uint64_t address, const HdEvalAtomic *a)
{
    HdSubWatch *sub = &e->sub->watch;
    HdSyncTable *t = e->watch->c->syncs;
    const bool writes = a->how != HD_EVAL_ATOMIC_READ;
    const HdSyncLevel level = hd_sync_level(e, a->scope);
    const bool acquires = (a->semantics & ACQUIRES) != 0, releases = (a->semantics & RELEASES) != 0;
    const HdSyncLevel end = e->run->p->info.has_scopes ? HD_SYNC_LEVELS : HD_SYNC_GROUP;
    HdSyncLevel to = releases || sub->fence < level ? level : sub->fence;

    if ((a->semantics & (ACQUIRES | RELEASES)) == 0 && !e->run->p->info.has_fences)
        return;
    hd_sync_shows(e, a->scope, a->semantics);
    pthread_mutex_lock(&t->lock);
    for (HdSyncLevel l = level; l < end; l++) {
        HdSync *s = sync_at(t, address, domain_of(e, l));

        if (s == NULL)
            sub->seen.is_all = true;
        if (s != NULL && a->reads && acquires)
            acquire(e, &s->released, a->semantics);
        else if (s != NULL && a->reads)
            hd_sync_learn(&sub->pending[l], &s->released);
        if (s != NULL && writes && (releases || sub->has_fence) && l >= to)
            release(e, lane, !releases, a->semantics, s);
    }
    pthread_mutex_unlock(&t->lock);
}

void hd_sync_shows(HdEval *e, uint64_t scope, uint64_t semantics)
{
    uint32_t *shown = &e->watch->c->shown;
    const uint32_t more = (uint32_t)semantics & HD_SHOWS;

    if (more != 0 && (scope <= SpvScopeDevice || scope == SpvScopeQueueFamily))
        __atomic_fetch_or(shown, more, __ATOMIC_RELAXED);
}

void hd_sync_fence(HdEval *e, uint64_t scope, uint64_t semantics)
{
    HdSubWatch *sub = &e->sub->watch;

    if ((semantics & SpvMemorySemanticsImageMemoryMask) != 0) {
        hd_epoch_begin(e);
        sub->image_fence = sub->global;
    }
    if ((semantics & RELEASES) != 0) {
        if (e->g->kernel->is_shader && hd_sync_level(e, scope) <= HD_SYNC_GROUP) {
            sub->released |= semantics & HD_FENCED_MEMORY;
            sub->unreleased &= ~semantics;
        }
        sub->has_fence = true;
        if (orders(e, semantics, GLOBAL_MEMORY))
            sub->fence_global = sub->global + 1;
        if (orders(e, semantics, LOCAL_MEMORY))
            sub->fence_local = sub->local + 1;
        sub->must_step = true;
        sub->fence = hd_sync_level(e, scope);
    }
    if ((semantics & ACQUIRES) != 0)
        for (HdSyncLevel l = hd_sync_level(e, scope); l < HD_SYNC_LEVELS; l++)
            acquire(e, &sub->pending[l], semantics);
}
