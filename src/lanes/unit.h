/* lanes/unit.h -- code of its own for steps of one element.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_UNIT_H
#define HD_LANES_UNIT_H

#include "lanes/shape.h"

/* Copy a kernel for when what its ids are multiplied by, on the way to memory, makes neighbours of
 * lanes' accesses.
 *   s        of f as it is, with one exit; worth nothing afterwards if *changed */
HdStatus hd_lanes_unit(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed);

#endif
