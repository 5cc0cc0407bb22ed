/* api/command_buffer_api.c -- command buffers, and mutable commands.
 *
 * A recording function checks the parameters that its namesake clEnqueue… does not have, and calls
 * that for the buffer's recorder.
 *
 * Spec: OpenCL API, "Command-Buffers".
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/command_buffer.h"
#include "cl/mutable.h"

CL_API_ENTRY HdCommandBuffer CL_API_CALL
hd_clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                            const cl_properties *properties, cl_int *errcode_ret)
{
    HD_TRACED;
    HdCommandBuffer b = NULL;

    HD_REQUIRE_OR_NULL(num_queues > 0 && queues != NULL, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_queues; i++)
        HD_REQUIRE_OR_NULL(hd_queue_is(queues[i]), CL_INVALID_COMMAND_QUEUE, errcode_ret);
    for (cl_uint i = 1; i < num_queues; i++)
        HD_REQUIRE_OR_NULL(queues[i]->context == queues[0]->context, CL_INVALID_CONTEXT,
                           errcode_ret);
    hd_api_set(errcode_ret, hd_command_buffer_new(num_queues, queues, properties, &b));
    return b;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clFinalizeCommandBufferKHR(HdCommandBuffer buffer)
{
    HD_TRACED;
    HD_REQUIRE(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER);
    return HD_ANSWER(hd_command_buffer_finalize(buffer));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainCommandBufferKHR(HdCommandBuffer buffer)
{
    HD_TRACED;
    HD_REQUIRE(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER);
    hd_object_retain(&buffer->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseCommandBufferKHR(HdCommandBuffer buffer)
{
    HD_TRACED;
    HD_REQUIRE(hd_command_buffer_is(buffer) && hd_object_release(&buffer->object),
               HD_CL_INVALID_COMMAND_BUFFER);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetCommandBufferInfoKHR(HdCommandBuffer buffer, cl_uint query,
                                                             size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER);
    HD_REQUIRE(hd_command_buffer_answer(buffer, query, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueCommandBufferKHR(cl_uint num_queues,
                                                             cl_command_queue *queues,
                                                             HdCommandBuffer buffer,
                                                             cl_uint num_events,
                                                             const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code;

    HD_REQUIRE(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER);
    HD_REQUIRE((num_queues == 0) == (queues == NULL), CL_INVALID_VALUE);
    HD_REQUIRE(num_queues == 0 || num_queues == buffer->queue_count, CL_INVALID_VALUE);
    /* Queues of any properties will do. */
    for (cl_uint i = 0; i < num_queues; i++) {
        HD_REQUIRE(hd_queue_is(queues[i]), CL_INVALID_COMMAND_QUEUE);
        HD_REQUIRE(queues[i]->device == buffer->queues[i]->device, CL_INVALID_DEVICE);
        HD_REQUIRE(queues[i]->context == hd_command_buffer_context(buffer), CL_INVALID_CONTEXT);
    }
    code = hd_queue_check_waits(buffer->queues[0], how.waits);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return HD_ANSWER(
        hd_command_buffer_enqueue(buffer, queues != NULL ? queues : buffer->queues, how));
}

CL_API_ENTRY HdCommandBuffer CL_API_CALL hd_clRemapCommandBufferKHR(
    HdCommandBuffer buffer, cl_bool automatic, cl_uint num_queues, const cl_command_queue *queues,
    cl_uint num_handles, const HdMutableCommand *handles, HdMutableCommand *handles_ret,
    cl_int *errcode_ret)
{
    HD_TRACED;
    HdCommandBuffer b = NULL;

    HD_REQUIRE_OR_NULL(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER, errcode_ret);
    HD_REQUIRE_OR_NULL(num_queues > 0 && queues != NULL, CL_INVALID_VALUE, errcode_ret);
    HD_REQUIRE_OR_NULL(automatic != CL_FALSE || num_queues == buffer->queue_count, CL_INVALID_VALUE,
                       errcode_ret);
    HD_REQUIRE_OR_NULL((num_handles == 0) == (handles == NULL) &&
                           (num_handles == 0) == (handles_ret == NULL),
                       CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_handles; i++)
        HD_REQUIRE_OR_NULL(hd_mutable_command_is(handles[i]) && handles[i]->buffer == buffer,
                           CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_queues; i++) {
        HD_REQUIRE_OR_NULL(hd_queue_is(queues[i]), CL_INVALID_COMMAND_QUEUE, errcode_ret);
        HD_REQUIRE_OR_NULL(queues[i]->context == hd_command_buffer_context(buffer),
                           CL_INVALID_CONTEXT, errcode_ret);
    }
    hd_api_set(errcode_ret, hd_command_buffer_remap(buffer, automatic != CL_FALSE, num_queues,
                                                    queues, num_handles, handles, handles_ret, &b));
    return b;
}

/* ---- recording ------------------------------------------------------------------------------- */

/* What all recording functions but that of kernels check, and a place for the command. */
static cl_int begin(HD_RECORD_FIRST, cl_uint num_points, const HdSyncPoint *points,
                    const HdMutableCommand *handle, cl_event *made)
{
    cl_uint place;
    cl_int code;

    if (!hd_command_buffer_is(buffer))
        return HD_CL_INVALID_COMMAND_BUFFER;
    code = hd_command_buffer_place(buffer, queue, &place);
    if (code != CL_SUCCESS)
        return code;
    if ((properties != NULL && properties[0] != 0) || handle != NULL)
        return CL_INVALID_VALUE;
    return hd_command_buffer_begin(buffer, place, num_points, points, made);
}

