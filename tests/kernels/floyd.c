/* tests/kernels/floyd.c -- all shortest paths in a sparse random graph.
 *
 * A round reads row and column `via` while it writes the rest: they do not change in it, so
 * no work-item sees another's store make a difference.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { FAR = 1000000 };

void case_floyd(Kc *c)
{
    size_t n = kc_pick(c, 45, 250);
    size_t bytes = n * n * sizeof(int32_t);
    int32_t *edges = kc_alloc(c, bytes);
    int32_t *got = kc_alloc(c, bytes);
    int32_t *want = kc_alloc(c, bytes);
    cl_kernel k = kc_kernel(c, "floyd_round");
    cl_mem pristine;
    cl_mem work = kc_buffer(c, bytes, NULL);

    for (size_t i = 0; i < n * n; i++)
        edges[i] = i % n == i / n         ? 0
                   : kc_random(c, 8) == 0 ? (int32_t)kc_random(c, 1000) + 1
                                          : FAR;
    pristine = kc_buffer(c, bytes, edges);
    while (kc_again(c)) {
        kc_begin(c);
        kc_copy(c, pristine, work, bytes);
        for (size_t via = 0; via < n; via++) {
            kc_args(c, k, "mii", work, (cl_int)n, (cl_int)via);
            kc_launch_2d(c, k, n, n, 16, 4);
        }
        kc_end(c);
    }
    kc_read(c, work, got, bytes);

    memcpy(want, edges, bytes);
    for (size_t via = 0; via < n; via++)
        for (size_t from = 0; from < n; from++)
            for (size_t to = 0; to < n; to++) {
                int32_t there = want[from * n + via] + want[via * n + to];

                if (there < want[from * n + to])
                    want[from * n + to] = there;
            }
    kc_check_i32(c, "distance", got, want, n * n);
}
