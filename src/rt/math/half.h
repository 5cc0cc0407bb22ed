/* rt/math/half.h -- exact conversions between half and the wider float types.
 *
 * In integer arithmetic, so that results do not depend on rounding mode, flush-to-zero or the
 * compiler's idea of excess precision. Halves are uint16_t bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_HALF_H
#define HD_RT_MATH_HALF_H

#include <stdint.h>

typedef enum HdRound {
    HD_ROUND_RTE, /* to nearest, ties to even */
    HD_ROUND_RTZ, /* toward zero */
    HD_ROUND_RTP, /* toward +infinity */
    HD_ROUND_RTN  /* toward -infinity */
} HdRound;

/* Widen a half; exact. A signalling NaN becomes quiet, its payload stays. */
float hd_rt_half_to_float(uint16_t h);
double hd_rt_half_to_double(uint16_t h);

/* Round once to a half. Overflow gives infinity or the largest finite half, as the mode says;
 * a NaN stays a NaN, made quiet, with the upper bits of its payload. */
uint16_t hd_rt_float_to_half(float f, HdRound mode);
uint16_t hd_rt_double_to_half(double d, HdRound mode);

#endif
