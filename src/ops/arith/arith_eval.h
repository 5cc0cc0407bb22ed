/* ops/arith/arith_eval.h -- what the evaluation of products and sums shares.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_ARITH_EVAL_H
#define HD_ARITH_EVAL_H

#include "interp/loops.h"

/* x * y + z, rounded once, where an instruction's products and sums are fused; NULL: each of them
 * is rounded.
 *   size  hd_float_size of its numbers: floats or doubles */
HdLoop *hd_arith_fused(const HdEval *e, const HdInst *in, unsigned size);

#endif
