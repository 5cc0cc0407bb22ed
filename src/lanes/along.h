/* lanes/along.h -- loops whose rounds go along memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ALONG_H
#define HD_LANES_ALONG_H

#include "ir/ir.h"

/* Note in the blocks of f's loops whether a work-item alone can take a vector of rounds together
 * (HdIrBlock.along). Copies of blocks keep it.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_along(HdIrFunc *f, HdArena *a);

#endif
