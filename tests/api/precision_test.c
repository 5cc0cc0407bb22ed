/* tests/api/precision_test.c -- what build options of OpenCL C leave of the error limits.
 *
 * tests/math/relaxed_test.c tries each function; here the options find their way to the code, and
 * those that say nothing of errors change none.
 *
 * Spec: OpenCL C, "Compiler Options", "Math Intrinsics Options"; "Relative Error as ULPs".
 *
 * SPDX-License-Identifier: MIT
 */
#include <float.h>
#include <math.h>

#include "check.h"

enum { N = 1024, RESULTS = 8 };

static const char source[] =
    "kernel void k(global float *out, global const float *in) {\n"
    "  size_t i = get_global_id(0); float x = in[i], y = in[i ^ 1];\n"
    "  global float *o = out + i * 8;\n"
    "  o[0] = sin(x); o[1] = exp(x); o[2] = log2(fabs(x)); o[3] = y / x;\n"
    "  o[4] = sqrt(fabs(x)); o[5] = fma(x, y, -x); o[6] = native_cos(x); o[7] = half_exp(x);\n}\n";

typedef struct Option {
    const char *text;
    bool is_relaxed;
} Option;

/* Errors in units in the last place that a result may have; the absolute ones of relaxed sine and
 * logarithm are beside it. */
typedef struct Limit {
    double ulps, relaxed_ulps, relaxed_absolute;
} Limit;

static const Limit limits[RESULTS] = {
    {4.0, 0.0, 0x1p-11}, {3.0, 3.0 + 6.0, 0.0}, {3.0, 3.0, 0x1p-21},       {2.5, 2.5, 0.0},
    {3.0, 3.0, 0.0},     {0.5, 0.5, 0.0},       {8192.0, 8192.0, 0x1p-11}, {8192.0, 8192.0, 0.0},
};

static void expect(double x, double y, double want[RESULTS])
{
    want[0] = sin(x);
    want[1] = exp(x);
    want[2] = log2(fabs(x));
    want[3] = y / x;
    want[4] = sqrt(fabs(x));
    want[5] = (double)fmaf((float)x, (float)y, (float)-x);
    want[6] = cos(x);
    want[7] = exp(x);
}

static bool is_near(double got, double want, const Limit *l, bool is_relaxed, bool is_native)
{
    double ulp = ldexp(1.0, ilogb(want) - 23), off = fabs(got - want);

    if (off <= (is_relaxed ? l->relaxed_ulps : l->ulps) * ulp + DBL_EPSILON * fabs(want))
        return true;
    return (is_relaxed || is_native) && off <= l->relaxed_absolute;
}

static void test(HdApiTest *t, const Option *o)
{
    static float in[N], out[N * RESULTS];
    const size_t global = N;
    cl_program p = hd_api_build(t, source, o->text);
    cl_mem to, from;
    cl_kernel k;
    cl_int code;
    bool good = true;

    if (p == NULL)
        return;
    for (int i = 0; i < N; i++)
        in[i] = ((float)(i * 619 % N) + 0.37f) * (6.28f / N) - 3.14f;
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    from = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &code);
    CHECK_OK(code);
    to = clCreateBuffer(t->context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof to, &to));
    CHECK_OK(clSetKernelArg(k, 1, sizeof from, &from));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < N; i++) {
        double want[RESULTS];

        expect((double)in[i], (double)in[i ^ 1], want);
        for (int j = 0; j < RESULTS && good; j++) {
            good =
                is_near((double)out[i * RESULTS + j], want[j], &limits[j], o->is_relaxed, j == 6);
            if (!good)
                printf("'%s', result %d for %a, %a: %a, not %a\n", o->text, j, (double)in[i],
                       (double)in[i ^ 1], (double)out[i * RESULTS + j], want[j]);
        }
    }
    CHECK(good);
    clReleaseMemObject(to);
    clReleaseMemObject(from);
    clReleaseKernel(k);
    clReleaseProgram(p);
}

int main(void)
{
    static const Option options[] = {{"", false},
                                     {"-cl-finite-math-only", false},
                                     {"-cl-no-signed-zeros", false},
                                     {"-cl-denorms-are-zero", false},
                                     {"-cl-fp32-correctly-rounded-divide-sqrt", false},
                                     {"-cl-opt-disable -cl-finite-math-only", false},
                                     {"-cl-mad-enable", false},
                                     {"-cl-unsafe-math-optimizations", true},
                                     {"-cl-opt-disable -cl-unsafe-math-optimizations", true},
                                     {"-cl-fast-relaxed-math", true}};
    HdApiTest t = hd_api_open();

    for (size_t i = 0; i < sizeof options / sizeof *options && t.has_compiler; i++)
        test(&t, &options[i]);
    if (!t.has_compiler)
        hd_api_skip("no compiler");
    return hd_api_close(&t);
}
