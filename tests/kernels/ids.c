/* tests/kernels/ids.c -- ids, sizes and offsets, in groups that do not fill the range.
 *
 * Dimensions that do not exist are left out: get_global_size(3) must be 1, but PoCL 3.1 answers
 * 0, and llvm-spirv-15 makes an extraction behind the end of a vector of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { WORDS = 27 };

typedef struct {
    size_t offset[3];
    size_t global[3];
    size_t local[3];
} Range;

static void expected_words(const Range *r, const size_t at[3], uint32_t *w)
{
    size_t local_id[3];
    size_t here[3];

    for (size_t d = 0; d < 3; d++) {
        size_t group = at[d] / r->local[d];
        size_t left = r->global[d] - group * r->local[d];

        local_id[d] = at[d] % r->local[d];
        here[d] = left < r->local[d] ? left : r->local[d];
        w[d] = (uint32_t)(at[d] + r->offset[d]);
        w[3 + d] = (uint32_t)local_id[d];
        w[6 + d] = (uint32_t)group;
        w[9 + d] = (uint32_t)r->global[d];
        w[12 + d] = (uint32_t)here[d];
        w[15 + d] = (uint32_t)r->local[d];
        w[18 + d] = (uint32_t)kc_ceil_div(r->global[d], r->local[d]);
        w[21 + d] = (uint32_t)r->offset[d];
    }
    w[24] = 3;
    w[25] = (uint32_t)((local_id[2] * here[1] + local_id[1]) * here[0] + local_id[0]);
    w[26] = (uint32_t)((at[2] * r->global[1] + at[1]) * r->global[0] + at[0]);
}

void case_ids(Kc *c)
{
    Range r = {{100, 20, 3}, {13, 7, 5}, {4, 3, 2}};
    size_t items = 1;
    uint32_t *got;
    uint32_t *want;
    cl_kernel k = kc_kernel(c, "ids");
    cl_mem out;

    r.global[0] = kc_pick(c, 13, 131);
    r.global[1] = kc_pick(c, 7, 75);
    for (size_t d = 0; d < 3; d++) {
        if (!kc_device(c)->non_uniform)
            r.global[d] = kc_ceil_div(r.global[d], r.local[d]) * r.local[d];
        items *= r.global[d];
    }
    got = kc_alloc(c, items * WORDS * sizeof *got);
    want = kc_alloc(c, items * WORDS * sizeof *want);
    out = kc_buffer(c, items * WORDS * sizeof *got, NULL);
    kc_args(c, k, "m", out);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch(c, k, 3, r.offset, r.global, r.local);
        kc_end(c);
    }
    kc_read(c, out, got, items * WORDS * sizeof *got);

    for (size_t i = 0; i < items; i++) {
        const size_t at[3] = {i % r.global[0], i / r.global[0] % r.global[1],
                              i / r.global[0] / r.global[1]};

        expected_words(&r, at, want + i * WORDS);
    }
    kc_check_u32(c, "word", got, want, items * WORDS);
}
