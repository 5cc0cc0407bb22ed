/* lanes/version_full.h -- separate code for full sub-groups, whose lanes all take a branch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_VERSION_FULL_H
#define HD_LANES_VERSION_FULL_H

#include "ir/edit.h"
#include "lanes/shape.h"

/* Copy what one branch guards for when all lanes go there.
 *   s        of the current f; invalid afterwards if *changed
 *   added    instructions that copies have added up to now, updated
 */
HdStatus hd_lanes_version_full(HdIrFunc *f, const HdShapes *s, HdArena *a, uint32_t *added,
                               bool *changed);

#endif
