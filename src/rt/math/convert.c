/* rt/math/convert.c -- conversions for the base instruction set, and the choice between sets.
 *
 * SPDX-License-Identifier: MIT
 */
#define CONVERT_FIND hd_rt_convert_base
#include "rt/math/convert_body.h"

HdMathLanesFn *hd_rt_convert_fn(HdNumKind from, HdNumKind to, HdRound mode)
{
    if (hd_rt_math_has_isa(HD_MATH_ISA_V4))
        return hd_rt_convert_v4(from, to, mode);
    if (hd_rt_math_has_isa(HD_MATH_ISA_V3))
        return hd_rt_convert_v3(from, to, mode);
    return hd_rt_convert_base(from, to, mode);
}

HdMathLanesFn *hd_rt_convert_fn_isa(HdNumKind from, HdNumKind to, HdRound mode, HdMathIsa isa)
{
    if (!hd_rt_math_has_isa(isa))
        return NULL;
    switch (isa) {
    case HD_MATH_ISA_V4: return hd_rt_convert_v4(from, to, mode);
    case HD_MATH_ISA_V3: return hd_rt_convert_v3(from, to, mode);
    default: return hd_rt_convert_base(from, to, mode);
    }
}
