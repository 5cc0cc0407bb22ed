/* tests/kernels/blackscholes.c -- call and put prices against double precision.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>

static double normal_below(double d)
{
    static const double a[5] = {0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429};
    double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    double poly = 0;
    double tail;

    for (int i = 4; i >= 0; i--)
        poly = k * (a[i] + poly);
    tail = 0.39894228040143 * exp(-0.5 * d * d) * poly;
    return d > 0 ? 1.0 - tail : tail;
}

void case_blackscholes(Kc *c)
{
    const float rate = 0.03f;
    const float volatility = 0.25f;
    size_t n = kc_pick(c, 5003, 500009);
    size_t bytes = n * sizeof(float);
    float *price = kc_floats(c, n, 10, 100);
    float *strike = kc_floats(c, n, 10, 100);
    float *years = kc_floats(c, n, 0.2f, 5);
    float *got_call = kc_alloc(c, bytes);
    float *got_put = kc_alloc(c, bytes);
    double *call = kc_alloc(c, n * sizeof *call);
    double *put = kc_alloc(c, n * sizeof *put);
    cl_kernel k = kc_kernel(c, "blackscholes");
    cl_mem bp = kc_buffer(c, bytes, price);
    cl_mem bs = kc_buffer(c, bytes, strike);
    cl_mem by = kc_buffer(c, bytes, years);
    cl_mem bcall = kc_buffer(c, bytes, NULL);
    cl_mem bput = kc_buffer(c, bytes, NULL);

    kc_args(c, k, "mmmmmffu", bp, bs, by, bcall, bput, (double)rate, (double)volatility,
            (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 64);
        kc_end(c);
    }
    kc_read(c, bcall, got_call, bytes);
    kc_read(c, bput, got_put, bytes);

    for (size_t i = 0; i < n; i++) {
        double s = (double)price[i];
        double t = (double)years[i];
        double v = (double)volatility;
        double root = v * sqrt(t);
        double d1 = (log(s / (double)strike[i]) + ((double)rate + 0.5 * v * v) * t) / root;
        double later = (double)strike[i] * exp(-(double)rate * t);

        call[i] = s * normal_below(d1) - later * normal_below(d1 - root);
        put[i] = later * normal_below(root - d1) - s * normal_below(-d1);
    }
    kc_check_f32(c, "call", got_call, call, n, 1e-5, 1e-4, 0);
    kc_check_f32(c, "put", got_put, put, n, 1e-5, 1e-4, 0);
}
