/* tests/api/kernel_test.c -- kernels: arguments, queries, NDRanges, printf.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static const char *const source =
    "kernel void mixed(global int *g, constant int *c, local int *l, int4 v, char x)\n"
    "{ l[get_local_id(0)] = c[0] + v.z + x; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  g[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)]; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed_size(global int *g)\n"
    "{ g[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_id(0); }\n"
    "kernel void ids(global ulong *g)\n"
    "{ size_t i = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) * "
    "get_global_size(0) + (get_global_id(1) - get_global_offset(1)) * get_global_size(0) +\n"
    "  get_global_id(0) - get_global_offset(0);\n"
    "  g[i] = get_global_id(0) | get_global_id(1) << 16 | get_global_id(2) << 32; }\n"
    "kernel void say(int x) { printf(\"x is %d\\n\", x); }\n"
    "kernel void follow(global int *p) { *p += 1; }\n";

static cl_program program;

static cl_kernel make(const char *name)
{
    cl_int code;
    cl_kernel k = clCreateKernel(program, name, &code);

    CHECK_OK(code);
    return k;
}

static void test_args(HdApiTest *t)
{
    const cl_int4 v = {{1, 2, 3, 4}};
    const size_t global = 32, local = 8;
    const char x = 10;
    int c = 100, out[32] = {0};
    cl_mem g = clCreateBuffer(t->context, 0, sizeof out, NULL, NULL);
    cl_mem cb = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, 4, &c, NULL);
    cl_kernel k = make("mixed"), copy;
    cl_int code;
    bool ok = true;

    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, &local, 0, NULL, NULL),
               CL_INVALID_KERNEL_ARGS);
    CHECK_CODE(clSetKernelArg(NULL, 0, sizeof g, &g), CL_INVALID_KERNEL);
    CHECK_CODE(clSetKernelArg(k, 5, sizeof g, &g), CL_INVALID_ARG_INDEX);
    CHECK_CODE(clSetKernelArg(k, 0, 4, &g), CL_INVALID_ARG_SIZE);
    CHECK_CODE(clSetKernelArg(k, 0, sizeof g, &t->context), CL_INVALID_MEM_OBJECT);
    CHECK_CODE(clSetKernelArg(k, 2, 32, &g), CL_INVALID_ARG_VALUE);
    CHECK_CODE(clSetKernelArg(k, 2, 1 << 30, NULL), CL_OUT_OF_RESOURCES);
    /* A local argument may have no bytes since OpenCL 3.1, whose conformance tests demand it;
     * before that it was CL_INVALID_ARG_SIZE. Spec: OpenCL API, "Setting Kernel Arguments". */
    CHECK_OK(clSetKernelArg(k, 2, 0, NULL));
    CHECK_CODE(clSetKernelArg(k, 2, 0, &g), CL_INVALID_ARG_VALUE);
    CHECK_CODE(clSetKernelArg(k, 3, sizeof v, NULL), CL_INVALID_ARG_VALUE);
    CHECK_CODE(clSetKernelArg(k, 3, 12, &v), CL_INVALID_ARG_SIZE);
    CHECK_CODE(clSetKernelArgSVMPointer(k, 3, &v), CL_INVALID_ARG_VALUE);
    CHECK_OK(clSetKernelArg(k, 0, sizeof g, &g));
    CHECK_OK(clSetKernelArg(k, 1, sizeof cb, &cb));
    CHECK_OK(clSetKernelArg(k, 2, local * sizeof(int), NULL));
    CHECK_OK(clSetKernelArg(k, 3, sizeof v, &v));
    CHECK_OK(clSetKernelArg(k, 4, sizeof x, &x));
    copy = clCloneKernel(k, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, copy, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, g, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < 32; i++)
        ok = ok && out[i] == 113;
    CHECK(ok);
    CHECK_OK(clReleaseKernel(copy));
    CHECK_OK(clReleaseMemObject(g));
    CHECK_OK(clReleaseMemObject(cb));
}

