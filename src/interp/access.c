/* interp/access.c -- accesses of a checked run: does the memory exist (plan.c), is it initialised
 * (shadow_memory.c), does it race (race.c).
 *
 * Invalid loads give 0, invalid stores are dropped, so that one mistake is reported once.
 *
 * check.private-atomic: an atomic operation on private memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/access.h"

#include "interp/classify.h"
#include "interp/coherent.h"
#include "interp/counters.h"
#include "interp/epoch.h"
#include "interp/facts.h"
#include "interp/observe.h"
#include "interp/plan.h"
#include "interp/provenance.h"
#include "interp/race.h"
#include "interp/race_mutual.h"
#include "interp/rows.h"
#include "interp/shadow.h"
#include "interp/sync.h"
#include "interp/watch_state.h"

/* ---- loads and stores ---------------------------------------------------------------------- */

#define EACH_GOOD(body)               \
    for (HD_EACH_LANE(lane, x->good)) \
    body

static void move_in(const HdEval *e, const HdPlan *x, const HdSlot *r)
{
    unsigned count = (unsigned)__builtin_popcountll(e->mask);

    if (x->is_row && r->stride == x->bytes) {
        memcpy(r->at, (const void *)(uintptr_t)x->low, (size_t)(x->bytes * count));
        return;
    }
    if (x->good == e->mask && hd_lane_row(e->mask) > 0 && r->stride == x->bytes &&
        (x->bytes == 4 || x->bytes == 8)) {
        hd_row_gather(r->at, x->address, count, (unsigned)x->bytes);
        return;
    }
#define IN(n) memcpy(hd_slot_at(r, lane), (const void *)(uintptr_t)x->address[lane], (n))
    switch (x->bytes) {
    case 1: EACH_GOOD(IN(1)); break;
    case 2: EACH_GOOD(IN(2)); break;
    case 4: EACH_GOOD(IN(4)); break;
    case 8: EACH_GOOD(IN(8)); break;
    case 16: EACH_GOOD(IN(16)); break;
    default: EACH_GOOD(IN((size_t)x->bytes)); break;
    }
#undef IN
    for (HD_EACH_LANE(lane, e->mask & ~x->good))
        memset(hd_slot_at(r, lane), 0, (size_t)hd_type_size(r->type));
}

HdStatus hd_access_load(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                        const HdSlot *r, uint64_t bytes)
{
    HdPlan x = {.how = HD_EVAL_READ, .bytes = bytes, .align = align};
    HdCells c;

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    hd_plan(e, storage, p, &x);
    move_in(e, &x, r);
    hd_shadow_memory_load(e, &x, r);
    if (x.memory == HD_MEMORY_PRIVATE || x.good == 0)
        return HD_OK;
    if (x.memory == HD_MEMORY_LOCAL || x.region != NULL) {
        c = hd_plan_cells(e, x.memory, x.region, x.low);
        if (c.at != NULL && e->run->p->info.has_private)
            hd_coherent_read(e, x.good, &c, x.address, bytes);
        if (c.at != NULL)
            hd_race_touch_all(e, x.good, &c, x.address, bytes, NULL, x.is_row);
        return HD_OK;
    }
    for (HD_EACH_LANE(lane, x.good)) {
        c = hd_plan_lane_cells(e, &x, lane);
        hd_race_touch(e, lane, &c, x.address[lane], bytes, HD_EVAL_READ, NULL);
    }
    return HD_OK;
}

static void move_out(const HdEval *e, const HdPlan *x, const HdSlot *from)
{
    unsigned count = (unsigned)__builtin_popcountll(e->mask);

    if (x->is_row && from->stride == x->bytes) {
        memcpy((void *)(uintptr_t)x->low, from->at, (size_t)(x->bytes * count));
        return;
    }
#define OUT(n) memcpy((void *)(uintptr_t)x->address[lane], hd_slot_at(from, lane), (n))
    switch (x->bytes) {
    case 1: EACH_GOOD(OUT(1)); break;
    case 2: EACH_GOOD(OUT(2)); break;
    case 4: EACH_GOOD(OUT(4)); break;
    case 8: EACH_GOOD(OUT(8)); break;
    case 16: EACH_GOOD(OUT(16)); break;
    default: EACH_GOOD(OUT((size_t)x->bytes)); break;
    }
#undef OUT
}

/* Memory that others reach is about to be written: not by what fences before it have released. */
static void begin_write(HdEval *e)
{
    e->sub->watch.unreleased = HD_FENCED_MEMORY;
    if (e->sub->watch.must_step)
        hd_epoch_begin(e);
}

