/* tests/kernels/nbody.c -- accelerations against double precision.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>

enum { LOCAL = 48 };

static void reference(const float *bodies, size_t n, double softening, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double d[3];
            double square = softening;
            double pull;

            for (size_t k = 0; k < 3; k++) {
                d[k] = (double)bodies[4 * j + k] - (double)bodies[4 * i + k];
                square += d[k] * d[k];
            }
            pull = (double)bodies[4 * j + 3] / (square * sqrt(square));
            for (size_t k = 0; k < 3; k++)
                out[4 * i + k] += d[k] * pull;
        }
}

void case_nbody(Kc *c)
{
    const float softening = 0.01f;
    size_t n = kc_pick(c, 203, 2503);
    float *bodies = kc_floats(c, 4 * n, 0, 1);
    float *got = kc_alloc(c, 4 * n * sizeof *got);
    double *want = kc_alloc(c, 4 * n * sizeof *want);
    cl_kernel k = kc_kernel(c, "nbody");
    cl_mem in = kc_buffer(c, 4 * n * sizeof *bodies, bodies);
    cl_mem out = kc_buffer(c, 4 * n * sizeof *got, NULL);

    kc_args(c, k, "mmlfu", in, out, LOCAL * 4 * sizeof(float), (double)softening, (cl_uint)n);
    kc_work(c, 0, 20.0 * (double)(n * n), false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, LOCAL);
        kc_end(c);
    }
    kc_read(c, out, got, 4 * n * sizeof *got);

    reference(bodies, n, (double)softening, want);
    kc_check_f32(c, "component", got, want, 4 * n, 1e-4, 1e-6 * (double)n, 0);
}
