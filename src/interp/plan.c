/* interp/plan.c -- the requests of the lanes of one access, and which are allowed.
 *
 * check.promise: memory is written, or read, through a parameter that promises that it is not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/plan.h"

#include "interp/alias.h"
#include "interp/classify.h"
#include "interp/counters.h"
#include "interp/observe.h"
#include "interp/provenance.h"
#include "interp/report.h"
#include "interp/rows.h"
#include "interp/state.h"
#include "interp/watch_state.h"

HdMemory hd_plan_memory(const HdEval *e, uint32_t storage, uint64_t address)
{
    const HdInterpRun *r = e->run;

    switch (storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassInput:
    case SpvStorageClassPrivate: return HD_MEMORY_PRIVATE;
    case SpvStorageClassWorkgroup: return HD_MEMORY_LOCAL;
    case SpvStorageClassGeneric:
        if (hd_is_in_block(address, r->subs[0].private_at, r->private_bytes))
            return HD_MEMORY_PRIVATE;
        if (hd_is_in_block(address, r->local, e->g->local_bytes))
            return HD_MEMORY_LOCAL;
        return HD_MEMORY_GLOBAL;
    default: return HD_MEMORY_GLOBAL;
    }
}

/* Addresses, their range, how they lie. */
static void survey(const HdEval *e, const HdSlot *p, HdPlan *x)
{
    uint64_t low = UINT64_MAX, high = 0, bits = 0, mask = e->mask;
    unsigned row = hd_lane_row(mask);
    const uint64_t *at = (const uint64_t *)(const void *)p->at;

    if (p->stride == 0) {
        for (unsigned i = 0; i < e->width; i++)
            e->watch->same[i] = *(const HdU64 *)(const void *)p->at;
        at = e->watch->same;
    }
    x->address = at;
    if (row > 0) {
        HdRowSpan span = hd_row_span(at, row, x->bytes);

        low = span.low;
        high = span.high;
        bits = span.bits;
        x->is_row = span.is_row;
    }
    for (HD_EACH_LANE(lane, row > 0 ? 0 : mask)) {
        bits |= at[lane];
        low = at[lane] < low ? at[lane] : low;
        high = at[lane] > high ? at[lane] : high;
    }
    x->bits = bits;
    x->low = low;
    x->high = high + x->bytes;
}

static bool is_aligned(const HdPlan *x)
{
    return x->align <= 1 || (x->align & (x->align - 1)) != 0 || (x->bits & (x->align - 1)) == 0;
}

/* Pointers to memory of the host or of the device alone are for that memory. */
static bool fits_class(uint32_t storage, const HdRegion *r)
{
    return (storage != SpvStorageClassDeviceOnlyINTEL || r->kind != HD_REGION_HOST) &&
           (storage != SpvStorageClassHostOnlyINTEL || r->kind != HD_REGION_DEVICE);
}

/* All lanes in one place of global memory that allows it. */
static bool fits_global(HdEval *e, const HdRoot *root, HdPlan *x)
{
    HdRegion **cache = &e->watch->cache[e->info->number], *r = *cache;
    const HdRegion *bound;

    if (r == NULL || x->low < r->at || x->high > r->at + r->bytes) {
        r = hd_check_find(&e->watch->c->map, x->low);
        *cache = r;
    }
    x->region = r;
    if (r == NULL || x->low < r->at || x->high > r->at + r->bytes || x->high < x->low ||
        !fits_class(x->storage, r) ||
        (x->how == HD_EVAL_READ ? r->is_write_only
                                : r->is_read_only || e->watch->c->has_constants ||
                                      atomic_load_explicit(&r->maps, memory_order_relaxed) > 0))
        return false;
    bound = hd_classify_bound(e, root);
    return bound == NULL || (x->low >= bound->at && x->high <= bound->at + bound->bytes);
}

/* All lanes in one local variable or argument. */
static bool fits_local(const HdEval *e, const HdRoot *root, const HdPlan *x)
{
    uint64_t base = (uint64_t)(uintptr_t)e->run->local, first = 0, room = e->g->local_bytes;

    if (!hd_classify_local(e, root, x->low - base, &first, &room))
        return false;
    return x->low >= base + first && x->high <= base + first + room && x->high > x->low;
}

