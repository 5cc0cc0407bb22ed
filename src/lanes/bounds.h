/* lanes/bounds.h -- 32-bit indices that do not wrap in a loop.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_BOUNDS_H
#define HD_LANES_BOUNDS_H

#include "ir/graph.h"

/* In counted loops, compute extended 32-bit indices in 64 bits; a test before each loop branches
 * elsewhere if one of them would wrap.
 *   inside     [blocks] where loops are searched for
 *   elsewhere  a block without phis that restarts the computation, so nothing may have been stored
 *              yet; 0: assume that none wraps, for an estimate.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_bounds(HdIrFunc *f, const bool *inside, uint32_t blocks, uint32_t elsewhere,
                         HdArena *a);

/* Does a block store? */
bool hd_lanes_stores(const HdIrFunc *f, uint32_t block);
/* Blocks that may be reached after something has been stored: [blocks of the graph] in *out. */
HdStatus hd_lanes_late(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, bool **out);

#endif
