/* lanes/trip_count.h -- innermost counted loops.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_TRIP_COUNT_H
#define HD_LANES_TRIP_COUNT_H

#include "ir/graph.h"

/* The loop continues while `predicate`(tested, bound); tested is the counter or its next value. */
typedef struct HdTripCount {
    const HdIrFunc *f;
    const HdIrGraph *g;
    uint32_t loop;          /* of g */
    uint32_t head, latch;   /* its first block; its last one, which alone leads back and out */
    HdIrRef counter, bound; /* bound: from outside, or a constant */
    bool tests_next;
    unsigned predicate; /* HdIrICmp */
    int64_t step;       /* of the counter, per iteration */
} HdTripCount;

/* Is it such a loop? */
bool hd_trip_count_find(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdTripCount *out);
/* By how much r grows per iteration; false if that is not a constant. */
bool hd_trip_count_step(const HdTripCount *x, HdIrRef r, int64_t *step);
/* The same of an index that may wrap now and then: `(i + k) & mask`, `(i + k) % n`. */
bool hd_trip_count_step_wrapped(const HdTripCount *x, HdIrRef r, int64_t *step);

/* Is block b part of it? Those that were added to the graph's are not. */
static inline bool hd_trip_count_holds(const HdTripCount *x, uint32_t b)
{
    return b < x->g->count && hd_ir_loop_holds(x->g, x->loop, b);
}

static inline bool hd_trip_count_is_outside(const HdTripCount *x, HdIrRef r)
{
    return !hd_trip_count_holds(x, x->f->insts.at[r].block);
}

#endif
