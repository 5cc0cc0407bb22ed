/* lanes/choice.h -- loads of one of two things that all lanes share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_CHOICE_H
#define HD_LANES_CHOICE_H

#include "lanes/shape.h"

/* Let such loads be two, and each lane choose between their results.
 *   s        of f as it is; worth nothing afterwards if *changed
 */
HdStatus hd_lanes_choice(HdIrFunc *f, const HdShapes *s, bool *changed);

#endif
