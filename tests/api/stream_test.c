/* tests/api/stream_test.c -- stores that go past the caches: the same results, wherever memory
 * begins and whatever is written twice or read at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#define COUNT 20011u /* floats; no multiple of anything */
#define ROOM  (COUNT + 64u)

static const char source[] =
    "kernel void triad(global float *out, global const float *a, global const float *b, uint n)\n"
    "{ uint i = get_global_id(0); if (i < n) out[i] = a[i] + 3.0f * b[i]; }\n"
    "kernel void parts(global float4 *out, global const uchar4 *a)\n"
    "{ uint i = get_global_id(0); out[i] = convert_float4(a[i]) * 0.5f; }\n"
    "kernel void apart(global float *out, global const float *a, global const float *b)\n"
    "{ uint i = get_global_id(0); vstore3((float3)(a[i], b[i], a[i] + b[i]), i, out); }\n"
    "kernel void together(global float *out, global const float *a, global const float *b)\n"
    "{ uint i = get_global_id(0); vstore3(vload3(i, a) * 2.0f + vload3(i, b), i, out); }\n"
    "kernel void twice(global float *out, global const float *a)\n"
    "{ uint i = get_global_id(0); out[i] = 1.0f; out[i + 1] = a[i]; }\n"
    "kernel void kept(global float *out, global const float *a, global uint *count)\n"
    "{ uint i = get_global_id(0); out[i] = a[i]; atomic_inc(count); }\n";

static float a[ROOM], b[ROOM], got[ROOM];

static void launch(HdApiTest *t, cl_kernel k, size_t items)
{
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void set_buffer(cl_kernel k, cl_uint arg, cl_mem m)
{
    CHECK_OK(clSetKernelArg(k, arg, sizeof m, &m));
}

static void read_back(HdApiTest *t, cl_mem m)
{
    memset(got, 0xEE, sizeof got);
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
}

/* Output that begins so many floats behind the start of a line of the cache. */
static void test_begin(HdApiTest *t, cl_program p, unsigned behind)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, "triad", &code);
    float *out = clSVMAlloc(t->context, CL_MEM_READ_WRITE, sizeof got, 0);
    cl_mem from[2] = {hd_api_buffer(t, a, sizeof a), hd_api_buffer(t, b, sizeof b)};
    cl_uint n = COUNT;
    unsigned wrong = 0;

    CHECK_OK(code);
    CHECK(out != NULL);
    for (unsigned i = 0; i < ROOM; i++)
        out[i] = -1;
    CHECK_OK(clSetKernelArgSVMPointer(k, 0, out + behind));
    set_buffer(k, 1, from[0]);
    set_buffer(k, 2, from[1]);
    CHECK_OK(clSetKernelArg(k, 3, sizeof n, &n));
    launch(t, k, (COUNT + 127) / 128 * 128);
    CHECK_OK(clFinish(t->queue));
    for (unsigned i = 0; i < ROOM; i++) {
        bool is_written = i >= behind && i < behind + COUNT;

        wrong += out[i] != (is_written ? a[i - behind] + 3.0f * b[i - behind] : -1.0f);
    }
    CHECK(wrong == 0);
    clSVMFree(t->context, out);
    CHECK_OK(clReleaseMemObject(from[0]));
    CHECK_OK(clReleaseMemObject(from[1]));
    CHECK_OK(clReleaseKernel(k));
}

/* Elements that fill several registers, and a launch that reads what the one before wrote. */
static void test_parts(HdApiTest *t, cl_program p)
{
    cl_int code;
    cl_kernel parts = clCreateKernel(p, "parts", &code), twice = clCreateKernel(p, "twice", &code);
    cl_mem from = hd_api_buffer(t, a, sizeof a), middle = hd_api_buffer(t, b, sizeof b),
           to = hd_api_buffer(t, b, sizeof b);
    const unsigned char *bytes = (const unsigned char *)a;
    unsigned items = COUNT / 4, wrong = 0;

    CHECK_OK(code);
    set_buffer(parts, 0, middle);
    set_buffer(parts, 1, from);
    set_buffer(twice, 0, to);
    set_buffer(twice, 1, middle);
    for (unsigned round = 0; round < 3; round++) {
        launch(t, parts, items);
        launch(t, twice, 4 * items);
    }
    read_back(t, to);
    for (unsigned i = 1; i < 4 * items; i++) /* one is written by two work-items */
        wrong += got[i] != 1.0f && got[i] != (float)bytes[i - 1] * 0.5f;
    CHECK(wrong == 0);
    read_back(t, middle);
    for (unsigned i = 0; i < ROOM; i++)
        wrong += got[i] != (i < 4 * items ? (float)bytes[i] * 0.5f : b[i]);
    CHECK(wrong == 0);
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(middle));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(parts));
    CHECK_OK(clReleaseKernel(twice));
}

