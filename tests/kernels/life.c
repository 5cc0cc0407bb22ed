/* tests/kernels/life.c -- some generations from random soup, on a torus of odd sides.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { GENERATIONS = 8 };

static void generation(const uint8_t *in, uint8_t *out, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            unsigned around = 0;

            for (size_t dy = height - 1; dy <= height + 1; dy++)
                for (size_t dx = width - 1; dx <= width + 1; dx++)
                    if (dy != height || dx != width)
                        around += in[(y + dy) % height * width + (x + dx) % width];
            out[y * width + x] = around == 3 || (around == 2 && in[y * width + x] != 0);
        }
}

void case_life(Kc *c)
{
    size_t width = kc_pick(c, 63, 701);
    size_t height = kc_pick(c, 41, 503);
    size_t n = width * height;
    uint8_t *soup = kc_bytes(c, n, 2);
    uint8_t *got = kc_alloc(c, n);
    uint8_t *want[2] = {kc_alloc(c, n), kc_alloc(c, n)};
    cl_kernel k = kc_kernel(c, "life");
    cl_mem pristine = kc_buffer(c, n, soup);
    cl_mem room[2] = {kc_buffer(c, n, NULL), kc_buffer(c, n, NULL)};

    while (kc_again(c)) {
        kc_begin(c);
        for (unsigned g = 0; g < GENERATIONS; g++) {
            kc_args(c, k, "mmuu", g == 0 ? pristine : room[(g - 1) & 1], room[g & 1],
                    (cl_uint)width, (cl_uint)height);
            kc_launch_2d(c, k, width, height, 16, 8);
        }
        kc_end(c);
    }
    kc_read(c, room[(GENERATIONS - 1) & 1], got, n);

    memcpy(want[0], soup, n);
    for (unsigned g = 0; g < GENERATIONS; g++)
        generation(want[g & 1], want[1 - (g & 1)], width, height);
    kc_check_u8(c, "cell", got, want[GENERATIONS & 1], n);
}
