/* lanes/sparse.h -- code that hardly any lane comes to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_SPARSE_H
#define HD_LANES_SPARSE_H

#include "lanes/shape.h"

/* Set HdIrBlock.sparse of what a branch guards by an equality: of a value that lanes differ in, and
 * of a number that is the same for all but no constant. What searches finds little. The same for
 * what a branch guards by an order of a number and what is in memory, if it may replace the latter
 * by a compare-and-swap. */
void hd_lanes_sparse(HdIrFunc *f, const HdShapes *s);

#endif
