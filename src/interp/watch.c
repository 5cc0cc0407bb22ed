/* interp/watch.c -- accesses of a checked run: is the memory there, has it values, who else is at
 * it.
 *
 * Lanes are looked at together: when all of an instruction's addresses lie in one allocation and
 * nothing is odd, one comparison is enough. What is odd goes lane by lane through wrong.c, which
 * says what it is; bad loads give 0, bad stores are dropped, so that one mistake is told once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/watch.h"

#include "base/clock.h"
#include "base/memory.h"
#include "interp/rows.h"
#include "interp/state.h"
#include "interp/wrong.h"

/* ---- a run's own --------------------------------------------------------------------------- */

HdStatus hd_interp_check_open(const HdInterpProgram *p, const HdKernelInfo *k, uint64_t groups,
                              HdInterpCheck *c)
{
    uint64_t each = p->info.has_stretches || p->info.has_fences ? 64 : 2;
    uint64_t most = HD_CELL_STRETCHES / 2;

    if (groups > most / each)
        each = most / groups > 2 ? most / groups : 2;
    if (groups > most / each)
        groups = most / each;
    c->group_stretches = (uint32_t)each;
    c->stretch_count = (uint32_t)(groups * each) + 1;
    c->first_stretch = hd_check_stretches(c->check, c->stretch_count);
    HD_TAKE(c->trace, hd_alloc_zero((p->info.inst_count + 1) * sizeof *c->trace));
    pthread_mutex_init(&c->lock, NULL);
    HD_TRY(hd_alias_open(c, k));
    return hd_sync_open(&c->syncs);
}

void hd_interp_check_close(HdInterpCheck *c)
{
    if (c->trace != NULL)
        pthread_mutex_destroy(&c->lock);
    hd_free(c->trace);
    hd_alias_close(c);
    hd_sync_close(c->syncs);
    c->trace = NULL;
    c->syncs = NULL;
}

HdStatus hd_watch_open(HdInterpRun *r, HdInterpCheck *c)
{
    uint64_t local = r->g->local_bytes, slots = (c->stretch_count - 1) / c->group_stretches;
    uint32_t count = r->p->info.inst_count + 1;
    HdWatch *w;

    HD_TAKE(w, hd_room_take(r->room, sizeof *w));
    r->watch = w;
    w->c = c;
    HD_TAKE(w->local_shadow, hd_room_take(r->room, local + 1));
    HD_TAKE(w->local_cells, hd_room_take(r->room, (local / HD_CELL_BYTES + 2) * 8));
    HD_TAKE(w->cache, hd_room_take(r->room, count * sizeof(HdRegion *)));
    HD_TAKE(w->trace, hd_room_take(r->room, count * sizeof *w->trace));
    memset(w->local_shadow, 0xff, (size_t)local + 1);
    w->local_low = 1;
    w->local_next = 2;
    w->global_base = w->global_low = w->image_low =
        c->first_stretch + 1 + (uint32_t)(r->g->number % slots) * c->group_stretches;
    w->global_next = w->global_base + 1;
    w->global_end = w->global_base + c->group_stretches;
    w->deadline_ns = c->seconds > 0 ? hd_clock_ns() + c->seconds * 1000000000u : UINT64_MAX;
    for (uint32_t i = 0; i < r->sub_count; i++) {
        r->subs[i].watch.local = w->local_low;
        r->subs[i].watch.global = w->global_base;
    }
    return hd_trail_open(r);
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
        HD_ARRAY_FREE(&r->subs[i].watch.pending.over);
    }
    for (size_t i = 0; i < w->told.count; i++)
        hd_free(w->told.at[i].text);
    HD_ARRAY_FREE(&w->copies);
    HD_ARRAY_FREE(&w->told);
    HD_ARRAY_FREE(&w->trails);
    hd_free(w->local_fine);
    hd_free(w->sink);
    r->watch = NULL;
}

bool hd_watch_is_late(const HdWatch *w)
{
    return w->deadline_ns != UINT64_MAX && hd_clock_ns() > w->deadline_ns;
}

/* ---- what lanes access --------------------------------------------------------------------- */

/* MIXED: lanes with generic pointers to several. */
typedef enum HdClass { CLASS_PRIVATE, CLASS_LOCAL, CLASS_GLOBAL, CLASS_MIXED } Class;

