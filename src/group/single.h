/* group/single.h -- kernels with barriers in groups that are one sub-group.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GROUP_SINGLE_H
#define HD_GROUP_SINGLE_H

#include "ir/ir.h"

/* Let a wide function of a kernel run in groups of one sub-group, which has one row of work-items
 * from get_local_id(0) = 0 on: barriers only keep the order of memory accesses. What a lane stores
 * to local memory and nobody but itself loads again is kept in registers.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_group_single(HdIrFunc *wide, HdArena *a);

#endif
