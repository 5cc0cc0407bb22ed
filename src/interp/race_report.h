/* interp/race_report.h -- what an access conflicts with, and the reports of it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_RACE_REPORT_H
#define HD_INTERP_RACE_REPORT_H

#include "interp/plan.h"

/* Numbers that one access is compared by. */
typedef struct HdRaceClock {
    uint32_t first, count; /* of the launch */
    uint32_t base, low;    /* of the group: what is before low is over */
    uint32_t own;          /* epochs that the group has */
    uint32_t mine, me;     /* my epoch; it and the work-item */
    uint32_t begun;        /* the sub-group's: mine, except for a copy that it has started */
    uint32_t unfenced;
    uint32_t fenced; /* of images: one's own writes from here on are not for one's reads */
    const HdWatch *w;
    bool is_local;
} HdRaceClock;

/* Two accesses to the same bytes that nothing orders. */
typedef struct HdConflict {
    const HdCells *cells;
    uint64_t address, bytes; /* the part that is checked */
    uint64_t whole;          /* bytes of the access */
    HdEvalAccess how;
    uint32_t half;
    bool wrote; /* the other side */
    bool was_atomic, is_same;
    uint32_t other_bytes; /* of the other side, an atomic operation of another size; 0: not known */
    bool is_out_of_scope; /* an atomic operation for another scope than both sides are in */
    bool is_told;         /* as an error: not again for another part of the access */
} HdConflict;

static inline bool hd_race_is_image(const HdCells *c)
{
    return c->region != NULL && c->region->kind == HD_REGION_IMAGE;
}

/* Is it an epoch of the clock's group? */
static inline bool hd_race_is_own_group(const HdRaceClock *k, uint32_t epoch)
{
    return epoch >= k->base && epoch - k->base < k->own;
}

/* Which work-item a half names; HD_CELL_MANY or HD_CELL_ATOMICS: several. */
static inline uint32_t hd_race_item(uint32_t half)
{
    const uint32_t item = half & 8191u;

    return item >= HD_CELL_MANY ? item : item & ~HD_CELL_ATOMIC;
}

/* How well what an instruction has accessed fits the other side; 0: not at all. */
#define HD_RACE_FITS 7u /* in all respects */
unsigned hd_race_fits(const HdTrace *t, const HdConflict *x);
/* A defect of the lane's access. */
void hd_race_report(HdEval *e, unsigned lane, const HdRaceClock *k, const HdConflict *x);
/* The instruction that most likely was the other side; NULL. */
const HdInst *hd_race_other(const HdEval *e, const HdConflict *x, bool own_group);
/* The lane reads what the other side wrote, in order, but one of the two is not coherent.
 *   by_writer  the other one */
void hd_race_report_hidden(HdEval *e, unsigned lane, const HdRaceClock *k, const HdConflict *x,
                           const HdInst *other, bool by_writer);
/* The lane reads the texel that its work-item wrote, with no fence of images between. */
void hd_race_report_own_texel(HdEval *e, unsigned lane);

#endif
