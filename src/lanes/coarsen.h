/* lanes/coarsen.h -- unroll and jam: one work-item computes several rows.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_COARSEN_H
#define HD_LANES_COARSEN_H

#include "ir/ir.h"

#define HD_COARSEN_ROWS 8u  /* most rows that are estimated to gain */
#define HD_COARSEN_MOST 16u /* the same with barriers; rows that may be requested */

/* May work-items that are neighbours in y be one? The kernel is optimised, and has not been made
 * wide. With barriers they are neighbours in a work-group.
 *   shares  they may, and there is a loop in which they load the same
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_may_coarsen(const HdIrFunc *f, HdArena *a, bool *may, bool *shares);

/* Let a work-item of a kernel that may be coarsened do the work of `rows` neighbours in y: in its
 * launches work-item (x, y, z) stands for those from (x, y * rows, z) on, in NDRanges without
 * offset whose size in y is rounded up; get_global_size is unchanged. With barriers `rows` divides
 * the size of all work-groups in y, which launches count in units of `rows`; what the kernel sees
 * of it is unchanged. An optimised kernel, to be optimised again.
 *   is_whole   for an estimate: the rows are all there and go the same way
 *   is_single  with barriers: `rows` is the size of all work-groups in y, and that in z is 1
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_coarsen(HdIrFunc *f, unsigned rows, bool is_whole, bool is_single, HdArena *a);

#endif
