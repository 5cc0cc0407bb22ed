/* lanes/lanes.h -- from one work-item to the W lanes of a sub-group.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_LANES_H
#define HD_LANES_LANES_H

#include "lanes/shape.h"

/* Make the wide function of a kernel: control flow is uniform afterwards, with masks where lanes
 * part (docs/execution-model.md).
 *   f       the kernel, optimised and without calls; changed (exits joined, private arrays scaled,
 *           dimensions exchanged)
 *   out     a new function in a new module of the same arena
 * Errors: HD_NO_MEMORY, HD_BUG. */
HdStatus hd_lanes_widen(HdIrFunc *f, HdLaneTarget target, HdArena *a, HdDiags *d, HdIrFunc **out);

#endif
