/* interp/finite.h -- promises that operands and results are finite.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_FINITE_H
#define HD_INTERP_FINITE_H

#include "interp/eval.h"

/* After an instruction with such promises. */
HdStatus hd_finite_after(HdEval *e, const HdInst *in);

#endif