static float of_three(const char *name, unsigned at)
{
    unsigned i = at / 3;

    if (strcmp(name, "together") == 0)
        return a[at] * 2 + b[at];
    return at % 3 == 0 ? a[i] : at % 3 == 1 ? b[i] : a[i] + b[i];
}

/* Three members of each element, which are three registers together. */
static void test_threes(HdApiTest *t, cl_program p, const char *name, unsigned behind)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);
    float *out = clSVMAlloc(t->context, CL_MEM_READ_WRITE, sizeof got, 0);
    cl_mem from[2] = {hd_api_buffer(t, a, sizeof a), hd_api_buffer(t, b, sizeof b)};
    unsigned items = COUNT / 3, wrong = 0;

    CHECK_OK(code);
    CHECK(out != NULL);
    for (unsigned i = 0; i < ROOM; i++)
        out[i] = -1;
    CHECK_OK(clSetKernelArgSVMPointer(k, 0, out + behind));
    set_buffer(k, 1, from[0]);
    set_buffer(k, 2, from[1]);
    launch(t, k, items);
    CHECK_OK(clFinish(t->queue));
    for (unsigned i = 0; i < ROOM; i++) {
        bool is_written = i >= behind && i < behind + 3 * items;

        wrong += out[i] != (is_written ? of_three(name, i - behind) : -1.0f);
    }
    CHECK(wrong == 0);
    clSVMFree(t->context, out);
    CHECK_OK(clReleaseMemObject(from[0]));
    CHECK_OK(clReleaseMemObject(from[1]));
    CHECK_OK(clReleaseKernel(k));
}

/* Beside atomics, and over memory that is read as well. */
static void test_kept(HdApiTest *t, cl_program p, bool in_place)
{
    cl_int code;
    cl_kernel k = clCreateKernel(p, "kept", &code);
    cl_uint count = 0;
    cl_mem from = hd_api_buffer(t, a, sizeof a),
           to = in_place ? from : hd_api_buffer(t, b, sizeof b);
    cl_mem counter = hd_api_buffer(t, &count, sizeof count);

    CHECK_OK(code);
    set_buffer(k, 0, to);
    set_buffer(k, 1, from);
    set_buffer(k, 2, counter);
    launch(t, k, COUNT);
    CHECK_OK(
        clEnqueueReadBuffer(t->queue, counter, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL));
    CHECK(count == COUNT);
    read_back(t, to);
    CHECK(memcmp(got, a, COUNT * sizeof *a) == 0);
    CHECK_OK(clReleaseMemObject(from));
    if (!in_place)
        CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseMemObject(counter));
    CHECK_OK(clReleaseKernel(k));
}

int main(void)
{
    HdApiTest t;
    cl_program p;

    setenv("HEDDLE_STREAM_KB", "1", 1);
    t = hd_api_open();
    for (unsigned i = 0; i < ROOM; i++) {
        a[i] = (float)(i % 1009);
        b[i] = (float)(i % 31);
    }
    p = t.has_compiler ? hd_api_build(&t, source, "") : NULL;
    if (p == NULL) {
        hd_api_skip("no compiler");
    } else {
        for (unsigned behind = 0; behind < 18; behind++)
            test_begin(&t, p, behind);
        test_parts(&t, p);
        for (unsigned behind = 0; behind < 2; behind++) {
            test_threes(&t, p, "apart", behind);
            test_threes(&t, p, "together", behind);
        }
        test_kept(&t, p, false);
        test_kept(&t, p, true);
        CHECK_OK(clReleaseProgram(p));
    }
    return hd_api_close(&t);
}
