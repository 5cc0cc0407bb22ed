/* rt/math/vec_v4.c -- vector mathematics for x86-64-v4; compiled with that set's flags.
 *
 * SPDX-License-Identifier: MIT
 */
#define VEC_FIND hd_rt_math_vec_v4
#include "rt/math/vec_body.h"
