/* tests/kernels/convolution.c -- a sharpening filter whose sums leave the range of a byte on
 * both sides. All sums are whole numbers, so the result is exact.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>

enum { RADIUS = 2, SIDE = 5, TILE = 16 };

static int clamp_to(int v, int high)
{
    return v < 0 ? 0 : v > high ? high : v;
}

static int weight(int dx, int dy)
{
    if (dx == 0 && dy == 0)
        return 1;
    return dx == -RADIUS || dx == RADIUS || dy == -RADIUS || dy == RADIUS ? -1 : 2;
}

static uint8_t filtered(const uint8_t *in, int width, int height, int x, int y)
{
    int sum = 0;
    double half;

    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += weight(dx, dy) *
                   in[clamp_to(y + dy, height - 1) * width + clamp_to(x + dx, width - 1)];
    half = nearbyint(0.5 * sum);
    return (uint8_t)clamp_to((int)half, 255);
}

void case_convolution(Kc *c)
{
    size_t width = kc_pick(c, 99, 1021);
    size_t height = kc_pick(c, 61, 517);
    size_t n = width * height;
    uint8_t *in = kc_bytes(c, n, 0);
    uint8_t *got = kc_alloc(c, n);
    uint8_t *want = kc_alloc(c, n);
    cl_kernel k = kc_kernel(c, "convolution");
    cl_mem a = kc_buffer(c, n, in);
    cl_mem b = kc_buffer(c, n, NULL);

    kc_args(c, k, "mmii", a, b, (cl_int)width, (cl_int)height);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, kc_ceil_div(width, TILE) * TILE, kc_ceil_div(height, TILE) * TILE, TILE,
                     TILE);
        kc_end(c);
    }
    kc_read(c, b, got, n);

    for (size_t i = 0; i < n; i++)
        want[i] = filtered(in, (int)width, (int)height, (int)(i % width), (int)(i / width));
    kc_check_u8(c, "pixel", got, want, n);
}
