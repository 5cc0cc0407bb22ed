/* api/event_api.c -- events.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"

/* Spec: OpenCL API, "Event Objects". */
CL_API_ENTRY cl_event CL_API_CALL hd_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_event e;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    e = hd_event_new_user(context);
    hd_api_set(errcode_ret, e != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return e;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetUserEventStatus(cl_event event, cl_int status)
{
    HD_TRACED;
    HD_REQUIRE(hd_event_is(event) && event->queue == NULL, CL_INVALID_EVENT);
    HD_REQUIRE(status <= CL_COMPLETE, CL_INVALID_VALUE);
    HD_REQUIRE(hd_event_set_user_status(event, status), CL_INVALID_OPERATION);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clWaitForEvents(cl_uint num_events, const cl_event *events)
{
    HD_TRACED;
    bool is_failed = false;

    HD_REQUIRE(num_events > 0 && events != NULL, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_events; i++) {
        HD_REQUIRE(hd_event_is(events[i]), CL_INVALID_EVENT);
        HD_REQUIRE(events[i]->context == events[0]->context, CL_INVALID_CONTEXT);
    }
    HD_REQUIRE(!hd_platform_is_forked(), CL_OUT_OF_RESOURCES);
    for (cl_uint i = 0; i < num_events; i++) {
        hd_queue_wait(events[i]);
        is_failed = is_failed || hd_event_status(events[i]) < 0;
    }
    return is_failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

/* Hosts poll the status without flushing first; that flushes. */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetEventInfo(cl_event event, cl_event_info param_name,
                                                  size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_event_is(event), CL_INVALID_EVENT);
    HD_REQUIRE(hd_event_answer(event, param_name, &a), CL_INVALID_VALUE);
    if (param_name == CL_EVENT_COMMAND_EXECUTION_STATUS && event->queue != NULL &&
        hd_event_status(event) == CL_QUEUED && !hd_platform_is_forked())
        hd_queue_flush(event->queue);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetEventProfilingInfo(cl_event event,
                                                           cl_profiling_info param_name,
                                                           size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};
    cl_int code;

    HD_REQUIRE(hd_event_is(event), CL_INVALID_EVENT);
    code = hd_event_profile(event, param_name, &a);
    return code == CL_SUCCESS ? hd_answer_give(&a, room, value, size) : code;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainEvent(cl_event event)
{
    HD_TRACED;
    HD_REQUIRE(hd_event_is(event), CL_INVALID_EVENT);
    hd_object_retain(&event->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseEvent(cl_event event)
{
    HD_TRACED;
    HD_REQUIRE(hd_event_is(event) && hd_object_release(&event->object), CL_INVALID_EVENT);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetEventCallback(cl_event event, cl_int type,
                                                      void(CL_CALLBACK *pfn_notify)(cl_event,
                                                                                    cl_int, void *),
                                                      void *user_data)
{
    HD_TRACED;
    HD_REQUIRE(hd_event_is(event), CL_INVALID_EVENT);
    HD_REQUIRE(pfn_notify != NULL, CL_INVALID_VALUE);
    HD_REQUIRE(type == CL_SUBMITTED || type == CL_RUNNING || type == CL_COMPLETE, CL_INVALID_VALUE);
    return HD_ANSWER(hd_event_on_status(event, type, pfn_notify, user_data));
}
