/* ir/counted.h -- counters, counted loops, how often they run, and what they leave behind.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_COUNTED_H
#define HD_IR_COUNTED_H

#include "ir/graph.h"

/* The blocks of a loop. */
typedef struct HdLoop {
    const HdIrFunc *f;
    const HdIrGraph *g; /* NULL: `head` is the loop's only block */
    uint32_t loop;      /* of g */
    uint32_t head;
} HdLoop;

static inline HdLoop hd_loop_of(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop)
{
    return (HdLoop){f, g, loop, g->loops[loop].head};
}

/* Is block b part of it? Those that were added to the graph's are not. */
static inline bool hd_loop_holds(const HdLoop *l, uint32_t b)
{
    return l->g == NULL ? b == l->head : b < l->g->count && hd_ir_loop_holds(l->g, l->loop, b);
}

static inline bool hd_loop_is_outside(const HdLoop *l, HdIrRef r)
{
    return !hd_loop_holds(l, l->f->insts.at[r].block);
}

/* ---- counters ------------------------------------------------------------------------------ */

/* A phi of the head that grows by as much in every iteration. */
typedef struct HdCounter {
    HdIrRef phi;
    HdIrRef start; /* from outside; 0: entries differ in it */
    HdIrRef next;  /* of the next iteration: phi + by; one of several that are alike */
    HdIrRef by;    /* from outside, or a constant */
    int64_t step;  /* its number; 0: it is not known */
} HdCounter;

bool hd_counter_find(const HdLoop *l, HdIrRef phi, HdCounter *out);
/* By how much r, of the loop, grows per iteration, by phis' values from the block `latch`; false if
 * that is not a constant. Indices are taken not to wrap; with `wraps` not even in `(i + k) & mask`
 * and `(i + k) % n`. */
bool hd_counted_step(const HdLoop *l, uint32_t latch, HdIrRef r, bool wraps, int64_t *step);
/* Is r always a number of so many bits, which are fewer than it has? By extensions and constants,
 * and for counters by where they begin and end. */
bool hd_counted_fits(const HdIrFunc *f, const HdIrGraph *g, HdIrRef r, unsigned bits,
                     bool is_signed);

/* ---- innermost counted loops --------------------------------------------------------------- */

/* The loop continues while `predicate`(tested, bound); tested is the counter or its next value. */
typedef struct HdCounted {
    HdLoop in;
    uint32_t latch; /* its last block, which alone leads back and out */
    HdCounter counter;
    HdIrRef bound; /* from outside, or a constant */
    bool tests_next;
    unsigned predicate; /* HdIrICmp */
} HdCounted;

bool hd_counted_find(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdCounted *out);
/* The same of a loop that may have others inside. While low bits of the counter are not the bound,
 * which has so many bits, it goes on as well. */
bool hd_counted_find_nest(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdCounted *out);

/* ---- trip counts and final values ---------------------------------------------------------- */

/* Makes instructions where the caller wants them; 0 for a missing operand. */
typedef struct HdCountedPut {
    HdIrRef (*put)(void *user, HdIrOp op, HdIrType type, uint64_t imm, HdIrRef x, HdIrRef y);
    void *user;
} HdCountedPut;

/* Does `predicate`(number, bound) become false for certain, and exactly where the bound says, when
 * the number grows by `step`? Steps of one pass no bound, and none wraps before it is reached. */
bool hd_counted_is_exact(unsigned predicate, int64_t step);
/* How often in a row such a comparison is true, of `first` and what follows it; I64. The bound has
 * the same type. */
HdIrRef hd_counted_trips(const HdCountedPut *to, const HdIrFunc *f, unsigned predicate,
                         HdIrRef first, int64_t step, HdIrRef bound);
/* A counter, of a known step, after so many iterations. */
HdIrRef hd_counted_final(const HdCountedPut *to, const HdIrFunc *f, const HdCounter *c,
                         HdIrRef trips);

#endif
