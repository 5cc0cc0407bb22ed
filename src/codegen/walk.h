/* codegen/walk.h -- elements that a loop reads one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_WALK_H
#define HD_CODEGEN_WALK_H

#include "codegen/gen.h"

/* Elements of `size` bytes that are contiguous across the iterations of a loop. Not in regions. */
LLVMValueRef hd_gen_walk(HdGen *g, LLVMTypeRef type, unsigned size, LLVMValueRef at,
                         LLVMValueRef mask);

#endif
