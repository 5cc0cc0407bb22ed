/* tests/api/device_queue_test.c -- queues on the device, and what kernels enqueue into them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>

#include "check.h"

static const char *const source =
    "kernel void fill(global int *out, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  int code = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "    ndrange_1D(n), ^{ out[i * n + get_global_id(0)] = 100 * i + (int)get_global_id(0); });\n"
    "  if (code != CLK_SUCCESS) out[i * n] = code;\n"
    "}\n"
    "void step(queue_t q, global int *out, int depth) {\n"
    "  atomic_add(out, 1);\n"
    "  if (depth > 0) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2),\n"
    "    ^{ step(q, out, depth - 1); });\n"
    "}\n"
    "kernel void nest(queue_t q, global int *out) { step(q, out, 4); }\n"
    "kernel void chain(global int *out) {\n"
    "  clk_event_t user = create_user_event(), first, both;\n"
    "  queue_t q = get_default_queue();\n"
    "  int code = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &first,\n"
    "    ^{ out[0] = 1; });\n"
    "  code |= enqueue_marker(q, 1, &first, &both);\n"
    "  code |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &both, NULL,\n"
    "    ^(local void *p){ *(local int *)p = out[0]; out[1] = *(local int *)p + 1; }, 16u);\n"
    "  out[2] = code;\n"
    "  out[3] = is_valid_event(first);\n"
    "  set_user_event_status(user, CL_COMPLETE);\n"
    "  release_event(user); release_event(first); release_event(both);\n"
    "  out[4] = is_valid_event(first);\n"
    "}\n"
    "kernel void many(queue_t q, global int *out) {\n"
    "  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 1; });\n"
    "}\n";

static cl_program program;

static cl_command_queue make_queue(HdApiTest *t, cl_command_queue_properties more, cl_uint size,
                                   cl_int *code)
{
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
        size != 0 ? CL_QUEUE_SIZE : 0, size, 0};

    return clCreateCommandQueueWithProperties(t->context, t->device, list, code);
}

/* Run a kernel of so many work-items and read what it wrote. */
static void run(HdApiTest *t, cl_kernel k, cl_uint buffer_arg, size_t items, int *out, size_t bytes)
{
    cl_mem m = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, bytes, out, NULL);

    CHECK_OK(clSetKernelArg(k, buffer_arg, sizeof m, &m));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseKernel(k));
}

