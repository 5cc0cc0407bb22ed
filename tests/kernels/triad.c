/* tests/kernels/triad.c -- scale, add and triad one after another on the same streams.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

void case_triad(Kc *c)
{
    const float s = 3.0f;
    size_t n = kc_pick(c, 9999, 2000003);
    float *a = kc_floats(c, n, 0, 1);
    float *b = kc_floats(c, n, 0, 1);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel scale = kc_kernel(c, "scale");
    cl_kernel add = kc_kernel(c, "add");
    cl_kernel triad = kc_kernel(c, "triad");
    cl_mem ba = kc_buffer(c, n * sizeof *a, a);
    cl_mem bb = kc_buffer(c, n * sizeof *b, b);
    cl_mem bx = kc_buffer(c, n * sizeof *a, NULL);
    cl_mem by = kc_buffer(c, n * sizeof *a, NULL);
    cl_mem bz = kc_buffer(c, n * sizeof *a, NULL);

    kc_args(c, scale, "mmfu", bx, ba, (double)s, (cl_uint)n);
    kc_args(c, add, "mmmu", by, bx, bb, (cl_uint)n);
    kc_args(c, triad, "mmmfu", bz, by, bb, (double)s, (cl_uint)n);
    kc_work(c, 32.0 * (double)n, 4.0 * (double)n, false);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, scale, n, 128);
        kc_launch_1d(c, add, n, 0);
        kc_launch_1d(c, triad, n, 100);
        kc_end(c);
    }
    kc_read(c, bz, got, n * sizeof *got);

    for (size_t i = 0; i < n; i++)
        want[i] = (double)s * (double)a[i] + (double)b[i] + (double)s * (double)b[i];
    kc_check_f32(c, "triad", got, want, n, 1e-6, 0, 0);
}
