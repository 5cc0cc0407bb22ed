/* codegen/strided.h -- elements at equal distances.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_STRIDED_H
#define HD_CODEGEN_STRIDED_H

#include "codegen/gen.h"

/* Elements between neighbouring lanes, when hd_gen_load_step can load them; else 0. */
unsigned hd_gen_step(const HdGen *g, HdIrRef address, unsigned bytes);
/* Every step-th element from `at`, for all lanes. */
LLVMValueRef hd_gen_load_step(HdGen *g, LLVMTypeRef element, LLVMValueRef at, unsigned step,
                              unsigned bytes, unsigned align);
/* Gather integers of 8 or 16 (aligned) bits as a vector of `type`. */
LLVMValueRef hd_gen_gather_narrow(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask);
/* One element from each lane's address: as a part of a word where that is better. */
LLVMValueRef hd_gen_gather(HdGen *g, HdIrType type, LLVMValueRef at, LLVMValueRef mask,
                           unsigned align);

#endif
