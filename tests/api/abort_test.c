/* tests/api/abort_test.c -- a work-item that aborts (SPV_KHR_abort) ends its launch with an error
 * and a message; what it stored before is there, and later launches run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

/* kernel void k(global uint *out, ulong n)
 * { out[get_global_id(0)] = 7; if (get_global_id(0) == n) abort(n); } */
static const cl_uint module[] = {
    0x07230203, 0x00010600, 0x00070000, 0x00000015, 0x00000000, 0x00020011, 0x00000004, 0x00020011,
    0x00000006, 0x00020011, 0x0000000b, 0x00020011, 0x00001400, 0x0005000a, 0x5f565053, 0x5f52484b,
    0x726f6261, 0x00000074, 0x0003000e, 0x00000002, 0x00000002, 0x0005000f, 0x00000006, 0x00000001,
    0x0000006b, 0x00000002, 0x00040047, 0x00000002, 0x0000000b, 0x0000001c, 0x00020013, 0x00000003,
    0x00020014, 0x00000004, 0x00040015, 0x00000005, 0x00000020, 0x00000000, 0x00040015, 0x00000006,
    0x00000040, 0x00000000, 0x00040017, 0x00000007, 0x00000006, 0x00000003, 0x00040020, 0x00000008,
    0x00000001, 0x00000007, 0x00040020, 0x00000009, 0x00000005, 0x00000005, 0x0004002b, 0x00000005,
    0x0000000a, 0x00000007, 0x0004003b, 0x00000008, 0x00000002, 0x00000001, 0x00050021, 0x0000000b,
    0x00000003, 0x00000009, 0x00000006, 0x00050036, 0x00000003, 0x00000001, 0x00000000, 0x0000000b,
    0x00030037, 0x00000009, 0x0000000c, 0x00030037, 0x00000006, 0x0000000d, 0x000200f8, 0x0000000e,
    0x0004003d, 0x00000007, 0x0000000f, 0x00000002, 0x00050051, 0x00000006, 0x00000010, 0x0000000f,
    0x00000000, 0x00050046, 0x00000009, 0x00000011, 0x0000000c, 0x00000010, 0x0003003e, 0x00000011,
    0x0000000a, 0x000500aa, 0x00000004, 0x00000012, 0x00000010, 0x0000000d, 0x000400fa, 0x00000012,
    0x00000013, 0x00000014, 0x000200f8, 0x00000013, 0x00031401, 0x00000006, 0x0000000d, 0x000200f8,
    0x00000014, 0x000100fd, 0x00010038,
};

enum { ITEMS = 1000 };

static void test(HdApiTest *t, cl_kernel k)
{
    static cl_uint values[ITEMS];
    cl_int code;
    cl_mem out = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);

    CHECK_OK(code);
    CHECK(hd_api_run(t, k, out, ITEMS, ITEMS) == CL_COMPLETE);
    CHECK(hd_api_was_told(""));
    CHECK_OK(clEnqueueWriteBuffer(t->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(hd_api_run(t, k, out, 321, ITEMS) < 0);
    CHECK(hd_api_was_told("'k': work-item (321, 0, 0) has aborted: 321"));
    CHECK_OK(clEnqueueReadBuffer(t->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(values[321] == 7);
    CHECK(hd_api_run(t, k, out, ITEMS, ITEMS) == CL_COMPLETE);
    CHECK_OK(clEnqueueReadBuffer(t->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (unsigned i = 0; i < ITEMS; i++)
        CHECK(values[i] == 7);
    CHECK_OK(clReleaseMemObject(out));
}

int main(void)
{
    HdApiTest t = hd_api_open();
    cl_int code;
    cl_program p = clCreateProgramWithIL(t.context, module, sizeof module, &code);
    cl_kernel k;

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    test(&t, k);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(p));
    return hd_api_close(&t);
}