static void test_objects(HdApiTest *t)
{
    const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    cl_command_queue q, other, got = NULL;
    cl_uint size = 0, most = 0;
    cl_int code;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 4, &most, NULL));
    CHECK(most >= 256 * 1024);
    CHECK_NULL(clCreateCommandQueueWithProperties(t->context, t->device, in_order, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(make_queue(t, 0, most + 1, &code), code, CL_INVALID_QUEUE_PROPERTIES);
    q = make_queue(t, CL_QUEUE_ON_DEVICE_DEFAULT, 4096, &code);
    CHECK_OK(code);
    CHECK_OK(clGetCommandQueueInfo(q, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    CHECK(size == 4096);
    other = make_queue(t, CL_QUEUE_ON_DEVICE_DEFAULT, 0, &code);
    CHECK_OK(code);
    CHECK(other == q); /* there is one default */
    CHECK_OK(clReleaseCommandQueue(other));
    other = make_queue(t, 0, 0, &code);
    CHECK_OK(clSetDefaultDeviceCommandQueue(t->context, t->device, other));
    CHECK_OK(clGetCommandQueueInfo(t->queue, CL_QUEUE_DEVICE_DEFAULT, sizeof got, &got, NULL));
    CHECK(got == other);
    CHECK_CODE(clSetDefaultDeviceCommandQueue(t->context, t->device, t->queue),
               CL_INVALID_COMMAND_QUEUE);
    CHECK_CODE(clFinish(q), CL_INVALID_COMMAND_QUEUE); /* it is not the host's */
    CHECK_OK(clReleaseCommandQueue(other));
    CHECK_OK(clGetCommandQueueInfo(t->queue, CL_QUEUE_DEVICE_DEFAULT, sizeof got, &got, NULL));
    CHECK(got == NULL);
    CHECK_OK(clReleaseCommandQueue(q));
}

static void test_default(HdApiTest *t)
{
    int out[12] = {0}, n = 3;
    cl_kernel k = clCreateKernel(program, "fill", NULL);
    cl_command_queue q;
    bool ok = true;
    cl_int code;

    CHECK_OK(clSetKernelArg(k, 1, sizeof n, &n));
    CHECK_OK(clRetainKernel(k));
    run(t, k, 0, 4, out, sizeof out);
    CHECK(out[0] == -101 || out[0] == -102); /* no default queue; with -g the reason is told */
    q = make_queue(t, CL_QUEUE_ON_DEVICE_DEFAULT, 0, &code);
    CHECK_OK(code);
    run(t, k, 0, 4, out, sizeof out);
    for (int i = 0; i < 12; i++)
        ok = ok && out[i] == 100 * (i / 3) + i % 3;
    CHECK(ok);
    memset(out, 0, sizeof out);
    run(t, clCreateKernel(program, "chain", NULL), 0, 1, out, sizeof out);
    CHECK(out[0] == 1 && out[1] == 2 && out[2] == 0 && out[3] == 1 && out[4] == 0);
    CHECK_OK(clReleaseCommandQueue(q));
}

static void *make_and_release(void *user)
{
    HdApiTest *t = user;
    cl_int code;

    for (int i = 0; i < 200; i++)
        clReleaseCommandQueue(make_queue(t, CL_QUEUE_ON_DEVICE_DEFAULT, 0, &code));
    return NULL;
}

/* Whether there is a default queue or not: a kernel finds it alive or not at all. */
static void test_default_goes(HdApiTest *t)
{
    int out[3] = {0}, n = 3;
    cl_kernel k = clCreateKernel(program, "fill", NULL);
    pthread_t other;

    CHECK_OK(clSetKernelArg(k, 1, sizeof n, &n));
    CHECK(pthread_create(&other, NULL, make_and_release, t) == 0);
    for (int i = 0; i < 100; i++) {
        CHECK_OK(clRetainKernel(k));
        run(t, k, 0, 1, out, sizeof out);
        CHECK((out[0] == 0 && out[2] == 2) || out[0] == -101 || out[0] == -102);
    }
    CHECK(pthread_join(other, NULL) == 0);
    CHECK_OK(clReleaseKernel(k));
}

static void test_arguments(HdApiTest *t)
{
    int out[2] = {0};
    cl_kernel k = clCreateKernel(program, "nest", NULL);
    cl_int code;
    cl_command_queue q = make_queue(t, 0, 0, &code), small = make_queue(t, 0, 64, &code);

    CHECK_CODE(clSetKernelArg(k, 0, sizeof q, NULL), CL_INVALID_DEVICE_QUEUE);
    CHECK_CODE(clSetKernelArg(k, 0, 4, &q), CL_INVALID_ARG_SIZE);
    CHECK_CODE(clSetKernelArg(k, 0, sizeof q, &t->queue), CL_INVALID_DEVICE_QUEUE);
    CHECK_OK(clSetKernelArg(k, 0, sizeof q, &q));
    run(t, k, 1, 1, out, sizeof out);
    CHECK(out[0] ==
          1 + 2 + 4 + 8 + 16); /* two children of each, and theirs, before the command ends */
    k = clCreateKernel(program, "many", NULL);
    CHECK_OK(clSetKernelArg(k, 0, sizeof small, &small));
    run(t, k, 1, 1, out, sizeof out);
    CHECK((out[0] == -101 || out[0] == -161) &&
          out[1] == 0); /* nothing fits into so small a queue */
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseCommandQueue(small));
}

/* With -cl-uniform-work-group-size groups are of one size on the device, too. */
static void test_uniform(HdApiTest *t)
{
    static const char *const text =
        "kernel void k(global int *out) {\n"
        "  queue_t q = get_default_queue();\n"
        "  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 3),\n"
        "                          ^{ out[2] = 1; });\n"
        "  out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1009),\n"
        "                          ^{ out[3 + get_global_id(0)] = get_local_size(0); });\n"
        "}\n";
    static const char *const options[] = {"-cl-std=CL3.0",
                                          "-cl-std=CL3.0 -cl-uniform-work-group-size"};
    cl_int code;
    cl_command_queue q = make_queue(t, CL_QUEUE_ON_DEVICE_DEFAULT, 0, &code);

    for (int i = 0; i < 2; i++) {
        cl_program p = hd_api_build(t, text, options[i]);
        cl_kernel k = clCreateKernel(p, "k", NULL);
        int out[3 + 1009] = {0};
        bool same = true;

        run(t, k, 0, 1, out, sizeof out);
        CHECK(i == 0 ? out[0] == 0 && out[2] == 1
                     : (out[0] == -101 || out[0] == -160) && out[2] == 0);
        CHECK(out[1] == 0);
        for (int j = 4; j < 3 + 1009; j++)
            same = same && out[j] == out[3];
        CHECK(out[3] > 0 && (same || i == 0));
        CHECK_OK(clReleaseProgram(p));
    }
    CHECK_OK(clReleaseCommandQueue(q));
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_objects(&t);
    if (t.has_compiler) {
        size_t kernels = 0;

        program = hd_api_build(&t, source, "-cl-std=CL3.0");
        if (program != NULL) {
            CHECK_OK(
                clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
            CHECK(kernels == 4); /* what is enqueued is none of the host's */
            test_default(&t);
            test_default_goes(&t);
            test_arguments(&t);
            test_uniform(&t);
            CHECK_OK(clReleaseProgram(program));
        }
    } else {
        hd_api_skip("no compiler");
    }
    return hd_api_close(&t);
}
