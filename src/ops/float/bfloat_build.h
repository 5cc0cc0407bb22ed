/* ops/float/bfloat_build.h -- numbers of other encodings, held as integers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_FLOAT_BFLOAT_BUILD_H
#define HD_OPS_FLOAT_BFLOAT_BUILD_H

#include "build/emit.h"

/* A float's bits rounded to nearest even: the lowest `cut` are then cut off. A NaN
 * becomes a quiet one. */
HdIrRef hd_build_rounded_bits(HdBuild *b, HdIrRef x, unsigned cut);
/* The bfloat16 (I16) nearest to a float, ties to even; of a NaN, a quiet one. */
HdIrRef hd_build_to_bfloat16(HdBuild *b, HdIrRef x);
/* The float that a bfloat16 is. */
HdIrRef hd_build_from_bfloat16(HdBuild *b, HdIrRef x);

/* Operands of an instruction; those that are bfloat16 as the floats that they are. */
HdStatus hd_build_floats(HdBuild *b, const HdInst *in, unsigned first, unsigned count,
                         HdBuildValue *v);
/* Bind floats to the result; to the nearest bfloat16 where it has that type. */
HdStatus hd_build_bind_floats(HdBuild *b, const HdInst *in, HdIrRef *refs, uint32_t count);

#endif
