/* lanes/gather.h -- lanes that wait for each other in front of operations of several.
 *
 * Which blocks these are, and in which order blocks run because of them, is said in base/gather.h.
 * The dispatcher follows that order. Linearised code runs blocks in the order of the graph; where
 * that differs, in loops that lanes go round at different speeds, the graph is changed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_GATHER_H
#define HD_LANES_GATHER_H

#include "base/gather.h"
#include "lanes/shape.h"

/* Loops in which linearised code would let lanes pass an operation that others still come to. */
typedef struct HdEarly {
    uint32_t *loop_of; /* [blocks] the rank at which such a loop begins; HD_IR_NOWHERE: not in one.
                        * NULL: there is none */
    bool *waits;       /* [blocks] in front of it lanes wait for the others of that loop */
} HdEarly;

/* base/gather.h's order for a function's blocks. */
HdStatus hd_lanes_order(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, HdGatherOrder *out);

/* Does a loop hold an operation that lanes wait for? Without one there are no such loops. */
bool hd_lanes_gathers_in_loop(const HdIrFunc *f, const HdIrGraph *g);
HdStatus hd_lanes_find_early(const HdShapes *s, HdArena *a, HdEarly *out);

/* Change those loops so that the order of blocks lets no lane come early: what follows each block
 * that waits, up to the next ones, becomes code of its own. Loops are then headed by such blocks,
 * and lanes wait for each other at their ends. done     false: f is as it was, as the loops would
 * become too large, or as they hold operations that concern some lanes of an iteration only */
HdStatus hd_lanes_gather(HdIrFunc *f, const HdIrGraph *g, const HdEarly *early, HdArena *a,
                         bool *done);

#endif
