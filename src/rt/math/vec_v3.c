/* rt/math/vec_v3.c -- vector mathematics for x86-64-v3 (AVX2, FMA, F16C).
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/vec.h"

#include <stddef.h>

HdMathLanesFn *hd_rt_math_vec_v3(unsigned fn, unsigned bits)
{
    (void)fn;
    (void)bits;
    return NULL;
}
