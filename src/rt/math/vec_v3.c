/* rt/math/vec_v3.c -- vector mathematics for x86-64-v3; compiled with that set's flags.
 *
 * SPDX-License-Identifier: MIT
 */
#define VEC_FIND hd_rt_math_vec_v3
#include "rt/math/vec_body.h"
