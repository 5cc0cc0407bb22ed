/* api/usm_api.c -- unified shared memory. Host and device have one memory, so that the kinds differ
 * only in what queries report about them.
 *
 * Spec: cl_intel_unified_shared_memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/command.h"
#include "cl/kernel.h"
#include "cl/limits.h"
#include "cl/svm.h"

#define PLACEMENTS \
    (CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL)

/* The flags of a property list. */
static cl_int read_flags(const cl_mem_properties_intel *p, bool is_shared,
                         cl_mem_alloc_flags_intel *flags)
{
    bool has_flags = false;

    *flags = 0;
    for (; p != NULL && *p != 0; p += 2) {
        if (p[0] != CL_MEM_ALLOC_FLAGS_INTEL || has_flags)
            return CL_INVALID_PROPERTY;
        has_flags = true;
        *flags = p[1];
    }
    if ((*flags & ~(cl_mem_alloc_flags_intel)(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | PLACEMENTS)) != 0)
        return CL_INVALID_PROPERTY;
    if ((*flags & PLACEMENTS) != 0 && (!is_shared || (*flags & PLACEMENTS) == PLACEMENTS))
        return CL_INVALID_PROPERTY;
    return CL_SUCCESS;
}

/* What the three kinds share; the context and device have been checked. */
static void *allocate(cl_context c, cl_device_id device, cl_unified_shared_memory_type_intel type,
                      const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                      cl_int *errcode)
{
    HdAllocation is = {
        .size = size, .alignment = alignment, .usm_type = type, .usm_device = device};
    cl_int code = read_flags(properties, type == CL_MEM_TYPE_SHARED_INTEL, &is.usm_flags);
    void *at;

    /* More than the largest type, as the extension has it: hosts want pages (so does HIP's). */
    HD_REQUIRE_OR_NULL((alignment & (alignment - 1)) == 0 && alignment <= HD_USM_ALIGN,
                       CL_INVALID_VALUE, errcode);
    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode);
    HD_REQUIRE_OR_NULL(size > 0 && size <= c->devices[0]->max_alloc_bytes, CL_INVALID_BUFFER_SIZE,
                       errcode);
    at = hd_svm_take(c, is);
    hd_api_set(errcode, at != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);
    return at;
}

CL_API_ENTRY void *CL_API_CALL hd_clHostMemAllocINTEL(cl_context context,
                                                      const cl_mem_properties_intel *properties,
                                                      size_t size, cl_uint alignment,
                                                      cl_int *errcode_ret)
{
    HD_TRACED;
    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    return allocate(context, NULL, CL_MEM_TYPE_HOST_INTEL, properties, size, alignment,
                    errcode_ret);
}

CL_API_ENTRY void *CL_API_CALL hd_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                                        const cl_mem_properties_intel *properties,
                                                        size_t size, cl_uint alignment,
                                                        cl_int *errcode_ret)
{
    HD_TRACED;
    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL(hd_context_has(context, device), CL_INVALID_DEVICE, errcode_ret);
    return allocate(context, device, CL_MEM_TYPE_DEVICE_INTEL, properties, size, alignment,
                    errcode_ret);
}

CL_API_ENTRY void *CL_API_CALL hd_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                                        const cl_mem_properties_intel *properties,
                                                        size_t size, cl_uint alignment,
                                                        cl_int *errcode_ret)
{
    HD_TRACED;
    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL(device == NULL || hd_context_has(context, device), CL_INVALID_DEVICE,
                       errcode_ret);
    return allocate(context, device, CL_MEM_TYPE_SHARED_INTEL, properties, size, alignment,
                    errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clMemFreeINTEL(cl_context context, void *pointer)
{
    HD_TRACED;
    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    HD_REQUIRE(pointer == NULL || hd_svm_free_usm(context, pointer), CL_INVALID_VALUE);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clMemBlockingFreeINTEL(cl_context context, void *pointer)
{
    HD_TRACED;
    cl_int code;

    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    code = hd_queue_wait_all(context);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return hd_clMemFreeINTEL(context, pointer);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetMemAllocInfoINTEL(cl_context context, const void *pointer,
                                                          cl_mem_info_intel param_name, size_t room,
                                                          void *value, size_t *size)
{
    HD_TRACED;
    HdAllocation is = {0};
    HdAnswer a = {0};

    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    if (!hd_svm_find(context, pointer, &is) || is.usm_type == 0)
        is = (HdAllocation){.usm_type = CL_MEM_TYPE_UNKNOWN_INTEL};
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL: hd_answer_uint(&a, is.usm_type); break;
    case CL_MEM_ALLOC_BASE_PTR_INTEL: hd_answer_handle(&a, is.at); break;
    case CL_MEM_ALLOC_SIZE_INTEL: hd_answer_size(&a, is.size); break;
    case CL_MEM_ALLOC_DEVICE_INTEL: hd_answer_handle(&a, is.usm_device); break;
    case CL_MEM_ALLOC_FLAGS_INTEL: hd_answer_ulong(&a, is.usm_flags); break;
    default: return CL_INVALID_VALUE;
    }
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index,
                                                                 const void *value)
{
    HD_TRACED;
    return hd_clSetKernelArgSVMPointer(kernel, index, value);
}

/* ---- commands ----------------------------------------------------------------------------------
 */

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMemFillINTEL(cl_command_queue queue, void *pointer,
                                                         const void *pattern, size_t pattern_size,
                                                         size_t size, cl_uint num_events,
                                                         const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    return HD_ANSWER(hd_api_fill_memory(queue, CL_COMMAND_MEMFILL_INTEL, pointer, pattern,
                                        pattern_size, size, hd_api_how(num_events, waits, event)));
}

/* Of the extension's first versions. */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMemsetINTEL(cl_command_queue queue, void *pointer,
                                                        cl_int value, size_t size,
                                                        cl_uint num_events, const cl_event *waits,
                                                        cl_event *event)
{
    HD_TRACED;
    const unsigned char byte = (unsigned char)value;

    return hd_clEnqueueMemFillINTEL(queue, pointer, &byte, 1, size, num_events, waits, event);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking,
                                                        void *dst, const void *src, size_t size,
                                                        cl_uint num_events, const cl_event *waits,
                                                        cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);

    how.blocking = blocking != CL_FALSE;
    return HD_ANSWER(hd_api_copy_memory(queue, CL_COMMAND_MEMCPY_INTEL, dst, src, size, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMigrateMemINTEL(cl_command_queue queue,
                                                            const void *pointer, size_t size,
                                                            cl_mem_migration_flags flags,
                                                            cl_uint num_events,
                                                            const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    (void)pointer;
    (void)size;
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE((flags & ~known) == 0, CL_INVALID_VALUE);
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_MIGRATEMEM_INTEL, NULL, how));
}

/* The extension defines no advice but reserves numbers for it; 0 is none. */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMemAdviseINTEL(cl_command_queue queue,
                                                           const void *pointer, size_t size,
                                                           cl_mem_advice_intel advice,
                                                           cl_uint num_events,
                                                           const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_queue(queue, &how);

    (void)pointer;
    (void)size;
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(advice == 0 || (advice >= 0x4208 && advice <= 0x420F), CL_INVALID_VALUE);
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_MEMADVISE_INTEL, NULL, how));
}
