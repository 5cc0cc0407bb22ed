/* tests/api/float_env_test.c -- the host's floating-point environment does not reach kernels.
 *
 * A host rounds upwards, flushes denormals or lets exceptions trap, while the platform is opened,
 * programs are built, and kernels run: compiled, and then in checked runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fenv.h>

#include "check.h"

#define ITEMS 40000 /* more than one thread's work */

static const char source[] =
    "kernel void half_of(global const float *a, global float *b) { size_t i = get_global_id(0);\n"
    "    b[i] = a[i] * 0.5f; }\n"
    "kernel void third(global const float *a, global float *b) { size_t i = get_global_id(0);\n"
    "    b[i] = (a[i] * 0x1p130f + 1.0f) / 3.0f; }\n"
    "kernel void over_zero(global const float *a, global float *b) { size_t i = get_global_id(0);\n"
    "    float x = a[i] / (a[i] - a[i]); b[i] = x - x + sqrt(-x); }\n"
    "kernel void shorter(global const float *a, global float *b) { size_t i = get_global_id(0);\n"
    "    double x = a[i] * 0x1p100; b[i] = (float)x + exp((float)i) + (float)(x * 0.1); }\n";
static const char *const kernels[] = {"half_of", "third", "over_zero", "shorter"};
#define KERNELS (sizeof kernels / sizeof *kernels)

typedef enum HostFloats { USUAL, UPWARDS, FLUSHED, TRAPPING, HOST_FLOATS } HostFloats;

#if defined(__x86_64__)
static void flush_denormals(void)
{
    unsigned control;

    __asm__ volatile("stmxcsr %0" : "=m"(control));
    control |= 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
}
#else
static void flush_denormals(void)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)1 << 24));
}
#endif

static void set(HostFloats how)
{
    fesetenv(FE_DFL_ENV);
    if (how == UPWARDS)
        fesetround(FE_UPWARD);
    if (how == FLUSHED)
        flush_denormals();
    if (how == TRAPPING)
        feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
}

/* Small numbers, most of them denormal. */
static cl_mem numbers(HdApiTest *t)
{
    static cl_uint bits[ITEMS];

    for (cl_uint i = 0; i < ITEMS; i++)
        bits[i] = 1 + i * 300;
    return hd_api_buffer(t, bits, sizeof bits);
}

static void run(HdApiTest *t, cl_program p, cl_mem from, const char *name, cl_uint out[ITEMS])
{
    size_t items = ITEMS;
    cl_mem to = clCreateBuffer(t->context, CL_MEM_READ_WRITE, ITEMS * sizeof *out, NULL, NULL);
    cl_kernel k = clCreateKernel(p, name, NULL);

    CHECK_OK(clSetKernelArg(k, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(k, 1, sizeof to, &to));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(
        clEnqueueReadBuffer(t->queue, to, CL_TRUE, 0, ITEMS * sizeof *out, out, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(to));
}

/* Results in each environment are those in the usual one, and the host keeps its own. */
static void test_kernels(HdApiTest *t, const char *options)
{
    static cl_uint want[KERNELS][ITEMS], got[ITEMS];
    cl_mem from = numbers(t);

    for (HostFloats how = USUAL; how < HOST_FLOATS; how++) {
        cl_program p;

        set(how);
        p = hd_api_build(t, source, options);
        for (unsigned i = 0; i < KERNELS; i++) {
            run(t, p, from, kernels[i], how == USUAL ? want[i] : got);
            CHECK(how == USUAL || memcmp(got, want[i], sizeof got) == 0);
        }
        CHECK(fegetround() == (how == UPWARDS ? FE_UPWARD : FE_TONEAREST));
        CHECK((fegetexcept() != 0) == (how == TRAPPING));
        set(USUAL);
        CHECK_OK(clReleaseProgram(p));
    }
    CHECK_OK(clReleaseMemObject(from));
}

/* A colour is converted when the command is enqueued. */
static void test_fill(HdApiTest *t)
{
    const cl_image_format format = {CL_RGBA, CL_HALF_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    const float colour[4] = {0.1f, 1.0f / 3, 1e-7f, 1e9f};
    const size_t at[3] = {0}, region[3] = {1, 1, 1};
    cl_ushort want[4], got[4];

    for (HostFloats how = USUAL; how < HOST_FLOATS; how++) {
        cl_mem image = clCreateImage(t->context, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);

        set(how);
        CHECK_OK(clEnqueueFillImage(t->queue, image, colour, at, region, 0, NULL, NULL));
        set(USUAL);
        CHECK_OK(clEnqueueReadImage(t->queue, image, CL_TRUE, at, region, 0, 0,
                                    how == USUAL ? want : got, 0, NULL, NULL));
        CHECK(how == USUAL || memcmp(got, want, sizeof got) == 0);
        CHECK_OK(clReleaseMemObject(image));
    }
}

int main(void)
{
    HdApiTest t;

    set(TRAPPING);
    t = hd_api_open();
    set(USUAL);
    test_fill(&t);
    if (!t.has_compiler) {
        hd_api_skip("there is no compiler");
        return hd_api_close(&t);
    }
    test_kernels(&t, "");
    test_kernels(&t, "-heddle-check");
    return hd_api_close(&t);
}
