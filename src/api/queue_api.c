/* api/queue_api.c -- command queues, markers and barriers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/command.h"
#include "cl/device_queue.h"

static cl_command_queue create(cl_context context, cl_device_id device,
                               const cl_queue_properties *properties, cl_int *errcode)
{
    cl_command_queue q = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode);
    HD_REQUIRE_OR_NULL(hd_context_has(context, device), CL_INVALID_DEVICE, errcode);
    hd_api_set(errcode, hd_queue_new(context, device, properties, &q));
    return q;
}

/* Spec: OpenCL API, "Command-Queues". */
CL_API_ENTRY cl_command_queue CL_API_CALL
hd_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                      const cl_queue_properties *properties, cl_int *errcode_ret)
{
    HD_TRACED;
    return create(context, device, properties, errcode_ret);
}

CL_API_ENTRY cl_command_queue CL_API_CALL hd_clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
    cl_int *errcode_ret)
{
    HD_TRACED;
    return create(context, device, (const cl_queue_properties *)properties, errcode_ret);
}

CL_API_ENTRY cl_command_queue CL_API_CALL
hd_clCreateCommandQueue(cl_context context, cl_device_id device,
                        cl_command_queue_properties properties, cl_int *errcode_ret)
{
    HD_TRACED;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_command_queue q = create(context, device, list, errcode_ret);

    if (q != NULL)
        q->property_count = 0; /* CL_QUEUE_PROPERTIES_ARRAY is for the other function's queues */
    return q;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainCommandQueue(cl_command_queue queue)
{
    HD_TRACED;
    HD_REQUIRE(hd_queue_is_any(queue), CL_INVALID_COMMAND_QUEUE);
    hd_object_retain(&queue->object);
    return CL_SUCCESS;
}

/* Releasing flushes. */
CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseCommandQueue(cl_command_queue queue)
{
    HD_TRACED;
    HD_REQUIRE(hd_queue_is_any(queue), CL_INVALID_COMMAND_QUEUE);
    if (hd_queue_is(queue))
        hd_queue_flush(queue);
    HD_REQUIRE(hd_object_release(&queue->object), CL_INVALID_COMMAND_QUEUE);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetCommandQueueInfo(cl_command_queue queue,
                                                         cl_command_queue_info param_name,
                                                         size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_queue_is_any(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(param_name != CL_QUEUE_SIZE || hd_queue_is_on_device(queue),
               CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(hd_queue_answer(queue, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

/* Deprecated since 1.1, which allows to refuse. */
CL_API_ENTRY cl_int CL_API_CALL
hd_clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                             cl_bool enable, cl_command_queue_properties *old_properties)
{
    HD_TRACED;
    (void)properties;
    (void)enable;
    (void)old_properties;
    return hd_queue_is(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetDefaultDeviceCommandQueue(cl_context context,
                                                                  cl_device_id device,
                                                                  cl_command_queue queue)
{
    HD_TRACED;
    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    HD_REQUIRE(hd_context_has(context, device), CL_INVALID_DEVICE);
    HD_REQUIRE(hd_queue_is_on_device(queue) && queue->context == context && queue->device == device,
               CL_INVALID_COMMAND_QUEUE);
    hd_device_queue_set_default(queue);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clFlush(cl_command_queue queue)
{
    HD_TRACED;
    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(!hd_platform_is_forked(), CL_OUT_OF_RESOURCES);
    hd_queue_flush(queue);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clFinish(cl_command_queue queue)
{
    HD_TRACED;
    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(!hd_platform_is_forked(), CL_OUT_OF_RESOURCES);
    return HD_ANSWER(hd_queue_finish(queue));
}

/* Spec: OpenCL API, "Markers, Barriers and Waiting for Events". */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMarkerWithWaitList(cl_command_queue queue,
                                                               cl_uint num_events,
                                                               const cl_event *waits,
                                                               cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    how.after_all = num_events == 0;
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_MARKER, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueBarrierWithWaitList(cl_command_queue queue,
                                                                cl_uint num_events,
                                                                const cl_event *waits,
                                                                cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    how.after_all = num_events == 0;
    return HD_ANSWER(hd_command_barrier(queue, CL_COMMAND_BARRIER, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    HD_TRACED;
    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(event != NULL, CL_INVALID_VALUE);
    return hd_clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueBarrier(cl_command_queue queue)
{
    HD_TRACED;
    return hd_clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueWaitForEvents(cl_command_queue queue,
                                                          cl_uint num_events, const cl_event *waits)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, NULL);
    cl_int code;

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(num_events > 0 && waits != NULL, CL_INVALID_VALUE);
    code = hd_queue_check_waits(queue, how.waits);
    HD_REQUIRE(code != CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_EVENT);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return HD_ANSWER(hd_command_barrier(queue, CL_COMMAND_BARRIER, how));
}
