/* lanes/bounds.h -- indices of 32 bits that do not wrap in a loop.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_BOUNDS_H
#define HD_LANES_BOUNDS_H

#include "ir/graph.h"

/* In counted loops, let indices of 32 bits that are made long count in 64 bits; a test in front of
 * each loop goes elsewhere if one of them would wrap.
 *   inside     [blocks] where loops are looked for
 *   elsewhere  a block without phis that does all of it anew, for which nothing may have been
 *              stored yet; 0: none of them wraps, for an estimate
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_bounds(HdIrFunc *f, const bool *inside, uint32_t blocks, uint32_t elsewhere,
                         HdArena *a);

/* Does a block store? */
bool hd_lanes_stores(const HdIrFunc *f, uint32_t block);
/* Blocks that may be come to when something has been stored: [blocks of the graph] in *out. */
HdStatus hd_lanes_late(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, bool **out);

#endif
