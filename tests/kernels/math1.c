/* tests/kernels/math1.c -- functions of the mathematics library, one case each.
 *
 * The reference is the host's in double; tolerances are those of the OpenCL C specification for
 * the full profile, as shares of the result.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>

typedef struct {
    const char *kernel;
    double (*one)(double);
    double (*two)(double, double);
    float low, high; /* of the arguments */
    double ulp;
} Function;

static double inverse_root(double x)
{
    return 1 / sqrt(x);
}

static void run(Kc *c, const Function *f)
{
    size_t n = kc_pick(c, 1000, 1u << 20);
    float *x = kc_floats(c, n, f->low, f->high);
    float *y = kc_floats(c, n, 0.5f, 3);
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k;
    cl_mem bx, by, bo;

    kc_program(c, "math1");
    k = kc_kernel(c, f->kernel);
    bx = kc_buffer(c, n * sizeof *x, x);
    by = kc_buffer(c, n * sizeof *y, y);
    bo = kc_buffer(c, n * sizeof *got, NULL);
    kc_args(c, k, "mmmu", bx, by, bo, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 0);
        kc_end(c);
    }
    kc_read(c, bo, got, n * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[i] = f->one != NULL ? f->one((double)x[i]) : f->two((double)x[i], (double)y[i]);
    kc_check_f32(c, "result", got, want, n, f->ulp * 1.2e-7, f->ulp * 1.2e-38, 0);
}

#define UNARY(name, host, low, high, ulp)                              \
    void case_math_##name(Kc *c)                                       \
    {                                                                  \
        run(c, &(Function){"map_" #name, host, NULL, low, high, ulp}); \
    }
#define BINARY(name, host, low, high, ulp)                             \
    void case_math_##name(Kc *c)                                       \
    {                                                                  \
        run(c, &(Function){"map_" #name, NULL, host, low, high, ulp}); \
    }
UNARY(sin, sin, -100, 100, 4)
UNARY(cos, cos, -100, 100, 4)
UNARY(tan, tan, -100, 100, 5)
UNARY(asin, asin, -1, 1, 4)
UNARY(acos, acos, -1, 1, 4)
UNARY(atan, atan, -50, 50, 5)
UNARY(sinh, sinh, -10, 10, 4)
UNARY(cosh, cosh, -10, 10, 4)
UNARY(tanh, tanh, -10, 10, 5)
UNARY(exp, exp, -50, 50, 3)
UNARY(exp2, exp2, -50, 50, 3)
UNARY(expm1, expm1, -5, 5, 3)
UNARY(log, log, 1.5f, 1000, 3)
UNARY(log2, log2, 1.5f, 1000, 3)
UNARY(log10, log10, 1.5f, 1000, 3)
UNARY(log1p, log1p, 0.1f, 100, 2)
UNARY(sqrt, sqrt, 0, 1000, 3)
UNARY(rsqrt, inverse_root, 0.01f, 1000, 2)
UNARY(cbrt, cbrt, -1000, 1000, 2)
UNARY(erf, erf, -3, 3, 16)
UNARY(erfc, erfc, -3, 3, 16)
UNARY(tgamma, tgamma, 0.5f, 20, 16)
UNARY(lgamma, lgamma, 3, 100, 16)
BINARY(pow, pow, 0.1f, 20, 16)
BINARY(atan2, atan2, -10, 10, 6)
BINARY(hypot, hypot, -10, 10, 4)
BINARY(fmod, fmod, -100, 100, 1)
