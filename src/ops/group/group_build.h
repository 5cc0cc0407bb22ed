/* ops/group/group_build.h -- the building blocks of work-group operations, also for other families.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_GROUP_GROUP_BUILD_H
#define HD_OPS_GROUP_GROUP_BUILD_H

#include "build/emit.h"

/* Is the scope of word `id` Workgroup, or Subgroup? Errors: HD_UNSUPPORTED for others. */
HdStatus hd_build_group_scope(HdBuild *b, const HdInst *in, HdId id, bool *is_workgroup);
/* All sub-groups of the work-group meet; `space` is ordered. */
void hd_build_group_barrier(HdBuild *b, HdIrSpace space);

/* Hidden local memory through which one work-item broadcasts up to 16 scalars: store them, barrier,
 * load them, barrier. */
HdIrRef hd_build_group_place(HdBuild *b);
void hd_build_group_tell(HdBuild *b, HdIrRef place, uint32_t number, HdIrRef x);
HdIrRef hd_build_group_told(HdBuild *b, HdIrRef place, uint32_t number, HdIrType t);

#endif