typedef struct Plan {
    HdEvalAccess how;
    uint32_t storage; /* class of the pointer */
    uint64_t bytes, align;
    const uint64_t *address; /* [lanes] */
    uint64_t copy[HD_EVAL_LANES];
    uint64_t low, high; /* first byte, and behind the last byte */
    uint64_t bits;      /* of any address */
    uint64_t good;      /* lanes that may */
    bool is_row;        /* neighbouring lanes access neighbouring places, all lanes from 0 on */
    Class class;
    HdRegion *region;
} Plan;

static inline bool is_in_block(uint64_t address, const void *block, uint64_t bytes)
{
    return address - (uint64_t)(uintptr_t)block < bytes;
}

static Class class_of(const HdEval *e, uint32_t storage, uint64_t address)
{
    const HdInterpRun *r = e->run;

    switch (storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassInput:
    case SpvStorageClassPrivate: return CLASS_PRIVATE;
    case SpvStorageClassWorkgroup: return CLASS_LOCAL;
    case SpvStorageClassGeneric:
        if (is_in_block(address, r->subs[0].private_at, r->private_bytes))
            return CLASS_PRIVATE;
        if (is_in_block(address, r->local, e->g->local_bytes))
            return CLASS_LOCAL;
        return CLASS_GLOBAL;
    default: return CLASS_GLOBAL;
    }
}