/* What was set when a kernel was enqueued counts, not what is set later. */
static void test_args_are_copied(HdApiTest *t)
{
    cl_kernel k = make("follow");
    cl_event user = clCreateUserEvent(t->context, NULL);
    const size_t one = 1;
    int a = 0, b = 0;

    CHECK_OK(clSetKernelArgSVMPointer(k, 0, &a));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 1, &user, NULL));
    CHECK_OK(clSetKernelArgSVMPointer(k, 0, &b));
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clFinish(t->queue));
    CHECK(a == 1 && b == 0);
    CHECK_OK(clReleaseEvent(user));
    CHECK_OK(clReleaseKernel(k));
}

static unsigned gone;

static void CL_CALLBACK on_gone(cl_mem m, void *user)
{
    (void)m;
    (void)user;
    gone++;
}

/* A kernel argument does not keep a buffer alive. */
static void test_args_do_not_retain(HdApiTest *t)
{
    cl_kernel k = make("follow");
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    const size_t one = 1;

    CHECK_OK(clSetMemObjectDestructorCallback(m, on_gone, NULL));
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clReleaseMemObject(m));
    CHECK(gone == 1);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL),
               CL_INVALID_KERNEL_ARGS);
    CHECK_OK(clReleaseKernel(k));
}

static void test_sizes(HdApiTest *t)
{
    cl_kernel k = make("fixed_size");
    cl_mem g = clCreateBuffer(t->context, 0, 4096, NULL, NULL);
    const size_t global[3] = {16, 4, 1}, good[3] = {8, 2, 1}, bad[3] = {4, 2, 1};
    const size_t zero[3] = {0, 1, 1}, huge[3] = {1 << 20, 1, 1}, far = SIZE_MAX - 3;
    size_t compiled[3] = {0};

    CHECK_OK(clSetKernelArg(k, 0, sizeof g, &g));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, global, good, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, global, NULL, 0, NULL, NULL));
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 2, NULL, global, bad, 0, NULL, NULL),
               CL_INVALID_WORK_GROUP_SIZE);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 0, NULL, global, good, 0, NULL, NULL),
               CL_INVALID_WORK_DIMENSION);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 4, NULL, global, good, 0, NULL, NULL),
               CL_INVALID_WORK_DIMENSION);
    CHECK_OK(clGetKernelWorkGroupInfo(k, t->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof compiled, compiled, NULL));
    CHECK(compiled[0] == 8 && compiled[1] == 2 && compiled[2] == 1);
    CHECK_OK(clReleaseKernel(k));
    k = make("ids");
    CHECK_OK(clSetKernelArg(k, 0, sizeof g, &g));
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, global, zero, 0, NULL, NULL),
               CL_INVALID_WORK_GROUP_SIZE);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, huge, huge, 0, NULL, NULL),
               CL_INVALID_WORK_ITEM_SIZE);
    CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, &far, global, NULL, 0, NULL, NULL),
               CL_INVALID_GLOBAL_OFFSET);
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, zero, NULL, 0, NULL, NULL)); /* 3.0 */
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(g));
}

/* OpenCL C before 2.0, which is what no -cl-std means, knows groups of one size only, and so does
 * -cl-uniform-work-group-size. */
