/* tests/api/program_test.c -- programs from source and binaries: builds, options, queries, errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

static const char *const source = "kernel void add(global int *a, int x)\n"
                                  "{ a[get_global_id(0)] += x; }\n"
                                  "kernel void set(global int *a)\n"
                                  "{ a[get_global_id(0)] = VALUE; }\n";

static unsigned notified;

static void CL_CALLBACK notify(cl_program p, void *user)
{
    (void)p;
    notified += *(const unsigned *)user;
}

static void test_build(HdApiTest *t)
{
    static const unsigned one = 1;
    cl_program p = hd_api_source(t, source);
    char text[256] = "";
    size_t kernels = 0;
    int five = 5;
    cl_int code;

    CHECK(hd_api_build_status(t, p) == CL_BUILD_NONE);
    CHECK_CODE(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL),
               CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_NULL(clCreateKernel(p, "add", &code), code, CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_OK(clBuildProgram(p, 1, &t->device, "-DVALUE=17 -cl-std=CL1.2", notify,
                            (void *)(uintptr_t)&one));
    CHECK(notified == 1 && hd_api_build_status(t, p) == CL_BUILD_SUCCESS);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
    CHECK(kernels == 2);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(strstr(text, "add") != NULL && strstr(text, "set") != NULL && strchr(text, ';') != NULL);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK(strcmp(text, source) == 0);
    CHECK_OK(
        clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
    CHECK(strcmp(text, "-DVALUE=17 -cl-std=CL1.2") == 0);
    CHECK(hd_api_run_one(t, p, "add", &five) == 6);
    CHECK(hd_api_run_one(t, p, "set", NULL) == 17);
    CHECK_NULL(clCreateKernel(p, "nothing", &code), code, CL_INVALID_KERNEL_NAME);
    CHECK_NULL(clCreateKernel(p, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_OK(clBuildProgram(p, 0, NULL, "-D VALUE=18", NULL, NULL)); /* again, other options */
    CHECK(hd_api_run_one(t, p, "set", NULL) == 18);
    CHECK_OK(clReleaseProgram(p));
}

