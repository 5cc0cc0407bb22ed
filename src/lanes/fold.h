/* lanes/fold.h -- narrow launches: x and y become one dimension.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_FOLD_H
#define HD_LANES_FOLD_H

#include "ir/ir.h"

/* Could it gain at all? Only if the kernel cannot observe groups, and addresses use ids of both
 * dimensions. */
bool hd_lanes_may_fold(const HdIrFunc *f);
/* Would it gain for rows of `length`? Leaves `f` changed beyond use. Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_fold_pays(HdIrFunc *f, unsigned length, HdArena *a, bool *pays);
/* Let a kernel take x and y for one dimension, x being `length` long: its launches have work-item
 * y * length + x of z at that of x and z at y, and no offsets; sizes likewise. An optimised kernel,
 * to be optimised again. Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_fold(HdIrFunc *f, unsigned length, HdArena *a);

#endif
