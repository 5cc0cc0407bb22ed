/* ops/glsl/glsl_build_float.c -- constants of float types.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/glsl/glsl_build.h"

#include <string.h>

#include "base/half.h"

HdIrRef hd_glsl_float(HdBuild *b, HdIrType t, double x)
{
    uint64_t bits = 0;
    float f = (float)x;

    if (t == HD_IR_F16)
        bits = hd_half_round(x, HD_ROUND_RTE);
    else if (t == HD_IR_F32)
        memcpy(&bits, &f, sizeof f);
    else
        memcpy(&bits, &x, sizeof x);
    return hd_build_const(b, t, bits);
}
