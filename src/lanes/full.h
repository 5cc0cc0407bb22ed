/* lanes/full.h -- code of its own for when all lanes go the same way.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_FULL_H
#define HD_LANES_FULL_H

#include "ir/edit.h"
#include "lanes/shape.h"

/* Copy what one branch guards for when all lanes go there.
 *   s        of f as it is; worth nothing afterwards if *changed
 *   added    instructions that copies have added so far, counted on
 */
HdStatus hd_lanes_full(HdIrFunc *f, const HdShapes *s, HdArena *a, uint32_t *added, bool *changed);

#endif