static void test_uniform(HdApiTest *t)
{
    static const struct {
        const char *options;
        bool is_uniform;
    } cases[] = {{NULL, true},
                 {"-cl-std=CL1.1", true},
                 {"-cl-std=CL1.2", true},
                 {"-cl-std=CL2.0", false},
                 {"-cl-std=CL3.1", false},
                 {"-cl-std=CL3.0 -cl-uniform-work-group-size", true}};
    static const char *const text =
        "kernel void sizes(global int *g) { g[get_global_id(0)] = get_local_size(0); }\n"
        "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fours(global int *g) {}\n";
    enum { N = 1009 };
    const size_t ten = 10, three = 3, prime = N;
    cl_mem g = clCreateBuffer(t->context, 0, N * sizeof(int), NULL, NULL);
    int out[N];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cl_int want = cases[i].is_uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
        cl_program p = hd_api_build(t, text, cases[i].options);
        cl_kernel k = clCreateKernel(p, "sizes", NULL), fours = clCreateKernel(p, "fours", NULL);
        bool same = true;

        CHECK_OK(clSetKernelArg(k, 0, sizeof g, &g));
        CHECK_OK(clSetKernelArg(fours, 0, sizeof g, &g));
        CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &ten, &three, 0, NULL, NULL), want);
        CHECK_CODE(clEnqueueNDRangeKernel(t->queue, fours, 1, NULL, &ten, NULL, 0, NULL, NULL),
                   want);
        CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &prime, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(t->queue, g, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        for (int j = 1; j < N; j++)
            same = same && out[j] == out[0];
        CHECK(same || !cases[i].is_uniform);
        CHECK_OK(clReleaseKernel(k));
        CHECK_OK(clReleaseKernel(fours));
        CHECK_OK(clReleaseProgram(p));
    }
    CHECK_OK(clReleaseMemObject(g));
}

/* Arguments are of the kernel's context. */
static void test_other_context(HdApiTest *t)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_context other = clCreateContext(NULL, 1, &t->device, NULL, NULL, NULL);
    cl_mem buffer = clCreateBuffer(other, 0, 16, NULL, NULL);
    cl_mem image = clCreateImage(other, 0, &format, &desc, NULL, NULL);
    cl_sampler sampler = clCreateSamplerWithProperties(other, NULL, NULL);
    cl_program p = hd_api_build(
        t, "kernel void k(global int *b, read_only image2d_t i, sampler_t s) {}\n", NULL);
    cl_kernel k = clCreateKernel(p, "k", NULL);

    CHECK_CODE(clSetKernelArg(k, 0, sizeof buffer, &buffer), CL_INVALID_CONTEXT);
    CHECK_CODE(clSetKernelArg(k, 1, sizeof image, &image), CL_INVALID_CONTEXT);
    CHECK_CODE(clSetKernelArg(k, 2, sizeof sampler, &sampler), CL_INVALID_CONTEXT);
    CHECK_CODE(clSetKernelArg(k, 1, sizeof image, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clReleaseSampler(sampler));
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseContext(other));
}

