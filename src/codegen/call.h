/* codegen/call.h -- calls of the runtime.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_CALL_H
#define HD_CODEGEN_CALL_H

#include "codegen/gen.h"

/* A runtime function (HdRtFn); its operands are in memory, 64 bits each. */
LLVMValueRef hd_gen_call_runtime(HdGen *g, unsigned fn, LLVMValueRef operands);

/* Where the blocks begin to run for a sub-group, and the allocas' builder has been placed. */
void hd_gen_begin_patience(HdGen *g);
/* The next region goes on with what is left: a loop that waits may go through a cut. */
void hd_gen_keep_patience(HdGen *g);
/* Has this sub-group waited for others, which others run meanwhile? i1. */
LLVMValueRef hd_gen_is_alone(HdGen *g);

#endif
