/* ops/float/rounded_build.h -- quotients and square roots in a rounding mode.
 *
 * Spec: SPV_INTEL_rounded_divide_sqrt.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_FLOAT_ROUNDED_BUILD_H
#define HD_OPS_FLOAT_ROUNDED_BUILD_H

#include "build/emit.h"
#include "rt/math/convert.h"

/* The mode (HdRound) that the result is decorated with; else *round stays as it is. */
HdStatus hd_build_rounding(HdBuild *b, const HdInst *in, unsigned *round);
bool hd_build_is_rounded(const HdBuild *b, const HdInst *in);

/* x / y and the square root of x, floats of one type, correctly rounded. */
HdIrRef hd_build_rounded_divide(HdBuild *b, unsigned round, HdIrRef x, HdIrRef y);
HdIrRef hd_build_rounded_sqrt(HdBuild *b, unsigned round, HdIrRef x);

#endif
