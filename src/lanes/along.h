/* lanes/along.h -- loops that traverse memory contiguously.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ALONG_H
#define HD_LANES_ALONG_H

#include "ir/ir.h"

/* Record in the blocks of f's loops whether they can be vectorised if f runs item by item
 * (HdIrBlock.along). Copies of blocks keep it.
 *   is_alone   f will: its private arrays are contiguous. Lanes traverse those as fast, so that
 *              such loops are no reason to choose between the two forms.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_along(HdIrFunc *f, bool is_alone, HdArena *a);

#endif
