/* tests/kernels/copy.c -- a stream copy whose length is not a multiple of the vector.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

void case_copy(Kc *c)
{
    size_t n = kc_pick(c, 12345, 8000005);
    uint32_t *from = kc_words(c, n, 0x7F000000);
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    cl_kernel k = kc_kernel(c, "copy");
    cl_mem a = kc_buffer(c, n * sizeof *from, from);
    cl_mem b = kc_buffer(c, n * sizeof *from, NULL);

    kc_args(c, k, "mmu", a, b, (cl_uint)n);
    kc_work(c, 8.0 * (double)n, 0, false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, kc_ceil_div(n, 8), 50);
        kc_end(c);
    }
    kc_read(c, b, got, n * sizeof *got);
    kc_check_u32(c, "copied word", got, from, n);
}
