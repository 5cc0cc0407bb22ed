/* tests/api/abort_test.c -- a work-item that aborts (SPV_KHR_abort) ends its launch with an error
 * and a message; what it stored before is there, and later launches run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <time.h>

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

static char told[1024];

static void CL_CALLBACK tell(const char *what, const void *info, size_t size, void *user)
{
    (void)info;
    (void)size;
    (void)user;
    strncpy(told, what, sizeof told - 1);
}

enum { ITEMS = 1000 };

/* Run where that work-item aborts; the state that the event ends in. */
static cl_int run(cl_command_queue q, cl_kernel k, cl_mem out, cl_ulong which)
{
    size_t items = ITEMS;
    cl_int state = CL_QUEUED;
    cl_event e;

    CHECK_OK(clSetKernelArg(k, 0, sizeof out, &out));
    CHECK_OK(clSetKernelArg(k, 1, sizeof which, &which));
    CHECK_OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, &e));
    (void)clWaitForEvents(1, &e);
    CHECK_OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    CHECK_OK(clReleaseEvent(e));
    return state;
}

static void test(cl_context c, cl_command_queue q, cl_kernel k)
{
    static cl_uint values[ITEMS];
    cl_int code;
    cl_mem out = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);

    CHECK_OK(code);
    CHECK(run(q, k, out, ITEMS) == CL_COMPLETE);
    CHECK(told[0] == '\0');
    CHECK_OK(clEnqueueWriteBuffer(q, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(run(q, k, out, 321) < 0);
    for (unsigned i = 0; i < 1000 && strstr(told, "has aborted") == NULL; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(strstr(told, "'k': work-item (321, 0, 0) has aborted: 321") != NULL);
    CHECK_OK(clEnqueueReadBuffer(q, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK(values[321] == 7);
    CHECK(run(q, k, out, ITEMS) == CL_COMPLETE);
    CHECK_OK(clEnqueueReadBuffer(q, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (unsigned i = 0; i < ITEMS; i++)
        CHECK(values[i] == 7);
    CHECK_OK(clReleaseMemObject(out));
}

int main(void)
{
    HdApiTest t = hd_api_open();
    cl_context_properties where[3] = {CL_CONTEXT_PLATFORM, (cl_context_properties)t.platform, 0};
    cl_int code;
    cl_context c = clCreateContext(where, 1, &t.device, tell, NULL, &code);
    cl_command_queue q = clCreateCommandQueueWithProperties(c, t.device, NULL, &code);
    cl_program p = clCreateProgramWithIL(c, module, sizeof module, &code);
    cl_kernel k;

    CHECK_OK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    k = clCreateKernel(p, "k", &code);
    CHECK_OK(code);
    test(c, q, k);
    CHECK_OK(clReleaseKernel(k));
    CHECK_OK(clReleaseProgram(p));
    CHECK_OK(clReleaseCommandQueue(q));
    CHECK_OK(clReleaseContext(c));
    return hd_api_close(&t);
}