/* Three dimensions, offsets, sizes that the local ones do not divide. */
static void test_ids(HdApiTest *t)
{
    static const size_t local[][3] = {{0, 0, 0}, {4, 2, 1}, {3, 3, 2}, {13, 1, 1}, {1, 1, 1}};
    const size_t global[3] = {13, 7, 5}, offset[3] = {100, 20, 3};
    enum { COUNT = 13 * 7 * 5 };
    cl_mem g = clCreateBuffer(t->context, 0, COUNT * 8, NULL, NULL);
    cl_kernel k = make("ids");
    cl_ulong out[COUNT];

    CHECK_OK(clSetKernelArg(k, 0, sizeof g, &g));
    for (size_t l = 0; l < sizeof local / sizeof local[0]; l++) {
        const size_t *with = local[l][0] != 0 ? local[l] : NULL;
        bool ok = true;

        memset(out, 255, sizeof out);
        CHECK_OK(clEnqueueWriteBuffer(t->queue, g, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 3, offset, global, with, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(t->queue, g, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        for (size_t i = 0; i < COUNT; i++)
            ok = ok && out[i] == ((100 + i % 13) | (20 + i / 13 % 7) << 16 |
                                  (cl_ulong)(3 + i / 91) << 32);
        CHECK(ok);
    }
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(g));
}

/* The local size for a number of sub-groups is one that the kernel may have. */
static void test_subgroup_sizes(HdApiTest *t)
{
    cl_program p = hd_api_build(
        t,
        "kernel __attribute__((reqd_work_group_size(128, 1, 1))) void row(global int *g) {}\n"
        "kernel void each(global int *g) {}\n",
        NULL);
    cl_kernel k[3] = {clCreateKernel(p, "each", NULL), clCreateKernel(p, "row", NULL),
                      make("fixed_size")};
    size_t local[3], width = 0, count;
    const size_t row = 128;

    CHECK_OK(clGetKernelSubGroupInfo(k[0], t->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof row, &row, sizeof width, &width, NULL));
    for (count = 0; count <= 128; count++) {
        for (int i = 0; i < 3; i++) {
            bool may = count > 0 && (i == 0 || (i == 1 && count * width == row));

            CHECK_OK(clGetKernelSubGroupInfo(k[i], t->device,
                                             CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                             &count, sizeof local, local, NULL));
            CHECK(local[0] == (may ? count * width : 0) && local[1] == may && local[2] == may);
        }
    }
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseKernel(k[i]));
    CHECK_OK(clReleaseProgram(p));
}

static void test_info(HdApiTest *t)
{
    cl_kernel k = make("mixed");
    clGetKernelSubGroupInfoKHR_fn sub_group =
        (clGetKernelSubGroupInfoKHR_fn)clGetKernelSubGroupInfo;
    size_t size = 0, width = 0, local[3] = {24, 1, 1}, count = 0;
    const size_t global = 1000;
    size_t suggested = 0;
    char text[64] = "";
    cl_uint n = 0;
    cl_program p = NULL;
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)(uintptr_t)
            clGetExtensionFunctionAddressForPlatform(t->platform,
                                                     "clGetKernelSuggestedLocalWorkSizeKHR");

    CHECK_OK(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    CHECK(strcmp(text, "mixed") == 0);
    CHECK_OK(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
    CHECK(n == 5);
    CHECK_OK(clGetKernelInfo(k, CL_KERNEL_PROGRAM, sizeof p, &p, NULL));
    CHECK(p == program);
    CHECK_CODE(clGetKernelInfo(k, 0x7777, sizeof n, &n, NULL), CL_INVALID_VALUE);
    CHECK_OK(clGetKernelArgInfo(k, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof n, &n, NULL));
    CHECK(n == CL_KERNEL_ARG_ADDRESS_LOCAL);
    CHECK_OK(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof n, &n, NULL));
    CHECK(n == CL_KERNEL_ARG_ADDRESS_CONSTANT);
    CHECK_CODE(clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, sizeof text, text, NULL),
               CL_INVALID_ARG_INDEX);
    CHECK_OK(clGetKernelWorkGroupInfo(k, t->device, CL_KERNEL_WORK_GROUP_SIZE, 8, &size, NULL));
    CHECK(size >= 256);
    CHECK_OK(sub_group(k, t->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local,
                       8, &width, NULL));
    CHECK(width >= 1 && width <= 128);
    CHECK_OK(sub_group(k, t->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, local, 8,
                       &count, NULL));
    CHECK(count == (24 + width - 1) / width);
    CHECK_CODE(
        sub_group(k, t->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL, 8, &count, NULL),
        CL_INVALID_VALUE);
    CHECK(suggest != NULL);
    CHECK_CODE(suggest(t->queue, k, 1, NULL, &global, &suggested), CL_INVALID_KERNEL_ARGS);
    CHECK_OK(clReleaseKernel(k));
    k = make("follow");
    CHECK_OK(clSetKernelArgSVMPointer(k, 0, &n));
    CHECK_OK(suggest(t->queue, k, 1, NULL, &global, &suggested));
    CHECK(suggested >= 1 && suggested <= size);
    CHECK_OK(clReleaseKernel(k));
}

static void test_all_kernels(HdApiTest *t)
{
    cl_kernel kernels[8];
    cl_uint n = 0;

    (void)t;
    CHECK_OK(clCreateKernelsInProgram(program, 0, NULL, &n));
    CHECK(n == 5);
    CHECK_CODE(clCreateKernelsInProgram(program, 2, kernels, NULL), CL_INVALID_VALUE);
    CHECK_OK(clCreateKernelsInProgram(program, 8, kernels, &n));
    for (cl_uint i = 0; i < n; i++)
        CHECK_OK(clReleaseKernel(kernels[i]));
}

/* Each kernel has its own arguments' names, whatever others are called; types, too, whether or not
 * the build was asked to keep them. */
