/* rt/math/vec.h -- functions written for vectors, one table per instruction set.
 *
 * vec.c is compiled once per set with that set's flags; built without them it still links and
 * offers nothing, and the lane-by-lane functions serve.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_VEC_H
#define HD_RT_MATH_VEC_H

#include "rt/math/math.h"

/* Find a function by HdMathFn and width; NULL when this set has none of its own. The caller checks
 * that the machine has the set. */
HdMathLanesFn *hd_rt_math_vec_v2(unsigned fn, unsigned bits);
HdMathLanesFn *hd_rt_math_vec_v3(unsigned fn, unsigned bits);
HdMathLanesFn *hd_rt_math_vec_v4(unsigned fn, unsigned bits);

#endif
