/* tests/api/subdevice_test.c -- sub-devices: making, errors, contexts and programs of several.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define UNITS 5

static cl_uint uint_of(cl_device_id d, cl_device_info query)
{
    cl_uint v = 77;

    CHECK_OK(clGetDeviceInfo(d, query, sizeof v, &v, NULL));
    return v;
}

static void test_errors(HdApiTest *t)
{
    const cl_device_partition_property zero[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0},
                                       many[] = {CL_DEVICE_PARTITION_EQUALLY, UNITS + 1, 0},
                                       all[] = {CL_DEVICE_PARTITION_EQUALLY, UNITS, 0},
                                       none[] = {CL_DEVICE_PARTITION_BY_COUNTS, 0, 0},
                                       minus[] = {CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0},
                                       sum[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 3, 0, 0},
                                       numa[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                 CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0},
                                       two[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    cl_device_id out[4];

    CHECK_CODE(clCreateSubDevices(NULL, two, 4, out, NULL), CL_INVALID_DEVICE);
    CHECK_CODE(clCreateSubDevices((cl_device_id)t->context, two, 4, out, NULL), CL_INVALID_DEVICE);
    CHECK_CODE(clCreateSubDevices(t->device, NULL, 4, out, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clCreateSubDevices(t->device, zero, 4, out, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clCreateSubDevices(t->device, none, 4, out, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clCreateSubDevices(t->device, numa, 4, out, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clCreateSubDevices(t->device, two, 1, out, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clCreateSubDevices(t->device, all, 4, out, NULL), CL_DEVICE_PARTITION_FAILED);
    CHECK_CODE(clCreateSubDevices(t->device, many, 4, out, NULL),
               CL_INVALID_DEVICE_PARTITION_COUNT);
    CHECK_CODE(clCreateSubDevices(t->device, minus, 4, out, NULL),
               CL_INVALID_DEVICE_PARTITION_COUNT);
    CHECK_CODE(clCreateSubDevices(t->device, sum, 4, out, NULL), CL_INVALID_DEVICE_PARTITION_COUNT);
}

static void test_root(HdApiTest *t)
{
    cl_device_partition_property ways[8] = {0};
    cl_device_id parent = t->device;
    size_t size = 0;

    CHECK(uint_of(t->device, CL_DEVICE_MAX_COMPUTE_UNITS) == UNITS);
    CHECK(uint_of(t->device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == UNITS);
    CHECK(uint_of(t->device, CL_DEVICE_REFERENCE_COUNT) == 1);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_PARTITION_PROPERTIES, sizeof ways, ways, &size));
    CHECK(size == 2 * sizeof ways[0] && ways[0] == CL_DEVICE_PARTITION_EQUALLY &&
          ways[1] == CL_DEVICE_PARTITION_BY_COUNTS);
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
    CHECK(parent == NULL);
    CHECK_OK(clRetainDevice(t->device));
    CHECK_OK(clReleaseDevice(t->device));
    CHECK_OK(clReleaseDevice(t->device)); /* not counted */
    CHECK(uint_of(t->device, CL_DEVICE_REFERENCE_COUNT) == 1);
}

static void test_counts(HdApiTest *t)
{
    const cl_device_partition_property p[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 1, 0, 0},
                                       again[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_partition_property type[8] = {0};
    cl_device_id d[2] = {0}, parts[3] = {0}, parent = NULL;
    cl_uint n = 0;
    size_t size = 0;

    CHECK_OK(clCreateSubDevices(t->device, p, 0, NULL, &n));
    CHECK(n == 2);
    CHECK_OK(clCreateSubDevices(t->device, p, 2, d, NULL));
    CHECK(uint_of(d[0], CL_DEVICE_MAX_COMPUTE_UNITS) == 3);
    CHECK(uint_of(d[1], CL_DEVICE_MAX_COMPUTE_UNITS) == 1);
    CHECK_OK(clGetDeviceInfo(d[1], CL_DEVICE_PARTITION_TYPE, sizeof type, type, &size));
    CHECK(size == sizeof p - sizeof p[0] && memcmp(type, p, size) == 0); /* one zero at the end */
    CHECK_OK(clGetDeviceInfo(d[1], CL_DEVICE_PARTITION_PROPERTIES, sizeof type, type, &size));
    CHECK(size == sizeof type[0] && type[0] == 0);
    CHECK_CODE(clCreateSubDevices(d[1], again, 3, parts, NULL), CL_DEVICE_PARTITION_FAILED);

    /* A part of a part keeps it alive. */
    CHECK_OK(clCreateSubDevices(d[0], again, 3, parts, &n));
    CHECK(n == 3);
    CHECK_OK(clRetainDevice(d[0]));
    CHECK(uint_of(d[0], CL_DEVICE_REFERENCE_COUNT) == 2);
    CHECK_OK(clReleaseDevice(d[0]));
    CHECK_OK(clReleaseDevice(d[0]));
    CHECK_OK(clGetDeviceInfo(parts[2], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
    CHECK(parent == d[0] && uint_of(parent, CL_DEVICE_MAX_COMPUTE_UNITS) == 3);
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseDevice(parts[i]));
    CHECK_OK(clReleaseDevice(d[1]));
}

static cl_command_queue new_queue(cl_context c, cl_device_id d)
{
    const cl_queue_properties any[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                       0};
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(c, d, any, &code);

    CHECK_OK(code);
    return q;
}

/* Binaries of a program of two devices, and a program of the second one alone. */
static void test_binaries(cl_context c, cl_program p, const cl_device_id *d)
{
    unsigned char *bytes[2] = {0};
    const unsigned char *second;
    size_t sizes[2] = {0}, size;
    cl_device_id back[2] = {0};
    cl_uint n = 0;
    cl_program one;
    cl_kernel k;
    cl_int code;

    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_DEVICES, sizeof back, back, &size));
    CHECK(n == 2 && size == sizeof back && back[0] == d[0] && back[1] == d[1]);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, &size));
    CHECK(size == sizeof sizes && sizes[0] > 0 && sizes[0] == sizes[1]);
    bytes[1] = malloc(sizes[1]);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, bytes, NULL));
    second = bytes[1];
    one = clCreateProgramWithBinary(c, 1, &d[1], &sizes[1], &second, NULL, &code);
    CHECK_OK(code);
    CHECK_CODE(clBuildProgram(one, 1, &d[0], NULL, NULL, NULL), CL_INVALID_DEVICE);
    CHECK_OK(clBuildProgram(one, 1, &d[1], NULL, NULL, NULL));
    k = clCreateKernel(one, "count", &code);
    CHECK_OK(code);
    CHECK_CODE(
        clGetKernelWorkGroupInfo(k, d[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL),
        CL_INVALID_DEVICE);
    CHECK_OK(
        clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(one));
    free(bytes[1]);
}