/* All lanes at the same place of their private memory, inside a living variable. */
static bool fits_private(const HdEval *e, const HdRoot *root, const HdPlan *x)
{
    uint64_t base = (uint64_t)(uintptr_t)e->sub->private_at, lane_bytes = e->run->private_lane;
    unsigned first = hd_lane_first(e->mask);
    uint64_t offset = x->address[first] - (base + first * lane_bytes), odd = 0;

    for (HD_EACH_LANE(lane, e->mask))
        odd |= x->address[lane] - (base + lane * lane_bytes) - offset;
    return odd == 0 && offset < lane_bytes && root->kind != HD_ROOT_ARRAY &&
           hd_classify_private(e, first, root, offset, x->bytes) == HD_PRIVATE_FINE;
}

/* A number's highest bit and all bits below it. */
static uint64_t bits_to_top(uint64_t x)
{
    return x == 0 ? 0 : UINT64_MAX >> __builtin_clzll(x);
}

/* The bits in which bytes that are accessed differ from the one at `low`. */
static uint64_t varying_bits(const HdPlan *x)
{
    uint64_t among = 0, within = 0;

    if (x->address == NULL || x->is_row)
        return bits_to_top(x->low ^ (x->high - 1));
    for (HD_EACH_LANE(lane, x->good)) {
        among |= x->address[lane] ^ x->low;
        within |= x->address[lane] ^ (x->address[lane] + x->bytes - 1);
    }
    return among | bits_to_top(within);
}

void hd_plan_trace(HdEval *e, const HdPlan *x)
{
    HdTrace *t = &e->watch->trace[e->info->number];
    uint32_t epoch = x->memory == HD_MEMORY_LOCAL ? e->sub->watch.local : e->sub->watch.global;

    if (x->memory == HD_MEMORY_PRIVATE)
        return;
    if (t->high == 0) {
        t->low = t->at = x->low;
        t->first = epoch;
    }
    if ((bits_to_top((x->low ^ t->at) | (x->low ^ (x->high - 1))) & ~t->varies) != 0)
        t->varies |= (x->low ^ t->at) | varying_bits(x);
    t->low = x->low < t->low ? x->low : t->low;
    t->high = x->high > t->high ? x->high : t->high;
    t->last = epoch;
    t->reads = t->reads || x->how != HD_EVAL_WRITE;
    t->writes = t->writes || x->how == HD_EVAL_WRITE || x->how == HD_EVAL_ATOMIC;
    t->is_atomic = x->how >= HD_EVAL_ATOMIC;
}

/* Look at lanes one by one. */
static void plan_each(HdEval *e, const HdRoot *root, HdPlan *x)
{
    uint64_t low = UINT64_MAX, high = 0;

    for (HD_EACH_LANE(lane, x->good)) {
        HdAccess a = {.storage = x->storage,
                      .address = x->address[lane],
                      .bytes = x->bytes,
                      .align = x->align,
                      .how = x->how};
        HdRoot own =
            root->kind == HD_ROOT_MIXED ? hd_provenance_root(e, UINT64_C(1) << lane) : *root;

        if (!hd_classify_access(e, lane, &own, &a)) {
            x->good &= ~(UINT64_C(1) << lane);
            continue;
        }
        low = a.address < low ? a.address : low;
        high = a.address + a.bytes > high ? a.address + a.bytes : high;
        if (hd_plan_memory(e, x->storage, a.address) != x->memory)
            x->memory = HD_MEMORY_MIXED;
    }
    x->is_row = x->is_row && x->good == e->mask && x->memory != HD_MEMORY_MIXED;
    x->low = low;
    x->high = high;
    /* Lanes in several regions: each is checked separately. */
    x->region = NULL;
    if (x->memory == HD_MEMORY_GLOBAL && x->good != 0)
        x->region = hd_check_find(&e->watch->c->map, low);
    if (x->region != NULL && high > x->region->at + x->region->bytes)
        x->region = NULL;
}

