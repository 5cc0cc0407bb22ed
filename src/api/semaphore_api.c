/* api/semaphore_api.c -- semaphores.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "api/entries.h"
#include "cl/semaphore.h"

/* Spec: OpenCL API, "Semaphores". */
CL_API_ENTRY cl_semaphore_khr CL_API_CALL hd_clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr *properties, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_semaphore_khr s;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    hd_api_set(errcode_ret, hd_semaphore_new(context, properties, &s));
    return s;
}

/* What a wait and a signal have in common. Payloads are for other types than binary ones. */
static cl_int check(cl_command_queue q, cl_uint count, const cl_semaphore_khr *semaphores,
                    const HdEnqueue *how)
{
    cl_int code;

    HD_REQUIRE(hd_queue_is(q), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(count > 0 && semaphores != NULL, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++) {
        HD_REQUIRE(hd_semaphore_is(semaphores[i]), CL_INVALID_SEMAPHORE_KHR);
        HD_REQUIRE(semaphores[i]->context == q->context, CL_INVALID_CONTEXT);
        HD_REQUIRE(semaphores[i]->device == q->device, CL_INVALID_COMMAND_QUEUE);
    }
    code = hd_queue_check_waits(q, how->waits);
    HD_REQUIRE(code == CL_SUCCESS, code);
    for (cl_uint i = 0; i < how->waits.count; i++)
        HD_REQUIRE(hd_event_status(how->waits.events[i]) >= 0,
                   CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueWaitSemaphoresKHR(
    cl_command_queue queue, cl_uint num_semaphores, const cl_semaphore_khr *semaphores,
    const cl_semaphore_payload_khr *payloads, cl_uint num_events, const cl_event *waits,
    cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = check(queue, num_semaphores, semaphores, &how);

    (void)payloads;
    if (code != CL_SUCCESS)
        return code;
    return HD_ANSWER(hd_semaphore_wait(queue, num_semaphores, semaphores, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueSignalSemaphoresKHR(
    cl_command_queue queue, cl_uint num_semaphores, const cl_semaphore_khr *semaphores,
    const cl_semaphore_payload_khr *payloads, cl_uint num_events, const cl_event *waits,
    cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = check(queue, num_semaphores, semaphores, &how);

    (void)payloads;
    if (code != CL_SUCCESS)
        return code;
    return HD_ANSWER(hd_semaphore_signal(queue, num_semaphores, semaphores, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetSemaphoreInfoKHR(cl_semaphore_khr semaphore,
                                                         cl_semaphore_info_khr param_name,
                                                         size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_semaphore_is(semaphore), CL_INVALID_SEMAPHORE_KHR);
    HD_REQUIRE(hd_semaphore_answer(semaphore, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainSemaphoreKHR(cl_semaphore_khr semaphore)
{
    HD_TRACED;
    HD_REQUIRE(hd_semaphore_is(semaphore), CL_INVALID_SEMAPHORE_KHR);
    hd_object_retain(&semaphore->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseSemaphoreKHR(cl_semaphore_khr semaphore)
{
    HD_TRACED;
    HD_REQUIRE(hd_semaphore_is(semaphore) && hd_object_release(&semaphore->object),
               CL_INVALID_SEMAPHORE_KHR);
    return CL_SUCCESS;
}

/* Spec: OpenCL API, "Exporting Semaphore External Handles". */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetSemaphoreHandleForTypeKHR(
    cl_semaphore_khr semaphore, cl_device_id device, cl_external_semaphore_handle_type_khr type,
    size_t room, void *handle, size_t *size)
{
    HD_TRACED;
    int fd;

    HD_REQUIRE(hd_semaphore_is(semaphore), CL_INVALID_SEMAPHORE_KHR);
    HD_REQUIRE(hd_device_is(device) && semaphore->device == device, CL_INVALID_DEVICE);
    HD_REQUIRE(semaphore->is_exportable && type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
               CL_INVALID_VALUE);
    HD_REQUIRE(handle == NULL || room >= sizeof fd, CL_INVALID_VALUE);
    if (size != NULL)
        *size = sizeof fd;
    if (handle == NULL)
        return CL_SUCCESS;
    fd = hd_semaphore_export(semaphore);
    HD_REQUIRE(fd >= 0, CL_OUT_OF_RESOURCES);
    memcpy(handle, &fd, sizeof fd);
    return CL_SUCCESS;
}