/* The variable is each device's own. */
static const char source[] = "global int calls;\n"
                             "kernel void count(global int *to)\n"
                             "{\n"
                             "    to[get_global_id(0)] += 1 + get_global_id(0);\n"
                             "    if (get_global_id(0) == 0) to[4095] = ++calls;\n"
                             "}\n";

static cl_program build(cl_context c, cl_device_id for_device)
{
    const char *text = source;
    cl_int code;
    cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, &code);
    cl_build_status status = CL_BUILD_ERROR;

    CHECK_OK(code);
    CHECK_OK(clBuildProgram(p, 1, &for_device, "-cl-std=CL3.0", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, for_device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                   NULL));
    CHECK(status == CL_BUILD_SUCCESS);
    return p;
}

static void test_run(HdApiTest *t)
{
    const cl_device_partition_property p[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    static cl_int data[4096];
    const size_t global = 4000, group = 10;
    cl_device_id d[2] = {0}, twice[3], back[2] = {0};
    cl_command_queue q[2];
    cl_uint n = 0;
    size_t size = 0;
    cl_context c;
    cl_program program;
    cl_kernel k;
    cl_mem m;
    cl_int code;

    CHECK_OK(clCreateSubDevices(t->device, p, 2, d, &n));
    twice[0] = twice[2] = d[0];
    twice[1] = d[1];
    c = clCreateContext(NULL, 3, twice, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseDevice(d[0])); /* the context keeps it */
    CHECK_OK(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
    CHECK_OK(clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof back, back, &size));
    CHECK(n == 2 && size == sizeof back && back[0] == d[0] && back[1] == d[1]);
    CHECK_NULL(clCreateCommandQueueWithProperties(c, t->device, NULL, &code), code,
               CL_INVALID_DEVICE);
    if (!t->has_compiler) {
        hd_api_skip("no compiler");
        CHECK_OK(clReleaseContext(c));
        CHECK_OK(clReleaseDevice(d[1]));
        return;
    }
    program = build(c, d[1]);
    test_binaries(c, program, d);
    k = clCreateKernel(program, "count", &code);
    CHECK_OK(code);
    CHECK_CODE(
        clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL),
        CL_INVALID_DEVICE);
    m = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, sizeof data, data, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    for (int i = 0; i < 2; i++)
        q[i] = new_queue(c, d[i]);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(clEnqueueNDRangeKernel(q[i % 2], k, 1, NULL, &global, &group, 0, NULL, NULL));
        CHECK_OK(clFinish(q[i % 2]));
        CHECK(data[4095] == (i == 1 ? 1 : 1 + i / 2));
    }
    for (int i = 0; i < 4000; i++)
        CHECK(data[i] == 3 * (1 + i));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseCommandQueue(q[i]));
    CHECK_OK(clReleaseContext(c));
    CHECK_OK(clReleaseDevice(d[1]));
}

/* The last reference goes with a command that a thread of the sub-device runs itself. */
static void test_end(HdApiTest *t)
{
    const cl_device_partition_property p[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    static char bytes[8 << 20];

    for (int i = 0; i < 20; i++) {
        cl_device_id d[2];
        cl_command_queue q;
        cl_context c;
        cl_mem m;
        cl_int code;

        CHECK_OK(clCreateSubDevices(t->device, p, 2, d, NULL));
        c = clCreateContext(NULL, 2, d, NULL, NULL, &code);
        CHECK_OK(code);
        q = new_queue(c, d[i % 2]);
        m = clCreateBuffer(c, 0, sizeof bytes, NULL, &code);
        CHECK_OK(code);
        CHECK_OK(clEnqueueFillBuffer(q, m, &i, sizeof i, 0, sizeof bytes, 0, NULL, NULL));
        CHECK_OK(clReleaseMemObject(m));
        CHECK_OK(clReleaseCommandQueue(q));
        CHECK_OK(clReleaseContext(c));
        CHECK_OK(clReleaseDevice(d[0]));
        CHECK_OK(clReleaseDevice(d[1]));
    }
}

int main(void)
{
    HdApiTest t;

    setenv("HEDDLE_THREADS", "5", 1); /* UNITS */
    t = hd_api_open();
    test_root(&t);
    test_errors(&t);
    test_counts(&t);
    test_run(&t);
    test_end(&t);
    return hd_api_close(&t);
}
