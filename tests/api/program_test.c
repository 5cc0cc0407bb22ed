/* tests/api/program_test.c -- programs: source, IL, binaries, compile, link, queries, errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

static const char *const source = "kernel void add(global int *a, int x)\n"
                                  "{ a[get_global_id(0)] += x; }\n"
                                  "kernel void set(global int *a)\n"
                                  "{ a[get_global_id(0)] = VALUE; }\n";

static cl_program from_source(HdApiTest *t, const char *text)
{
    cl_int code;
    cl_program p = clCreateProgramWithSource(t->context, 1, &text, NULL, &code);

    CHECK_OK(code);
    return p;
}

/* Run a kernel with one buffer (and perhaps a number) over one work-item; its first element. */
static int run(HdApiTest *t, cl_program p, const char *name, const int *number)
{
    cl_mem m = clCreateBuffer(t->context, 0, 4, NULL, NULL);
    const size_t one = 1;
    int x = 1;
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);

    CHECK_OK(code);
    if (k == NULL)
        return -1;
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    if (number != NULL)
        CHECK_OK(clSetKernelArg(k, 1, sizeof *number, number));
    CHECK_OK(clEnqueueWriteBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, 4, &x, 0, NULL, NULL));
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(m));
    return x;
}

static cl_build_status status_of(HdApiTest *t, cl_program p)
{
    cl_build_status s = 99;

    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_STATUS, sizeof s, &s, NULL));
    return s;
}

static unsigned notified;

static void CL_CALLBACK notify(cl_program p, void *user)
{
    (void)p;
    notified += *(const unsigned *)user;
}

static void test_build(HdApiTest *t)
{
    static const unsigned one = 1;
    cl_program p = from_source(t, source);
    char text[256] = "";
    size_t kernels = 0;
    int five = 5;
    cl_int code;

    CHECK(status_of(t, p) == CL_BUILD_NONE);
    CHECK_CODE(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL),
               CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_NULL(clCreateKernel(p, "add", &code), code, CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_OK(clBuildProgram(p, 1, &t->device, "-DVALUE=17 -cl-std=CL1.2", notify,
                            (void *)(uintptr_t)&one));
    CHECK(notified == 1 && status_of(t, p) == CL_BUILD_SUCCESS);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
    CHECK(kernels == 2);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(strstr(text, "add") != NULL && strstr(text, "set") != NULL && strchr(text, ';') != NULL);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    CHECK(strcmp(text, source) == 0);
    CHECK_OK(
        clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL));
    CHECK(strcmp(text, "-DVALUE=17 -cl-std=CL1.2") == 0);
    CHECK(run(t, p, "add", &five) == 6);
    CHECK(run(t, p, "set", NULL) == 17);
    CHECK_NULL(clCreateKernel(p, "nothing", &code), code, CL_INVALID_KERNEL_NAME);
    CHECK_NULL(clCreateKernel(p, NULL, &code), code, CL_INVALID_VALUE);
    CHECK_OK(clBuildProgram(p, 0, NULL, "-D VALUE=18", NULL, NULL)); /* again, other options */
    CHECK(run(t, p, "set", NULL) == 18);
    CHECK_OK(clReleaseProgram(p));
}

static void test_build_errors(HdApiTest *t)
{
    cl_program p = from_source(t, source), bad = from_source(t, "kernel void f( {");
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
    CHECK(status_of(t, bad) == CL_BUILD_ERROR);
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

    CHECK(status_of(t, p) == CL_BUILD_ERROR);
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
        {"-cl-std=CL9.9", "'-cl-std=CL9.9' names no version", "CL1.2"},
        {"-w -D", "'-D' has no value", "-DNAME=1"},
        {"-create-library", "'-create-library'", "clLinkProgram"}};
    cl_program p = from_source(t, source);
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
    CHECK(status_of(t, p) == CL_BUILD_SUCCESS && run(t, p, "set", NULL) == 9);
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
    cl_program p = from_source(t, text);
    char log[4096] = "";

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "source.cl:4:13: warning: OpenCL C has no conversion %-*d") != NULL);
    CHECK(strstr(log, "source.cl:1:15: warning: OpenCL C has no conversion %*lld") != NULL);
    CHECK(strstr(log, "source.cl:4:") != NULL && strstr(log, "unsigned long long") != NULL);
    CHECK(strstr(log, "byte ") == NULL && strstr(log, "%d%") == NULL);
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
        {"-enable-link-options", "'-enable-link-options'", "-create-library"}};
    cl_program p = from_source(t, source);
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

