/* codegen/callee.h -- functions that a kernel calls.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_CALLEE_H
#define HD_CODEGEN_CALLEE_H

#include "codegen/gen.h"

/* Before the kernel's first instruction: declare them. */
HdStatus hd_gen_callees_open(HdGen *g, HdArena *scratch);
/* Switch to one of them; the block before its first one. */
LLVMBasicBlockRef hd_gen_callee_begin(HdGen *g, uint32_t number);
/* At the end of a block of such a function: RET, UNREACHABLE. */
void hd_gen_return(HdGen *g, HdIrRef r);

#endif
