/* tests/kernels/reduction.c -- sum and maximum of an array, in groups of a size that is no
 * power of two; the last group is smaller still where the device allows it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { LOCAL = 100, REST = 64 };

void case_reduction(Kc *c)
{
    size_t n = kc_pick(c, 20011, 4000037);
    size_t items = kc_pick(c, 1234, 12345);
    size_t groups = kc_ceil_div(items, LOCAL);
    uint32_t *in = kc_words(c, n, 1000000);
    uint32_t got[2] = {0, 0};
    uint32_t want[2] = {0, 0};
    cl_kernel first = kc_kernel(c, "reduce");
    cl_kernel rest = kc_kernel(c, "reduce_rest");
    cl_mem data = kc_buffer(c, n * sizeof *in, in);
    cl_mem sums = kc_buffer(c, groups * sizeof *in, NULL);
    cl_mem maxima = kc_buffer(c, groups * sizeof *in, NULL);
    cl_mem out = kc_buffer(c, sizeof got, NULL);

    kc_args(c, first, "mummll", data, (cl_uint)n, sums, maxima, LOCAL * sizeof *in,
            LOCAL * sizeof *in);
    kc_args(c, rest, "mmum", sums, maxima, (cl_uint)groups, out);
    kc_work(c, 4.0 * (double)n, (double)n, false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, first, items, LOCAL);
        kc_launch_1d(c, rest, REST, REST);
        kc_end(c);
    }
    kc_read(c, out, got, sizeof got);

    for (size_t i = 0; i < n; i++) {
        want[0] += in[i];
        want[1] = in[i] > want[1] ? in[i] : want[1];
    }
    kc_check_u32(c, "sum and maximum", got, want, 2);
}
