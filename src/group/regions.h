/* group/regions.h -- from barriers to regions, each run for one sub-group after another.
 *
 * The code between two barriers becomes a region (HdIrRegion): a piece of the function with a
 * single entry that ends with NEXT (at a barrier, naming the region after it) or RET. All
 * sub-groups run a region before any runs the next, so a barrier costs a loop and the values that
 * are live across it: values of each sub-group in its context, a record of memory, and values that
 * are the same for all in variables of the work-group (docs/execution-model.md, "Regions").
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GROUP_REGIONS_H
#define HD_GROUP_REGIONS_H

#include "ir/ir.h"

/* Cut a wide function with barriers into regions.
 *   wide  with has_barrier; changed
 *   out   a new function in a new module of the same arena, without barriers; or NULL when the
 *         function is too large for that and needs a stack for each sub-group
 * Errors: HD_NO_MEMORY. */
HdStatus hd_group_regions(HdIrFunc *wide, HdArena *a, HdIrFunc **out);

#endif
