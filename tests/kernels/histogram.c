/* tests/kernels/histogram.c -- byte counts of a skewed distribution.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { BINS = 256 };

void case_histogram(Kc *c)
{
    size_t n = kc_pick(c, 50021, 4000037);
    size_t items = kc_pick(c, 500, 5000);
    uint8_t *data = kc_alloc(c, n);
    uint32_t zero[BINS] = {0};
    uint32_t got[BINS] = {0};
    uint32_t want[BINS] = {0};
    cl_kernel k = kc_kernel(c, "histogram");
    cl_mem in;
    cl_mem bins;

    /* The smaller of two: low bytes are more frequent, so that lanes meet on one counter. */
    for (size_t i = 0; i < n; i++) {
        uint32_t a = kc_random(c, 256);
        uint32_t b = kc_random(c, 256);

        data[i] = (uint8_t)(a < b ? a : b);
        want[data[i]]++;
    }
    in = kc_buffer(c, n, data);
    bins = kc_buffer(c, sizeof got, NULL);
    kc_args(c, k, "mum", in, (cl_uint)n, bins);
    kc_work(c, (double)n, 0, false);
    while (kc_again(c)) {
        kc_write(c, bins, zero, sizeof zero);
        kc_begin(c);
        kc_launch_1d(c, k, items, 72);
        kc_end(c);
    }
    kc_read(c, bins, got, sizeof got);
    kc_check_u32(c, "count", got, want, BINS);
}
