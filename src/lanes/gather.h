/* lanes/gather.h -- uniform operations: all lanes that still can come to one wait for each other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_GATHER_H
#define HD_LANES_GATHER_H

#include "lanes/shape.h"

/* Can lanes reach a block with a uniform operation (hd_ir_block_gathers) in the order of blocks
 * while others, in the same outermost loop, still are on a way to one?
 *   s      shapes of f, whose graph is s->g
 *   out    [blocks] the outermost loops, by their blocks, of which that is so; NULL: none */
HdStatus hd_lanes_find_early(const HdShapes *s, HdArena *a, bool **out);

/* Change f so that the order of blocks lets no lane reach a uniform operation early: in such loops
 * what follows each of them, up to the next ones, becomes code of its own. The loops are then
 * headed by uniform operations, and lanes wait for each other at their ends. early    as found by
 * hd_lanes_find_early done     false: f is as it was, as its loops would become too large, or as
 * they hold operations that depend on which lanes are together */
HdStatus hd_lanes_gather(HdIrFunc *f, const HdIrGraph *g, const bool *early, HdArena *a,
                         bool *done);

/* The order in which the dispatcher runs blocks at which lanes wait: that of the graph, but in each
 * outermost loop those with uniform operations come after the others.
 *   turn, order    [blocks] as HdIrGraph's rank and order */
HdStatus hd_lanes_turns(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, uint32_t **turn,
                        uint32_t **order);

#endif
