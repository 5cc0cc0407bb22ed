/* rt/image_fn.c -- the code for images that this processor runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/math.h"
#include "rt/texel.h"

HdRtImageFn *hd_rt_image_fn(void)
{
    if (hd_rt_math_has_isa(HD_MATH_ISA_V4))
        return hd_rt_image_v4;
    return hd_rt_math_has_isa(HD_MATH_ISA_V3) ? hd_rt_image_v3 : hd_rt_image;
}