static void test_argument_names(HdApiTest *t)
{
    static const char *const options[] = {"-cl-kernel-arg-info", ""};
    static const struct {
        const char *kernel, *type, *name;
        cl_kernel_arg_type_qualifier qualifier;
    } want[] = {{"a", "int*", "p", 0},
                {"ab", "uint*", "q", CL_KERNEL_ARG_TYPE_RESTRICT},
                {"a_b", "float*", "r", 0},
                {"b", "uchar*", "s", CL_KERNEL_ARG_TYPE_VOLATILE}};

    for (size_t o = 0; o < 2; o++) {
        cl_program p = hd_api_build(t,
                                    "kernel void ab(global uint *restrict q) { *q = 1; }\n"
                                    "kernel void b(global volatile uchar *s) { *s = 1; }\n"
                                    "kernel void a(global int *p) { *p = 1; }\n"
                                    "kernel void a_b(global float *r) { *r = 1; }\n",
                                    options[o]);

        for (size_t i = 0; p != NULL && i < sizeof want / sizeof *want; i++) {
            cl_kernel k = clCreateKernel(p, want[i].kernel, NULL);
            cl_kernel_arg_type_qualifier qualifier = 99;
            char text[64] = "";

            CHECK_OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
            CHECK(strcmp(text, want[i].type) == 0);
            CHECK_OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
            CHECK(strcmp(text, want[i].name) == 0);
            CHECK_OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                        &qualifier, NULL));
            CHECK(qualifier == want[i].qualifier);
            clReleaseKernel(k);
        }
        clReleaseProgram(p);
    }
}

