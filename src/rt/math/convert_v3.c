/* rt/math/convert_v3.c -- conversions for x86-64-v3; compiled with that set's flags. Without them
 * it is the base form once more.
 *
 * SPDX-License-Identifier: MIT
 */
#define CONVERT_FIND hd_rt_convert_v3
#include "rt/math/convert_body.h"
