/* ops/float/rounded_build.h -- arithmetic in a rounding mode: that of a decoration, or of the
 * shader.
 *
 * Spec: SPV_INTEL_rounded_divide_sqrt; SPV_KHR_float_controls, "RoundingModeRTZ".
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

/* Does the shader round the result of an instruction, floats, towards zero? */
bool hd_build_truncates(const HdBuild *b, const HdInst *in);
/* FADD, FSUB, FMUL or FDIV, and x * y + z, of floats of one type, correctly rounded towards zero.
 */
HdIrRef hd_build_truncated(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y);
HdIrRef hd_build_truncated_fma(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z);
/* FADD, FSUB, FMUL or FDIV as the shader rounds the result of `in`; the same, or an operation on
 * integers, with the flags that its decorations allow. */
HdIrRef hd_build_float2(HdBuild *b, const HdInst *in, HdIrOp op, HdIrRef x, HdIrRef y);
HdIrRef hd_build_flagged2(HdBuild *b, const HdInst *in, HdIrOp op, HdIrRef x, HdIrRef y);
/* Where `is` holds the next float towards zero, else x. */
HdIrRef hd_build_toward_zero(HdBuild *b, HdIrRef x, HdIrRef is);

#endif
