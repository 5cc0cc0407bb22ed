/* tool/picture.h -- a kernel's output as PNG or PPM.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_PICTURE_H
#define HD_TOOL_PICTURE_H

#include "base/diag.h"

/* May pixels of so many bytes be written as hd_picture_write's text says? Errors: HD_BAD_INPUT,
 * HD_UNSUPPORTED. */
HdStatus hd_picture_check(const char *spec, uint64_t size, HdDiags *d);
/* Write pixels as "WxH:FORMAT:FILE" says: FILE ends in .png or .ppm; formats gray8, rgb8, rgba8
 * (bytes), grayf, rgbaf (floats from 0 to 1). PPM drops alpha.
 *   bytes, size  the pixels, rows from the top; at least W * H of them
 * Errors: HD_BAD_INPUT (the text, or too few bytes), HD_NO_MEMORY, HD_IO. */
HdStatus hd_picture_write(const char *spec, const unsigned char *bytes, uint64_t size, HdDiags *d);

#endif
