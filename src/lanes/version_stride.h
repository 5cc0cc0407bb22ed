/* lanes/version_stride.h -- separate code for strides of one element.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_VERSION_STRIDE_H
#define HD_LANES_VERSION_STRIDE_H

#include "lanes/shape.h"

/* Copy a kernel for when what its ids are multiplied by, on the way to memory, makes neighbours of
 * lanes' accesses.
 *   s        of the current f, with one exit; invalid afterwards if *changed */
HdStatus hd_lanes_version_stride(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed);

#endif
