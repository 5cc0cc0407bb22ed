/* rt/math/convert.h -- number conversions for which processors have no instruction.
 *
 * To floats, in every rounding mode, W lanes at a time. To integers there are instructions for all
 * that is needed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_CONVERT_H
#define HD_RT_MATH_CONVERT_H

#include <stdbool.h>

#include "base/half.h"
#include "rt/math/math.h"

/* The order is part of the contract: width and sign follow from the number. */
typedef enum HdNumKind {
    HD_NUM_I8,
    HD_NUM_U8,
    HD_NUM_I16,
    HD_NUM_U16,
    HD_NUM_I32,
    HD_NUM_U32,
    HD_NUM_I64,
    HD_NUM_U64,
    HD_NUM_F16, /* uint16_t bits */
    HD_NUM_F32,
    HD_NUM_F64,
    HD_NUM_COUNT
} HdNumKind;

/* Find the lane function that converts a[i] into dst[i]; b and c are not used.
 *
 *   from, to  an integer or a wider float, and a float
 *   mode      too large values become what it says, too
 *   overlap   dst may be a itself only where both types have one width
 *   returns   NULL for other kinds, or when the mode is out of range
 *   spec      OpenCL C, "Explicit Conversions"; OpenCL SPIR-V Environment, "Rounding Modes for
 *             Conversions"
 */
HdMathLanesFn *hd_rt_convert_fn(HdNumKind from, HdNumKind to, HdRound mode);

/* The same for one instruction set; NULL when this machine lacks it. For tests and measurements. */
HdMathLanesFn *hd_rt_convert_fn_isa(HdNumKind from, HdNumKind to, HdRound mode, HdMathIsa isa);

/* The tables behind it. The caller checks that the machine has the set. */
HdMathLanesFn *hd_rt_convert_base(HdNumKind from, HdNumKind to, HdRound mode);
HdMathLanesFn *hd_rt_convert_v3(HdNumKind from, HdNumKind to, HdRound mode);
HdMathLanesFn *hd_rt_convert_v4(HdNumKind from, HdNumKind to, HdRound mode);

#endif
