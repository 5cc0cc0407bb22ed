/* tests/api/embedded_test.c -- the device that HEDDLE_EMBEDDED asks for: of the embedded profile,
 * without 64-bit integers (1) and with them (2).
 *
 * Spec: OpenCL SPIR-V Environment Specification, "cles_khr_int64"; OpenCL C Specification,
 * __EMBEDDED_PROFILE__.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

/* kernel k(ulong *p): *p = 5000000000, assembled by hand. */
static const uint32_t module[] = {0x07230203,
                                  0x00010000,
                                  0,
                                  11, /* header */
                                  0,
                                  2 << 16 | 17,
                                  6,
                                  2 << 16 | 17,
                                  4,
                                  2 << 16 | 17,
                                  11, /* capabilities */
                                  3 << 16 | 14,
                                  2,
                                  2,
                                  4 << 16 | 15,
                                  6,
                                  1,
                                  0x6b, /* "k" */
                                  2 << 16 | 19,
                                  2,
                                  4 << 16 | 21,
                                  3,
                                  64,
                                  0, /* void, ulong */
                                  4 << 16 | 32,
                                  4,
                                  5,
                                  3, /* ulong * */
                                  5 << 16 | 43,
                                  3,
                                  5,
                                  0x2a05f200,
                                  1, /* 5000000000 */
                                  4 << 16 | 33,
                                  7,
                                  2,
                                  4, /* void(ulong *) */
                                  5 << 16 | 54,
                                  2,
                                  1,
                                  0,
                                  7,
                                  3 << 16 | 55,
                                  4,
                                  8,
                                  2 << 16 | 248,
                                  9,
                                  5 << 16 | 62,
                                  8,
                                  5,
                                  2,
                                  8, /* Aligned 8 */
                                  1 << 16 | 253,
                                  1 << 16 | 56};

static const char *const source =
    "#ifndef __EMBEDDED_PROFILE__\n#error\n#endif\n"
    "#if defined(cles_khr_int64) != INT64 || defined(__opencl_c_int64) != INT64\n#error\n#endif\n"
    "kernel void k(global uint *p) { p[get_global_id(0)] = get_global_id(0) + 3; }\n";

static void test_queries(HdApiTest *t, bool has_int64)
{
    char text[4096] = "";

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_PROFILE, sizeof text, text, NULL));
    CHECK(strcmp(text, "EMBEDDED_PROFILE") == 0);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    CHECK((strstr(text, "cles_khr_int64") != NULL) == has_int64);
    CHECK((strstr(text, "cl_khr_int64_base_atomics") != NULL) == has_int64);
}

static void test_module(HdApiTest *t, bool has_int64)
{
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, module, sizeof module, &code);
    char log[4096] = "";

    CHECK_OK(code);
    code = clBuildProgram(p, 1, &t->device, "", NULL, NULL);
    CHECK(code == (has_int64 ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK((strstr(log, "opencl3.1-embedded does not accept capability Int64") == NULL) ==
          has_int64);
    CHECK_OK(clReleaseProgram(p));
}

static void test_source(HdApiTest *t, bool has_int64)
{
    const size_t size = 4;
    cl_uint found[4] = {0};
    cl_program p = hd_api_build(t, source, has_int64 ? "-DINT64=1" : "-DINT64=0");
    cl_kernel k;
    cl_mem m;
    cl_int code;

    if (p == NULL)
        return;
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    m = clCreateBuffer(t->context, CL_MEM_READ_WRITE, sizeof found, NULL, &code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    CHECK(found[0] == 3 && found[3] == 6);
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(p));
}

static int test_device(const char *which)
{
    bool has_int64 = strcmp(which, "2") == 0;
    HdApiTest t;

    setenv("HEDDLE_EMBEDDED", which, 1);
    t = hd_api_open();
    test_queries(&t, has_int64);
    test_module(&t, has_int64);
    if (t.has_compiler)
        test_source(&t, has_int64);
    else
        hd_api_skip("no compiler");
    return hd_api_close(&t);
}

/* A process has one device: the first one has a process of its own. */
int main(void)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0)
        return test_device("1");
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return test_device("2");
}
