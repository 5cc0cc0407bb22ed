/* interp/rows.h -- loops over an access's lanes, as vectors.
 *
 * The common case: all lanes from 0 on, nothing unusual. Each function checks all of them and
 * answers for all; after "no" the caller checks lane by lane.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_ROWS_H
#define HD_INTERP_ROWS_H

#include "check/cell.h"
#include "interp/eval.h"

/* How the addresses of lanes lie. */
typedef struct HdRowSpan {
    uint64_t low, high, bits; /* least, greatest, of any */
    bool is_row;              /* each is `bytes` after the previous one */
} HdRowSpan;
HdRowSpan hd_row_span(const uint64_t *at, unsigned count, uint64_t bytes);

/* Copy values of 4 or 8 bytes that lie anywhere to neighbours, or back. */
void hd_row_gather(void *to, const uint64_t *at, unsigned count, unsigned bytes);
/* Is a bit set in the 4 or 8 bytes that lie at a distance from each address? */
bool hd_row_any(const uint64_t *at, uint64_t distance, unsigned count, unsigned bytes);

/* Epochs of a launch (check/cell.h), of which those of one's own group before `over` are done
 * with. */
typedef struct HdRowClock {
    uint32_t first, count, base, over;
} HdRowClock;
/* May somebody have written or read one of these cells in an epoch that is not over, or by
 * atomics? */
bool hd_row_is_touched(const uint64_t *cells, unsigned count, const HdRowClock *k);
/* Put what a row of work-items from `me` on leaves, each in `each` neighbouring cells. */
void hd_row_put_readers(uint64_t *cells, unsigned count, unsigned each, uint32_t me);
void hd_row_put_writers(uint64_t *cells, unsigned count, unsigned each, uint32_t me);
/* Who reads: lane 0, and as what several of its epoch and of several groups are noted. */
typedef struct HdRowReader {
    HdRowClock clock;
    uint32_t own; /* epochs that the group has */
    uint32_t me, many, shared;
} HdRowReader;

/* The half of a cell that notes readers, when it was `last` and `me` reads too. Who reads of a
 * group's several, or of several groups, is forgotten: of a sub-group of this group that is ahead
 * one of the two is, so that no order is missed that there is. */
static inline uint32_t hd_row_next_reader(const HdRowReader *r, uint32_t last, uint32_t me)
{
    uint32_t epoch = hd_cell_epoch(last);

    if (epoch == hd_cell_epoch(me))
        return ((last ^ me) & ~HD_CELL_ATOMIC) == 0 ? me : r->many;
    if (epoch - r->clock.base < r->own)
        return me;
    return epoch - r->clock.first < r->clock.count ? r->shared : me;
}

/* Note reads of cells that lie where addresses, counted from `base`, do. False: one of them may be
 * a race, or has cells for bytes; nothing has been noted. */
bool hd_row_read(uint64_t *cells, uint64_t base, const uint64_t *at, unsigned count,
                 const HdRowReader *r);

/* Is an index, a signed number of `bytes`, none of an array of so many elements? */
bool hd_row_leaves(const void *index, unsigned count, unsigned bytes, uint64_t extent);
/* Add indexes of 4 or 8 bytes times a stride to addresses. */
void hd_row_advance(uint64_t *to, const void *index, unsigned count, unsigned bytes,
                    uint64_t stride);
/* Lanes whose byte is not 0. */
uint64_t hd_row_true(const unsigned char *at, unsigned count);
/* The same 4 or 8 bytes for all. */
void hd_row_fill(void *to, const void *value, unsigned count, unsigned bytes);

#endif
