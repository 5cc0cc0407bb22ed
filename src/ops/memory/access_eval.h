/* ops/memory/access_eval.h -- memory operands, for all interpreter functions that have them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_MEMORY_ACCESS_EVAL_H
#define HD_OPS_MEMORY_ACCESS_EVAL_H

#include "interp/eval.h"

/* Read the memory operands that begin at word `at` (they may be missing). *align gets the Aligned
 * operand, 0 when there is none. Returns the word behind them. */
unsigned hd_eval_memory_operands(const HdInst *in, unsigned at, uint64_t *align);

#endif
