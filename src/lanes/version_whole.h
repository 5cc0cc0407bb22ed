/* lanes/version_whole.h -- separate code for sub-groups all of whose lanes exist.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_VERSION_WHOLE_H
#define HD_LANES_VERSION_WHOLE_H

#include "ir/ir.h"

/* Copy a wide kernel in which lanes may be missing: a sub-group that has all of its lanes runs the
 * copy, where none is masked for being missing. Not where that would save little: few accesses to
 * neighbouring elements of less than `unmasked_bytes`, or stores of them, have that mask; long
 * kernels; barriers.
 *   unmasked_bytes   as HdCycleCosts has it
 * Errors: no memory. */
HdStatus hd_lanes_version_whole(HdIrFunc *f, unsigned unmasked_bytes, HdArena *scratch);

#endif
