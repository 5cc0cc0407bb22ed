/* lanes/rows.h -- loops in which each lane traverses a row of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ROWS_H
#define HD_LANES_ROWS_H

#include "lanes/shape.h"

/* Let such loops execute several iterations at a time.
 *   s        of the current f; invalid afterwards if *changed
 */
HdStatus hd_lanes_rows(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed);

#endif
