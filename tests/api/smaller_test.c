/* tests/api/smaller_test.c -- the smaller device that HEDDLE_MAX_GROUP, HEDDLE_LOCAL_KB,
 * HEDDLE_GLOBAL_MB and HEDDLE_CONSTANT_KB ask for: what it reports is what it allows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <CL/cl_ext.h>

#define ITEMS    96u
#define LOCAL    (16u << 10)
#define GLOBAL   (8u << 20)
#define CONSTANT (4u << 10)

static const char *const source =
    "kernel void k(global uint *o, local uint *l) { l[get_local_id(0)] = get_local_size(0);\n"
    "    o[get_global_id(0)] = l[get_local_id(0)]; }\n"
    "kernel void c(constant uint *c, global uint *o) { o[get_global_id(0)] = c[0]; }\n"
    "kernel __attribute__((reqd_work_group_size(16, 8, 1))) void large(global uint *o) { *o = 1; "
    "}\n"
    "kernel void half_of_it(global uint *o)\n"
    "{ local uint l[2049]; l[o[0]] = 1; barrier(CLK_LOCAL_MEM_FENCE); o[get_global_id(0)] = "
    "l[o[1]]; "
    "}\n";

static void test_queries(HdApiTest *t)
{
    size_t items = 0, sizes[3] = {0};
    cl_ulong local = 0, global = 0, constant = 0, most = 0;

    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof global, &global, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    CHECK_OK(clGetDeviceInfo(t->device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof constant,
                             &constant, NULL));
    CHECK(items == ITEMS && sizes[0] == ITEMS && sizes[2] == ITEMS);
    CHECK(local == LOCAL && global == GLOBAL && most == GLOBAL / 2 && constant == CONSTANT);
}

static cl_int launch(HdApiTest *t, cl_kernel k, size_t global, size_t local)
{
    cl_int code = clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, local != 0 ? &local : NULL,
                                         0, NULL, NULL);

    return code == CL_SUCCESS ? clFinish(t->queue) : code;
}

static void test_groups(HdApiTest *t, cl_program p)
{
    static cl_uint out[1000];
    cl_mem m = hd_api_buffer(t, out, sizeof out);
    cl_kernel k = clCreateKernel(p, "k", NULL), large = clCreateKernel(p, "large", NULL);
    size_t items = 0, two[2] = {16, 8};

    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clSetKernelArg(large, 0, sizeof m, &m));
    CHECK_OK(clGetKernelWorkGroupInfo(k, t->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items,
                                      NULL));
    CHECK(items == ITEMS);
    CHECK_OK(clSetKernelArg(k, 1, LOCAL, NULL));
    CHECK_OK(launch(t, k, 10 * ITEMS, ITEMS));
    CHECK_CODE(launch(t, k, 10 * ITEMS + 10, ITEMS + 1), CL_INVALID_WORK_ITEM_SIZE);
    CHECK_OK(launch(t, k, 1000, 0)); /* the driver's choice */
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    CHECK(out[0] > 0 && out[0] <= ITEMS && out[999] <= ITEMS);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, large, 2, NULL, two, two, 0, NULL, NULL),
               CL_INVALID_WORK_GROUP_SIZE);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, large, 2, NULL, two, NULL, 0, NULL, NULL),
               CL_INVALID_WORK_GROUP_SIZE);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseKernel(large));
    CHECK_OK(clReleaseMemObject(m));
}

/* A variable and an argument share the local memory. */
static void test_local(HdApiTest *t, cl_program p)
{
    static cl_uint out[64];
    cl_mem m = hd_api_buffer(t, out, sizeof out);
    cl_kernel k = clCreateKernel(p, "k", NULL), half = clCreateKernel(p, "half_of_it", NULL);
    cl_ulong bytes = 0;

    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_CODE(clSetKernelArg(k, 1, LOCAL + 4, NULL), CL_OUT_OF_RESOURCES);
    CHECK_OK(clSetKernelArg(half, 0, sizeof m, &m));
    CHECK_OK(clGetKernelWorkGroupInfo(half, t->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                      &bytes, NULL));
    CHECK(bytes == 2049 * 4);
    CHECK_OK(launch(t, half, 64, 64));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseKernel(half));
    CHECK_OK(clReleaseMemObject(m));
}

static void test_constant(HdApiTest *t, cl_program p)
{
    static cl_uint in[CONSTANT / 4 + 1], out[16];
    cl_kernel k = clCreateKernel(p, "c", NULL);
    cl_mem m = hd_api_buffer(t, out, sizeof out), fits = hd_api_buffer(t, in, CONSTANT),
           large = hd_api_buffer(t, in, CONSTANT + 4);

    CHECK_OK(clSetKernelArg(k, 1, sizeof m, &m));
    CHECK_OK(clSetKernelArg(k, 0, sizeof fits, &fits));
    CHECK_OK(launch(t, k, 16, 0));
    CHECK_OK(clSetKernelArg(k, 0, sizeof large, &large));
    CHECK_CODE(launch(t, k, 16, 0), CL_OUT_OF_RESOURCES);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseMemObject(fits));
    CHECK_OK(clReleaseMemObject(large));
}

static void test_memory(HdApiTest *t)
{
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1024, .image_height = 512};
    cl_mem a, b, image;
    cl_int code;
    void *svm;

    CHECK_NULL(clCreateBuffer(t->context, 0, GLOBAL / 2 + 1, NULL, &code), code,
               CL_INVALID_BUFFER_SIZE);
    a = clCreateBuffer(t->context, 0, GLOBAL / 2, NULL, &code);
    CHECK_OK(code);
    b = clCreateBuffer(t->context, 0, GLOBAL / 4, NULL, &code);
    CHECK_OK(code);
    CHECK_NULL(clCreateBuffer(t->context, 0, GLOBAL / 4 + 1, NULL, &code), code,
               CL_MEM_OBJECT_ALLOCATION_FAILURE);
    CHECK(clSVMAlloc(t->context, CL_MEM_READ_WRITE, GLOBAL / 4 + 1, 0) == NULL);
    image = clCreateImage(t->context, 0, &format, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_NULL(clCreateBuffer(t->context, 0, 1, NULL, &code), code,
               CL_MEM_OBJECT_ALLOCATION_FAILURE);
    CHECK_OK(clReleaseMemObject(b));
    svm = clSVMAlloc(t->context, CL_MEM_READ_WRITE, GLOBAL / 4, 0);
    CHECK(svm != NULL);
    CHECK_NULL(clCreateImage(t->context, 0, &format, &desc, NULL, &code), code,
               CL_MEM_OBJECT_ALLOCATION_FAILURE);
    clSVMFree(t->context, svm);
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseMemObject(a));
    a = clCreateBuffer(t->context, 0, GLOBAL / 2, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(a));
}

int main(void)
{
    HdApiTest t;
    cl_program p;

    setenv("HEDDLE_MAX_GROUP", "96", 1);
    setenv("HEDDLE_LOCAL_KB", "16", 1);
    setenv("HEDDLE_GLOBAL_MB", "8", 1);
    setenv("HEDDLE_CONSTANT_KB", "4", 1);
    t = hd_api_open();
    test_queries(&t);
    test_memory(&t);
    p = t.has_compiler ? hd_api_build(&t, source, "") : NULL;
    if (p == NULL) {
        hd_api_skip("no compiler");
        return hd_api_close(&t);
    }
    test_groups(&t, p);
    test_local(&t, p);
    test_constant(&t, p);
    CHECK_OK(clReleaseProgram(p));
    return hd_api_close(&t);
}
