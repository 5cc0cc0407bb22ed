/* group/idle.h -- sub-groups that a region has nothing to do for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GROUP_IDLE_H
#define HD_GROUP_IDLE_H

#include "ir/ir.h"

/* Record in the regions of `w` above which ids they do nothing (HdIrRegion.limits). */
HdStatus hd_group_idle(HdIrFunc *w, HdArena *a);

#endif
