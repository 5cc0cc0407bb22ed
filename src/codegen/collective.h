/* codegen/collective.h -- reductions and scans over lanes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_COLLECTIVE_H
#define HD_CODEGEN_COLLECTIVE_H

#include "codegen/gen.h"

/* A reduction (a scalar, of clusters a vector) or scan; imm as of a COLLECTIVE; mask NULL: all. */
LLVMValueRef hd_gen_reduce(HdGen *g, HdIrCollective op, uint64_t imm, HdIrType t, LLVMValueRef x,
                           LLVMValueRef mask);
/* The first active lane's number, i32; 0 when there is none. How many are active, i64. */
LLVMValueRef hd_gen_first_lane(HdGen *g, LLVMValueRef mask);
LLVMValueRef hd_gen_count(HdGen *g, LLVMValueRef mask);

#endif
