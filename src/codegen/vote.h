/* codegen/vote.h -- whether a condition holds in any lane.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_VOTE_H
#define HD_CODEGEN_VOTE_H

#include "codegen/gen.h"

/* Is a condition true in any lane, i1, from a few numbers? NULL: its vector has to be tested. */
LLVMValueRef hd_gen_vote_any(HdGen *g, HdIrRef condition);

#endif
