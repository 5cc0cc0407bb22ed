/* tests/kernels/stencil.c -- some steps of a 9-point average, ping-pong between two buffers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { STEPS = 6 };

static void step(const double *in, double *out, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const double *p = in + y * width + x;

            if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
                out[y * width + x] = *p;
            else
                out[y * width + x] =
                    0.25 * p[0] + 0.125 * (p[-1] + p[1] + *(p - width) + p[width]) +
                    0.0625 * (*(p - width - 1) + *(p - width + 1) + p[width - 1] + p[width + 1]);
        }
}

void case_stencil(Kc *c)
{
    size_t width = kc_pick(c, 77, 1003);
    size_t height = kc_pick(c, 53, 701);
    size_t n = width * height;
    float *in = kc_floats(c, n, 0, 100);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want[2] = {kc_alloc(c, n * sizeof(double)), kc_alloc(c, n * sizeof(double))};
    cl_kernel k = kc_kernel(c, "stencil");
    cl_mem room[3] = {kc_buffer(c, n * sizeof *in, in), kc_buffer(c, n * sizeof *in, NULL),
                      kc_buffer(c, n * sizeof *in, NULL)};

    kc_work(c, 8.0 * STEPS * (double)n, 11.0 * STEPS * (double)n, false);
    while (kc_again(c)) {
        kc_begin(c);
        for (unsigned s = 0; s < STEPS; s++) {
            cl_mem from = s == 0 ? room[0] : room[1 + ((s - 1) & 1)];

            kc_args(c, k, "mmii", from, room[1 + (s & 1)], (cl_int)width, (cl_int)height);
            kc_launch_2d(c, k, width, height, 32, 4);
        }
        kc_end(c);
    }
    kc_read(c, room[1 + ((STEPS - 1) & 1)], got, n * sizeof *got);

    for (size_t i = 0; i < n; i++)
        want[0][i] = (double)in[i];
    for (unsigned s = 0; s < STEPS; s++)
        step(want[s & 1], want[1 - (s & 1)], width, height);
    kc_check_f32(c, "cell", got, want[STEPS & 1], n, 1e-5, 1e-5, 0);
}