static void test_build_errors(HdApiTest *t)
{
    cl_program p = hd_api_source(t, source), bad = hd_api_source(t, "kernel void f( {");
    char log[4096] = "";
    cl_kernel k;
    cl_int code;

    CHECK_CODE(clBuildProgram(p, 1, &t->device, "-no-such-option", NULL, NULL),
               CL_INVALID_BUILD_OPTIONS);
    CHECK_CODE(clBuildProgram(p, 1, NULL, "", NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clBuildProgram(p, 0, &t->device, "", NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clBuildProgram(p, 0, NULL, "", NULL, &code), CL_INVALID_VALUE);
    CHECK_CODE(clBuildProgram(NULL, 0, NULL, "", NULL, NULL), CL_INVALID_PROGRAM);
    CHECK_CODE(clBuildProgram(bad, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK(hd_api_build_status(t, bad) == CL_BUILD_ERROR);
    CHECK_OK(clGetProgramBuildInfo(bad, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "error") != NULL && strstr(log, "/tmp") == NULL);
    CHECK_OK(clReleaseProgram(bad));
    CHECK_OK(clBuildProgram(p, 0, NULL, "-DVALUE=1", NULL, NULL));
    k = clCreateKernel(p, "set", &code);
    CHECK_OK(code);
    CHECK_CODE(clBuildProgram(p, 0, NULL, "-DVALUE=2", NULL, NULL), CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(p));
    CHECK_NULL(clCreateProgramWithSource(t->context, 0, NULL, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateProgramWithSource(NULL, 1, (const char **)(uintptr_t)&source, NULL, &code),
               code, CL_INVALID_CONTEXT);
}

/* Options that a call refuses. What is wrong is in the log, as text and advice, and the context's
 * callback is told it. */
typedef struct Refused {
    const char *options, *names, *advice;
} Refused;

static void check_refused(HdApiTest *t, cl_program p, const Refused *r)
{
    char log[1024] = "", kept[128] = "";

    CHECK(hd_api_build_status(t, p) == CL_BUILD_ERROR);
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (strstr(log, r->names) == NULL || strstr(log, r->advice) == NULL)
        printf("%s: '%s'\n", r->options, log);
    CHECK(strstr(log, r->names) != NULL && strstr(log, r->advice) != NULL);
    CHECK(hd_api_was_told(r->names) && hd_api_was_told(r->advice));
    CHECK_OK(
        clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_OPTIONS, sizeof kept, kept, NULL));
    CHECK(strcmp(kept, r->options) == 0);
}

static void test_options_build(HdApiTest *t)
{
    static const Refused refused[] = {
        {"-DA=1 -foo -cl-mad-enable", "'-foo' is not a build option", "leave it out"},
        {"-cl-mad-enabel", "'-cl-mad-enabel'", "did you mean -cl-mad-enable?"},
        {"-cl-sdt=CL3.0", "'-cl-sdt=CL3.0'", "did you mean -cl-std=?"},
        {"-cl-fast-math", "'-cl-fast-math'", "did you mean -cl-fast-relaxed-math?"},
        {"-std=CL3.0", "'-std=CL3.0'", "did you mean -cl-std=?"},
        {"-DA=1 2", "'2'", "in quotes"},
        {"-cl-std=CL9.9", "'-cl-std=CL9.9' names no version", "did you mean -cl-std=CL3.1?"},
        {"-cl-std=CL4.0", "'-cl-std=CL4.0' names no version", "did you mean -cl-std=CL3.1?"},
        {"-cl-std=CL1.3", "'-cl-std=CL1.3' names no version", "did you mean -cl-std=CL1.2?"},
        {"-cl-std=2.2", "'-cl-std=2.2' names no version", "did you mean -cl-std=CL2.0?"},
        {"-cl-std=cl3.0", "'-cl-std=cl3.0' names no version", "did you mean -cl-std=CL3.0?"},
        {"-cl-std=c++", "'-cl-std=c++' names no version", "did you mean -cl-std=CLC++2021?"},
        {"-cl-std=CL", "'-cl-std=CL' names no version", "The versions are CL1.0"},
        {"-w -D", "'-D' has no value", "-DNAME=1"},
        {"-D=1", "'-D' needs the name of a macro, and is followed by '=1'", "-DNAME=VALUE"},
        {"-D 1x", "is followed by '1x'", "-DNAME=VALUE"},
        {"-D -cl-mad-enable", "is followed by '-cl-mad-enable'", "-DNAME=VALUE"},
        {"-D ''", "is followed by ''", "-DNAME=VALUE"},
        {"-U 3", "'-U' needs the name", "write -UNAME"},
        {"-O7", "'-O7'", "did you mean -O3?"},
        {"-Ofast", "'-Ofast'", "-cl-fast-relaxed-math"},
        {"-o x.bin", "'-o'", "leave it out"},
        {"-g2", "'-g2'", "did you mean -g?"},
        {"-cl-fast-relax-math", "'-cl-fast-relax-math'", "did you mean -cl-fast-relaxed-math?"},
        {"-ffast-math", "'-ffast-math'", "did you mean -cl-fast-relaxed-math?"},
        {"-march=native", "'-march=native'", "the processor that it runs on"},
        {"-cl-nv-verbose", "'-cl-nv-verbose'", "NVIDIA"},
        {"-create-library", "'-create-library'", "clLinkProgram"}};
    cl_program p = hd_api_source(t, source);
    unsigned one = 1;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        notified = 0;
        CHECK_CODE(clBuildProgram(p, 1, &t->device, refused[i].options, notify, &one),
                   CL_INVALID_BUILD_OPTIONS);
        CHECK(notified == 1);
        check_refused(t, p, &refused[i]);
        CHECK_CODE(clCompileProgram(p, 0, NULL, refused[i].options, 0, NULL, NULL, notify, &one),
                   CL_INVALID_COMPILER_OPTIONS);
        CHECK(notified == 2);
        check_refused(t, p, &refused[i]);
    }
    CHECK_OK(clBuildProgram(p, 0, NULL, "-DVALUE=9", NULL, NULL)); /* it can still be built */
    CHECK(hd_api_build_status(t, p) == CL_BUILD_SUCCESS && hd_api_run_one(t, p, "set", NULL) == 9);
    CHECK_OK(clReleaseProgram(p));
}

/* Conversions of printf that C has and OpenCL C lacks are printed; the log has a warning of each,
 * which names the source and its line. */
static void test_formats(HdApiTest *t)
{
    static const char text[] = "#define WIDE \"%*lld\"\n"
                               "kernel void k(global long *a)\n"
                               "{\n"
                               "    printf(\"%-*d %llu\\n\", 5, 3, (ulong)*a);\n"
                               "    printf(WIDE \" %d%% *\\n\", 9, *a, 1);\n"
                               "}\n";
    cl_program p = hd_api_source(t, text);
    char log[4096] = "";

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "source.cl:4:13: warning: OpenCL C has no conversion %-*d") != NULL);
    CHECK(strstr(log, "source.cl:1:15: warning: OpenCL C has no conversion %*lld") != NULL);
    CHECK(strstr(log, "source.cl:4:") != NULL && strstr(log, "unsigned long long") != NULL);
    CHECK(strstr(log, "byte ") == NULL && strstr(log, "conversion %d%") == NULL);
    CHECK_OK(clBuildProgram(p, 0, NULL, "-w", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(log[0] == '\0');
    CHECK_OK(clReleaseProgram(p));
}

/* The program that a link failed with, while the callback has it. */
typedef struct Failed {
    HdApiTest *t;
    const Refused *refused;
    unsigned calls;
} Failed;

static void CL_CALLBACK notify_failed(cl_program p, void *user)
{
    Failed *f = user;

    f->calls++;
    check_refused(f->t, p, f->refused);
}

static void test_options_link(HdApiTest *t)
{
    static const Refused refused[] = {
        {"-create-libary", "'-create-libary'", "did you mean -create-library?"},
        {"-cl-fast-relaxed-math -foo", "'-foo'", "clLinkProgram takes"},
        {"-DX", "'-DX' is not an option of clLinkProgram", "clCompileProgram"},
        {"-O7", "'-O7'", "clLinkProgram takes"},
        {"-enable-link-options", "'-enable-link-options'", "-create-library"}};
    cl_program p = hd_api_source(t, source);
    cl_int code;

    CHECK_OK(clCompileProgram(p, 0, NULL, "-DVALUE=3", 0, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        Failed f = {.t = t, .refused = &refused[i]};

        CHECK_NULL(
            clLinkProgram(t->context, 0, NULL, refused[i].options, 1, &p, notify_failed, &f, &code),
            code, CL_INVALID_LINKER_OPTIONS);
        CHECK(f.calls == 1);
        CHECK_NULL(clLinkProgram(t->context, 0, NULL, refused[i].options, 1, &p, NULL, NULL, &code),
                   code, CL_INVALID_LINKER_OPTIONS);
        CHECK(hd_api_was_told(refused[i].names) && hd_api_was_told(refused[i].advice));
    }
    CHECK_OK(clReleaseProgram(p));
}

/* A kernel works on when its program has gone. */
static void test_lifetime(HdApiTest *t)
{
    cl_program p = hd_api_build(t, source, "-DVALUE=3");
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    const size_t one = 1;
    cl_int code;
    cl_kernel k;
    int x = 0;

    if (p == NULL)
        return;
    k = clCreateKernel(p, "set", &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK(x == 3);
    CHECK_OK(clReleaseMemObject(m));
}

static void test_binary(HdApiTest *t)
{
    cl_program p = hd_api_build(t, source, "-DVALUE=41"), q;
    const unsigned char *bytes;
    unsigned char *copy;
    cl_program_binary_type type = 0;
    size_t size = 0, two = 2;
    cl_int code, status = 9;

    if (p == NULL)
        return;
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    CHECK(size > 0);
    copy = malloc(size);
    bytes = copy;
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof copy, &copy, NULL));
    q = clCreateProgramWithBinary(t->context, 1, &t->device, &size, &bytes, &status, &code);
    CHECK_OK(code);
    CHECK_OK(status);
    CHECK_OK(clBuildProgram(q, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(q, t->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK(hd_api_run_one(t, q, "set", NULL) == 41);
    CHECK_OK(clReleaseProgram(q));
    for (size_t i = 0; i < size; i += 1 + size / 50) { /* any byte wrong is found */
        copy[i] ^= 0x20;
        CHECK_NULL(
            clCreateProgramWithBinary(t->context, 1, &t->device, &size, &bytes, &status, &code),
            code, CL_INVALID_BINARY);
        copy[i] ^= 0x20;
    }
    CHECK_NULL(clCreateProgramWithBinary(t->context, 1, &t->device, &two, &bytes, &status, &code),
               code, CL_INVALID_BINARY);
    CHECK(status == CL_INVALID_BINARY);
    free(copy);
    CHECK_OK(clReleaseProgram(p));
}

/* Attributes are the source's: a kernel without one has none. */
static void test_attributes(HdApiTest *t)
{
    cl_program p = hd_api_build(
        t, "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global int *a) {}\n", "");
    cl_program both[2] = {p, NULL};
    char text[100] = "";
    unsigned char *bytes;
    size_t size = 0;
    cl_int code;

    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    bytes = malloc(size);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    both[1] = clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                        (const unsigned char **)&bytes, NULL, &code);
    CHECK_OK(clBuildProgram(both[1], 0, NULL, NULL, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        cl_kernel k = clCreateKernel(both[i], "k", &code);

        CHECK_OK(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
        CHECK(strcmp(text, i == 0 ? "reqd_work_group_size(4,2,1)" : "") == 0);
        CHECK_OK(clReleaseKernel(k));
        CHECK_OK(clReleaseProgram(both[i]));
    }
    free(bytes);
}

/* Attempts to build that another one replaces leave nothing in the log: what a source lacks is told
 * once, and a kernel with the name of a built-in is built without a word. */
static void test_attempts(HdApiTest *t)
{
    cl_program bad = hd_api_source(t, "#include \"nothing.h\"\nkernel void k(global int *a) {}\n");
    cl_program own = hd_api_source(t, "int any(int4 v) { return v.x; }\n"
                                      "kernel void convert_uchar(global int *a)\n"
                                      "{ a[0] = any((int4)(a[0] + 4)); }\n");
    char log[4096] = "";
    const char *first;

    CHECK_CODE(clBuildProgram(bad, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK_OK(clGetProgramBuildInfo(bad, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    first = strstr(log, "file not found");
    CHECK(first != NULL && strstr(first + 1, "file not found") == NULL);
    CHECK_OK(clBuildProgram(own, 0, NULL, "-Werror", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(own, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(log[0] == '\0');
    CHECK(hd_api_run_one(t, own, "convert_uchar", NULL) == 5);
    CHECK_OK(clReleaseProgram(bad));
    CHECK_OK(clReleaseProgram(own));
}

int main(void)
{
    HdApiTest t = hd_api_open();

    if (t.has_compiler) {
        test_build(&t);
        test_build_errors(&t);
        test_options_build(&t);
        test_options_link(&t);
        test_formats(&t);
        test_lifetime(&t);
        test_binary(&t);
        test_attributes(&t);
        test_attempts(&t);
    } else {
        hd_api_skip("no compiler for OpenCL C");
    }
    return hd_api_close(&t);
}
