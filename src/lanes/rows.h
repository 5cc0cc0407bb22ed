/* lanes/rows.h -- loops in which each lane goes along a row of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ROWS_H
#define HD_LANES_ROWS_H

#include "lanes/shape.h"

/* Let such loops take several rounds at a time.
 *   s        of f as it is; worth nothing afterwards if *changed
 */
HdStatus hd_lanes_rows(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed);

#endif
