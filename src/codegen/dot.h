/* codegen/dot.h -- dot products of bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_DOT_H
#define HD_CODEGEN_DOT_H

#include "codegen/gen.h"

LLVMValueRef hd_gen_dot4(HdGen *g, HdIrRef r, bool wide);
/* The same of values, words or vectors of them, for the signs that HD_IR_DOT_… tell. */
LLVMValueRef hd_gen_dot4_of(HdGen *g, unsigned signs, LLVMValueRef x, LLVMValueRef y,
                            LLVMValueRef sum);

#endif
