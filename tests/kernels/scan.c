/* tests/kernels/scan.c -- exclusive prefix sum of an array that ends inside a block.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { BLOCK = 128 };

void case_scan(Kc *c)
{
    size_t n = kc_pick(c, 30011, 1000003);
    size_t blocks = kc_ceil_div(n, BLOCK);
    uint32_t *in = kc_words(c, n, 1000);
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    cl_kernel per_block = kc_kernel(c, "scan_blocks");
    cl_kernel of_totals = kc_kernel(c, "scan_totals");
    cl_kernel add = kc_kernel(c, "scan_add");
    cl_mem bin = kc_buffer(c, n * sizeof *in, in);
    cl_mem bout = kc_buffer(c, n * sizeof *in, NULL);
    cl_mem totals = kc_buffer(c, blocks * sizeof *in, NULL);
    uint32_t sum = 0;

    kc_args(c, per_block, "mmmu", bin, bout, totals, (cl_uint)n);
    kc_args(c, of_totals, "mu", totals, (cl_uint)blocks);
    kc_args(c, add, "mmu", bout, totals, (cl_uint)n);
    kc_work(c, 8.0 * (double)n, (double)n, false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, per_block, blocks * BLOCK, BLOCK);
        kc_launch_1d(c, of_totals, BLOCK, BLOCK);
        kc_launch_1d(c, add, n, 96);
        kc_end(c);
    }
    kc_read(c, bout, got, n * sizeof *got);

    for (size_t i = 0; i < n; i++) {
        want[i] = sum;
        sum += in[i];
    }
    kc_check_u32(c, "prefix sum", got, want, n);
}
