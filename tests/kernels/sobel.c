/* tests/kernels/sobel.c -- edges of a random image: sums above 255 must saturate.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <stdlib.h>

static uint8_t edge(const uint8_t *p, ptrdiff_t pitch)
{
    int left = p[0] + 2 * p[pitch] + p[2 * pitch];
    int right = p[2] + 2 * p[pitch + 2] + p[2 * pitch + 2];
    int top = p[0] + 2 * p[1] + p[2];
    int bottom = p[2 * pitch] + 2 * p[2 * pitch + 1] + p[2 * pitch + 2];
    int sum = abs(left - right) + abs(top - bottom);

    return (uint8_t)(sum > 255 ? 255 : sum);
}

void case_sobel(Kc *c)
{
    size_t quads = kc_pick(c, 23, 601);
    size_t height = kc_pick(c, 45, 1501);
    size_t pitch = quads * 4 + 2;
    size_t in_bytes = pitch * (height + 2);
    size_t n = quads * 4 * height;
    uint8_t *in = kc_bytes(c, in_bytes, 90); /* low contrast, so that not all saturate */
    uint8_t *got = kc_alloc(c, n);
    uint8_t *want = kc_alloc(c, n);
    cl_kernel k = kc_kernel(c, "sobel");
    cl_mem a = kc_buffer(c, in_bytes, in);
    cl_mem b = kc_buffer(c, n, NULL);

    kc_args(c, k, "mmuuu", a, b, (cl_uint)pitch, (cl_uint)quads, (cl_uint)height);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, quads, height, 8, 8);
        kc_end(c);
    }
    kc_read(c, b, got, n);

    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < quads * 4; x++)
            want[y * quads * 4 + x] = edge(in + y * pitch + x, (ptrdiff_t)pitch);
    kc_check_u8(c, "pixel", got, want, n);
}
