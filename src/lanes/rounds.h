/* lanes/rounds.h -- loops of one block, whose rounds a counter counts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ROUNDS_H
#define HD_LANES_ROUNDS_H

#include "ir/ir.h"

/* The loop goes on while `predicate`(tested, bound); tested is the counter or what it is next. */
typedef struct HdRounds {
    const HdIrFunc *f;
    uint32_t b;             /* its block */
    HdIrRef counter, bound; /* bound: from outside, or a constant */
    bool tests_next;
    unsigned predicate; /* HdIrICmp */
    int64_t step;       /* of the counter, in a round */
} HdRounds;

/* Is block b such a loop? */
bool hd_rounds_find(const HdIrFunc *f, uint32_t b, HdRounds *out);
/* By how much r grows in a round; false if that is not a constant. */
bool hd_rounds_step(const HdRounds *x, HdIrRef r, int64_t *step);

static inline bool hd_rounds_is_outside(const HdRounds *x, HdIrRef r)
{
    return x->f->insts.at[r].block != x->b;
}

#endif
