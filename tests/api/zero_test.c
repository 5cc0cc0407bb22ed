/* tests/api/zero_test.c -- local and private memory that begins with zeros
 * (cl_khr_initialize_memory).
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define LOCAL_BIT   1 /* names that packaged headers lack */
#define PRIVATE_BIT 2
#define ITEMS       64

/* typedef struct { uchar a; uint b; } S;
 * kernel void k(global uint *out, uint i)
 * { uint a[100], u, undefined; S s; lifetime of u begins;
 *   out[0] = a[i] + u + undefined; memcpy(out + 2, &s, 8); } */
static const cl_uint module[] = {
    0x07230203, 0x00010600, 0x00070000, 0x00000021, 0x00000000, 0x00020011, 0x00000004, 0x00020011,
    0x00000006, 0x00020011, 0x0000000b, 0x00020011, 0x00000027, 0x0005000b, 0x00000001, 0x6e65704f,
    0x732e4c43, 0x00006474, 0x0003000e, 0x00000002, 0x00000002, 0x0004000f, 0x00000006, 0x00000002,
    0x0000006b, 0x00020013, 0x00000003, 0x00040015, 0x00000004, 0x00000020, 0x00000000, 0x00040015,
    0x00000005, 0x00000008, 0x00000000, 0x00040015, 0x00000006, 0x00000040, 0x00000000, 0x0005002b,
    0x00000006, 0x00000007, 0x00000064, 0x00000000, 0x0004002b, 0x00000004, 0x00000008, 0x00000002,
    0x0004002b, 0x00000004, 0x00000009, 0x00000003, 0x0004002b, 0x00000004, 0x0000000a, 0x00000001,
    0x0005002b, 0x00000006, 0x0000000b, 0x00000008, 0x00000000, 0x0004002b, 0x00000004, 0x0000000c,
    0x00000007, 0x0004001c, 0x0000000d, 0x00000004, 0x00000007, 0x0004001e, 0x0000000e, 0x00000005,
    0x00000004, 0x00040020, 0x0000000f, 0x00000007, 0x0000000e, 0x00040020, 0x00000010, 0x00000007,
    0x0000000d, 0x00040020, 0x00000011, 0x00000007, 0x00000004, 0x00040020, 0x00000012, 0x00000005,
    0x00000004, 0x00050021, 0x00000013, 0x00000003, 0x00000012, 0x00000004, 0x00050036, 0x00000003,
    0x00000002, 0x00000000, 0x00000013, 0x00030037, 0x00000012, 0x00000014, 0x00030037, 0x00000004,
    0x00000015, 0x000200f8, 0x00000016, 0x0004003b, 0x00000010, 0x00000017, 0x00000007, 0x0004003b,
    0x0000000f, 0x00000018, 0x00000007, 0x0004003b, 0x00000011, 0x00000019, 0x00000007, 0x00030001,
    0x00000004, 0x0000001a, 0x00030100, 0x00000019, 0x00000004, 0x00050042, 0x00000011, 0x0000001b,
    0x00000017, 0x00000015, 0x0004003d, 0x00000004, 0x0000001c, 0x0000001b, 0x0004003d, 0x00000004,
    0x0000001d, 0x00000019, 0x00050080, 0x00000004, 0x0000001e, 0x0000001c, 0x0000001d, 0x00050080,
    0x00000004, 0x0000001f, 0x0000001e, 0x0000001a, 0x0003003e, 0x00000014, 0x0000001f, 0x00050046,
    0x00000012, 0x00000020, 0x00000014, 0x00000008, 0x00040040, 0x00000020, 0x00000018, 0x0000000b,
    0x000100fd, 0x00010038,
};

static const char source[] =
    "kernel void soil(global uint *out, local uint *l, uint n) {\n"
    "    local uint more[256];\n"
    "    uint a[100];\n"
    "    for (uint i = 0; i < 100; i++) a[(i * n) % 100] = n + i;\n"
    "    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) l[i] = more[i] = ~0u;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = l[get_local_id(0) ^ 1] + more[get_local_id(0) ^ 3] + a[n % 100];\n"
    "}\n"
    "kernel void look(global uint *out, local uint *l, uint n) {\n"
    "    local uint more[256];\n"
    "    uint a[100], x;\n"
    "    int4 v;\n"
    "    if (n > 100) x = a[3] = n;\n"
    "    for (uint i = 0; i < n; i++) { uint each; each += i; x += each - i; }\n"
    "    for (uint i = 0; i < 256; i++) x |= l[i] | more[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    l[get_local_id(0)] = more[get_local_id(0)] = 7;\n" /* the next group sees nothing of it */
    "    out[get_global_id(0)] = x | a[n] | a[99 - n] | v.y;\n"
    "}\n";

