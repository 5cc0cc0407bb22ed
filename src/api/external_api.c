/* api/external_api.c -- handing external memory over, and back.
 *
 * Spec: OpenCL API, "Acquiring External Memory Objects" and what follows it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/command.h"
#include "cl/external.h"

static cl_int hand_over(cl_command_queue queue, cl_uint count, const cl_mem *mems,
                        cl_command_type type, HdEnqueue how)
{
    cl_int code;

    HD_REQUIRE((count > 0) == (mems != NULL), CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        HD_REQUIRE(hd_mem_is(mems[i]) && hd_external_is(mems[i]), CL_INVALID_MEM_OBJECT);
    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    for (cl_uint i = 0; i < count; i++)
        HD_REQUIRE(hd_external_is_for(mems[i], queue->device), CL_INVALID_COMMAND_QUEUE);
    code = hd_queue_check_waits(queue, how.waits);
    HD_REQUIRE(code == CL_SUCCESS, code);
    for (cl_uint i = 0; i < how.waits.count; i++)
        HD_REQUIRE(hd_event_status(how.waits.events[i]) >= 0,
                   CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return HD_ANSWER(hd_command_nothing(queue, type, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue queue, cl_uint num_mems, const cl_mem *mems, cl_uint num_events,
    const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    return hand_over(queue, num_mems, mems, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
                     hd_api_how(num_events, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue queue, cl_uint num_mems, const cl_mem *mems, cl_uint num_events,
    const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    return hand_over(queue, num_mems, mems, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
                     hd_api_how(num_events, waits, event));
}
