/* lanes/along.h -- loops whose rounds go along memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ALONG_H
#define HD_LANES_ALONG_H

#include "ir/ir.h"

/* Note in each block of f that is a loop whether a work-item alone can take a vector of rounds
 * together (HdIrBlock.along). Copies of blocks keep it. */
void hd_lanes_along(HdIrFunc *f);

#endif