HdStatus hd_access_store(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                         const HdSlot *from, uint64_t bytes)
{
    HdPlan x = {.how = HD_EVAL_WRITE, .bytes = bytes, .align = align};
    HdCells c = {0};

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    hd_plan(e, storage, p, &x);
    if (x.good == 0)
        return HD_OK;
    if (x.memory != HD_MEMORY_PRIVATE)
        begin_write(e);
    hd_shadow_memory_store(e, &x, from);
    hd_provenance_store(e, e->in->w[2], x.good, x.address, bytes);
    if (x.memory == HD_MEMORY_PRIVATE) {
        move_out(e, &x, from);
        return HD_OK;
    }
    if (x.memory == HD_MEMORY_LOCAL || x.region != NULL)
        c = hd_plan_cells(e, x.memory, x.region, x.low);
    if (x.is_row && c.at != NULL) {
        hd_race_touch_all(e, x.good, &c, x.address, bytes, from, true);
        move_out(e, &x, from);
        return HD_OK;
    }
    /* Lanes may meet in one place: each sees what those before it wrote. */
    for (HD_EACH_LANE(lane, x.good)) {
        const unsigned char *at = hd_slot_at(from, lane);

        if (x.memory != HD_MEMORY_LOCAL && x.region == NULL)
            c = hd_plan_lane_cells(e, &x, lane);
        hd_race_touch(e, lane, &c, x.address[lane], bytes, HD_EVAL_WRITE, at);
        memcpy((void *)(uintptr_t)x.address[lane], at, (size_t)bytes);
    }
    return HD_OK;
}

/* ---- one lane ------------------------------------------------------------------------------ */

static HdPlan plan_one(const HdEval *e, const HdAccess *a)
{
    return (HdPlan){.how = a->how,
                    .storage = a->storage,
                    .bytes = a->bytes,
                    .align = a->align,
                    .bits = a->address,
                    .low = a->address,
                    .high = a->address + a->bytes,
                    .memory = hd_plan_memory(e, a->storage, a->address)};
}

bool hd_access_fits(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how)
{
    HdAccess a = {.storage = side->storage,
                  .address = side->address,
                  .bytes = bytes,
                  .align = side->align,
                  .how = how};
    HdPlan x = plan_one(e, &a);
    HdRoot root;

    e->pointer = side->pointer;
    root = hd_provenance_root(e, UINT64_C(1) << hd_lane_first(e->mask));
    return hd_plan_fits(e, &root, &x);
}

HdStatus hd_access_access(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                          uint64_t bytes, uint64_t align, HdEvalAccess how, void **host)
{
    HdRoot root = hd_provenance_root(e, UINT64_C(1) << lane);
    HdWatch *w = e->watch;
    HdAccess a = {
        .storage = storage, .address = address, .bytes = bytes, .align = align, .how = how};
    HdPlan x = plan_one(e, &a);
    uint64_t at[HD_EVAL_LANES];
    bool fits;
    HdCells c;

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    fits = hd_plan_fits(e, &root, &x);
    if (!fits && !hd_classify_access(e, lane, &root, &a)) {
        if (bytes > w->sink_bytes) {
            hd_free(w->sink);
            w->sink_bytes = 0;
            if (bytes > SIZE_MAX / 4)
                return HD_NO_MEMORY;
            HD_TAKE(w->sink, hd_alloc((size_t)bytes));
            w->sink_bytes = bytes;
        }
        memset(w->sink, 0, (size_t)bytes);
        *host = w->sink;
        return HD_OK;
    }
    *host = (void *)(uintptr_t)address;
    if (w->counters != NULL)
        hd_counters_access(w->counters, e, storage, x.memory, how, bytes);
    x.good = UINT64_C(1) << lane;
    if (w->c->observing != NULL)
        hd_observe_access(e, &x, x.memory, x.good);
    if (x.memory == HD_MEMORY_PRIVATE)
        return HD_OK;
    if (how != HD_EVAL_READ && how != HD_EVAL_ATOMIC_READ)
        e->sub->watch.unreleased = HD_FENCED_MEMORY;
    if (e->sub->watch.must_step && how == HD_EVAL_WRITE)
        hd_epoch_begin(e);
    hd_plan_trace(e, &x);
    hd_plan_promise(e, &x);
    c = hd_plan_cells(e, x.memory, fits ? x.region : NULL, address);
    if (e->in->opix == HD_OPIX_ImageRead && e->run->p->info.has_private && c.at != NULL) {
        at[lane] = address;
        hd_coherent_read(e, x.good, &c, at, bytes);
    }
    hd_race_touch(e, lane, &c, address, bytes, how, e->brings);
    return HD_OK;
}

