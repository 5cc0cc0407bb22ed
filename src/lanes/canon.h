/* lanes/canon.h -- the form that the lane passes expect: one exit, private arrays laid out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_CANON_H
#define HD_LANES_CANON_H

#include "lanes/shape.h"

/* Let every RET and UNREACHABLE branch to one new block that returns, what they do; its rank is the
 * last. */
HdStatus hd_lanes_one_exit(HdIrFunc *f, HdArena *scratch);

/* Choose the layout of each ALLOCA: interleaved by lane when its address goes nowhere but into
 * loads and stores of one size at multiples of it, else one block per lane. For interleaved ones
 * the byte offsets of PTRADD are scaled by `width` here. Memory of `out` is from `a`. */
HdStatus hd_lanes_private(HdIrFunc *f, uint32_t width, HdArena *a, HdLaneArrays *out);
/* Before that is done: none is interleaved. */
HdStatus hd_lanes_no_arrays(const HdIrFunc *f, HdArena *a, HdLaneArrays *out);

#endif
