/* rt/math/vec_v4.c -- vector mathematics for x86-64-v4 (AVX-512).
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/vec.h"

#include <stddef.h>

HdMathLanesFn *hd_rt_math_vec_v4(unsigned fn, unsigned bits)
{
    (void)fn;
    (void)bits;
    return NULL;
}
