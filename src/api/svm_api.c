/* api/svm_api.c -- shared virtual memory. Every host pointer is valid on the device.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/command.h"
#include "cl/mem.h"
#include "cl/svm.h"

/* Spec: OpenCL API, "Allocating and Freeing SVM Memory". */
CL_API_ENTRY void *CL_API_CALL hd_clSVMAlloc(cl_context context, cl_svm_mem_flags flags,
                                             size_t size, cl_uint alignment)
{
    HD_TRACED;
    return hd_context_is(context) ? hd_svm_alloc(context, flags, size, alignment) : NULL;
}

CL_API_ENTRY void CL_API_CALL hd_clSVMFree(cl_context context, void *pointer)
{
    HD_TRACED;
    if (hd_context_is(context) && pointer != NULL)
        hd_svm_free(context, pointer);
}

CL_API_ENTRY cl_int CL_API_CALL
hd_clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *pointers[],
                    void(CL_CALLBACK *pfn_free)(cl_command_queue, cl_uint, void *[], void *),
                    void *user_data, cl_uint num_events, const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code;

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE((count == 0) == (pointers == NULL), CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++)
        HD_REQUIRE(pointers[i] != NULL, CL_INVALID_VALUE);
    code = hd_queue_check_waits(queue, how.waits);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return HD_ANSWER(hd_command_svm_free(queue, count, pointers, pfn_free, user_data, how));
}

/* Spec: OpenCL API, "Enqueuing SVM Operations". */
cl_int hd_api_copy_memory(cl_command_queue q, cl_command_type type, void *dst, const void *src,
                          size_t size, HdEnqueue how)
{
    HdCopy copy = hd_copy_linear(dst, src, size);
    cl_int code = hd_api_check_queue(q, &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(dst != NULL && src != NULL, CL_INVALID_VALUE);
    HD_REQUIRE(!hd_copies_overlap(dst, src, size), CL_MEM_COPY_OVERLAP);
    return hd_command_copy(q, type, &copy, NULL, NULL, how);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking,
                                                      void *dst, const void *src, size_t size,
                                                      cl_uint num_events, const cl_event *waits,
                                                      cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);

    how.blocking = blocking != CL_FALSE;
    return HD_ANSWER(hd_api_copy_memory(queue, CL_COMMAND_SVM_MEMCPY, dst, src, size, how));
}

cl_int hd_api_fill_memory(cl_command_queue q, cl_command_type type, void *to, const void *pattern,
                          size_t pattern_size, size_t size, HdEnqueue how)
{
    cl_int code = hd_api_check_queue(q, &how);
    HdFill fill;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_fill_pattern_is_fine(pattern, pattern_size), CL_INVALID_VALUE);
    HD_REQUIRE(to != NULL && (uintptr_t)to % pattern_size == 0, CL_INVALID_VALUE);
    HD_REQUIRE(size % pattern_size == 0, CL_INVALID_VALUE);
    fill = hd_fill_linear(to, size, pattern, pattern_size);
    return hd_command_fill(q, type, &fill, NULL, how);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueSVMMemFill(cl_command_queue queue, void *pointer,
                                                       const void *pattern, size_t pattern_size,
                                                       size_t size, cl_uint num_events,
                                                       const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    return HD_ANSWER(hd_api_fill_memory(queue, CL_COMMAND_SVM_MEMFILL, pointer, pattern,
                                        pattern_size, size, hd_api_how(num_events, waits, event)));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking,
                                                   cl_map_flags flags, void *pointer, size_t size,
                                                   cl_uint num_events, const cl_event *waits,
                                                   cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(pointer != NULL && size > 0, CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_map_flags_are_fine(flags), CL_INVALID_VALUE);
    how.blocking = blocking != CL_FALSE;
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_SVM_MAP, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueSVMUnmap(cl_command_queue queue, void *pointer,
                                                     cl_uint num_events, const cl_event *waits,
                                                     cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(pointer != NULL, CL_INVALID_VALUE);
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_SVM_UNMAP, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueSVMMigrateMem(
    cl_command_queue queue, cl_uint count, const void **pointers, const size_t *sizes,
    cl_mem_migration_flags flags, cl_uint num_events, const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(count > 0 && pointers != NULL, CL_INVALID_VALUE);
    HD_REQUIRE((flags & ~known) == 0, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++) { /* allocations of the context only */
        HdAllocation is;

        HD_REQUIRE(hd_svm_find(queue->context, pointers[i], &is), CL_INVALID_VALUE);
        HD_REQUIRE(sizes == NULL || hd_svm_rest(&is, pointers[i]) >= sizes[i], CL_INVALID_VALUE);
    }
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_SVM_MIGRATE_MEM, NULL, how));
}
