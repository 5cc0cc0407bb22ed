/* tests/kernels/fft.c -- a complex transform against a recursive one in double precision.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>

/* out[0..n) = transform of in[0], in[step], …; complex numbers as pairs. */
static void reference(const double *in, double *out, size_t n, size_t step)
{
    if (n == 1) {
        out[0] = in[0];
        out[1] = in[1];
        return;
    }
    reference(in, out, n / 2, 2 * step);
    reference(in + 2 * step, out + n, n / 2, 2 * step);
    for (size_t k = 0; k < n / 2; k++) {
        double angle = -6.283185307179586476925 * (double)k / (double)n;
        double wr = cos(angle);
        double wi = sin(angle);
        double *a = out + 2 * k;
        double *b = out + n + 2 * k;
        double br = b[0] * wr - b[1] * wi;
        double bi = b[0] * wi + b[1] * wr;

        b[0] = a[0] - br;
        b[1] = a[1] - bi;
        a[0] += br;
        a[1] += bi;
    }
}

void case_fft(Kc *c)
{
    size_t n = kc_pick(c, 1024, 131072);
    size_t bytes = 2 * n * sizeof(float);
    float *in = kc_floats(c, 2 * n, -1, 1);
    float *got = kc_alloc(c, bytes);
    double *exact_in = kc_alloc(c, 2 * n * sizeof *exact_in);
    double *want = kc_alloc(c, 2 * n * sizeof *want);
    cl_kernel twiddles = kc_kernel(c, "fft_twiddles");
    cl_kernel step = kc_kernel(c, "fft_step");
    cl_mem input = kc_buffer(c, bytes, in);
    cl_mem table = kc_buffer(c, bytes / 2, NULL);
    cl_mem room[2] = {kc_buffer(c, bytes, NULL), kc_buffer(c, bytes, NULL)};
    unsigned to = 0;

    kc_args(c, twiddles, "mu", table, (cl_uint)(n / 2));
    while (kc_again(c)) {
        cl_mem from = input;

        to = 0;
        kc_begin(c);
        kc_launch_1d(c, twiddles, n / 2, 48);
        for (cl_uint span = 1; span < n; span *= 2) {
            kc_args(c, step, "mmmuu", from, room[to], table, (cl_uint)(n / 2), span);
            kc_launch_1d(c, step, n / 2, 64);
            from = room[to];
            to ^= 1;
        }
        kc_end(c);
    }
    kc_read(c, room[to ^ 1], got, bytes);

    for (size_t i = 0; i < 2 * n; i++)
        exact_in[i] = (double)in[i];
    reference(exact_in, want, n, 1);
    kc_check_f32(c, "component", got, want, 2 * n, 1e-5, 2e-6 * sqrt((double)n), 0);
}
