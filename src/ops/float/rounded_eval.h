/* ops/float/rounded_eval.h -- rounding modes in the interpreter: that of a decoration, or of the
 * shader.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_FLOAT_ROUNDED_EVAL_H
#define HD_OPS_FLOAT_ROUNDED_EVAL_H

#include <fenv.h>

#include "interp/eval.h"
#include "interp/number.h"

/* The mode that a result is decorated with; false: none, *mode stays as it is. */
bool hd_eval_rounding(const HdEval *e, HdId result, HdNumberMode *mode);

/* Quotient (2 operands) or square root (1) in a mode. first: word of the first operand. */
HdStatus hd_eval_rounded(HdEval *e, const HdInst *in, unsigned first, unsigned count,
                         HdNumberMode mode);

/* Does the shader round floats of that type towards zero? */
bool hd_eval_truncates(const HdEval *e, HdId type);

static inline void hd_eval_restore_rounding(const int *before)
{
    if (*before >= 0)
        fesetround(*before);
}

static inline int hd_eval_enter_rounding(const HdEval *e, HdId type)
{
    const int before = hd_eval_truncates(e, type) ? fegetround() : -1;

    if (before >= 0)
        fesetround(FE_TOWARDZERO);
    return before;
}

/* The processor rounds as the shader asks for results of that type, until the end of the block. */
#define HD_EVAL_ROUNDED_AS(e, type)                                                          \
    __attribute__((cleanup(hd_eval_restore_rounding), unused)) const int hd_eval_rounding_ = \
        hd_eval_enter_rounding((e), (type))

#endif
