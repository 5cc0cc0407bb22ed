/* lanes/canon.h -- the form that the lane passes expect: one exit, private arrays laid out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_CANON_H
#define HD_LANES_CANON_H

#include "ir/ir.h"

/* Let every RET and UNREACHABLE branch to one new block that returns; its rank is the last.
 * Returns the exit block's number, HD_IR_NOWHERE without memory. */
uint32_t hd_lanes_one_exit(HdIrFunc *f);

/* Choose the layout of each ALLOCA: interleaved by lane when its address goes nowhere but into
 * loads and stores of one size at multiples of it, else one block per lane. For interleaved ones
 * the byte offsets of PTRADD are scaled by `width` here.
 *   element  [insts.count at return] element bytes of interleaved ALLOCAs, else 0; from `a` */
HdStatus hd_lanes_private(HdIrFunc *f, uint32_t width, HdArena *a, uint32_t **element);

#endif
