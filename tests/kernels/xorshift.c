/* tests/kernels/xorshift.c -- points in a quarter circle: the count and every generator's last
 * state are exact, and the count is near pi/4.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

static uint64_t draw(uint64_t *state, uint64_t below)
{
    uint64_t x = *state;
    uint64_t low;
    uint64_t high;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    x *= 0x2545F4914F6CDD1Du;
    /* the high word of x times below, where below takes fewer than 32 bits */
    low = (x & 0xFFFFFFFFu) * below;
    high = (x >> 32) * below + (low >> 32);
    return high >> 32;
}

void case_xorshift(Kc *c)
{
    const uint64_t side = 1000003;
    size_t n = kc_pick(c, 403, 20011);
    uint32_t draws = (uint32_t)kc_pick(c, 50, 500);
    uint32_t *seeds = kc_words(c, 2 * n, 0);
    uint32_t *got = kc_alloc(c, 2 * n * sizeof *got);
    uint32_t inside[1] = {0};
    const uint32_t zero = 0;
    uint32_t want = 0;
    double pi;
    cl_kernel k = kc_kernel(c, "xorshift");
    cl_mem states = kc_buffer(c, 2 * n * sizeof *seeds, NULL);
    cl_mem counter = kc_buffer(c, sizeof inside, NULL);

    kc_args(c, k, "mumu", states, draws, counter, (cl_uint)n);
    while (kc_again(c)) {
        kc_write(c, states, seeds, 2 * n * sizeof *seeds);
        kc_write(c, counter, &zero, sizeof zero);
        kc_begin(c);
        kc_launch_1d(c, k, n, 32);
        kc_end(c);
    }
    kc_read(c, states, got, 2 * n * sizeof *got);
    kc_read(c, counter, inside, sizeof inside);

    for (size_t i = 0; i < n; i++) {
        uint64_t state;

        memcpy(&state, seeds + 2 * i, sizeof state);
        for (uint32_t d = 0; d < draws; d++) {
            uint64_t x = draw(&state, side);
            uint64_t y = draw(&state, side);

            want += x * x + y * y < side * side;
        }
        memcpy(seeds + 2 * i, &state, sizeof state);
    }
    kc_check_u32(c, "state", got, seeds, 2 * n);
    kc_check_u32(c, "points inside", inside, &want, 1);
    pi = 4.0 * want / ((double)n * draws);
    kc_expect(c, pi > 3.0 && pi < 3.3, "pi comes out as %g", pi);
}
