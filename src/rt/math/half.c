/* rt/math/half.c -- conversions between half and the wider float types, one at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/half.h"

#include "rt/math/half_inline.h"

float hd_rt_half_to_float(uint16_t h)
{
    return half_widen(h);
}

double hd_rt_half_to_double(uint16_t h)
{
    return (double)half_widen(h);
}

uint16_t hd_rt_float_to_half(float f, HdRound mode)
{
    return half_from_float(f, mode);
}

uint16_t hd_rt_double_to_half(double d, HdRound mode)
{
    return half_from_double(d, mode);
}
