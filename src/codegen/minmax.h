/* codegen/minmax.h -- minima and maxima of floats.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_MINMAX_H
#define HD_CODEGEN_MINMAX_H

#include "codegen/gen.h"

/* Before the first instruction: look which floats may be NaN. */
HdStatus hd_gen_minmax_open(HdGen *g);
/* The smaller or larger of two floats or vectors, a number where one is NaN. Halves are compared as
 * floats where the processor has no arithmetic of halves: LLVM would call a library for them. */
LLVMValueRef hd_gen_minmax(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y);
/* May one of two equal operations replace both, as far as NaNs are concerned? */
bool hd_gen_has_same_nan(const HdGen *g, HdIrRef a, HdIrRef b);
/* FMIN or FMAX, by what is known of its operands. */
LLVMValueRef hd_gen_fminmax(HdGen *g, HdIrRef r, LLVMValueRef x, LLVMValueRef y);

#endif
