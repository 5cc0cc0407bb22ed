/* tests/api/walk_test.c -- bytes that work-items take one after the other, up to the last one of
 * memory behind which nothing is mapped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <sys/mman.h>
#include <unistd.h>

#define ITEMS 200u
#define MOST  29u /* bytes of one */

static const char source[] =
    "kernel void hashes(global const uchar *text, global uint *out, uint n)\n"
    "{\n"
    "    uint i = get_global_id(0), h = 1, length = n - (text[i * n] & 7);\n"
    "    for (uint j = 0; j < length; j++)\n"
    "        h = h * 31 + text[i * n + j];\n"
    "    out[i] = h;\n"
    "}\n"
    "kernel void shorts(global const ushort *text, global uint *out, uint n)\n"
    "{\n"
    "    uint i = get_global_id(0), h = 1, length = n - (text[i * n] & 7);\n"
    "    for (uint j = 0; j < length; j++)\n"
    "        h = h * 31 + text[i * n + j];\n"
    "    out[i] = h;\n"
    "}\n";

static uint32_t hash(const unsigned char *from, uint32_t n, uint32_t size)
{
    uint32_t h = 1, length = n - (from[0] & 7);

    for (uint32_t j = 0; j < length; j++)
        h = h * 31 + from[j * size] + (size == 2 ? 256u * from[j * size + 1] : 0);
    return h;
}

/* Rows of n elements that end where the page does, or begin where it does. */
static void test_end(HdApiTest *t, cl_program p, uint32_t n, uint32_t size, bool at_end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)ITEMS * n * size, items = ITEMS;
    size_t room = (bytes + page - 1) / page * page;
    unsigned char *area =
        mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *text = area + page + (at_end ? room - bytes : 0);
    uint32_t out[ITEMS] = {0};
    cl_int code;
    cl_kernel k = clCreateKernel(p, size == 1 ? "hashes" : "shorts", &code);
    cl_mem from, to;
    unsigned wrong = 0;

    CHECK_OK(code);
    CHECK(area != MAP_FAILED);
    for (size_t i = 0; i < bytes; i++)
        text[i] = (unsigned char)(i * 37 + i / 11);
    CHECK(mprotect(area, page, PROT_NONE) == 0);
    CHECK(mprotect(area + page + room, page, PROT_NONE) == 0);
    from = clCreateBuffer(t->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, text, &code);
    CHECK_OK(code);
    to = clCreateBuffer(t->context, CL_MEM_WRITE_ONLY, sizeof out, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof from, &from));
    CHECK_OK(clSetKernelArg(k, 1, sizeof to, &to));
    CHECK_OK(clSetKernelArg(k, 2, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (uint32_t i = 0; i < ITEMS; i++)
        wrong += out[i] != hash(text + (size_t)i * n * size, n, size);
    CHECK(wrong == 0);
    CHECK_OK(clReleaseMemObject(from));
    CHECK_OK(clReleaseMemObject(to));
    CHECK(munmap(area, room + 2 * page) == 0);
    CHECK_OK(clReleaseKernel(k));
}

int main(void)
{
    HdApiTest t;
    cl_program p;

    t = hd_api_open();
    p = t.has_compiler ? hd_api_build(&t, source, "") : NULL;
    if (p == NULL) {
        hd_api_skip("no compiler");
    } else {
        for (uint32_t n = 8; n <= MOST; n++)
            for (unsigned i = 0; i < 4; i++)
                test_end(&t, p, n, 1 + i % 2, i >= 2);
        CHECK_OK(clReleaseProgram(p));
    }
    return hd_api_close(&t);
}
