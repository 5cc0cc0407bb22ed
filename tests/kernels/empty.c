/* tests/kernels/empty.c -- a launch that does nothing still completes, and can be waited for.
 *
 * The time of one round is the launch latency: enqueue to finish.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

void case_empty(Kc *c)
{
    cl_kernel k = kc_kernel(c, "empty");
    const size_t global = 1;
    cl_int state = -1;
    cl_uint nargs = 99;
    cl_event event;

    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, global, 0);
        kc_end(c);
    }
    if (k == NULL || !kc_call(c,
                              clEnqueueNDRangeKernel(kc_device(c)->queue, k, 1, NULL, &global, NULL,
                                                     0, NULL, &event),
                              "clEnqueueNDRangeKernel"))
        return;
    kc_call(c, clWaitForEvents(1, &event), "clWaitForEvents");
    kc_call(c, clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL),
            "clGetEventInfo");
    kc_call(c, clReleaseEvent(event), "clReleaseEvent");
    kc_call(c, clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof nargs, &nargs, NULL),
            "clGetKernelInfo");
    kc_expect(c, state == CL_COMPLETE, "event status is %d after waiting, not CL_COMPLETE", state);
    kc_expect(c, nargs == 0, "CL_KERNEL_NUM_ARGS is %u, not 0", (unsigned)nargs);
}
