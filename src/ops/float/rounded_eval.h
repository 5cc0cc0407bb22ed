/* ops/float/rounded_eval.h -- rounding modes of results in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_FLOAT_ROUNDED_EVAL_H
#define HD_OPS_FLOAT_ROUNDED_EVAL_H

#include "interp/eval.h"
#include "interp/number.h"

/* The mode that a result is decorated with; false: none, *mode stays as it is. */
bool hd_eval_rounding(const HdEval *e, HdId result, HdNumberMode *mode);

/* Quotient (2 operands) or square root (1) in a mode. first: word of the first operand. */
HdStatus hd_eval_rounded(HdEval *e, const HdInst *in, unsigned first, unsigned count,
                         HdNumberMode mode);

#endif
