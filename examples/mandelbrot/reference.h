/* examples/mandelbrot/reference.h -- what the picture should be.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef MANDELBROT_REFERENCE_H
#define MANDELBROT_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* Where to look: the arguments of the kernel. */
typedef struct {
    uint32_t width;
    uint32_t height;
    float centre_x;
    float centre_y;
    float step; /* distance between two pixels */
    uint32_t limit;
} View;

/* Compare a picture (4 bytes a pixel, rows from the top) with one computed here in plain C.
 *
 *   tolerance   by how much a channel may differ, of 255
 *   iterations  the steps that all samples together take
 *   returns     the number of pixels with a channel that differs by more
 */
size_t compare_with_reference(const View *view, const uint8_t *picture, int tolerance,
                              uint64_t *iterations);

#endif
