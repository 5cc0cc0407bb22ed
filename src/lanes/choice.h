/* lanes/choice.h -- loads from one of two uniform addresses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_CHOICE_H
#define HD_LANES_CHOICE_H

#include "lanes/shape.h"

/* Let such loads be two, and each lane choose between their results.
 *   s        of the current f; invalid afterwards if *changed
 */
HdStatus hd_lanes_choice(HdIrFunc *f, const HdShapes *s, bool *changed);

#endif