static cl_context make(HdApiTest *t, cl_context_properties bits, cl_int *code)
{
    cl_context_properties list[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, bits, 0};

    return clCreateContext(list, 1, &t->device, NULL, NULL, code);
}

/* The bits that any of the results has, after one launch. */
static cl_uint run(cl_command_queue q, cl_program p, const char *name)
{
    cl_context c;
    cl_uint out[ITEMS], bits = 0, n = 5;
    size_t items = ITEMS, group = 16;
    cl_kernel k = clCreateKernel(p, name, NULL);
    cl_mem m;

    clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, sizeof c, &c, NULL);
    m = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof out, NULL, NULL);
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clSetKernelArg(k, 1, 1024, NULL));
    CHECK_OK(clSetKernelArg(k, 2, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &group, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (unsigned i = 0; i < ITEMS; i++)
        bits |= out[i];
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseKernel(k));
    return bits;
}

static cl_program build(cl_context c, const char *options)
{
    const char *text = source;
    cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, NULL);

    CHECK_OK(clBuildProgram(p, 0, NULL, options, NULL, NULL));
    return p;
}

static void test_properties(HdApiTest *t)
{
    cl_context_properties twice[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, LOCAL_BIT,
                                     CL_CONTEXT_MEMORY_INITIALIZE_KHR, LOCAL_BIT, 0};
    cl_context_properties back[3];
    cl_context c;
    size_t size;
    cl_int code;

    CHECK_NULL(make(t, 4, &code), code, CL_INVALID_PROPERTY);
    CHECK_NULL(clCreateContext(twice, 1, &t->device, NULL, NULL, &code), code, CL_INVALID_PROPERTY);
    for (cl_context_properties bits = 0; bits <= (LOCAL_BIT | PRIVATE_BIT); bits++) {
        c = make(t, bits, &code);
        CHECK_OK(code);
        CHECK_OK(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
        CHECK(size == sizeof back && back[0] == CL_CONTEXT_MEMORY_INITIALIZE_KHR &&
              back[1] == bits && back[2] == 0);
        CHECK_OK(clReleaseContext(c));
    }
}

static void test_source(HdApiTest *t, const char *options)
{
    cl_int code;
    cl_context c = make(t, LOCAL_BIT | PRIVATE_BIT, &code);
    cl_command_queue q = clCreateCommandQueueWithProperties(c, t->device, NULL, &code);
    cl_program soiled = build(t->context, options), zeroed = build(c, options);

    CHECK(run(t->queue, soiled, "soil") != 0);
    CHECK(run(q, zeroed, "look") == 0);
    CHECK(run(q, zeroed, "soil") != 0);
    CHECK(run(q, zeroed, "look") == 0);
    CHECK_OK(clReleaseProgram(soiled));
    CHECK_OK(clReleaseProgram(zeroed));
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseContext(c));
}

/* A module of the host's own, and one that was built from it for another context. */
static void test_module(HdApiTest *t, bool is_binary)
{
    cl_uint out[4] = {9, 9, 9, 9}, i = 50;
    unsigned char *bytes;
    size_t one = 1, size;
    cl_int code;
    cl_context c = make(t, PRIVATE_BIT, &code);
    cl_command_queue q = clCreateCommandQueueWithProperties(c, t->device, NULL, &code);
    cl_program p = clCreateProgramWithIL(is_binary ? t->context : c, module, sizeof module, &code);
    cl_mem m = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, sizeof out, out, &code);
    cl_kernel k;

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    if (is_binary) {
        CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
        bytes = malloc(size);
        CHECK_OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
        CHECK_OK(clReleaseProgram(p));
        p = clCreateProgramWithBinary(c, 1, &t->device, &size, (const unsigned char **)&bytes, NULL,
                                      &code);
        CHECK_OK(code);
        CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
        free(bytes);
    }
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clSetKernelArg(k, 1, sizeof i, &i));
    CHECK_OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    CHECK(out[0] == 0 && out[1] == 9 && out[2] == 0 && out[3] == 0);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(m));
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseContext(c));
}

int main(void)
{
    HdApiTest t = hd_api_open();

    test_properties(&t);
    test_module(&t, false);
    test_module(&t, true);
    if (t.has_compiler) {
        test_source(&t, "");
        test_source(&t, "-cl-opt-disable");
    } else {
        hd_api_skip("no compiler");
    }
    return hd_api_close(&t);
}
