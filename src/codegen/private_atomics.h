/* codegen/private_atomics.h -- additions that are kept until groups have run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_PRIVATE_ATOMICS_H
#define HD_CODEGEN_PRIVATE_ATOMICS_H

#include "codegen/gen.h"

/* Before the first instruction: look whether additions may be kept until groups have run. */
void hd_gen_private_atomics_open(HdGen *g);
/* May this one? */
bool hd_gen_is_kept(const HdGen *g, HdIrRef r);
/* So many additions (i64) are about to be made: shall they be kept, i1? */
LLVMValueRef hd_gen_private_atomics_pay(HdGen *g, LLVMValueRef additions);
/* Keep r's addition of x at one address. */
void hd_gen_private_atomic(HdGen *g, HdIrRef r, LLVMValueRef at, LLVMValueRef x);

#endif
