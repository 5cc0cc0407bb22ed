/* ir/parts.h -- small vectors that have been taken apart: which operations of a work-item could be
 * done together.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_PARTS_H
#define HD_IR_PARTS_H

#include "ir/ir.h"

/* The operations that begin with loads of adjacent elements, and end with such stores, are those
 * of vectors. *parts: [f->insts.count] of how many like it an operation is one; 0: all of its
 * operands are the same for all lanes or constants; 1: it stands alone.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_ir_parts(const HdIrFunc *f, HdArena *a, uint8_t **parts);

#endif