/* A module does not know the signs and qualifiers of its source: no wrong answer is given. */
static void test_unknown_types(HdApiTest *t)
{
    cl_program from = hd_api_build(t, "kernel void k(global uint *p) { *p = 1; }\n", "");
    unsigned char *bytes = NULL;
    size_t size = 0;

    CHECK_OK(clGetProgramInfo(from, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    bytes = malloc(size);
    CHECK_OK(clGetProgramInfo(from, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    {
        cl_program p = clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                                 (const unsigned char **)&bytes, NULL, NULL);
        cl_kernel k;
        char text[64] = "";

        CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
        k = clCreateKernel(p, "k", NULL);
        CHECK_CODE(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL),
                   CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
        CHECK_CODE(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof text, text, NULL),
                   CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
        CHECK_OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        CHECK(strcmp(text, "p") == 0);
        CHECK_CODE(clGetKernelArgInfo(k, 0, 0, sizeof text, text, NULL), CL_INVALID_VALUE);
        clReleaseKernel(k);
        clReleaseProgram(p);
    }
    free(bytes);
    clReleaseProgram(from);
}

/* What kernels print comes out on standard output before clFinish returns. */
static void test_printf(HdApiTest *t)
{
    char path[] = "/tmp/heddle-api-XXXXXX", text[64] = "";
    int file = mkstemp(path), old, number = 42;
    const size_t one = 1;
    cl_kernel k = make("say");
    ssize_t got;

    CHECK(file >= 0);
    CHECK_OK(clSetKernelArg(k, 0, sizeof number, &number));
    fflush(stdout);
    old = dup(1);
    dup2(file, 1);
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    dup2(old, 1);
    close(old);
    got = pread(file, text, sizeof text - 1, 0);
    CHECK(got > 0 && strcmp(text, "x is 42\n") == 0);
    close(file);
    unlink(path);
    CHECK_OK(clReleaseKernel(k));
}

/* Many small launches with a wait after each; then many without. */
static void test_many(HdApiTest *t)
{
    cl_kernel k = make("follow");
    const size_t one = 1;
    int x = 0;

    CHECK_OK(clSetKernelArgSVMPointer(k, 0, &x));
    for (int i = 0; i < 1000; i++) {
        if (clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL) != CL_SUCCESS ||
            clFinish(t->queue) != CL_SUCCESS)
            break;
    }
    CHECK(x == 1000);
    for (int i = 0; i < 1000; i++) {
        if (clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL) != CL_SUCCESS)
            break;
    }
    CHECK_OK(clFinish(t->queue));
    CHECK(x == 2000);
    CHECK_OK(clReleaseKernel(k));
}

/* What a kernel keeps for each work-item is told, before and after cloning. */
static void test_private(HdApiTest *t)
{
    static const char *const hoarding =
        "kernel void hoard(global int *p, int n)\n"
        "{ int own[500]; for (int i = 0; i < 500; i++) own[i] = p[i]; for (int i = 0; i < n; i++) "
        "own[p[i] % 500] = i; p[get_global_id(0)] = own[n % 500]; }\n";
    cl_program own = hd_api_build(t, hoarding, NULL);
    cl_kernel hoard, ids = make("ids"), copy;
    cl_ulong bytes = 0, few = 0, copied = 0;
    cl_int code;

    if (own == NULL)
        return;
    hoard = clCreateKernel(own, "hoard", &code);
    CHECK_OK(code);
    CHECK_OK(clGetKernelWorkGroupInfo(hoard, NULL, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                                      NULL));
    CHECK_OK(
        clGetKernelWorkGroupInfo(ids, NULL, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof few, &few, NULL));
    CHECK(bytes >= 2000 && bytes < 4000);
    CHECK(few < 64);
    copy = clCloneKernel(hoard, &code);
    CHECK_OK(code);
    CHECK_OK(clGetKernelWorkGroupInfo(copy, NULL, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof copied,
                                      &copied, NULL));
    CHECK(copied == bytes);
    CHECK_OK(clReleaseKernel(copy));
    CHECK_OK(clReleaseKernel(hoard));
    CHECK_OK(clReleaseProgram(own));
    CHECK_OK(clReleaseKernel(ids));
}

/* y[i] of a kernel that gives each the number behind the x[0] that it finds, over five of them. */
static bool counts(HdApiTest *t, cl_kernel k, const int expected[5], cl_mem y)
{
    const size_t one = 1;
    int found[5];

    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, y, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    return memcmp(found, expected, sizeof found) == 0;
}

/* Code for arguments that are different memory does not serve launches whose are not: in whole, in
 * part, by the memory that hosts gave, by shared pointers into one allocation. Nor does code
 * for one launch serve the next one, where the host changes its mind. */
static void test_same_memory(HdApiTest *t)
{
    static const char *const text = "kernel void count(global int *x, global int *y)\n"
                                    "{ for (int i = 0; i < 5; i++) y[i] = x[0] + 1; }\n";
    static const int as_apart[5] = {1, 1, 1, 1, 1}, as_same[5] = {1, 2, 2, 2, 2};
    static int memory[64];
    const cl_buffer_region whole = {0, sizeof memory};
    cl_program own = hd_api_build(t, text, NULL);
    cl_mem a, b, part, lent[2];
    int *shared = clSVMAlloc(t->context, CL_MEM_READ_WRITE, sizeof memory, 0);
    cl_kernel k;
    cl_int code;

    a = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof memory, memory, &code);
    b = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof memory, memory, &code);
    part = clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, &code);
    for (int i = 0; i < 2; i++)
        lent[i] =
            clCreateBuffer(t->context, CL_MEM_USE_HOST_PTR, sizeof memory - 64, memory, &code);
    k = clCreateKernel(own, "count", &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof a, &a));
    CHECK_OK(clSetKernelArg(k, 1, sizeof b, &b));
    CHECK(counts(t, k, as_apart, b));
    CHECK_OK(clSetKernelArg(k, 1, sizeof a, &a));
    CHECK(counts(t, k, as_same, a));
    CHECK_OK(clSetKernelArg(k, 0, sizeof lent[0], &lent[0]));
    CHECK(counts(t, k, as_apart, a));
    CHECK_OK(clSetKernelArg(k, 1, sizeof lent[1], &lent[1]));
    CHECK(counts(t, k, as_same, lent[1]));
    CHECK_OK(clEnqueueFillBuffer(t->queue, b, &(int){0}, 4, 0, sizeof memory, 0, NULL, NULL));
    CHECK_OK(clSetKernelArg(k, 0, sizeof b, &b));
    CHECK_OK(clSetKernelArg(k, 1, sizeof part, &part));
    CHECK(counts(t, k, as_same, part));
    CHECK_OK(clEnqueueSVMMemFill(t->queue, shared, &(int){0}, 4, sizeof memory, 0, NULL, NULL));
    CHECK_OK(clSetKernelArgSVMPointer(k, 0, shared));
    CHECK_OK(clSetKernelArgSVMPointer(k, 1, shared));
    CHECK(counts(t, k, as_apart, a)); /* which this launch leaves as it is */
    CHECK_OK(clEnqueueSVMMap(t->queue, CL_TRUE, CL_MAP_READ, shared, sizeof memory, 0, NULL, NULL));
    CHECK(memcmp(shared, as_same, sizeof as_same) == 0);
    memset(shared, 0, 32 * sizeof *shared);
    CHECK_OK(clEnqueueSVMUnmap(t->queue, shared, 0, NULL, NULL));
    CHECK_OK(clSetKernelArgSVMPointer(k, 0, shared + 2));
    CHECK(counts(t, k, as_apart, a)); /* likewise */
    CHECK_OK(clEnqueueSVMMap(t->queue, CL_TRUE, CL_MAP_READ, shared, sizeof memory, 0, NULL, NULL));
    CHECK(memcmp(shared, (int[]){1, 1, 1, 2, 2}, 5 * sizeof *shared) == 0);
    CHECK_OK(clEnqueueSVMUnmap(t->queue, shared, 0, NULL, NULL));
    CHECK_OK(clFinish(t->queue));
    clSVMFree(t->context, shared);
    CHECK_OK(clReleaseMemObject(part));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseMemObject(lent[i]));
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(own));
}