void hd_access_touch(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how)
{
    const uint64_t at = side->address, local = (uint64_t)(uintptr_t)e->run->local;
    HdMemory memory = hd_plan_memory(e, side->storage, at);
    HdCells c = hd_plan_cells(e, memory, NULL, at);

    if (memory == HD_MEMORY_LOCAL
            ? at - local >= e->g->local_bytes || bytes > e->g->local_bytes - (at - local)
            : c.region == NULL || bytes > c.region->bytes - (at - c.region->at))
        return;
    hd_race_touch(e, hd_lane_first(e->mask), &c, at, bytes, how, NULL);
}

/* ---- atomics ------------------------------------------------------------------------------- */

static void touch_atomics(HdEval *e, const HdEvalAtomic *a, const HdPlan *x)
{
    HdCells c;

    if (x->memory == HD_MEMORY_LOCAL || x->region != NULL) {
        c = hd_plan_cells(e, x->memory, x->region, x->low);
        hd_race_mutual_touch(e, x->good, &c, x->address, a);
        if (c.at != NULL)
            hd_race_touch_atomics(e, x->good, &c, x->address, a->bytes, a->how);
        return;
    }
    for (HD_EACH_LANE(lane, x->good)) {
        c = hd_plan_lane_cells(e, x, lane);
        hd_race_mutual_touch(e, UINT64_C(1) << lane, &c, x->address, a);
        hd_race_touch(e, lane, &c, x->address[lane], a->bytes, a->how, NULL);
    }
}

/* What has no value makes what depends on it have none. */
static void shade_atomics(HdEval *e, const HdEvalAtomic *a, const HdPlan *x)
{
    bool dirty = e->frame->dirty > 0;
    uint64_t spoiled = 0;

    if (!dirty && hd_shadow_memory_is_none(e, x))
        return;
    for (HD_EACH_LANE(lane, x->good)) {
        bool brings = a->how == HD_EVAL_ATOMIC_READ || !hd_shadow_lane(e, lane);

        if (a->reads && hd_shadow_memory_any(e, x->address[lane], a->bytes))
            hd_eval_spoil(e, UINT64_C(1) << lane);
        if (a->replaces || !brings)
            hd_shadow_memory_define(e, x->address[lane], a->bytes, brings);
        if (!brings)
            spoiled |= UINT64_C(1) << lane;
    }
    if (spoiled != 0 && x->memory == HD_MEMORY_GLOBAL)
        hd_shadow_report(e, spoiled, hd_shadow_origin(e), "the kernel wrote", x->low,
                         x->high - x->low);
}

/* Does one lane find what it does not compare with? Then it only reads. */
static bool only_reads(const HdEvalAtomic *a, const HdPlan *x)
{
    unsigned lane = hd_lane_first(x->good);

    return a->comparator != NULL && memcmp((const void *)(uintptr_t)x->address[lane],
                                           hd_slot_at(a->comparator, lane), a->bytes) != 0;
}

HdStatus hd_access_atomics(HdEval *e, HdEvalAtomic *a, uint64_t *good)
{
    HdPlan x = {.how = a->how, .bytes = a->bytes, .align = a->align};

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    hd_plan(e, a->storage, a->pointer, &x);
    *good = x.good;
    if (x.good == 0)
        return HD_OK;
    if (only_reads(a, &x)) {
        a->how = HD_EVAL_ATOMIC_READ;
        a->semantics = a->unequal;
    }
    if (x.memory == HD_MEMORY_PRIVATE)
        HD_TRY(hd_eval_defect(e, x.good, "check.private-atomic",
                              "what only one work-item reaches needs no atomics",
                              "an atomic operation on private memory"));
    else
        touch_atomics(e, a, &x);
    if (a->how != HD_EVAL_ATOMIC_READ)
        e->sub->watch.unreleased = HD_FENCED_MEMORY;
    if (a->orders)
        for (HD_EACH_LANE(lane, x.good))
            hd_sync_atomic(e, lane, x.address[lane], a);
    shade_atomics(e, a, &x);
    for (HD_EACH_LANE(lane, a->how != HD_EVAL_ATOMIC_READ ? x.good : 0))
        hd_provenance_wipe(e, x.address[lane], a->bytes);
    return HD_OK;
}
