/* ops/arith/functions_build.h -- what the integer functions of several instruction sets share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_ARITH_FUNCTIONS_BUILD_H
#define HD_OPS_ARITH_FUNCTIONS_BUILD_H

#include "ops/build_fns.h"

/* (x + y) / 2 without overflow; rounded up when `up`. */
HdIrRef hd_build_half_sum(HdBuild *b, HdIrRef x, HdIrRef y, bool is_signed, bool up);

#endif
