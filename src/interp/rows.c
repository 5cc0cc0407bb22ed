/* interp/rows.c -- loops over an access's lanes, as vectors.
 *
 * Cells are read and written by plain loads and stores here, because compilers do not vectorise
 * atomic ones. Each is one aligned word, which processors read and write as a unit. Another
 * work-group that changes a cell concurrently makes the same comparisons: of two racing accesses
 * one may be missed if both are checked at the same instant, as may happen anyway if the two groups
 * run in the other order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/rows.h"

/* The machine chooses when the program starts. Sanitizers cannot run what chooses, and other C
 * libraries than GNU's do not. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORS
#endif

#ifdef __SANITIZE_THREAD__
#define CELL(at)         __atomic_load_n((at), __ATOMIC_RELAXED)
#define PUT_CELL(at, to) __atomic_store_n((at), (to), __ATOMIC_RELAXED)
#else
#define CELL(at)         (*(at))
#define PUT_CELL(at, to) (*(at) = (to))
#endif

VECTORS HdRowSpan hd_row_span(const uint64_t *at, unsigned count, uint64_t bytes)
{
    uint64_t low = UINT64_MAX, high = 0, odd = 0, bits = 0, next = at[0];

    for (unsigned i = 0; i < count; i++) {
        odd |= at[i] - next;
        bits |= at[i];
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
        next += bytes;
    }
    return (HdRowSpan){.low = low, .high = high, .bits = bits, .is_row = odd == 0};
}

void hd_row_gather(void *to, const uint64_t *at, unsigned count, unsigned bytes)
{
    HdU32 *to_4 = to;
    HdU64 *to_8 = to;

    for (unsigned i = 0; i < (bytes == 4 ? count : 0); i++)
        to_4[i] = *(const HdU32 *)(uintptr_t)at[i];
    for (unsigned i = 0; i < (bytes == 8 ? count : 0); i++)
        to_8[i] = *(const HdU64 *)(uintptr_t)at[i];
}

bool hd_row_any(const uint64_t *at, uint64_t distance, unsigned count, unsigned bytes)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < (bytes == 4 ? count : 0); i++)
        any |= *(const HdU32 *)(uintptr_t)(at[i] + distance);
    for (unsigned i = 0; i < (bytes == 8 ? count : 0); i++)
        any |= *(const HdU64 *)(uintptr_t)(at[i] + distance);
    return any != 0;
}

static inline uint32_t is_open(uint32_t half, const HdRowClock k)
{
    uint32_t epoch = hd_cell_epoch(half);

    return (epoch - k.first < k.count) & (epoch - k.base >= k.over);
}

VECTORS bool hd_row_is_touched(const uint64_t *cells, unsigned count, const HdRowClock *clock)
{
    const HdRowClock k = *clock;
    uint32_t any = 0;

    for (unsigned i = 0; i < count; i++) {
        uint64_t was = CELL(&cells[i]);
        uint32_t writer = hd_cell_writer(was), reader = hd_cell_reader(was);

        any |= is_open(writer, k) | is_open(reader, k) | (writer & HD_CELL_ATOMIC);
    }
    return any != 0;
}

VECTORS void hd_row_put_readers(uint64_t *cells, unsigned count, unsigned each, uint32_t me)
{
    for (unsigned i = 0; i < (each == 1 ? count : 0); i++)
        PUT_CELL(&cells[i], hd_cell(hd_cell_writer(CELL(&cells[i])), me + i));
    for (unsigned i = 0; i < (each == 1 ? 0 : count * each); i++)
        PUT_CELL(&cells[i], hd_cell(hd_cell_writer(CELL(&cells[i])), me + i / each));
}

VECTORS void hd_row_put_writers(uint64_t *cells, unsigned count, unsigned each, uint32_t me)
{
    for (unsigned i = 0; i < (each == 1 ? count : 0); i++)
        PUT_CELL(&cells[i], hd_cell(me + i, 0));
    for (unsigned i = 0; i < (each == 1 ? 0 : count * each); i++)
        PUT_CELL(&cells[i], hd_cell(me + i / each, 0));
}

/* What reads of cells ask for: nothing, a note, or a closer look. */
enum { QUIET, NOTED, LOUD };

