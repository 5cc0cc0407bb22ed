/* tool/image_arg.h -- images and samplers on the command line: "image2d:4x3:RGBA:UNORM_INT8=range",
 * "sampler=normalised,repeat,linear".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_IMAGE_ARG_H
#define HD_TOOL_IMAGE_ARG_H

#include "launch/image.h"
#include "tool/value.h"

/* Parse an image: its channels become an array of numbers of the same width, its descriptor is
 * filled except for `at`.
 *   implied  the format of an image that is written without; NULL: it must be written
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY, HD_IO. */
HdStatus hd_image_parse(const char *spec, const HdImageFormat *implied, HdDiags *d, HdImage *image,
                        HdData *out);
/* Parse a sampler; false when it is none. */
bool hd_sampler_parse(const char *spec, uint64_t *sampler);

#endif
