/* lanes/swap.h -- of two branches in a row the one that all lanes take alike goes first.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_SWAP_H
#define HD_LANES_SWAP_H

#include "lanes/shape.h"

/* Let such branches change places.
 *   s        of f as it is; worth nothing afterwards if *changed
 */
HdStatus hd_lanes_swap(HdIrFunc *f, const HdShapes *s, bool *changed);

#endif
