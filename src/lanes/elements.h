/* lanes/elements.h -- small private arrays at indices that differ per lane.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ELEMENTS_H
#define HD_LANES_ELEMENTS_H

#include "ir/ir.h"

/* Replace gathers from small private arrays of a wide function, and scatters to them, by selections
 * between their elements. Errors: no memory. */
HdStatus hd_lanes_elements(HdIrFunc *f, HdArena *scratch);

#endif
