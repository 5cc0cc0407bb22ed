/* lanes/walk.h -- bytes that each lane reads sequentially.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_WALK_H
#define HD_LANES_WALK_H

#include "ir/ir.h"

/* Set HD_IR_WALKS on loads of bytes and of 16-bit numbers whose address advances by few bytes per
 * iteration of a loop, from memory that nothing in f writes: a lane's next ones may be loaded with
 * the first (codegen/walk.c).
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_walk(HdIrFunc *f, HdArena *a);

#endif
