/* rt/math/vec_v2.c -- vector mathematics for x86-64-v2; compiled with that set's flags.
 *
 * SPDX-License-Identifier: MIT
 */
/* Halves, which the set cannot convert, go lane by lane. */
#define HD_NO_FMA
#define VEC_FIND hd_rt_math_vec_v2
#include "rt/math/vec_body.h"