VECTORS static unsigned volume_of(const uint64_t *was, unsigned count, const HdRowReader *reader)
{
    const HdRowReader r = *reader;
    uint32_t open = 0, changes = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t last = hd_cell_reader(was[i]);

        open |= is_open(hd_cell_writer(was[i]), r.clock) | (last == UINT32_MAX);
        changes |= (last != r.shared) & (last != r.many);
    }
    return open != 0 ? LOUD : changes != 0 ? NOTED : QUIET;
}

bool hd_row_read(uint64_t *cells, uint64_t base, const uint64_t *at, unsigned count,
                 const HdRowReader *r)
{
    uint64_t was[HD_EVAL_LANES], odd = 0;
    unsigned volume;

    was[0] = 0;
    for (unsigned i = 0; i < count; i++) {
        was[i] = CELL(&cells[(at[i] - base) / HD_CELL_BYTES]);
        odd |= at[i];
    }
    volume = odd % HD_CELL_BYTES != 0 ? LOUD : volume_of(was, count, r);
    for (unsigned i = 0; i < (volume == NOTED ? count : 0); i++) {
        uint64_t *cell = &cells[(at[i] - base) / HD_CELL_BYTES], now = CELL(cell);

        PUT_CELL(cell, hd_cell(hd_cell_writer(now),
                               hd_row_next_reader(r, hd_cell_reader(now), r->me + i)));
    }
    return volume != LOUD;
}

/* ---- values -------------------------------------------------------------------------------- */

VECTORS bool hd_row_leaves(const void *index, unsigned count, unsigned bytes, uint64_t extent)
{
    const HdS32 *at_4 = index;
    const HdS64 *at_8 = index;
    bool any = false;

    for (unsigned i = 0; i < (bytes == 4 ? count : 0); i++)
        any |= (uint64_t)(int64_t)at_4[i] >= extent;
    for (unsigned i = 0; i < (bytes == 8 ? count : 0); i++)
        any |= (uint64_t)at_8[i] >= extent;
    return any || (bytes != 4 && bytes != 8);
}

VECTORS void hd_row_advance(uint64_t *to, const void *index, unsigned count, unsigned bytes,
                            uint64_t stride)
{
    const HdS32 *at_4 = index;
    const HdS64 *at_8 = index;

    for (unsigned i = 0; i < (bytes == 4 ? count : 0); i++)
        to[i] += (uint64_t)(int64_t)at_4[i] * stride;
    for (unsigned i = 0; i < (bytes == 8 ? count : 0); i++)
        to[i] += (uint64_t)at_8[i] * stride;
}

uint64_t hd_row_true(const unsigned char *at, unsigned count)
{
    uint64_t lanes = 0, eight;
    unsigned i = 0;

    for (; i + 8 <= count; i += 8) {
        memcpy(&eight, at + i, 8);
        eight |= eight >> 4;
        eight |= eight >> 2;
        eight |= eight >> 1;
        /* The lowest bits of eight bytes, packed into the highest byte of the product. */
        eight = (eight & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
        lanes |= eight << i;
    }
    for (; i < count; i++)
        lanes |= (uint64_t)(at[i] != 0) << i;
    return lanes;
}

void hd_row_fill(void *to, const void *value, unsigned count, unsigned bytes)
{
    HdU32 *to_4 = to, four = bytes == 4 ? *(const HdU32 *)value : 0;
    HdU64 *to_8 = to, eight = bytes == 8 ? *(const HdU64 *)value : 0;

    for (unsigned i = 0; i < (bytes == 4 ? count : 0); i++)
        to_4[i] = four;
    for (unsigned i = 0; i < (bytes == 8 ? count : 0); i++)
        to_8[i] = eight;
}
