/* tests/api/arrays_test.c -- a variable-length array that does not fit ends its kernel, and no
 * more.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

/* kernel void k(global uint *out, ulong length)
 * { uint array[length]; array[0] = *out; *out = array[0] + array[0]; } */
static const cl_uint module[] = {
    0x07230203, 0x00010600, 0x00070000, 0x00000010, 0x00000000, 0x00020011, 0x00000006, 0x00020011,
    0x00000004, 0x00020011, 0x0000000b, 0x00020011, 0x000016b9, 0x0009000a, 0x5f565053, 0x45544e49,
    0x61765f4c, 0x62616972, 0x6c5f656c, 0x74676e65, 0x72615f68, 0x00796172, 0x0003000e, 0x00000002,
    0x00000002, 0x0004000f, 0x00000006, 0x00000001, 0x0000006b, 0x00020013, 0x00000002, 0x00040015,
    0x00000003, 0x00000020, 0x00000000, 0x00040015, 0x00000004, 0x00000040, 0x00000000, 0x00040020,
    0x00000005, 0x00000005, 0x00000003, 0x00040020, 0x00000006, 0x00000007, 0x00000003, 0x00050021,
    0x00000007, 0x00000002, 0x00000005, 0x00000004, 0x00050036, 0x00000002, 0x00000001, 0x00000000,
    0x00000007, 0x00030037, 0x00000005, 0x00000008, 0x00030037, 0x00000004, 0x00000009, 0x000200f8,
    0x0000000a, 0x000316bb, 0x00000006, 0x0000000b, 0x000416ba, 0x00000006, 0x0000000c, 0x00000009,
    0x0006003d, 0x00000003, 0x0000000d, 0x00000008, 0x00000002, 0x00000004, 0x0005003e, 0x0000000c,
    0x0000000d, 0x00000002, 0x00000004, 0x0006003d, 0x00000003, 0x0000000e, 0x0000000c, 0x00000002,
    0x00000004, 0x00050080, 0x00000003, 0x0000000f, 0x0000000e, 0x0000000e, 0x0005003e, 0x00000008,
    0x0000000f, 0x00000002, 0x00000004, 0x000216bc, 0x0000000b, 0x000100fd, 0x00010038,
};

static cl_uint read_back(cl_command_queue q, cl_mem out)
{
    cl_uint value = 0;

    CHECK_OK(clEnqueueReadBuffer(q, out, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    return value;
}

int main(void)
{
    HdApiTest t = hd_api_open();
    cl_uint three = 3;
    cl_int code;
    cl_program p = clCreateProgramWithIL(t.context, module, sizeof module, &code);
    cl_mem out = clCreateBuffer(t.context, CL_MEM_COPY_HOST_PTR, sizeof three, &three, &code);
    cl_kernel k;

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    CHECK(hd_api_run(&t, k, out, 100, 1) == CL_COMPLETE);
    CHECK(read_back(t.queue, out) == 6);
    CHECK(hd_api_was_told(""));
    CHECK(hd_api_run(&t, k, out, (cl_ulong)1 << 62, 1) < 0);
    CHECK(hd_api_was_told("variable-length array"));
    CHECK(hd_api_was_told("'k'"));
    CHECK(hd_api_run(&t, k, out, 1000000, 1) == CL_COMPLETE);
    CHECK(read_back(t.queue, out) == 12);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseProgram(p));
    return hd_api_close(&t);
}
