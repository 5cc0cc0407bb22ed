/* clc/levels.h -- reads and writes of one level of an image.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_LEVELS_H
#define HD_CLC_LEVELS_H

#include "base/strbuf.h"

/* The compiler declares the built-ins of cl_khr_mipmap_image and cl_khr_mipmap_image_writes, but
 * its back end drops the level and the gradients. Calls with so many arguments become calls of
 * functions that xform/resolve.c knows. */
void hd_clc_levels(HdStrbuf *out);

#endif
