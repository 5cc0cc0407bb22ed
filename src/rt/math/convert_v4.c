/* rt/math/convert_v4.c -- conversions for x86-64-v4; compiled with that set's flags. Without them
 * it is the base form once more.
 *
 * SPDX-License-Identifier: MIT
 */
#define CONVERT_FIND hd_rt_convert_v4
#include "rt/math/convert_body.h"
