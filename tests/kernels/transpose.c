/* tests/kernels/transpose.c -- a matrix whose sides are not multiples of the tile.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { TILE = 16 };

void case_transpose(Kc *c)
{
    size_t width = kc_pick(c, 83, 1501);
    size_t height = kc_pick(c, 59, 1203);
    size_t n = width * height;
    uint32_t *in = kc_words(c, n, 0x7F000000);
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kc_kernel(c, "transpose");
    cl_mem a = kc_buffer(c, n * sizeof *in, in);
    cl_mem b = kc_buffer(c, n * sizeof *in, NULL);

    kc_args(c, k, "mmuu", a, b, (cl_uint)width, (cl_uint)height);
    kc_work(c, 8.0 * (double)(width * height), 0, false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, kc_ceil_div(width, TILE) * TILE, kc_ceil_div(height, TILE) * TILE, TILE,
                     TILE);
        kc_end(c);
    }
    kc_read(c, b, got, n * sizeof *got);

    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            want[x * height + y] = in[y * width + x];
    kc_check_u32(c, "element", got, want, n);
}