/* A program that calls what nobody defines is not built from source or linked; the log says why. */
static void test_import(HdApiTest *t)
{
    cl_program p = from_source(t, "int elsewhere(int x);\n"
                                  "kernel void good(global int *p) { *p = 6; }\n"
                                  "kernel void bad(global int *p) { *p = elsewhere(2); }\n");
    cl_program linked;
    char log[4096] = "";
    cl_int code;

    CHECK_CODE(clBuildProgram(p, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "bad calls function elsewhere") != NULL && strstr(log, "good") == NULL);
    CHECK(strstr(log, "[build.import]") != NULL);
    CHECK_OK(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(t->context, 0, NULL, "", 1, &p, NULL, NULL, &code);
    CHECK(linked != NULL && code == CL_LINK_PROGRAM_FAILURE);
    CHECK_OK(clReleaseProgram(linked));
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
    CHECK(run(t, q, "set", NULL) == 41);
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

/* Compilers give an initialised structure members of their own for its gaps, one that is defined
 * elsewhere none. */
static void test_link_variables(HdApiTest *t)
{
    cl_program both[2], exe;
    cl_int code;

    both[0] = from_source(t, "typedef struct { uchar c; uint i; } S;\n"
                             "extern global S s;\n"
                             "kernel void k(global int *a) { *a = s.c * 1000 + s.i + *a; }\n");
    both[1] = from_source(t, "typedef struct { uchar c; uint i; } S;\n"
                             "global S s = { 7, 42 };\n"
                             "kernel void other(global int *a) { s.i = *a; }\n");
    for (int i = 0; i < 2; i++)
        CHECK_OK(clCompileProgram(both[i], 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    exe = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    if (code == CL_SUCCESS) {
        CHECK(run(t, exe, "k", NULL) == 7043);
        CHECK_OK(clReleaseProgram(exe));
    }
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseProgram(both[i]));
    both[0] = from_source(t, "extern global int2 s;\n"
                             "kernel void k(global int *a) { *a = s.x; }\n");
    both[1] = from_source(t, "global int s = 1;\n"
                             "kernel void other(global int *a) { s = *a; }\n");
    for (int i = 0; i < 2; i++)
        CHECK_OK(clCompileProgram(both[i], 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    exe = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
    CHECK_CODE(code, CL_LINK_PROGRAM_FAILURE); /* there is less than is used */
    if (exe != NULL)
        CHECK_OK(clReleaseProgram(exe));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseProgram(both[i]));
}

/* Programs that are compiled or linked together are of one context; groups of a linked program may
 * differ in size if all that it was made from may. */
static void test_link_inputs(HdApiTest *t)
{
    const char *texts[] = {
        "int f(int); kernel void k(global int *a) { a[get_global_id(0)] = f(1); }\n",
        "int f(int x) { return x + 1; }\n"};
    static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL3.0", "-cl-std=CL1.2"};
    const char *name = "f.h";
    const size_t ten = 10, three = 3;
    cl_context other = clCreateContext(NULL, 1, &t->device, NULL, NULL, NULL);
    cl_mem m = clCreateBuffer(t->context, 0, 40, NULL, NULL);
    cl_program p[4];
    cl_int code;

    for (int i = 0; i < 4; i++) {
        cl_context c = i < 3 ? t->context : other;

        p[i] = clCreateProgramWithSource(c, 1, &texts[i > 0], NULL, NULL);
        CHECK_OK(clCompileProgram(p[i], 0, NULL, options[i % 3], 0, NULL, NULL, NULL, NULL));
    }
    CHECK_NULL(clLinkProgram(t->context, 0, NULL, "", 1, &p[3], NULL, NULL, &code), code,
               CL_INVALID_CONTEXT);
    CHECK_CODE(clCompileProgram(p[0], 0, NULL, "", 1, &p[3], &name, NULL, NULL),
               CL_INVALID_CONTEXT);
    CHECK_NULL(
        clLinkProgram(t->context, 0, NULL, "-enable-link-options", 1, &p[1], NULL, NULL, &code),
        code, CL_INVALID_LINKER_OPTIONS); /* without -create-library */
    CHECK_CODE(clBuildProgram(p[1], 0, NULL, "-create-library", NULL, NULL),
               CL_INVALID_BUILD_OPTIONS);
    for (int i = 1; i < 3; i++) {
        const cl_program both[] = {p[0], p[i]};
        cl_program exe = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
        cl_kernel k = clCreateKernel(exe, "k", &code);

        CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
        CHECK_CODE(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &ten, &three, 0, NULL, NULL),
                   i == 1 ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE);
        CHECK_OK(clReleaseKernel(k));
        CHECK_OK(clReleaseProgram(exe));
    }
    CHECK_OK(clFinish(t->queue));
    for (int i = 0; i < 4; i++)
        CHECK_OK(clReleaseProgram(p[i]));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseContext(other));
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

static void test_compile_link(HdApiTest *t)
{
    const char *main_text =
        "#include \"part/f.h\"\n"
        "constant char own[] = __FILE__;\n"
        "kernel void name(global int *a) {\n"
        "    int same = 0;\n"
        "    for (int i = 0; i < sizeof own; i++) same += own[i] == \"source.cl\"[i];\n"
        "    for (int i = 0; i < sizeof HEADER_FILE; i++) same += HEADER_FILE[i] == "
        "\"part/f.h\"[i];\n"
        "    *a = same * 100 + sizeof own + sizeof HEADER_FILE;\n"
        "}\n"
        "kernel void k(global int *a) { *a = f(a, 4) + FROM_HEADER; }\n";
    const char *library_text = "int f(global int *p, int x) { return p[0] * 100 + x; }\n";
    cl_program header = from_source(t, "int f(global int *p, int x);\n#define FROM_HEADER 1000\n"
                                       "constant char HEADER_FILE[] = __FILE__;\n");
    cl_program a = from_source(t, main_text), b = from_source(t, library_text), both[2], lib, exe;
    const char *name = "part/f.h";
    cl_program_binary_type type = 0;
    cl_int code;

    CHECK_OK(clCompileProgram(a, 1, &t->device, "", 1, &header, &name, NULL, NULL));
    CHECK_OK(clCompileProgram(b, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(a, t->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    CHECK_NULL(clCreateKernel(a, "k", &code), code, CL_INVALID_PROGRAM_EXECUTABLE);
    lib = clLinkProgram(t->context, 0, NULL, "-create-library", 1, &b, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(
        clGetProgramBuildInfo(lib, t->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    both[0] = a;
    both[1] = lib;
    exe = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    if (code != CL_SUCCESS) {
        char log[2048] = "";

        clGetProgramBuildInfo(exe, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
    } else {
        CHECK(run(t, exe, "k", NULL) == 1104);
        CHECK(run(t, exe, "name", NULL) == 1919); /* __FILE__ is what the host calls it */
    }
    CHECK_OK(clReleaseProgram(exe));
    exe = clLinkProgram(t->context, 0, NULL, "", 1, &a, NULL, NULL, &code);
    CHECK_CODE(code, CL_LINK_PROGRAM_FAILURE); /* f is missing */
    if (exe != NULL) {
        char log[2048] = "";

        clGetProgramBuildInfo(exe, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        CHECK(strstr(log, "'f'") != NULL);
        CHECK_OK(clReleaseProgram(exe));
    }
    CHECK_NULL(clLinkProgram(t->context, 0, NULL, "-DX", 1, &b, NULL, NULL, &code), code,
               CL_INVALID_LINKER_OPTIONS);
    CHECK_NULL(clLinkProgram(t->context, 0, NULL, "", 0, NULL, NULL, NULL, &code), code,
               CL_INVALID_VALUE);
    CHECK_NULL(clLinkProgram(t->context, 0, NULL, "", 1, &header, NULL, NULL, &code), code,
               CL_INVALID_OPERATION);
    CHECK_CODE(clCompileProgram(a, 0, NULL, "-create-library", 0, NULL, NULL, NULL, NULL),
               CL_INVALID_COMPILER_OPTIONS);
    CHECK_CODE(clCompileProgram(a, 0, NULL, "", 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CODE(clCompileProgram(a, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
               CL_COMPILE_PROGRAM_FAILURE); /* the header is missing */
    CHECK_OK(clReleaseProgram(header));
    CHECK_OK(clReleaseProgram(a));
    CHECK_OK(clReleaseProgram(b));
    CHECK_OK(clReleaseProgram(lib));
}

/* kernel void k(global uint *a) { *a = <specialisation constant 7, 5 by default>; } */
static const cl_uint spec_module[] = {
    0x07230203, 0x00010000, 0,  12,         0, 0x00020011, 4, /* OpCapability Addresses */
    0x00020011, 6,                                            /* OpCapability Kernel */
    0x0003000e, 2,          2,                                /* OpMemoryModel Physical64 OpenCL */
    0x0004000f, 6,          1,  0x0000006b,                   /* OpEntryPoint Kernel %1 "k" */
    0x00040047, 2,          1,  7,                            /* OpDecorate %2 SpecId 7 */
    0x00040015, 3,          32, 0,                            /* %3 = OpTypeInt 32 0 */
    0x00020013, 4,                                            /* %4 = OpTypeVoid */
    0x00040020, 5,          5,  3,             /* %5 = OpTypePointer CrossWorkgroup %3 */
    0x00040021, 6,          4,  5,             /* %6 = OpTypeFunction %4 %5 */
    0x00040032, 3,          2,  5,             /* %2 = OpSpecConstant %3 5 */
    0x00050036, 4,          1,  0,          6, /* %1 = OpFunction %4 None %6 */
    0x00030037, 5,          7,                 /* %7 = OpFunctionParameter %5 */
    0x000200f8, 8,                             /* %8 = OpLabel */
    0x0005003e, 7,          2,  2,          4, /* OpStore %7 %2 Aligned 4 */
    0x000100fd, 0x00010038,                    /* OpReturn, OpFunctionEnd */
};

/* What was set for a program is in its binary, and in what it is linked to. */
static void test_specialized(HdApiTest *t, cl_program p)
{
    unsigned char *bytes;
    cl_program made[2];
    size_t size = 0;
    cl_int code;

    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    bytes = malloc(size);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    made[0] = clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                        (const unsigned char **)&bytes, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(made[0], 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    made[1] = clLinkProgram(t->context, 0, NULL, "", 1, &p, NULL, NULL, &code);
    CHECK_OK(code);
    for (int i = 0; i < 2; i++) {
        CHECK(run(t, made[i], "k", NULL) == 9);
        CHECK_OK(clReleaseProgram(made[i]));
    }
    free(bytes);
}

/* kernel void k(global uint *a) { *a = <specialisation constant 7: an array {1, 2, 3, 4, 5}>[4]; }
 */
static const cl_uint data_module[] = {
    0x07230203, 0x00010600, 0x00070000, 0x0000000c, 0x00000000, 0x00020011, 0x00000004, 0x00020011,
    0x00000006, 0x00020011, 0x0000141a, 0x0007000a, 0x5f565053, 0x5f52484b, 0x736e6f63, 0x746e6174,
    0x7461645f, 0x00000061, 0x0003000e, 0x00000002, 0x00000002, 0x0004000f, 0x00000006, 0x00000001,
    0x0000006b, 0x00040047, 0x00000002, 0x00000001, 0x00000007, 0x00040015, 0x00000003, 0x00000020,
    0x00000000, 0x0004002b, 0x00000003, 0x00000004, 0x00000005, 0x0004001c, 0x00000005, 0x00000003,
    0x00000004, 0x00020013, 0x00000006, 0x00040020, 0x00000007, 0x00000005, 0x00000003, 0x00040021,
    0x00000008, 0x00000006, 0x00000007, 0x0008141c, 0x00000005, 0x00000002, 0x00000001, 0x00000002,
    0x00000003, 0x00000004, 0x00000005, 0x00050036, 0x00000006, 0x00000001, 0x00000000, 0x00000008,
    0x00030037, 0x00000007, 0x00000009, 0x000200f8, 0x0000000a, 0x00050051, 0x00000003, 0x0000000b,
    0x00000002, 0x00000004, 0x0005003e, 0x00000009, 0x0000000b, 0x00000002, 0x00000004, 0x000100fd,
    0x00010038,
};

/* An array is specialised as a whole, and again. */
static void test_specialized_array(HdApiTest *t)
{
    cl_uint values[2][5] = {{6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}};
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, data_module, sizeof data_module, &code);

    CHECK_OK(code);
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(run(t, p, "k", NULL) == 5);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clSetProgramSpecializationConstant(p, 7, sizeof values[i], values[i]));
        CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
        CHECK(run(t, p, "k", NULL) == (int)values[i][4]);
    }
    CHECK_CODE(clSetProgramSpecializationConstant(p, 7, 4, values), CL_INVALID_VALUE);
    CHECK_CODE(clSetProgramSpecializationConstant(p, 7, 24, values), CL_INVALID_VALUE);
    CHECK_OK(clReleaseProgram(p));
}

/* *p += 3, loaded with OpenCL C's number of memory_order_seq_cst for a scope, as LLVM's back end 22
 * writes it. */
static const cl_uint load_module[] = {
    0x07230203, 0x00010600, 0x002b0016, 0x0000000d, 0x00000000, 0x00020011, 0x00000006, 0x00020011,
    0x00000004, 0x0003000e, 0x00000002, 0x00000002, 0x0004000f, 0x00000006, 0x00000001, 0x0000006b,
    0x00020013, 0x00000002, 0x00040015, 0x00000003, 0x00000020, 0x00000000, 0x00040020, 0x00000004,
    0x00000005, 0x00000003, 0x00040021, 0x00000005, 0x00000002, 0x00000004, 0x0004002b, 0x00000003,
    0x00000006, 0x00000003, 0x0004002b, 0x00000003, 0x00000007, 0x00000005, 0x0004002b, 0x00000003,
    0x00000008, 0x00000010, 0x00050036, 0x00000002, 0x00000001, 0x00000000, 0x00000005, 0x00030037,
    0x00000004, 0x00000009, 0x000200f8, 0x0000000a, 0x000600e3, 0x00000003, 0x0000000b, 0x00000009,
    0x00000007, 0x00000008, 0x00050080, 0x00000003, 0x0000000c, 0x0000000b, 0x00000006, 0x0005003e,
    0x00000009, 0x0000000c, 0x00000002, 0x00000004, 0x000100fd, 0x00010038,
};

/* *p = 5, and a null event that repeats its type twice, as LLVM's back end 22 writes it. */
static const cl_uint null_module[] = {
    0x07230203, 0x00010600, 0x002b0016, 0x0000000c, 0x00000000, 0x00020011, 0x00000006, 0x00020011,
    0x00000004, 0x0003000e, 0x00000002, 0x00000002, 0x0004000f, 0x00000006, 0x00000001, 0x0000006b,
    0x00020013, 0x00000002, 0x00020022, 0x00000003, 0x00040015, 0x00000004, 0x00000020, 0x00000000,
    0x00040020, 0x00000005, 0x00000005, 0x00000004, 0x00040021, 0x00000006, 0x00000002, 0x00000005,
    0x0005002e, 0x00000003, 0x00000007, 0x00000003, 0x00000003, 0x0004002b, 0x00000004, 0x00000008,
    0x00000005, 0x00050036, 0x00000002, 0x00000001, 0x00000000, 0x00000006, 0x00030037, 0x00000005,
    0x00000009, 0x000200f8, 0x0000000a, 0x00040053, 0x00000003, 0x0000000b, 0x00000007, 0x0005003e,
    0x00000009, 0x00000008, 0x00000002, 0x00000004, 0x000100fd, 0x00010038,
};

/* What keeps a module from being read is mended; the host gets back what it gave. */
static void test_long_null(HdApiTest *t)
{
    cl_uint back[sizeof null_module / 4];
    char log[1024] = "";
    size_t size = 0;
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, null_module, sizeof null_module, &code);

    CHECK_OK(code);
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "[repair.null-words]") != NULL);
    CHECK(run(t, p, "k", NULL) == 5);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_IL, sizeof back, back, &size));
    CHECK(size == sizeof back && memcmp(back, null_module, size) == 0);
    CHECK_OK(clReleaseProgram(p));
}

/* The same program, built from its binary. */
static cl_program from_binary(HdApiTest *t, cl_program p)
{
    unsigned char *bytes;
    cl_program made;
    size_t size = 0;
    cl_int code;

    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    bytes = malloc(size);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    made = clCreateProgramWithBinary(t->context, 1, &t->device, &size,
                                     (const unsigned char **)&bytes, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(made, 0, NULL, NULL, NULL, NULL));
    free(bytes);
    return made;
}

/* What a producer got wrong is mended in programs that are linked, too; warnings are for who can
 * compile otherwise. */
static void test_mended(HdApiTest *t)
{
    static const char source_of_two[] =
        "kernel void k(global atomic_int *p) { local int x; x = 7; barrier(0);"
        " if (x == atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group))"
        " x = 8; *(global int *)p = x; }";
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, load_module, sizeof load_module, &code),
               linked;
    char log[4096] = "";

    CHECK_OK(code);
    CHECK_OK(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(t->context, 0, NULL, "", 1, &p, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clGetProgramBuildInfo(linked, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "[repair.load]") != NULL);
    CHECK(run(t, linked, "k", NULL) == 4);
    CHECK_OK(clReleaseProgram(linked));
    CHECK_OK(clReleaseProgram(p));

    p = from_source(t, source_of_two);
    CHECK_OK(clCompileProgram(p, 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(t->context, 0, NULL, "", 1, &p, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clGetProgramBuildInfo(linked, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strcmp(log, "") == 0);
    CHECK(run(t, linked, "k", NULL) == 7);
    CHECK_OK(clReleaseProgram(p));
    p = from_binary(t, linked);
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strcmp(log, "") == 0);
    CHECK(run(t, p, "k", NULL) == 7);
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clReleaseProgram(linked));
}

/* kernel void k(global uint *a) { *a = f(); } with f imported; f, which returns a number. */
static const cl_uint use_module[] = {
    0x07230203, 0x00010000, 0x00070000, 0x0000000b, 0x00000000, 0x00020011, 0x00000006, 0x00020011,
    0x00000004, 0x00020011, 0x00000005, 0x0003000e, 0x00000002, 0x00000002, 0x0004000f, 0x00000006,
    0x00000001, 0x0000006b, 0x00050047, 0x00000002, 0x00000029, 0x00000066, 0x00000001, 0x00020013,
    0x00000003, 0x00040015, 0x00000004, 0x00000020, 0x00000000, 0x00040020, 0x00000005, 0x00000005,
    0x00000004, 0x00030021, 0x00000006, 0x00000004, 0x00040021, 0x00000007, 0x00000003, 0x00000005,
    0x00050036, 0x00000004, 0x00000002, 0x00000000, 0x00000006, 0x00010038, 0x00050036, 0x00000003,
    0x00000001, 0x00000000, 0x00000007, 0x00030037, 0x00000005, 0x00000008, 0x000200f8, 0x00000009,
    0x00040039, 0x00000004, 0x0000000a, 0x00000002, 0x0005003e, 0x00000008, 0x0000000a, 0x00000002,
    0x00000004, 0x000100fd, 0x00010038,
};
static const cl_uint define_module[] = {
    0x07230203, 0x00010000, 0x00070000, 0x00000006, 0x00000000, 0x00020011, 0x00000006, 0x00020011,
    0x00000004, 0x00020011, 0x0000143d, 0x0007000a, 0x5f565053, 0x5f444d41, 0x6b616577, 0x6e696c5f,
    0x6567616b, 0x00000000, 0x0003000e, 0x00000002, 0x00000002, 0x00050047, 0x00000001, 0x00000029,
    0x00000066, 0x00000003, 0x00040015, 0x00000002, 0x00000020, 0x00000000, 0x0004002b, 0x00000002,
    0x00000003, 0x0000000b, 0x00030021, 0x00000004, 0x00000002, 0x00050036, 0x00000002, 0x00000001,
    0x00000000, 0x00000004, 0x000200f8, 0x00000005, 0x000200fe, 0x00000003, 0x00010038,
};

static cl_program compiled_il(HdApiTest *t, const cl_uint *words, size_t bytes)
{
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, words, bytes, &code);

    CHECK_OK(code);
    CHECK_OK(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    return p;
}

enum { EXPORT = 0, WEAK = 3 };

static cl_program definition(HdApiTest *t, cl_uint linkage, cl_uint number)
{
    enum { LINKAGE = 25, NUMBER = 33 };
    cl_uint words[sizeof define_module / 4];

    memcpy(words, define_module, sizeof words);
    words[LINKAGE] = linkage;
    words[NUMBER] = number;
    return compiled_il(t, words, sizeof words);
}

/* What the kernel stores when it is linked with these; 0 if they do not link. */
static int linked_with(HdApiTest *t, cl_program use, cl_program a, cl_program b)
{
    cl_program both[] = {use, a, b}, exe;
    cl_int code;
    int got = 0;

    exe = clLinkProgram(t->context, 0, NULL, "", 3, both, NULL, NULL, &code);
    CHECK(code == CL_SUCCESS || code == CL_LINK_PROGRAM_FAILURE);
    if (code == CL_SUCCESS)
        got = run(t, exe, "k", NULL);
    if (exe != NULL)
        CHECK_OK(clReleaseProgram(exe));
    return got;
}

/* Definitions that others replace (SPV_AMD_weak_linkage). */
static void test_weak(HdApiTest *t)
{
    cl_program use = compiled_il(t, use_module, sizeof use_module), library, both[2];
    cl_program weak[] = {definition(t, WEAK, 11), definition(t, WEAK, 12)};
    cl_program strong[] = {definition(t, EXPORT, 21), definition(t, EXPORT, 22)};
    cl_int code;

    CHECK(linked_with(t, use, weak[0], weak[1]) == 11);
    CHECK(linked_with(t, use, weak[0], strong[0]) == 21);
    CHECK(linked_with(t, use, strong[1], weak[1]) == 22);
    CHECK(linked_with(t, use, strong[0], strong[1]) == 0);
    both[0] = weak[1];
    both[1] = weak[0];
    library = clLinkProgram(t->context, 0, NULL, "-create-library", 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK(linked_with(t, use, library, weak[0]) == 12);
    CHECK(linked_with(t, use, library, strong[0]) == 21);
    CHECK_OK(clReleaseProgram(library));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clReleaseProgram(weak[i]));
        CHECK_OK(clReleaseProgram(strong[i]));
    }
    CHECK_OK(clReleaseProgram(use));
}

static void test_il(HdApiTest *t)
{
    cl_uint broken[sizeof spec_module / 4], nine = 9, back[sizeof spec_module / 4];
    cl_int code;
    cl_program p = clCreateProgramWithIL(t->context, spec_module, sizeof spec_module, &code);
    size_t size = 0;

    CHECK_OK(code);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_IL, sizeof back, back, &size));
    CHECK(size == sizeof spec_module && memcmp(back, spec_module, size) == 0);
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(run(t, p, "k", NULL) == 5);
    CHECK_OK(clSetProgramSpecializationConstant(p, 7, 4, &nine));
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(run(t, p, "k", NULL) == 9);
    test_specialized(t, p);
    CHECK_CODE(clSetProgramSpecializationConstant(p, 8, 4, &nine), CL_INVALID_SPEC_ID);
    CHECK_CODE(clSetProgramSpecializationConstant(p, 7, 8, &nine), CL_INVALID_VALUE);
    CHECK_CODE(clSetProgramSpecializationConstant(p, 7, 4, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseProgram(p));

    CHECK_NULL(clCreateProgramWithIL(t->context, spec_module, 0, &code), code, CL_INVALID_VALUE);
    CHECK_NULL(clCreateProgramWithIL(t->context, NULL, 4, &code), code, CL_INVALID_VALUE);
    for (size_t i = 0; i < sizeof spec_module; i += 4) /* cut off anywhere: refused or built */
        p = clCreateProgramWithIL(t->context, spec_module, i + 1, &code), CHECK(p == NULL);
    memcpy(broken, spec_module, sizeof broken);
    broken[0] = 1;
    CHECK_NULL(clCreateProgramWithIL(t->context, broken, sizeof broken, &code), code,
               CL_INVALID_VALUE);
    for (size_t i = 5; i < sizeof broken / 4; i++) { /* a wrong word is an error, not a crash */
        memcpy(broken, spec_module, sizeof broken);
        broken[i] ^= 0x00020005;
        p = clCreateProgramWithIL(t->context, broken, sizeof broken, &code);
        CHECK((p != NULL) == (code == CL_SUCCESS));
        if (p == NULL)
            continue;
        code = clBuildProgram(p, 0, NULL, "", NULL, NULL);
        CHECK(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
        CHECK_OK(clReleaseProgram(p));
    }
}

/* Findings of the validator are in the log though the program builds, and go by the constants as
 * they are specialised: a division by constant 7 is defined as it stands, and not by 0. */
static void test_warnings(HdApiTest *t)
{
    enum { STORE = sizeof spec_module / 4 - 7 };
    static const cl_uint divide[] = {0x00050086, 3, 12, 2, 2}; /* %12 = OpUDiv %3 %2 %2 */
    cl_uint words[sizeof spec_module / 4 + 5], zero = 0;
    size_t all = sizeof spec_module / 4;
    char log[4096] = "";
    cl_program p;
    cl_int code;

    CHECK((spec_module[STORE] & 0xffff) == 62);
    memcpy(words, spec_module, STORE * 4);
    memcpy(words + STORE, divide, sizeof divide);
    memcpy(words + STORE + 5, spec_module + STORE, (all - STORE) * 4);
    words[3] = 13;
    p = clCreateProgramWithIL(t->context, words, sizeof words, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "arith.zero-divisor") == NULL);
    CHECK_OK(clSetProgramSpecializationConstant(p, 7, 4, &zero));
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, "arith.zero-divisor") != NULL);
    CHECK_OK(clReleaseProgram(p));
}

/* Build spec_module with words put in before word `at`: that fails, and the log says `name`; it
 * builds where there is none. */
static void refuse(HdApiTest *t, size_t at, const cl_uint *more, size_t count, const char *name)
{
    cl_uint words[sizeof spec_module / 4 + 32];
    size_t all = sizeof spec_module / 4;
    char log[4096] = "";
    cl_program p;
    cl_int code;

    memcpy(words, spec_module, at * 4);
    memcpy(words + at, more, count * 4);
    memcpy(words + at + count, spec_module + at, (all - at) * 4);
    p = clCreateProgramWithIL(t->context, words, (all + count) * 4, &code);
    CHECK_OK(code);
    if (p == NULL)
        return;
    CHECK_CODE(clBuildProgram(p, 0, NULL, "", NULL, NULL),
               name != NULL ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(name == NULL || strstr(log, name) != NULL);
    CHECK_OK(clReleaseProgram(p));
}

/* What is not known or not supported is named in the log; programs after it build. So do those that
 * declare an extension that is known, and nothing of it. */
static void test_unsupported(HdApiTest *t)
{
    static const char *const extensions[] = {"SPV_NOBODY_knows_this", "SPV_KHR_ray_tracing",
                                             "SPV_INTEL_inline_assembly"};
    static const cl_uint nobodys[] = {0x00020011, 60001}, shader[] = {0x00020011, 1},
                         pointers[] = {0x00020011, 5603}, rays[] = {0x00020011, 4479},
                         assembly[] = {0x00020011, 5606}, opcode[] = {0x00021d4c, 7};
    enum { CAPABILITIES = 5, EXTENSIONS = 9 };
    cl_program p;
    cl_int code;

    for (size_t i = 0; i < 3; i++) {
        cl_uint words[16] = {0};
        cl_uint count = (cl_uint)strlen(extensions[i]) / 4 + 2;

        words[0] = count << 16 | 10;
        memcpy(words + 1, extensions[i], strlen(extensions[i]));
        refuse(t, EXTENSIONS, words, count, i == 0 ? extensions[i] : NULL);
    }
    refuse(t, CAPABILITIES, nobodys, 2, "60001");
    refuse(t, CAPABILITIES, shader, 2, "Shader");
    refuse(t, CAPABILITIES, pointers, 2, "FunctionPointersINTEL");
    refuse(t, CAPABILITIES, rays, 2, "RayTracingKHR");
    refuse(t, CAPABILITIES, assembly, 2, "AsmINTEL");
    refuse(t, sizeof spec_module / 4 - 2, opcode, 2, "7500");
    p = clCreateProgramWithIL(t->context, spec_module, sizeof spec_module, &code);
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(run(t, p, "k", NULL) == 5);
    CHECK_OK(clReleaseProgram(p));
}

/* A function's address is the same in all kernels and launches of a program. */
static void test_function_pointers(HdApiTest *t)
{
    static const char *const text =
        "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"
        "typedef int (*F)(int);\n"
        "static int inc(int x) { return x + 1; }\n"
        "static int twice(int x) { return x * 2; }\n"
        "kernel void choose(global ulong *f) {\n"
        "    F to = get_global_id(0) % 3 == 0 ? inc : twice;\n"
        "    f[get_global_id(0)] = (ulong)to;\n"
        "}\n"
        "kernel void apply(global ulong *f) {\n"
        "    f[get_global_id(0)] = (ulong)((F)f[get_global_id(0)])(10);\n"
        "}\n";
    cl_program p = hd_api_build(t, text, "-cl-std=CL3.0");
    static const char *const names[2] = {"choose", "apply"};
    cl_ulong values[40] = {0};
    size_t count = 40;
    cl_mem memory;

    if (p == NULL)
        return;
    memory = hd_api_buffer(t, values, sizeof values);
    for (int i = 0; i < 2; i++) {
        cl_int code;
        cl_kernel k = clCreateKernel(p, names[i], &code);

        CHECK_CODE(code, CL_SUCCESS);
        CHECK_OK(clSetKernelArg(k, 0, sizeof memory, &memory));
        CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &count, NULL, 0, NULL, NULL));
        CHECK_OK(clReleaseKernel(k));
    }
    CHECK_OK(
        clEnqueueReadBuffer(t->queue, memory, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (cl_ulong i = 0; i < 40; i++)
        CHECK(values[i] == (i % 3 == 0 ? 11 : 20));
    CHECK_OK(clReleaseMemObject(memory));
    CHECK_OK(clReleaseProgram(p));
}

/* Run it three times, and once more in a program of its binary. */
static void check_objects(HdApiTest *t, cl_program p, const char *names, int first)
{
    char text[256] = "";
    size_t kernels = 0, bytes = 0;
    const unsigned char *binary;
    unsigned char *room;
    cl_program again;
    cl_int code;

    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(kernels == 1 && strcmp(text, names) == 0);
    for (int i = 0; i < 3; i++) /* constructed once, the variable of each run is one more */
        CHECK(run(t, p, names, NULL) == first + i);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    binary = room = malloc(bytes);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof room, &room, NULL));
    again = clCreateProgramWithBinary(t->context, 1, &t->device, &bytes, &binary, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(again, 0, NULL, "", NULL, NULL));
    CHECK(run(t, again, names, NULL) == first);
    CHECK_OK(clReleaseProgram(again));
    free(room);
}

/* C++ for OpenCL: what objects at program scope need before the first kernel is done once for each
 * program; two such sources can be linked. */
static void test_objects(HdApiTest *t)
{
    cl_program p = from_source(t, "int calls = 3; int next() { return calls++; }\n"
                                  "struct Number { int n; Number() { n = next() * 100; } };\n"
                                  "Number number; int start = next() * 1000;\n"
                                  "kernel void k(global int *p) { *p = start++ + number.n; }\n");
    cl_program other = from_source(t, "int f(int x) { return x + (int)get_global_size(0); }\n"
                                      "int unused = f(7);\n");
    cl_program both[2] = {p, other}, linked;
    cl_int code;

    CHECK_OK(clBuildProgram(p, 0, NULL, "-cl-std=CLC++2021", NULL, NULL));
    check_objects(t, p, "k", 4300);
    CHECK_OK(clCompileProgram(p, 0, NULL, "-cl-std=CLC++2021", 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clCompileProgram(other, 0, NULL, "-cl-std=CLC++2021", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    check_objects(t, linked, "k", 4300);
    CHECK_OK(clReleaseProgram(linked));
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clReleaseProgram(other));
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_mended(&t);
    test_long_null(&t);
    test_il(&t);
    test_weak(&t);
    test_specialized_array(&t);
    test_warnings(&t);
    test_unsupported(&t);
    if (t.has_compiler) {
        test_build(&t);
        test_build_errors(&t);
        test_options_build(&t);
        test_options_link(&t);
        test_formats(&t);
        test_import(&t);
        test_lifetime(&t);
        test_binary(&t);
        test_link_inputs(&t);
        test_attributes(&t);
        test_compile_link(&t);
        test_link_variables(&t);
        test_function_pointers(&t);
        test_objects(&t);
    } else {
        hd_api_skip("no compiler for OpenCL C");
    }
    return hd_api_close(&t);
}
