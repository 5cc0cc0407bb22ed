/* interp/race.c -- data races: the last accesses to memory, and what is ordered before what.
 *
 * Two accesses race if different work-items make them, one of them writes, not both are atomic, and
 * nothing orders them: a barrier that covers the memory, or an atomic that releases what another
 * acquires. Where that cannot be decided cheaply, accesses count as ordered, so that correct
 * programs cause no reports.
 *
 * Spec: OpenCL API, "Memory Model"; SPIR-V, "Memory Semantics".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/race.h"

#include "base/map.h"
#include "base/memory.h"
#include "interp/epoch.h"
#include "interp/plan.h"
#include "interp/rows.h"
#include "interp/sync.h"
#include "interp/watch_state.h"

#define FINE        UINT64_MAX /* a granule whose bytes have separate cells */
#define MOST_OF_ROW 256u       /* bytes of one of its accesses */
#define STRETCH(st) ((uint32_t)(st) << HD_CELL_ITEM_BITS)

/* ---- order --------------------------------------------------------------------------------- */

HdRaceClock hd_race_clock(const HdEval *e, unsigned lane, const HdCells *c)
{
    const bool is_local = c->is_local;
    const HdSubWatch *sub = &e->sub->watch;
    const HdWatch *w = e->watch;
    HdRaceClock k;

    if (is_local)
        k = (HdRaceClock){.first = 1,
                          .count = UINT32_MAX,
                          .base = 1,
                          .low = w->local_low,
                          .own = UINT32_MAX,
                          .mine = sub->copy != NULL ? sub->copy->local : sub->local,
                          .begun = sub->local,
                          .unfenced = w->local_unfenced};
    else
        k = (HdRaceClock){.first = w->c->first_epoch,
                          .count = w->c->epoch_count,
                          .base = w->global_base,
                          .low = hd_race_is_image(c) ? w->image_low : w->global_low,
                          .own = w->global_end - w->global_base,
                          .mine = sub->copy != NULL ? sub->copy->global : sub->global,
                          .begun = sub->global,
                          .unfenced = hd_race_is_image(c) ? w->image_unfenced : w->global_unfenced};
    k.fenced = !hd_race_is_image(c) || !hd_module_is_opencl(e->m) ? UINT32_MAX
               : sub->image_fence > w->image_low                  ? sub->image_fence
                                                                  : w->image_low;
    k.w = w;
    k.is_local = is_local;
    k.me = STRETCH(k.mine) | (e->first + lane);
    return k;
}

/* Is this certainly no conflict? half: without the mark of atomics. */
static inline bool is_before(const HdRaceClock *k, uint32_t half)
{
    uint32_t st = hd_cell_epoch(half);

    return half == k->me || st - k->first >= k->count || st - k->base < k->low - k->base;
}

/* Look at all that may order it. */
static bool is_ordered(const HdEval *e, const HdRaceClock *k, uint32_t half, bool is_local)
{
    const HdSubWatch *sub = &e->sub->watch;
    uint32_t st = hd_cell_epoch(half), item = hd_race_item(half);

    if (sub->seen.is_all || (!is_local && e->watch->is_lost))
        return true;
    if (hd_epoch_copy(k->w, st, is_local) != NULL)
        return false;
    /* A barrier of the sub-group is between. */
    if (item < HD_CELL_MANY && item / e->width == e->subgroup && st < k->begun && st >= k->base &&
        st >= k->unfenced)
        return true;
    /* One's own work is always before. */
    if (item == (k->me & 8191u) && st >= k->base && st <= k->begun)
        return true;
    /* A named barrier is between. */
    if (st >= k->base && st <= (is_local ? sub->met.local : sub->met.global) &&
        (item >= HD_CELL_MANY || (sub->met.with & HD_MET_BIT(item / e->width)) != 0))
        return true;
    if (sub->seen.over.count == 0)
        return false;
    /* Several groups have read, it is not known which: a group that has acquired may have acquired
     * from all. */
    if (!is_local && st == k->first)
        return true;
    return hd_sync_knows(&sub->seen, st, item < HD_CELL_MANY ? item : HD_OVER_ALL,
                         e->watch->global_base, is_local);
}