/* Code of which nothing is left that reads one argument, because it was taken for apart from the
 * other, relies on it all the same. */
static void test_same_memory_unread(HdApiTest *t)
{
    static const char *const text = "kernel void judge(global int *x, global int *y)\n"
                                    "{ int old = *y; *x = 1; if (*y != old) *x = 2; }\n";
    const size_t one = 1;
    cl_program own = hd_api_build(t, text, NULL);
    cl_mem m[2];
    cl_kernel k;
    cl_int code;
    int found;

    for (int i = 0; i < 2; i++)
        m[i] = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, 4, &(int){7}, &code);
    k = clCreateKernel(own, "judge", &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof m[0], &m[0]));
    for (int i = 1; i >= 0; i--) {
        CHECK_OK(clEnqueueFillBuffer(t->queue, m[0], &(int){7}, 4, 0, 4, 0, NULL, NULL));
        CHECK_OK(clSetKernelArg(k, 1, sizeof m[i], &m[i]));
        CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(t->queue, m[0], CL_TRUE, 0, 4, &found, 0, NULL, NULL));
        CHECK(found == (i == 1 ? 1 : 2));
    }
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseMemObject(m[i]));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(own));
}

int main(void)
{
    HdApiTest t = hd_api_open();

    if (!t.has_compiler) {
        hd_api_skip("no compiler for OpenCL C");
        return hd_api_close(&t);
    }
    program = hd_api_build(&t, source, "-cl-std=CL3.0");
    if (program != NULL) {
        test_args(&t);
        test_args_are_copied(&t);
        test_args_do_not_retain(&t);
        test_sizes(&t);
        test_ids(&t);
        test_uniform(&t);
        test_other_context(&t);
        test_info(&t);
        test_subgroup_sizes(&t);
        test_private(&t);
        test_all_kernels(&t);
        test_argument_names(&t);
        test_unknown_types(&t);
        test_printf(&t);
        test_many(&t);
        test_same_memory(&t);
        test_same_memory_unread(&t);
        CHECK_OK(clReleaseProgram(program));
    }
    return hd_api_close(&t);
}
