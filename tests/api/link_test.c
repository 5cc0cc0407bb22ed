/* tests/api/link_test.c -- programs that are compiled and linked; imports, function pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

/* A program that calls what nobody defines is not built from source or linked; the log says why. */
static void test_import(HdApiTest *t)
{
    cl_program p = hd_api_source(t, "int elsewhere(int x);\n"
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

/* Compilers give an initialised structure members of their own for its gaps, one that is defined
 * elsewhere none. */
static void test_link_variables(HdApiTest *t)
{
    cl_program both[2], exe;
    cl_int code;

    both[0] = hd_api_source(t, "typedef struct { uchar c; uint i; } S;\n"
                               "extern global S s;\n"
                               "kernel void k(global int *a) { *a = s.c * 1000 + s.i + *a; }\n");
    both[1] = hd_api_source(t, "typedef struct { uchar c; uint i; } S;\n"
                               "global S s = { 7, 42 };\n"
                               "kernel void other(global int *a) { s.i = *a; }\n");
    for (int i = 0; i < 2; i++)
        CHECK_OK(clCompileProgram(both[i], 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    exe = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    if (code == CL_SUCCESS) {
        CHECK(hd_api_run_one(t, exe, "k", NULL) == 7043);
        CHECK_OK(clReleaseProgram(exe));
    }
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseProgram(both[i]));
    both[0] = hd_api_source(t, "extern global int2 s;\n"
                               "kernel void k(global int *a) { *a = s.x; }\n");
    both[1] = hd_api_source(t, "global int s = 1;\n"
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

/* A function with the name of a built-in is the one that another program defines; in a program that
 * is built alone, the built-in. */
static void test_built_in_names(HdApiTest *t)
{
    cl_program both[2], exe;
    cl_int code;

    both[0] = hd_api_source(t, "int any(int4 v); int popcount(int x);\n"
                               "kernel void k(global int *a) { *a = any((int4)(*a, 2, 0, 0)) +"
                               " popcount(*a | 15); }\n");
    both[1] = hd_api_source(t, "int any(int4 v) { return 100 * v.y; }\n"
                               "int popcount(int x) { return x + 1000; }\n");
    CHECK_OK(clBuildProgram(both[0], 0, NULL, "", NULL, NULL));
    CHECK(hd_api_run_one(t, both[0], "k", NULL) == 4);
    for (int i = 0; i < 2; i++)
        CHECK_OK(clCompileProgram(both[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    exe = clLinkProgram(t->context, 0, NULL, "", 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    if (code == CL_SUCCESS)
        CHECK(hd_api_run_one(t, exe, "k", NULL) == 1215);
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
    cl_program header = hd_api_source(t, "int f(global int *p, int x);\n#define FROM_HEADER 1000\n"
                                         "constant char HEADER_FILE[] = __FILE__;\n");
    cl_program a = hd_api_source(t, main_text), b = hd_api_source(t, library_text), both[2], lib,
               exe;
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
        CHECK(hd_api_run_one(t, exe, "k", NULL) == 1104);
        CHECK(hd_api_run_one(t, exe, "name", NULL) ==
              1919); /* __FILE__ is what the host calls it */
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
        CHECK(hd_api_run_one(t, p, names, NULL) == first + i);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    binary = room = malloc(bytes);
    CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof room, &room, NULL));
    again = clCreateProgramWithBinary(t->context, 1, &t->device, &bytes, &binary, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clBuildProgram(again, 0, NULL, "", NULL, NULL));
    CHECK(hd_api_run_one(t, again, names, NULL) == first);
    CHECK_OK(clReleaseProgram(again));
    free(room);
}

/* C++ for OpenCL: what objects at program scope need before the first kernel is done once for each
 * program; two such sources can be linked. */
static void test_objects(HdApiTest *t)
{
    cl_program p = hd_api_source(t, "int calls = 3; int next() { return calls++; }\n"
                                    "struct Number { int n; Number() { n = next() * 100; } };\n"
                                    "Number number; int start = next() * 1000;\n"
                                    "kernel void k(global int *p) { *p = start++ + number.n; }\n");
    cl_program other = hd_api_source(t, "int f(int x) { return x + (int)get_global_size(0); }\n"
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

    if (t.has_compiler) {
        test_import(&t);
        test_built_in_names(&t);
        test_link_inputs(&t);
        test_compile_link(&t);
        test_link_variables(&t);
        test_function_pointers(&t);
        test_objects(&t);
    } else {
        hd_api_skip("no compiler for OpenCL C");
    }
    return hd_api_close(&t);
}
