/* codegen/half.h -- conversions to half, fused operations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_HALF_H
#define HD_CODEGEN_HALF_H

#include "codegen/gen.h"

/* Each for scalars and vectors. */
LLVMValueRef hd_gen_half_from_double(HdGen *g, LLVMValueRef x);
/* Rounded once, of any float type. */
LLVMValueRef hd_gen_fma(HdGen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z);

#endif
