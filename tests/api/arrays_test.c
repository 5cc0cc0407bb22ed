/* tests/api/arrays_test.c -- a variable-length array that does not fit ends its kernel, and no
 * more.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <time.h>

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

static char told[1024];

static void CL_CALLBACK tell(const char *what, const void *info, size_t size, void *user)
{
    (void)info;
    (void)size;
    (void)user;
    strncpy(told, what, sizeof told - 1);
}

/* Run with an array of this length; the state that the event ends in. */
static cl_int run(cl_command_queue q, cl_kernel k, cl_mem out, cl_ulong length)
{
    size_t one = 1;
    cl_int state = CL_QUEUED;
    cl_event e;

    CHECK_OK(clSetKernelArg(k, 0, sizeof out, &out));
    CHECK_OK(clSetKernelArg(k, 1, sizeof length, &length));
    CHECK_OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, &e));
    (void)clWaitForEvents(1, &e);
    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    CHECK_OK(clReleaseEvent(e));
    return state;
}

static cl_uint read_back(cl_command_queue q, cl_mem out)
{
    cl_uint value = 0;

    CHECK_OK(clEnqueueReadBuffer(q, out, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    return value;
}

int main(void)
{
    HdApiTest t = hd_api_open();
    cl_context_properties where[3] = {CL_CONTEXT_PLATFORM, (cl_context_properties)t.platform, 0};
    cl_uint three = 3;
    cl_int code;
    cl_context c = clCreateContext(where, 1, &t.device, tell, NULL, &code);
    cl_command_queue q = clCreateCommandQueueWithProperties(c, t.device, NULL, &code);
    cl_program p = clCreateProgramWithIL(c, module, sizeof module, &code);
    cl_mem out = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof three, &three, &code);
    cl_kernel k;

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    CHECK(run(q, k, out, 100) == CL_COMPLETE);
    CHECK(read_back(q, out) == 6);
    CHECK(told[0] == '\0');
    CHECK(run(q, k, out, (cl_ulong)1 << 62) < 0);
    for (unsigned i = 0; i < 1000 && strstr(told, "variable-length array") == NULL; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(strstr(told, "variable-length array") != NULL);
    CHECK(strstr(told, "'k'") != NULL);
    CHECK(run(q, k, out, 1000000) == CL_COMPLETE);
    CHECK(read_back(q, out) == 12);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseContext(c));
    return hd_api_close(&t);
}
