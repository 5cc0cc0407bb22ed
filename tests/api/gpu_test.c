/* tests/api/gpu_test.c -- the device that HEDDLE_GPU asks for: found by programs that use GPUs
 * only.
 *
 * Spec: OpenCL API, "Querying Devices".
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <stdlib.h>

static void test_found(HdApiTest *t)
{
    cl_device_type type = 0;
    cl_device_id d = NULL;
    cl_uint n = 0;

    CHECK_OK(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_GPU, 1, &d, &n));
    CHECK(n == 1 && d == t->device);
    CHECK_OK(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_DEFAULT, 1, &d, &n));
    CHECK_CODE(clGetDeviceIDs(t->platform, CL_DEVICE_TYPE_CPU, 1, &d, &n), CL_DEVICE_NOT_FOUND);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_DEVICE_TYPE_GPU);
}

static void test_context(HdApiTest *t)
{
    const cl_context_properties p[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)t->platform, 0};
    cl_int code;
    cl_context c = clCreateContextFromType(p, CL_DEVICE_TYPE_GPU, NULL, NULL, &code);

    CHECK_OK(code);
    CHECK_OK(clReleaseContext(c));
    CHECK_NULL(clCreateContextFromType(p, CL_DEVICE_TYPE_CPU, NULL, NULL, &code), code,
               CL_DEVICE_NOT_FOUND);
}

int main(void)
{
    HdApiTest t;

    setenv("HEDDLE_GPU", "1", 1);
    t = hd_api_open();
    test_found(&t);
    test_context(&t);
    return hd_api_close(&t);
}