/* Record what a clEnqueue…, which has no event to wait for and to give, makes for the recorder. */
#define RECORD(enqueue, ...)                                                               \
    do {                                                                                   \
        cl_event made;                                                                     \
        cl_int code = begin(buffer, queue, properties, num_points, points, handle, &made); \
                                                                                           \
        HD_REQUIRE(code == CL_SUCCESS, code);                                              \
        return hd_command_buffer_end(                                                      \
            buffer, enqueue(buffer->recorder, __VA_ARGS__, 0, NULL, NULL), point);         \
    } while (0)

/* Commands run in the order in which they were recorded, so that nothing is left to do. */
CL_API_ENTRY cl_int CL_API_CALL hd_clCommandBarrierWithWaitListKHR(HD_RECORD_FIRST, HD_RECORD_LAST)
{
    HD_TRACED;
    cl_event made;
    cl_int code = begin(buffer, queue, properties, num_points, points, handle, &made);

    HD_REQUIRE(code == CL_SUCCESS, code);
    code = hd_clEnqueueBarrierWithWaitList(buffer->recorder, 0, NULL, NULL);
    return hd_command_buffer_end(buffer, code, point);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandCopyBufferKHR(HD_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                          size_t src_offset, size_t dst_offset,
                                                          size_t size, HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueCopyBuffer, src, dst, src_offset, dst_offset, size);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandCopyBufferRectKHR(HD_RECORD_FIRST, cl_mem src,
                                                              cl_mem dst, const size_t *src_origin,
                                                              const size_t *dst_origin,
                                                              const size_t *region, size_t src_row,
                                                              size_t src_slice, size_t dst_row,
                                                              size_t dst_slice, HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueCopyBufferRect, src, dst, src_origin, dst_origin, region, src_row, src_slice,
           dst_row, dst_slice);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandCopyBufferToImageKHR(HD_RECORD_FIRST, cl_mem src,
                                                                 cl_mem dst, size_t offset,
                                                                 const size_t *origin,
                                                                 const size_t *region,
                                                                 HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueCopyBufferToImage, src, dst, offset, origin, region);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandCopyImageKHR(HD_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                         const size_t *src_origin,
                                                         const size_t *dst_origin,
                                                         const size_t *region, HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueCopyImage, src, dst, src_origin, dst_origin, region);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandCopyImageToBufferKHR(HD_RECORD_FIRST, cl_mem src,
                                                                 cl_mem dst, const size_t *origin,
                                                                 const size_t *region,
                                                                 size_t offset, HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueCopyImageToBuffer, src, dst, origin, region, offset);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandFillBufferKHR(HD_RECORD_FIRST, cl_mem mem,
                                                          const void *pattern, size_t pattern_size,
                                                          size_t offset, size_t size,
                                                          HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueFillBuffer, mem, pattern, pattern_size, offset, size);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandFillImageKHR(HD_RECORD_FIRST, cl_mem image,
                                                         const void *colour, const size_t *origin,
                                                         const size_t *region, HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueFillImage, image, colour, origin, region);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandSVMMemcpyKHR(HD_RECORD_FIRST, void *dst,
                                                         const void *src, size_t size,
                                                         HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueSVMMemcpy, CL_FALSE, dst, src, size);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandSVMMemFillKHR(HD_RECORD_FIRST, void *pointer,
                                                          const void *pattern, size_t pattern_size,
                                                          size_t size, HD_RECORD_LAST)
{
    HD_TRACED;
    RECORD(hd_clEnqueueSVMMemFill, pointer, pattern, pattern_size, size);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCommandNDRangeKernelKHR(HD_RECORD_FIRST, cl_kernel kernel,
                                                             cl_uint work_dim, const size_t *offset,
                                                             const size_t *global,
                                                             const size_t *local, HD_RECORD_LAST)
{
    HD_TRACED;
    HdRange r = {.work_dim = work_dim, .offset = offset, .global = global, .local = local};
    cl_uint place;
    cl_int code;

    HD_REQUIRE(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER);
    code = hd_command_buffer_place(buffer, queue, &place);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    return HD_ANSWER(hd_command_buffer_record_kernel(buffer, place, properties, kernel, &r,
                                                     num_points, points, point, handle));
}

/* ---- mutable commands ------------------------------------------------------------------------ */

CL_API_ENTRY cl_int CL_API_CALL hd_clUpdateMutableCommandsKHR(HdCommandBuffer buffer,
                                                              cl_uint num_configs,
                                                              const cl_uint *config_types,
                                                              const void **configs)
{
    HD_TRACED;
    HD_REQUIRE(hd_command_buffer_is(buffer), HD_CL_INVALID_COMMAND_BUFFER);
    HD_REQUIRE((num_configs == 0) == (config_types == NULL) &&
                   (num_configs == 0) == (configs == NULL),
               CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_configs; i++)
        HD_REQUIRE(config_types[i] == HD_CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG &&
                       configs[i] != NULL,
                   CL_INVALID_VALUE);
    return HD_ANSWER(hd_mutable_update(buffer, num_configs, configs));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetMutableCommandInfoKHR(HdMutableCommand command,
                                                              cl_uint query, size_t room,
                                                              void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_mutable_command_is(command), HD_CL_INVALID_MUTABLE_COMMAND);
    HD_REQUIRE(hd_mutable_answer(command, query, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}
