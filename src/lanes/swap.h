/* lanes/swap.h -- of two consecutive branches, the uniform one goes first.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_SWAP_H
#define HD_LANES_SWAP_H

#include "lanes/shape.h"

/* Let such branches change places.
 *   s        of the current f; invalid afterwards if *changed
 */
HdStatus hd_lanes_swap(HdIrFunc *f, const HdShapes *s, bool *changed);

#endif
