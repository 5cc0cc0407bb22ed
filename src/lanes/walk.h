/* lanes/walk.h -- bytes that each lane takes one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_WALK_H
#define HD_LANES_WALK_H

#include "ir/ir.h"

/* Give HD_IR_WALKS to loads of bytes and of 16-bit numbers whose address moves on by few bytes from
 * one round of a loop to the next, from memory that nothing in f writes: a lane's next ones may be
 * loaded with the first (codegen/walk.c).
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_walk(HdIrFunc *f, HdArena *a);

#endif
