/* ops/derivative/derivative_build.h -- derivatives, for instructions that choose levels by them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_DERIVATIVE_BUILD_H
#define HD_OPS_DERIVATIVE_BUILD_H

#include "build/emit.h"

/* The difference of a float to the neighbour in the quad, in x or else in y.
 *   is_coarse  the same for all of the quad: that of its first row or column */
HdIrRef hd_build_difference(HdBuild *b, HdIrRef x, bool in_y, bool is_coarse);

#endif