bool hd_race_sees(const HdEval *e, const HdRaceClock *k, uint32_t half)
{
    return is_before(k, half) || is_ordered(e, k, half, k->is_local);
}

/* ---- cells --------------------------------------------------------------------------------- */

static uint64_t get(const uint64_t *cell)
{
    return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

static void put(uint64_t *cell, uint64_t value)
{
    __atomic_store_n(cell, value, __ATOMIC_RELAXED);
}

static HdRowClock row_clock(const HdRaceClock *k)
{
    return (HdRowClock){
        .first = k->first, .count = k->count, .base = k->base, .over = k->low - k->base};
}

static inline HdRowReader row_reader(const HdRaceClock *k)
{
    const uint32_t own = STRETCH(k->mine) | HD_CELL_MANY;

    return (HdRowReader){.clock = row_clock(k),
                         .own = k->own,
                         .me = k->me,
                         .many = own,
                         .shared = k->is_local ? own : STRETCH(k->first) | HD_CELL_MANY};
}

static inline uint32_t next_reader(const HdRaceClock *k, uint32_t last)
{
    const HdRowReader r = row_reader(k);
    uint32_t epoch = hd_cell_epoch(last);

    if (epoch != k->mine && hd_epoch_copy(k->w, epoch, k->is_local) != NULL)
        return last; /* which may still read when others are done */
    return hd_row_next_reader(&r, last, k->me);
}

/* Two lanes of one instruction write the bytes that are already there. */
static bool brings_same(const HdConflict *x, const void *value)
{
    return value != NULL && x->how == HD_EVAL_WRITE && x->wrote && !x->was_atomic &&
           memcmp((const void *)(uintptr_t)x->address, value, (size_t)x->bytes) == 0;
}

static void conflict(HdEval *e, unsigned lane, const HdRaceClock *k, HdConflict *x,
                     const void *value)
{
    if (e->watch->is_silent || is_ordered(e, k, x->half, x->cells->is_local))
        return;
    x->is_same = brings_same(x, value);
    if (x->is_told)
        return;
    x->is_told = !x->is_same;
    hd_race_report(e, lane, k, x);
}

/* Have atomic operations of more than one work-item, or atomic reads, left this half? */
static inline bool is_atomics(uint32_t reader)
{
    return (reader & HD_CELL_ATOMIC) != 0 && (reader & 8191u) != HD_CELL_MANY;
}

/* Is it a plain access that the group has made in this launch, and that is over for the group? */
static inline bool is_over_here(const HdRaceClock *k, uint32_t half)
{
    uint32_t st = hd_cell_epoch(half);

    return !is_atomics(half) && st - k->base < k->low - k->base;
}

/* What a cell records of an atomic operation, besides its work-item: the reader's half. */
static uint32_t beside_atomic(const HdRaceClock *k, uint64_t was)
{
    const uint32_t writer = hd_cell_writer(was), reader = hd_cell_reader(was);
    const bool was_atomic = (writer & HD_CELL_ATOMIC) != 0;
    const uint32_t plain = writer & ~HD_CELL_ATOMIC, epoch = hd_cell_epoch(plain);

    if (reader == k->me)
        return reader;
    if (!k->is_local && !was_atomic && is_over_here(k, plain))
        return plain;
    if (!k->is_local && is_over_here(k, reader))
        return reader;
    if (!was_atomic || plain == k->me)
        return was_atomic && is_atomics(reader) ? reader : 0;
    if (epoch == k->mine)
        return is_atomics(reader) && !k->is_local && hd_cell_epoch(reader) == k->first
                   ? reader
                   : STRETCH(k->mine) | HD_CELL_ATOMICS;
    return !k->is_local && epoch - k->first < k->count && epoch - k->base >= k->own
               ? STRETCH(k->first) | HD_CELL_ATOMICS
               : 0;
}

/* One's own plain accesses stay, as long as nothing orders them: they race with the others' atomic
 * ones, one's own atomic operation does not. */
static uint64_t cell_of_atomic(const HdRaceClock *k, uint64_t was)
{
    return hd_cell(hd_cell_writer(was) == k->me ? k->me : k->me | HD_CELL_ATOMIC,
                   beside_atomic(k, was));
}

/* Whether a plain access before atomic ones was a write is not recorded: the instructions show
 * it. */
static bool has_written(const HdEval *e, HdConflict x)
{
    HdInterpCheck *c = e->watch->c;
    bool found = false;

    x.wrote = true;
    x.was_atomic = false;
    pthread_mutex_lock(&c->lock);
    for (uint32_t i = 0; i < e->run->p->info.inst_count && !found; i++)
        found = hd_race_fits(&c->trace[i], &x) == HD_RACE_FITS;
    pthread_mutex_unlock(&c->lock);
    return found;
}

/* A work-item reads the texel that it wrote, with no fence of images between. */
static bool is_own_texel(const HdRaceClock *k, uint32_t half, HdEvalAccess how)
{
    const uint32_t epoch = hd_cell_epoch(half);

    return how == HD_EVAL_READ && epoch >= k->fenced && epoch <= k->mine &&
           hd_cell_item(half) == hd_cell_item(k->me);
}

/* Checks the access against the last writer. */
static void meet_writer(HdEval *e, unsigned lane, const HdRaceClock *k, uint64_t was, HdConflict *x,
                        const void *value)
{
    const uint32_t writer = hd_cell_writer(was), plain = writer & ~HD_CELL_ATOMIC;
    const bool was_atomic = plain != writer;

    if (k->fenced != UINT32_MAX && is_own_texel(k, plain, x->how))
        hd_race_report_own_texel(e, lane);
    if (is_before(k, plain) || (was_atomic && x->how >= HD_EVAL_ATOMIC))
        return;
    x->half = plain;
    x->wrote = true;
    x->was_atomic = was_atomic;
    conflict(e, lane, k, x, value);
}

/* Checks the access against the reader's half. */
static void meet_reader(HdEval *e, unsigned lane, const HdRaceClock *k, uint64_t was, HdConflict *x,
                        const void *value)
{
    const uint32_t reader = hd_cell_reader(was);
    const bool was_atomic = (hd_cell_writer(was) & HD_CELL_ATOMIC) != 0;
    const bool by_atomics = is_atomics(reader);

    if (is_before(k, reader) || x->how == HD_EVAL_ATOMIC_READ ||
        (by_atomics ? x->how == HD_EVAL_ATOMIC || (x->how == HD_EVAL_READ && !was_atomic)
                    : x->how == HD_EVAL_READ))
        return;
    x->half = reader;
    x->was_atomic = by_atomics;
    x->wrote = by_atomics ? was_atomic : was_atomic && has_written(e, *x);
    conflict(e, lane, k, x, value);
}

/* The reader's half after an atomic read. */
static uint32_t beside_atomic_read(const HdRaceClock *k, uint32_t reader)
{
    const uint32_t several = STRETCH(k->mine) | HD_CELL_ATOMICS, me = k->me | HD_CELL_ATOMIC;
    const uint32_t mine = (me & 8191u) < HD_CELL_MANY ? me : several;

    if (reader == mine || is_before(k, reader))
        return mine;
    return is_atomics(reader) ? reader | HD_CELL_ATOMICS : reader;
}

static uint64_t cell_after(const HdRaceClock *k, uint64_t was, HdEvalAccess how)
{
    const uint32_t writer = hd_cell_writer(was), reader = hd_cell_reader(was);

    switch (how) {
    case HD_EVAL_READ: return hd_cell(writer, next_reader(k, reader));
    case HD_EVAL_WRITE: return hd_cell(k->me, 0);
    case HD_EVAL_ATOMIC: return cell_of_atomic(k, was);
    default:
        return (writer & HD_CELL_ATOMIC) == 0 && reader != k->me
                   ? hd_cell(writer, beside_atomic_read(k, reader))
                   : was;
    }
}

static void touch(HdEval *e, unsigned lane, const HdRaceClock *k, uint64_t *cell, HdConflict *x,
                  const void *value)
{
    uint64_t was = get(cell), next;

    meet_writer(e, lane, k, was, x, value);
    meet_reader(e, lane, k, was, x, value);
    next = cell_after(k, was, x->how);
    if (next != was)
        put(cell, next);
}

static uint64_t *fine_cells(const HdCells *c, HdWatch *w, const HdEval *e)
{
    if (c->region != NULL)
        return hd_region_fine(c->region);
    if (w->local_fine == NULL)
        w->local_fine = hd_alloc_zero((size_t)(e->g->local_bytes + 8) * sizeof(uint64_t));
    return w->local_fine;
}

/* The cell of a byte, whose granule gives its own to its bytes. */
static uint64_t *byte_cell(const HdCells *c, uint64_t *fine, uint64_t address)
{
    uint64_t g = (address - c->base) / HD_CELL_BYTES, was = get(&c->at[g]);

    if (was != FINE) {
        for (unsigned b = 0; b < HD_CELL_BYTES; b++)
            put(&fine[g * HD_CELL_BYTES + b], was);
        put(&c->at[g], FINE);
    }
    return &fine[address - c->base];
}

/* An access that is not whole granules, or one to granules that have seen such. */
static void touch_bytes(HdEval *e, unsigned lane, const HdRaceClock *k, HdConflict *x,
                        const void *value)
{
    const HdCells *c = x->cells;
    uint64_t *fine = fine_cells(c, e->watch, e), address = x->address, bytes = x->bytes;

    if (fine == NULL)
        return;
    for (uint64_t i = 0; i < bytes; i++) {
        const unsigned char *byte = value;

        x->address = address + i;
        x->bytes = 1;
        touch(e, lane, k, byte_cell(c, fine, address + i), x, byte != NULL ? byte + i : NULL);
    }
    x->address = address;
    x->bytes = bytes;
}

static void touch_lane(HdEval *e, unsigned lane, const HdRaceClock *k, const HdCells *c,
                       uint64_t address, uint64_t bytes, HdEvalAccess how, const void *value)
{
    HdConflict x = {.cells = c, .address = address, .bytes = bytes, .whole = bytes, .how = how};

    if ((address | bytes) % HD_CELL_BYTES != 0) {
        touch_bytes(e, lane, k, &x, value);
        return;
    }
    for (uint64_t i = 0; i < bytes; i += HD_CELL_BYTES) {
        uint64_t *cell = &c->at[(address + i - c->base) / HD_CELL_BYTES];
        const unsigned char *at = value;

        x.address = address + i;
        x.bytes = HD_CELL_BYTES;
        if (get(cell) == FINE)
            touch_bytes(e, lane, k, &x, at != NULL ? at + i : NULL);
        else
            touch(e, lane, k, cell, &x, at != NULL ? at + i : NULL);
    }
}

void hd_race_touch(HdEval *e, unsigned lane, const HdCells *c, uint64_t address, uint64_t bytes,
                   HdEvalAccess how, const void *value)
{
    HdRaceClock k;

    if (c->at == NULL)
        return;
    k = hd_race_clock(e, lane, c);
    touch_lane(e, lane, &k, c, address, bytes, how, value);
}

/* Reads of cells that this launch has not written since the last barrier. False: check in detail;
 * what has been recorded may be recorded again. */
static bool read_row(const HdRaceClock *k, const HdCells *c, const uint64_t *address,
                     unsigned count, bool wide)
{
    const HdRowReader r = row_reader(k);

    return k->w->copies.count == 0 && hd_row_read(c->at, c->base, address, count, &r) &&
           (!wide || hd_row_read(c->at + 1, c->base, address, count, &r));
}

/* The cells of `bytes` neighbouring bytes; NULL: no memory. */
static uint64_t *byte_cells(const HdEval *e, const HdCells *c, uint64_t address, uint64_t bytes)
{
    uint64_t *fine = fine_cells(c, e->watch, e);

    for (uint64_t i = 0; fine != NULL && i < bytes; i++)
        byte_cell(c, fine, address + i);
    return fine != NULL ? &fine[address - c->base] : NULL;
}

/* Lanes that access adjacent addresses which this launch has not accessed since the last barrier:
 * the common case. False: check in detail; nothing has been recorded. */
static bool touch_row(const HdEval *e, const HdRaceClock *k, const HdCells *c, uint64_t address,
                      unsigned count, unsigned bytes, HdEvalAccess how)
{
    uint64_t *cells = &c->at[(address - c->base) / HD_CELL_BYTES];
    unsigned each = bytes / HD_CELL_BYTES;
    const HdRowClock clock = row_clock(k);

    if ((address | bytes) % HD_CELL_BYTES != 0 || get(cells) == FINE) {
        cells = byte_cells(e, c, address, (uint64_t)count * bytes);
        each = bytes;
    }
    if (cells == NULL || hd_row_is_touched(cells, count * each, &clock))
        return false;
    if (how == HD_EVAL_READ)
        hd_row_put_readers(cells, count, each, k->me);
    else
        hd_row_put_writers(cells, count, each, k->me);
    return true;
}

/* What a lane writes; NULL: it reads. */
static const void *value_of(const HdSlot *from, unsigned lane)
{
    return from != NULL ? hd_slot_at(from, lane) : NULL;
}

void hd_race_touch_all(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                       uint64_t bytes, const HdSlot *from, bool is_row)
{
    const HdEvalAccess how = from != NULL ? HD_EVAL_WRITE : HD_EVAL_READ;
    HdRaceClock k = hd_race_clock(e, 0, c);
    const uint32_t me = k.me;
    const bool wide = bytes == 8;

    if (is_row && bytes <= MOST_OF_ROW &&
        touch_row(e, &k, c, address[0], (unsigned)__builtin_popcountll(mask), (unsigned)bytes, how))
        return;
    if (bytes != 4 && bytes != 8) {
        for (HD_EACH_LANE(lane, mask)) {
            k.me = me + lane;
            touch_lane(e, lane, &k, c, address[lane], bytes, how, value_of(from, lane));
        }
        return;
    }
    if (how == HD_EVAL_READ && hd_lane_row(mask) > 0 &&
        read_row(&k, c, address, hd_lane_row(mask), wide))
        return;
    for (HD_EACH_LANE(lane, mask)) {
        uint64_t *cell = &c->at[(address[lane] - c->base) / HD_CELL_BYTES];
        uint64_t was = get(cell), second = wide ? get(cell + 1) : was;

        k.me = me + lane;
        if (was == second && (was & HD_CELL_ATOMIC) == 0 && address[lane] % HD_CELL_BYTES == 0 &&
            is_before(&k, hd_cell_writer(was)) &&
            (how == HD_EVAL_READ || is_before(&k, hd_cell_reader(was)))) {
            uint64_t next = how == HD_EVAL_READ
                                ? hd_cell(hd_cell_writer(was), next_reader(&k, hd_cell_reader(was)))
                                : hd_cell(k.me, 0);

            if (next != was) {
                put(cell, next);
                if (wide)
                    put(cell + 1, next);
            }
            continue;
        }
        touch_lane(e, lane, &k, c, address[lane], bytes, how, value_of(from, lane));
    }
}

void hd_race_touch_atomics(HdEval *e, uint64_t mask, const HdCells *c, const uint64_t *address,
                           uint64_t bytes, HdEvalAccess how)
{
    HdRaceClock k = hd_race_clock(e, 0, c);
    const uint32_t me = k.me;

    for (HD_EACH_LANE(lane, mask)) {
        uint64_t *cell = &c->at[(address[lane] - c->base) / HD_CELL_BYTES], was = get(cell);
        bool same = bytes == 4 || (bytes == 8 && was == get(cell + 1));

        k.me = me + lane;
        if (how != HD_EVAL_ATOMIC || !same || was == FINE ||
            ((was & HD_CELL_ATOMIC) == 0 && !is_before(&k, hd_cell_writer(was))) ||
            !(is_before(&k, hd_cell_reader(was)) || is_atomics(hd_cell_reader(was)))) {
            touch_lane(e, lane, &k, c, address[lane], bytes, how, NULL);
            continue;
        }
        put(cell, cell_of_atomic(&k, was));
        if (bytes == 8)
            put(cell + 1, cell_of_atomic(&k, was));
    }
}
