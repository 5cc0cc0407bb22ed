/* codegen/mathcode.h -- functions of rt/math as code.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_MATHCODE_H
#define HD_CODEGEN_MATHCODE_H

#include "codegen/gen.h"

/* Before the first instruction: look what functions the kernel has. */
HdStatus hd_gen_math_open(HdGen *g, HdArena *scratch);
/* The float type that a function's row is chosen by: of the result, else of the first operand. */
HdIrType hd_gen_math_type(const HdGen *g, HdIrRef r);
/* A function of rt/math, of that type, as code; NULL when it is to be called. *covered says for
 * which lanes the result is right, NULL: all. */
LLVMValueRef hd_gen_math(HdGen *g, HdIrRef r, HdIrType t, bool wide, LLVMValueRef *covered);
/* With AVX-512, of floats or doubles: the smaller or larger, -0 being smaller than 0; a number
 * where one is a quiet NaN, but NaN where one is a signalling one. */
LLVMValueRef hd_gen_range(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y);
/* x / y of vectors of 16 floats within 2 units in the last place, with AVX-512. */
LLVMValueRef hd_gen_divide_fast(HdGen *g, LLVMValueRef x, LLVMValueRef y);
/* 1 / y of the lanes' doubles, normal numbers: an exact quotient, or with AVX-512 a product with a
 * relative error below 2^-52.8, in a third of the time. */
LLVMValueRef hd_gen_inverse(HdGen *g, LLVMValueRef y);

#endif
