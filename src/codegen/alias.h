/* codegen/alias.h -- which memory an address belongs to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_ALIAS_H
#define HD_CODEGEN_ALIAS_H

#include "codegen/gen.h"

/* A pointer that was just emitted points to the memory of `r`, a KARG or LOCAL_ADDR. */
void hd_gen_mark_memory(HdGen *g, HdIrRef r, LLVMValueRef loaded);
/* The kind of memory (ir/memory.h) of an address, or of those of all lanes; kinds of arguments do
 * not repeat. HD_GEN_MEM_UNKNOWN: unknown. */
#define HD_GEN_MEM_UNKNOWN (HD_IR_MEM_ARG + 64u)
unsigned hd_gen_kind_of(const HdGen *g, LLVMValueRef address);
/* After the last function: give LLVM alias information. */
void hd_gen_tell_apart(HdGen *g);

#endif
