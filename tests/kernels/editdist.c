/* tests/kernels/editdist.c -- edit distances of random strings of 0 to 31 letters out of four,
 * against a full table.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { SLOT = 32 };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t reference(const uint8_t *a, const uint8_t *b)
{
    uint32_t table[SLOT][SLOT];

    for (uint32_t i = 0; i <= a[0]; i++)
        for (uint32_t j = 0; j <= b[0]; j++)
            if (i == 0 || j == 0)
                table[i][j] = i + j;
            else
                table[i][j] = least(table[i - 1][j - 1] + (a[i] != b[j]),
                                    1 + least(table[i - 1][j], table[i][j - 1]));
    return table[a[0]][b[0]];
}

void case_editdist(Kc *c)
{
    size_t n = kc_pick(c, 501, 20011);
    uint8_t *pairs = kc_bytes(c, n * 2 * SLOT, 4);
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kc_kernel(c, "editdist");
    cl_mem in;
    cl_mem out = kc_buffer(c, n * sizeof *got, NULL);

    for (size_t i = 0; i < 2 * n; i++)
        pairs[i * SLOT] = (uint8_t)kc_random(c, SLOT);
    in = kc_buffer(c, n * 2 * SLOT, pairs);
    kc_args(c, k, "mmu", in, out, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 40);
        kc_end(c);
    }
    kc_read(c, out, got, n * sizeof *got);

    for (size_t i = 0; i < n; i++)
        want[i] = reference(pairs + i * 2 * SLOT, pairs + i * 2 * SLOT + SLOT);
    kc_check_u32(c, "distance of pair", got, want, n);
}
