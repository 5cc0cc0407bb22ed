/* tests/kernels/nqueens.c -- solutions per placement of the first two queens, and their sum,
 * which is known.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

static uint32_t count(uint32_t all, uint32_t columns, uint32_t left, uint32_t right)
{
    uint32_t found = 0;

    if (columns == all)
        return 1;
    for (uint32_t open = all & ~(columns | left | right); open != 0; open &= open - 1) {
        uint32_t bit = open & (~open + 1);

        found += count(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

void case_nqueens(Kc *c)
{
    uint32_t n = (uint32_t)kc_pick(c, 8, 12);
    uint32_t known = (uint32_t)kc_pick(c, 92, 14200);
    size_t items = (size_t)n * n;
    uint32_t *got = kc_alloc(c, items * sizeof *got);
    uint32_t *want = kc_alloc(c, items * sizeof *want);
    cl_kernel k = kc_kernel(c, "nqueens");
    cl_mem out = kc_buffer(c, items * sizeof *got, NULL);
    uint32_t sum = 0;

    kc_args(c, k, "mu", out, n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, items, 16);
        kc_end(c);
    }
    kc_read(c, out, got, items * sizeof *got);

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            uint32_t first = 1u << a;
            uint32_t second = 1u << b;

            if (a > b + 1 || b > a + 1)
                want[a * n + b] = count((1u << n) - 1, first | second, first << 2 | second << 1,
                                        first >> 2 | second >> 1);
            sum += want[a * n + b];
        }
    kc_check_u32(c, "solutions", got, want, items);
    kc_expect(c, sum == known, "the reference counts %u solutions, not %u", sum, known);
}
