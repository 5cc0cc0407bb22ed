/* tests/kernels/mandelbrot.c -- escape times, in two stripes joined by a global offset.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

static uint32_t escape(float cx, float cy, uint32_t limit)
{
    float x = 0;
    float y = 0;
    uint32_t n = 0;

    while (n < limit) {
        float xx = x * x;
        float yy = y * y;

        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        n++;
    }
    return n;
}

void case_mandelbrot(Kc *c)
{
    size_t width = kc_pick(c, 101, 801);
    size_t height = kc_pick(c, 67, 599);
    uint32_t limit = (uint32_t)kc_pick(c, 60, 250);
    float step = 3.0f / (float)width;
    size_t n = width * height;
    size_t half = height / 2;
    const size_t local[2] = {16, 4};
    const size_t top_size[2] = {width, half};
    const size_t bottom_offset[2] = {0, half};
    const size_t bottom_size[2] = {width, height - half};
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kc_kernel(c, "mandelbrot");
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);
    size_t differ = 0;

    kc_args(c, k, "muufffu", out, (cl_uint)width, (cl_uint)height, -2.2, 1.1, (double)step, limit);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch(c, k, 2, NULL, top_size, local);
        kc_launch(c, k, 2, bottom_offset, bottom_size, local);
        kc_end(c);
    }
    kc_read(c, out, got, n * sizeof *got);

    for (size_t i = 0; i < n; i++) {
        want[i] =
            escape(-2.2f + step * (float)(i % width), 1.1f - step * (float)(i / width), limit);
        differ += got[i] != want[i];
    }
    /* A compiler that contracts all the same moves a few pixels at the border of the set. */
    if (differ > n / 500)
        kc_check_u32(c, "escape time", got, want, n);
    kc_expect(c, differ <= n / 500, "%zu of %zu pixels differ", differ, n);
}
