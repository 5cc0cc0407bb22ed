/* rt/image_v3.c -- images in vectors of x86-64-v3; compiled with that set's flags. Without them it
 * is not there, and rt/image.c serves.
 *
 * SPDX-License-Identifier: MIT
 */
#if defined(__AVX2__)
#define IMAGE_CALL hd_rt_image_v3
#include "rt/image_body.h"
#else
#include "rt/texel.h"

void hd_rt_image_v3(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands,
                    void *results)
{
    hd_rt_image(how, lanes, mask, operands, results);
}
#endif
