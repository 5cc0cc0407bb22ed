/* tests/api/il_test.c -- programs from IL: specialisation, repairs, weak symbols, warnings, what is
 * refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

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
        CHECK(hd_api_run_one(t, made[i], "k", NULL) == 9);
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
    CHECK(hd_api_run_one(t, p, "k", NULL) == 5);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clSetProgramSpecializationConstant(p, 7, sizeof values[i], values[i]));
        CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
        CHECK(hd_api_run_one(t, p, "k", NULL) == (int)values[i][4]);
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
    CHECK(hd_api_run_one(t, p, "k", NULL) == 5);
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
    CHECK(hd_api_run_one(t, linked, "k", NULL) == 4);
    CHECK_OK(clReleaseProgram(linked));
    CHECK_OK(clReleaseProgram(p));

    p = hd_api_source(t, source_of_two);
    CHECK_OK(clCompileProgram(p, 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(t->context, 0, NULL, "", 1, &p, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clGetProgramBuildInfo(linked, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strcmp(log, "") == 0);
    CHECK(hd_api_run_one(t, linked, "k", NULL) == 7);
    CHECK_OK(clReleaseProgram(p));
    p = from_binary(t, linked);
    CHECK_OK(clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strcmp(log, "") == 0);
    CHECK(hd_api_run_one(t, p, "k", NULL) == 7);
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
        got = hd_api_run_one(t, exe, "k", NULL);
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
    CHECK(hd_api_run_one(t, p, "k", NULL) == 5);
    CHECK_OK(clSetProgramSpecializationConstant(p, 7, 4, &nine));
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(hd_api_run_one(t, p, "k", NULL) == 9);
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
 * declare an extension that is known, and nothing of it, or what runs without its extension. */
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
    refuse(t, CAPABILITIES, pointers, 2, NULL);
    refuse(t, CAPABILITIES, rays, 2, "RayTracingKHR");
    refuse(t, CAPABILITIES, assembly, 2, "AsmINTEL");
    refuse(t, sizeof spec_module / 4 - 2, opcode, 2, "7500");
    p = clCreateProgramWithIL(t->context, spec_module, sizeof spec_module, &code);
    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    CHECK(hd_api_run_one(t, p, "k", NULL) == 5);
    CHECK_OK(clReleaseProgram(p));
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
    return hd_api_close(&t);
}