static void watch_aliases(HdEval *e, const HdRoot *root, const HdPlan *x)
{
    bool writes = x->how != HD_EVAL_READ && x->how != HD_EVAL_ATOMIC_READ;

    if (e->watch->c->aliases == NULL ||
        (x->memory != HD_MEMORY_GLOBAL && x->memory != HD_MEMORY_MIXED))
        return;
    if (root->kind != HD_ROOT_MIXED) {
        hd_alias_touch(e, root, x->good, x->address, x->bytes, writes);
        return;
    }
    for (HD_EACH_LANE(lane, x->good)) {
        HdRoot own = hd_provenance_root(e, UINT64_C(1) << lane);

        hd_alias_touch(e, &own, UINT64_C(1) << lane, x->address, x->bytes, writes);
    }
}

bool hd_plan_fits(HdEval *e, const HdRoot *root, HdPlan *x)
{
    if (x->low < HD_FIRST_ADDRESS || !is_aligned(x))
        return false;
    switch (x->memory) {
    case HD_MEMORY_GLOBAL: return fits_global(e, root, x);
    case HD_MEMORY_LOCAL: return fits_local(e, root, x);
    case HD_MEMORY_PRIVATE: return x->address != NULL && fits_private(e, root, x);
    case HD_MEMORY_MIXED: break;
    }
    return false;
}

/* A uniform buffer or push constants, which need no decoration to be read only? */
static bool is_uniform(const HdEval *e, HdId id)
{
    const HdBuildLayout *l = e->run->p->layout;
    const uint32_t i = id < l->bound ? l->resource[id] : UINT32_MAX;

    return i != UINT32_MAX &&
           (l->resources[i].resource.is_uniform || l->resources[i].resource.is_push);
}

static void tell_promise(HdEval *e, const HdPlan *x, bool writes)
{
    const HdRoot root = hd_info_root(e->run->p, e->pointer);
    const HdRegion *r = hd_check_find(&e->watch->c->map, x->low);
    HdDefect d = {.other_place.word = HD_NO_PLACE};
    HdStrbuf message = {0}, memory = {0};
    char name[HD_REPORT_NAME];

    if (!e->g->kernel->is_shader) {
        hd_eval_defect(e, x->good, "check.promise", "take the promise away, or keep it",
                       "memory is %s through a parameter that promises not to be used so",
                       writes ? "written" : "read");
        return;
    }
    hd_strbuf_printf(&message, "memory is %s that is %s", writes ? "written" : "read",
                     !writes                  ? "NonReadable, or writeonly"
                     : is_uniform(e, root.id) ? "a uniform buffer or push constants"
                                              : "NonWritable, or readonly");
    d.variable = hd_report_member(
        e, root.id,
        x->address != NULL && x->good != 0 ? x->address[hd_lane_first(x->good)] : x->low, x->bytes,
        name);
    if (r != NULL)
        hd_report_region(e, r, &memory);
    d.memory = r != NULL ? hd_strbuf_text(&memory) : NULL;
    hd_report(e, HD_ERROR, x->good, "check.promise",
              "take the decoration away, or keep its promise", hd_strbuf_text(&message), &d);
    hd_strbuf_free(&message);
    hd_strbuf_free(&memory);
}

/* A parameter, or a shader's variable or member, may promise that nothing is written, or read,
 * through it. */
void hd_plan_promise(HdEval *e, const HdPlan *x)
{
    const unsigned promise =
        e->run->p->info.has_promises ? hd_info_root(e->run->p, e->pointer).promise : 0;
    const bool reads = x->how != HD_EVAL_WRITE,
               writes = x->how == HD_EVAL_WRITE || x->how == HD_EVAL_ATOMIC;

    if ((reads && (promise & HD_PROMISE_NO_READ) != 0) ||
        (writes && (promise & HD_PROMISE_NO_WRITE) != 0))
        tell_promise(e, x, writes && (promise & HD_PROMISE_NO_WRITE) != 0);
}

