/* tests/kernels/kmeans.c -- some rounds of k-means; whole numbers make the result exact.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { CLUSTERS = 16, DIMS = 4, ROUNDS = 4, SUMS = DIMS + 1 };

static uint32_t nearest(const float *p, const float *centres)
{
    float least = 3.4e38f;
    uint32_t best = 0;

    for (uint32_t k = 0; k < CLUSTERS; k++) {
        float distance = 0;

        for (int d = 0; d < DIMS; d++) {
            float delta = p[d] - centres[k * DIMS + (uint32_t)d];

            distance += delta * delta;
        }
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
}

static void reference(const float *points, size_t n, float *centres, uint32_t *member)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t sums[CLUSTERS][SUMS] = {{0}};

        for (size_t i = 0; i < n; i++) {
            member[i] = nearest(points + i * DIMS, centres);
            for (int d = 0; d < DIMS; d++)
                sums[member[i]][d] += (uint32_t)points[i * DIMS + (size_t)d];
            sums[member[i]][DIMS]++;
        }
        for (int k = 0; k < CLUSTERS; k++)
            for (int d = 0; d < DIMS && sums[k][DIMS] != 0; d++)
                centres[k * DIMS + d] = (float)(sums[k][d] / sums[k][DIMS]);
    }
}

void case_kmeans(Kc *c)
{
    size_t n = kc_pick(c, 2003, 50021);
    float *points = kc_alloc(c, n * DIMS * sizeof *points);
    float *centres = kc_alloc(c, CLUSTERS * DIMS * sizeof *centres);
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    uint32_t *zero = kc_alloc(c, CLUSTERS * SUMS * sizeof *zero);
    float got_centres[CLUSTERS * DIMS];
    cl_kernel assign = kc_kernel(c, "kmeans_assign");
    cl_kernel update = kc_kernel(c, "kmeans_update");
    cl_mem bp, bc, bm, bs;

    for (size_t i = 0; i < n * DIMS; i++)
        points[i] = (float)(kc_random(c, 128) + (i / DIMS % 5) * 30);
    memcpy(centres, points, CLUSTERS * DIMS * sizeof *centres);
    bp = kc_buffer(c, n * DIMS * sizeof *points, points);
    bc = kc_buffer(c, CLUSTERS * DIMS * sizeof *centres, NULL);
    bm = kc_buffer(c, n * sizeof *got, NULL);
    bs = kc_buffer(c, CLUSTERS * SUMS * sizeof *zero, zero);
    kc_args(c, assign, "mummm", bp, (cl_uint)n, bc, bm, bs);
    kc_args(c, update, "mm", bc, bs);
    while (kc_again(c)) {
        kc_write(c, bc, centres, CLUSTERS * DIMS * sizeof *centres);
        kc_begin(c);
        for (int round = 0; round < ROUNDS; round++) {
            kc_launch_1d(c, assign, n, 64);
            kc_launch_1d(c, update, CLUSTERS, 0);
        }
        kc_end(c);
    }
    kc_read(c, bm, got, n * sizeof *got);
    kc_read(c, bc, got_centres, sizeof got_centres);

    reference(points, n, centres, want);
    kc_check_u32(c, "member", got, want, n);
    for (size_t i = 0; i < CLUSTERS * DIMS; i++)
        kc_expect(c, got_centres[i] == centres[i], "centre %zu: got %g, want %g", i,
                  (double)got_centres[i], (double)centres[i]);
}