/* Addresses, their range, how they lie. */
static void survey(const HdEval *e, const HdSlot *p, Plan *x)
{
    uint64_t low = UINT64_MAX, high = 0, bits = 0, mask = e->mask;
    unsigned row = hd_lane_row(mask);
    const uint64_t *at = (const uint64_t *)(const void *)p->at;

    if (p->stride == 0) {
        for (unsigned i = 0; i < e->width; i++)
            x->copy[i] = *(const HdU64 *)(const void *)p->at;
        at = x->copy;
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

static bool is_aligned(const Plan *x)
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
static bool fits_global(HdEval *e, const HdRoot *root, Plan *x)
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
    bound = hd_wrong_bound(e, root);
    return bound == NULL || (x->low >= bound->at && x->high <= bound->at + bound->bytes);
}

/* All lanes in one local variable or argument. */
static bool fits_local(const HdEval *e, const HdRoot *root, const Plan *x)
{
    uint64_t base = (uint64_t)(uintptr_t)e->run->local, first = 0, room = e->g->local_bytes;

    if (!hd_wrong_local(e, root, x->low - base, &first, &room))
        return false;
    return x->low >= base + first && x->high <= base + first + room && x->high > x->low;
}

/* All lanes at the same place of their private memory, inside a living variable. */
static bool fits_private(const HdEval *e, const HdRoot *root, const Plan *x)
{
    uint64_t base = (uint64_t)(uintptr_t)e->sub->private_at, lane_bytes = e->run->private_lane;
    unsigned first = hd_lane_first(e->mask);
    uint64_t offset = x->address[first] - (base + first * lane_bytes), odd = 0;

    for (HD_EACH_LANE(lane, e->mask))
        odd |= x->address[lane] - (base + lane * lane_bytes) - offset;
    return odd == 0 && offset < lane_bytes && root->kind != HD_ROOT_ARRAY &&
           hd_wrong_private(e, first, root, offset, x->bytes) == HD_PRIVATE_FINE;
}

static void trace(HdEval *e, const Plan *x)
{
    HdTrace *t = &e->watch->trace[e->info->number];
    uint32_t stretch = x->class == CLASS_LOCAL ? e->sub->watch.local : e->sub->watch.global;

    if (x->class == CLASS_PRIVATE)
        return;
    if (t->high == 0) {
        t->low = x->low;
        t->first = stretch;
    }
    t->low = x->low < t->low ? x->low : t->low;
    t->high = x->high > t->high ? x->high : t->high;
    t->last = stretch;
    t->reads = t->reads || x->how == HD_EVAL_READ || x->how == HD_EVAL_ATOMIC_READ;
    t->writes = t->writes || x->how == HD_EVAL_WRITE || x->how == HD_EVAL_ATOMIC;
    t->is_atomic = x->how >= HD_EVAL_ATOMIC;
}

/* Look at lanes one by one. */
static void plan_each(HdEval *e, const HdRoot *root, Plan *x)
{
    uint64_t low = UINT64_MAX, high = 0;

    for (HD_EACH_LANE(lane, x->good)) {
        HdAccess a = {.storage = x->storage,
                      .address = x->address[lane],
                      .bytes = x->bytes,
                      .align = x->align,
                      .how = x->how};
        HdRoot own = root->kind == HD_ROOT_MIXED ? hd_trail_root(e, UINT64_C(1) << lane) : *root;

        if (!hd_wrong_access(e, lane, &own, &a)) {
            x->good &= ~(UINT64_C(1) << lane);
            continue;
        }
        low = a.address < low ? a.address : low;
        high = a.address + a.bytes > high ? a.address + a.bytes : high;
        if (class_of(e, x->storage, a.address) != x->class)
            x->class = CLASS_MIXED;
    }
    x->is_row = x->is_row && x->good == e->mask && x->class != CLASS_MIXED;
    x->low = low;
    x->high = high;
    /* Lanes in several places: each is looked at by itself. */
    x->region = NULL;
    if (x->class == CLASS_GLOBAL && x->good != 0)
        x->region = hd_check_find(&e->watch->c->map, low);
    if (x->region != NULL && high > x->region->at + x->region->bytes)
        x->region = NULL;
}

static void watch_aliases(HdEval *e, const HdRoot *root, const Plan *x)
{
    bool writes = x->how != HD_EVAL_READ && x->how != HD_EVAL_ATOMIC_READ;

    if (e->watch->c->aliases == NULL || (x->class != CLASS_GLOBAL && x->class != CLASS_MIXED))
        return;
    if (root->kind != HD_ROOT_MIXED) {
        hd_alias_touch(e, root, x->good, x->address, x->bytes, writes);
        return;
    }
    for (HD_EACH_LANE(lane, x->good)) {
        HdRoot own = hd_trail_root(e, UINT64_C(1) << lane);

        hd_alias_touch(e, &own, UINT64_C(1) << lane, x->address, x->bytes, writes);
    }
}

/* Which lanes may do what they want; the others are told of. */
static HdStatus plan(HdEval *e, uint32_t storage, const HdSlot *p, Plan *x)
{
    HdRoot root = hd_trail_root(e, e->mask);
    bool fits;

    x->storage = storage;
    survey(e, p, x);
    x->class = class_of(e, storage, x->low);
    x->good = e->mask;
    if (root.index_count > 0)
        x->good &= ~hd_wrong_index(e, &root, x->how);
    fits = x->good == e->mask && x->low >= HD_FIRST_ADDRESS && is_aligned(x) &&
           root.kind != HD_ROOT_MIXED;
    switch (x->class) {
    case CLASS_GLOBAL: fits = fits && fits_global(e, &root, x); break;
    case CLASS_LOCAL: fits = fits && fits_local(e, &root, x); break;
    case CLASS_PRIVATE: fits = fits && fits_private(e, &root, x); break;
    case CLASS_MIXED: break;
    }
    if (!fits)
        plan_each(e, &root, x);
    if (x->good != 0)
        trace(e, x);
    watch_aliases(e, &root, x);
    return HD_OK;
}

/* The cells behind an address; at == NULL when nobody else can reach it. */
static HdCells cells_at(HdEval *e, Class class, HdRegion *region, uint64_t address)
{
    HdCells c = {.is_local = class == CLASS_LOCAL};

    if (class == CLASS_PRIVATE)
        return c;
    if (class == CLASS_LOCAL) {
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

/* Those of a lane whose memory may be another than its neighbours'. */
static HdCells lane_cells(HdEval *e, const Plan *x, unsigned lane)
{
    uint64_t address = x->address[lane];

    return cells_at(e, class_of(e, x->storage, address), NULL, address);
}

/* ---- shadow of memory ---------------------------------------------------------------------- */

unsigned char *hd_watch_shadow(HdEval *e, unsigned lane, uint64_t address, bool create,
                               unsigned char *flip)
{
    const HdInterpRun *r = e->run;
    HdRegion *region;
    unsigned char *shadow;

    (void)lane;
    *flip = 0;
    if (is_in_block(address, r->subs[0].private_at, r->private_bytes))
        return (unsigned char *)(uintptr_t)(address + r->private_bytes);
    if (is_in_block(address, r->local, e->g->local_bytes))
        return e->watch->local_shadow + (address - (uint64_t)(uintptr_t)r->local);
    region = hd_check_find(&e->watch->c->map, address);
    if (region == NULL)
        return NULL;
    *flip = region->is_undefined ? 0xff : 0;
    shadow = atomic_load_explicit(&region->shadow, memory_order_acquire);
    if (shadow == NULL && (create || region->is_undefined))
        shadow = hd_region_shadow(region);
    return shadow != NULL ? shadow + (address - region->at) : NULL;
}

/* No lane's bytes can lack values: global memory that has no shadow. */
static bool has_all_values(const Plan *x)
{
    return x->class == CLASS_GLOBAL && x->region != NULL && !x->region->is_undefined &&
           atomic_load_explicit(&x->region->shadow, memory_order_acquire) == NULL;
}

static unsigned char any_of(const unsigned char *at, uint64_t bytes, unsigned char flip)
{
    unsigned char any = 0;

    for (uint64_t i = 0; i < bytes; i++)
        any |= at[i] ^ flip;
    return any;
}

/* Where the shadow of an address lies, as a distance, when memory has shadow beside it. */
static bool shadow_distance(const HdEval *e, const Plan *x, uint64_t *distance)
{
    if (x->class == CLASS_PRIVATE)
        *distance = e->run->private_bytes;
    else if (x->class == CLASS_LOCAL)
        *distance =
            (uint64_t)(uintptr_t)e->watch->local_shadow - (uint64_t)(uintptr_t)e->run->local;
    else
        return false;
    return true;
}

/* Has all that lanes load a value? A quick look that may say no. */
static bool loads_values(const HdEval *e, const Plan *x)
{
    uint64_t distance, any = 0;
    unsigned row = hd_lane_row(x->good);

    if (has_all_values(x))
        return true;
    if (!shadow_distance(e, x, &distance))
        return false;
    if (row > 0 && (x->bytes == 4 || x->bytes == 8))
        return !hd_row_any(x->address, distance, row, (unsigned)x->bytes);
    switch (x->bytes) {
    case 4:
        for (HD_EACH_LANE(lane, x->good))
            any |= *(const HdU32 *)(uintptr_t)(x->address[lane] + distance);
        return any == 0;
    case 8:
        for (HD_EACH_LANE(lane, x->good))
            any |= *(const HdU64 *)(uintptr_t)(x->address[lane] + distance);
        return any == 0;
    default:
        for (HD_EACH_LANE(lane, x->good))
            any |= any_of((const unsigned char *)(uintptr_t)(x->address[lane] + distance), x->bytes,
                          0);
        return any == 0;
    }
}

/* The loaded slot gets the memory's shadow. */
static void load_shadow(HdEval *e, const Plan *x, const HdSlot *r)
{
    uint32_t slot = e->info->result - 1;
    bool dirty = e->frame->origin[slot] != 0, found = false;
    HdSlot shadow = *r;

    if (!dirty && loads_values(e, x))
        return;
    shadow.at += e->frame->shadow;
    if (dirty)
        for (HD_EACH_LANE(lane, e->mask))
            memset(hd_slot_at(&shadow, lane), 0, (size_t)r->type->size);
    for (HD_EACH_LANE(lane, x->good)) {
        unsigned char flip, *from = hd_watch_shadow(e, lane, x->address[lane], false, &flip);

        if (from == NULL || any_of(from, x->bytes, flip) == 0)
            continue;
        found = true;
        for (uint64_t i = 0; i < x->bytes; i++)
            hd_slot_at(&shadow, lane)[i] = from[i] ^ flip;
    }
    if (found || dirty)
        hd_shadow_settle(e, &shadow, slot, e->info->number + 1);
}

/* Do whole components lack a value, or some bits of a byte? Padding and parts that are copied along
 * are whole bytes of a component that has others: they do not count. */
static bool is_spoiled(const HdSlot *shadow, unsigned lane)
{
    const HdType *t = shadow->type;
    uint64_t bytes = hd_type_scalar(t)->size;

    uint32_t count = hd_type_lanes(t);

    if (t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY)
        return false;
    /* Compilers store vectors of 3 as vectors of 4. */
    count -= t->kind == HD_T_VECTOR && count == 4;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *at = hd_slot_at(shadow, lane) + i * bytes;
        bool all = true, part = false;

        for (uint64_t b = 0; b < bytes; b++) {
            all = all && at[b] == 0xff;
            part = part || (at[b] != 0 && at[b] != 0xff);
        }
        if (all || part)
            return true;
    }
    return false;
}

/* Memory gets the stored slot's shadow. */
static void store_shadow(HdEval *e, const Plan *x, const HdSlot *from)
{
    HdSlot shadow;
    bool dirty = e->frame->dirty > 0 && hd_shadow_of(e, from, &shadow);
    uint32_t origin = 0;
    uint64_t spoiled = 0, distance;

    if (dirty)
        origin = e->frame->origin[(uint64_t)(from->at - e->frame->values) / e->width / 16];
    dirty = origin != 0;
    if (!dirty && has_all_values(x))
        return;
    if (!dirty && shadow_distance(e, x, &distance)) {
        if (x->is_row)
            memset((void *)(uintptr_t)(x->low + distance), 0, (size_t)(x->high - x->low));
        for (HD_EACH_LANE(lane, x->is_row ? 0 : x->good))
            memset((void *)(uintptr_t)(x->address[lane] + distance), 0, (size_t)x->bytes);
        return;
    }
    for (HD_EACH_LANE(lane, x->good)) {
        bool any = dirty && any_of(hd_slot_at(&shadow, lane), x->bytes, 0) != 0;
        unsigned char flip, *to = hd_watch_shadow(e, lane, x->address[lane], any, &flip);

        if (to == NULL)
            continue;
        if (any)
            for (uint64_t i = 0; i < x->bytes; i++)
                to[i] = hd_slot_at(&shadow, lane)[i] ^ flip;
        else
            memset(to, flip, (size_t)x->bytes);
        if (any && x->class == CLASS_GLOBAL && is_spoiled(&shadow, lane))
            spoiled |= UINT64_C(1) << lane;
    }
    if (spoiled != 0)
        hd_shadow_tell(e, spoiled, origin, "the kernel wrote", x->low, x->high - x->low);
}

bool hd_watch_undefined(HdEval *e, unsigned lane, uint64_t address, uint64_t bytes)
{
    unsigned char flip, *at = hd_watch_shadow(e, lane, address, false, &flip);

    return at != NULL && any_of(at, bytes, flip) != 0;
}

void hd_watch_define(HdEval *e, unsigned lane, uint64_t address, uint64_t bytes, bool has_value)
{
    unsigned char flip, *at = hd_watch_shadow(e, lane, address, !has_value, &flip);

    hd_trail_wipe(e, address, bytes);
    if (at != NULL)
        memset(at, has_value ? flip : flip ^ 0xff, (size_t)bytes);
}

void hd_watch_shade(HdEval *e, unsigned lane, uint64_t address, const unsigned char *shadow,
                    uint64_t bytes)
{
    unsigned char flip, *at = hd_watch_shadow(e, lane, address, true, &flip);

    for (uint64_t i = 0; at != NULL && i < bytes; i++)
        at[i] = shadow[i] ^ flip;
}

void hd_watch_move(HdEval *e, unsigned lane, uint64_t to, uint64_t from, uint64_t bytes)
{
    unsigned char from_flip, to_flip;
    unsigned char *source = hd_watch_shadow(e, lane, from, false, &from_flip);
    bool any = source != NULL && any_of(source, bytes, from_flip) != 0;
    unsigned char *at = hd_watch_shadow(e, lane, to, any, &to_flip);

    hd_trail_move(e, to, from, bytes);
    if (at == NULL)
        return;
    if (!any) {
        memset(at, to_flip, (size_t)bytes);
        return;
    }
    memmove(at, source, (size_t)bytes);
    for (uint64_t i = 0; i < bytes && from_flip != to_flip; i++)
        at[i] ^= 0xff;
}

/* ---- loads and stores ---------------------------------------------------------------------- */

#define EACH_GOOD(body)               \
    for (HD_EACH_LANE(lane, x->good)) \
    body

static void move_in(const HdEval *e, const Plan *x, const HdSlot *r)
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
        memset(hd_slot_at(r, lane), 0, (size_t)r->type->size);
}

HdStatus hd_watch_load(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                       const HdSlot *r, uint64_t bytes)
{
    Plan x = {.how = HD_EVAL_READ, .bytes = bytes, .align = align};
    HdCells c;

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    HD_TRY(plan(e, storage, p, &x));
    move_in(e, &x, r);
    load_shadow(e, &x, r);
    if (x.class == CLASS_PRIVATE || x.good == 0)
        return HD_OK;
    if (x.class == CLASS_LOCAL || x.region != NULL) {
        c = cells_at(e, x.class, x.region, x.low);
        if (c.at != NULL)
            hd_race_touch_all(e, x.good, &c, x.address, bytes, HD_EVAL_READ, x.is_row);
        return HD_OK;
    }
    for (HD_EACH_LANE(lane, x.good)) {
        c = lane_cells(e, &x, lane);
        hd_race_touch(e, lane, &c, x.address[lane], bytes, HD_EVAL_READ, NULL);
    }
    return HD_OK;
}

static void move_out(const HdEval *e, const Plan *x, const HdSlot *from)
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

HdStatus hd_watch_store(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                        const HdSlot *from, uint64_t bytes)
{
    Plan x = {.how = HD_EVAL_WRITE, .bytes = bytes, .align = align};
    HdCells c = {0};

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    HD_TRY(plan(e, storage, p, &x));
    if (x.good == 0)
        return HD_OK;
    if (e->sub->watch.must_step && x.class != CLASS_PRIVATE)
        hd_race_step(e);
    store_shadow(e, &x, from);
    hd_trail_store(e, e->in->w[2], x.good, x.address, bytes);
    if (x.class == CLASS_PRIVATE) {
        move_out(e, &x, from);
        return HD_OK;
    }
    if (x.class == CLASS_LOCAL || x.region != NULL)
        c = cells_at(e, x.class, x.region, x.low);
    if (x.is_row && c.at != NULL) {
        hd_race_touch_all(e, x.good, &c, x.address, bytes, HD_EVAL_WRITE, true);
        move_out(e, &x, from);
        return HD_OK;
    }
    /* Lanes may meet in one place: each sees what those before it wrote. */
    for (HD_EACH_LANE(lane, x.good)) {
        const unsigned char *at = hd_slot_at(from, lane);

        if (x.class != CLASS_LOCAL && x.region == NULL)
            c = lane_cells(e, &x, lane);
        hd_race_touch(e, lane, &c, x.address[lane], bytes, HD_EVAL_WRITE, at);
        memcpy((void *)(uintptr_t)x.address[lane], at, (size_t)bytes);
    }
    return HD_OK;
}

/* ---- one lane ------------------------------------------------------------------------------ */

HdStatus hd_watch_access(HdEval *e, unsigned lane, uint32_t storage, uint64_t address,
                         uint64_t bytes, uint64_t align, HdEvalAccess how, void **host)
{
    HdRoot root = hd_trail_root(e, UINT64_C(1) << lane);
    HdWatch *w = e->watch;
    HdAccess a = {
        .storage = storage, .address = address, .bytes = bytes, .align = align, .how = how};
    Plan x = {.how = how,
              .storage = storage,
              .bytes = bytes,
              .align = align,
              .bits = address,
              .low = address,
              .high = address + bytes,
              .class = class_of(e, storage, address)};
    bool fits = address >= HD_FIRST_ADDRESS && is_aligned(&x);
    HdCells c;

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    fits = fits && (x.class == CLASS_GLOBAL  ? fits_global(e, &root, &x)
                    : x.class == CLASS_LOCAL ? fits_local(e, &root, &x)
                                             : false);
    if (!fits && !hd_wrong_access(e, lane, &root, &a)) {
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
    if (x.class == CLASS_PRIVATE)
        return HD_OK;
    if (e->sub->watch.must_step && how == HD_EVAL_WRITE)
        hd_race_step(e);
    trace(e, &x);
    c = cells_at(e, x.class, fits ? x.region : NULL, address);
    hd_race_touch(e, lane, &c, address, bytes, how, e->brings);
    return HD_OK;
}

void hd_watch_touch(HdEval *e, const HdEvalSide *side, uint64_t bytes, HdEvalAccess how)
{
    const uint64_t at = side->address, local = (uint64_t)(uintptr_t)e->run->local;
    Class class = class_of(e, side->storage, at);
    HdCells c = cells_at(e, class, NULL, at);

    if (class == CLASS_LOCAL
            ? at - local >= e->g->local_bytes || bytes > e->g->local_bytes - (at - local)
            : c.region == NULL || bytes > c.region->bytes - (at - c.region->at))
        return;
    hd_race_touch(e, hd_lane_first(e->mask), &c, at, bytes, how, NULL);
}

/* ---- atomics ------------------------------------------------------------------------------- */

static void touch_atomics(HdEval *e, const HdEvalAtomic *a, const Plan *x)
{
    HdCells c;

    if (x->class == CLASS_LOCAL || x->region != NULL) {
        c = cells_at(e, x->class, x->region, x->low);
        if (c.at != NULL)
            hd_race_touch_atomics(e, x->good, &c, x->address, a->bytes, a->how);
        return;
    }
    for (HD_EACH_LANE(lane, x->good)) {
        c = lane_cells(e, x, lane);
        hd_race_touch(e, lane, &c, x->address[lane], a->bytes, a->how, NULL);
    }
}

/* What has no value makes what depends on it have none. */
static void shade_atomics(HdEval *e, const HdEvalAtomic *a, const Plan *x)
{
    bool dirty = e->frame->dirty > 0;
    uint64_t spoiled = 0;

    if (!dirty && loads_values(e, x))
        return;
    for (HD_EACH_LANE(lane, x->good)) {
        bool brings = a->how == HD_EVAL_ATOMIC_READ || !hd_shadow_lane(e, lane);

        if (a->reads && hd_watch_undefined(e, lane, x->address[lane], a->bytes))
            hd_eval_spoil(e, UINT64_C(1) << lane);
        if (a->replaces || !brings)
            hd_watch_define(e, lane, x->address[lane], a->bytes, brings);
        if (!brings)
            spoiled |= UINT64_C(1) << lane;
    }
    if (spoiled != 0 && x->class == CLASS_GLOBAL)
        hd_shadow_tell(e, spoiled, hd_shadow_origin(e), "the kernel wrote", x->low,
                       x->high - x->low);
}

HdStatus hd_watch_atomics(HdEval *e, const HdEvalAtomic *a, uint64_t *good)
{
    Plan x = {.how = a->how, .bytes = a->bytes, .align = a->bytes};

    HD_TRY(hd_eval_needs(e, e->pointer, "an address depends on"));
    HD_TRY(plan(e, a->storage, a->pointer, &x));
    *good = x.good;
    if (x.good == 0)
        return HD_OK;
    if (x.class != CLASS_PRIVATE)
        touch_atomics(e, a, &x);
    if (a->orders)
        for (HD_EACH_LANE(lane, x.good))
            hd_sync_atomic(e, x.address[lane], a);
    shade_atomics(e, a, &x);
    for (HD_EACH_LANE(lane, a->how != HD_EVAL_ATOMIC_READ ? x.good : 0))
        hd_trail_wipe(e, x.address[lane], a->bytes);
    return HD_OK;
}

/* In one local variable or argument, its end included? */
static bool same_local(const HdEval *e, uint64_t a, uint64_t b)
{
    const uint64_t base = (uint64_t)(uintptr_t)e->run->local;
    const HdRoot anything = {0};
    uint64_t first, bytes;
    bool known_a = hd_wrong_local(e, &anything, a - base, &first, &bytes);

    if (known_a && b - base - first <= bytes)
        return true;
    if (hd_wrong_local(e, &anything, b - base, &first, &bytes))
        return a - base - first <= bytes;
    return !known_a;
}

bool hd_eval_same_memory(const HdEval *e, uint64_t a, uint64_t b)
{
    const HdRegion *r = hd_check_find(&e->watch->c->map, a < b ? a : b);
    Class class = class_of(e, SpvStorageClassGeneric, a);

    if (class == CLASS_LOCAL)
        return same_local(e, a, b);
    if (class != class_of(e, SpvStorageClassGeneric, b))
        return false;
    if (class != CLASS_GLOBAL || a == b)
        return true;
    return r == NULL || (a > b ? a : b) <= r->at + r->bytes;
}