static void note(const HdEval *e, const HdPlan *x, HdMemory memory, uint64_t lanes)
{
    if (lanes == 0)
        return;
    if (e->watch->counters != NULL)
        hd_counters_access(e->watch->counters, e, x->storage, memory, x->how,
                           x->bytes * (unsigned)__builtin_popcountll(lanes));
    if (e->watch->c->observing != NULL)
        hd_observe_access(e, x, memory, lanes);
}

/* Count the accesses, and tell who looks on, by the memory that they are to. */
static void note_all(const HdEval *e, const HdPlan *x)
{
    uint64_t of[HD_MEMORY_MIXED] = {0};

    if (x->memory != HD_MEMORY_MIXED) {
        note(e, x, x->memory, x->good);
        return;
    }
    for (HD_EACH_LANE(lane, x->good))
        of[hd_plan_memory(e, x->storage, x->address[lane])] |= UINT64_C(1) << lane;
    for (HdMemory m = 0; m < HD_MEMORY_MIXED; m++)
        note(e, x, m, of[m]);
}

void hd_plan(HdEval *e, uint32_t storage, const HdSlot *p, HdPlan *x)
{
    HdRoot root = hd_provenance_root(e, e->mask);

    x->storage = storage;
    survey(e, p, x);
    x->memory = hd_plan_memory(e, storage, x->low);
    x->good = e->mask;
    if (root.index_count > 0)
        x->good &= ~hd_classify_index(e, &root, x->how);
    if (x->good != e->mask || root.kind == HD_ROOT_MIXED || !hd_plan_fits(e, &root, x))
        plan_each(e, &root, x);
    if (x->good != 0)
        hd_plan_trace(e, x);
    if (e->watch->notes_accesses)
        note_all(e, x);
    hd_plan_promise(e, x);
    watch_aliases(e, &root, x);
}

HdCells hd_plan_cells(HdEval *e, HdMemory memory, HdRegion *region, uint64_t address)
{
    HdCells c = {.is_local = memory == HD_MEMORY_LOCAL};

    if (memory == HD_MEMORY_PRIVATE)
        return c;
    if (memory == HD_MEMORY_LOCAL) {
        c.at = e->watch->local_cells;
        c.base = (uint64_t)(uintptr_t)e->run->local;
        return c;
    }
    if (region == NULL)
        region = hd_check_find(&e->watch->c->map, address);
    if (region != NULL) {
        c.region = region;
        c.at = hd_region_cells(region);
        c.base = region->at & ~(uint64_t)(HD_CELL_BYTES - 1);
    }
    return c;
}

HdCells hd_plan_lane_cells(HdEval *e, const HdPlan *x, unsigned lane)
{
    uint64_t address = x->address[lane];

    return hd_plan_cells(e, hd_plan_memory(e, x->storage, address), NULL, address);
}

/* In one local variable or argument, its end included? */
static bool same_local(const HdEval *e, uint64_t a, uint64_t b)
{
    const uint64_t base = (uint64_t)(uintptr_t)e->run->local;
    const HdRoot anything = {0};
    uint64_t first, bytes;
    bool known_a = hd_classify_local(e, &anything, a - base, &first, &bytes);

    if (known_a && b - base - first <= bytes)
        return true;
    if (hd_classify_local(e, &anything, b - base, &first, &bytes))
        return a - base - first <= bytes;
    return !known_a;
}

bool hd_eval_same_memory(const HdEval *e, uint64_t a, uint64_t b)
{
    const HdRegion *r = hd_check_find(&e->watch->c->map, a < b ? a : b);
    HdMemory memory = hd_plan_memory(e, SpvStorageClassGeneric, a);

    if (memory == HD_MEMORY_LOCAL)
        return same_local(e, a, b);
    if (memory != hd_plan_memory(e, SpvStorageClassGeneric, b))
        return false;
    if (memory != HD_MEMORY_GLOBAL || a == b)
        return true;
    return r == NULL || (a > b ? a : b) <= r->at + r->bytes;
}
