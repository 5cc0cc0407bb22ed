/* tests/kernels/saxpy.c -- y = a x + y at a size that 64 does not divide.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

void case_saxpy(Kc *c)
{
    const float a = 1.75f;
    size_t n = kc_pick(c, 10007, 6000037);
    float *x = kc_floats(c, n, -10, 10);
    float *y = kc_floats(c, n, -10, 10);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kc_kernel(c, "saxpy");
    cl_mem bx = kc_buffer(c, n * sizeof *x, x);
    cl_mem by = kc_buffer(c, n * sizeof *y, NULL);

    kc_args(c, k, "fmmu", (double)a, bx, by, (cl_uint)n);
    kc_work(c, 12.0 * (double)n, 2.0 * (double)n, false);
    while (kc_again(c)) {
        kc_write(c, by, y, n * sizeof *y);
        kc_begin(c);
        kc_launch_1d(c, k, n, 64);
        kc_end(c);
    }
    kc_read(c, by, got, n * sizeof *got);

    for (size_t i = 0; i < n; i++)
        want[i] = (double)a * (double)x[i] + (double)y[i];
    kc_check_f32(c, "y", got, want, n, 1e-6, 2e-6, 0);
}
