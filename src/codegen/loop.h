/* codegen/loop.h -- the loop over sub-groups of a call.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_LOOP_H
#define HD_CODEGEN_LOOP_H

#include "codegen/gen.h"

/* Does code need the local id of lane 0: of one function; of the kernel with all that it calls? */
bool hd_gen_asks_first(const HdIrFunc *f, unsigned width);
bool hd_gen_needs_first(const HdGen *g);
/* x + y, the next count of a loop over sub-groups, hidden from LLVM's loop passes: they would spend
 * a quarter of a small kernel's compile time analysing the induction variable, and leave it
 * unchanged. An expect intrinsic hides the value, and disappears in code. */
LLVMValueRef hd_gen_count_on(HdGen *g, LLVMValueRef x, unsigned y);
/* From `entry` on, the loop over this call's sub-groups around what begins with `start`; g->latch
 * is its end. */
void hd_gen_loop(HdGen *g, LLVMBasicBlockRef entry, LLVMBasicBlockRef start);
/* Local sizes in x and y, and the local id of sub-group `from`'s lane 0, i32. */
void hd_gen_start_ids(HdGen *g, LLVMValueRef from, LLVMValueRef size[2], LLVMValueRef id[3]);
/* The id of the next sub-group's lane 0, when g->first is this one's. */
void hd_gen_next_ids(HdGen *g, LLVMValueRef size[2], LLVMValueRef id[3]);

#endif
