/* lanes/compare.h -- comparisons of wide numbers that are small.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_COMPARE_H
#define HD_LANES_COMPARE_H

#include "lanes/shape.h"

/* Is v a comparison of 64-bit numbers that comes out alike if only their lower 32 bits are
 * compared, and takes less then: do its operands differ between lanes? */
bool hd_lanes_compares_small(const HdShapes *s, HdIrRef v);

#endif
