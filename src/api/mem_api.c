/* api/mem_api.c -- buffers: creation, queries, release.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/limits.h"
#include "cl/mem.h"

/* Spec: OpenCL API, "Creating Buffer Objects". */
CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateBufferWithProperties(cl_context context,
                                                                const cl_mem_properties *properties,
                                                                cl_mem_flags flags, size_t size,
                                                                void *host_ptr, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_mem m = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    hd_api_set(errcode_ret, hd_mem_new(context, properties, flags, size, host_ptr, &m));
    return m;
}

/* Of OpenCL 1 and 2: cl_intel_create_buffer_with_properties. */
CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateBufferWithPropertiesINTEL(
    cl_context context, const cl_mem_properties_intel *properties, cl_mem_flags flags, size_t size,
    void *host_ptr, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_int code = CL_INVALID_CONTEXT;
    cl_mem m = NULL;

    if (hd_context_is(context))
        code = hd_mem_new(context, properties, flags, size, host_ptr, &m);
    hd_api_set(errcode_ret, code == CL_INVALID_PROPERTY ? CL_INVALID_VALUE : code);
    return m;
}

CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateBuffer(cl_context context, cl_mem_flags flags,
                                                  size_t size, void *host_ptr, cl_int *errcode_ret)
{
    HD_TRACED;
    return hd_clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                     cl_buffer_create_type type, const void *info,
                                                     cl_int *errcode_ret)
{
    HD_TRACED;
    cl_mem m = NULL;

    HD_REQUIRE_OR_NULL(hd_buffer_is(buffer) && buffer->parent == NULL, CL_INVALID_MEM_OBJECT,
                       errcode_ret);
    HD_REQUIRE_OR_NULL(type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE, errcode_ret);
    HD_REQUIRE_OR_NULL(info != NULL, CL_INVALID_VALUE, errcode_ret);
    hd_api_set(errcode_ret, hd_mem_new_sub(buffer, flags, info, &m));
    return m;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainMemObject(cl_mem mem)
{
    HD_TRACED;
    HD_REQUIRE(hd_mem_is(mem), CL_INVALID_MEM_OBJECT);
    hd_object_retain(&mem->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseMemObject(cl_mem mem)
{
    HD_TRACED;
    HD_REQUIRE(hd_mem_is(mem) && hd_object_release(&mem->object), CL_INVALID_MEM_OBJECT);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetMemObjectInfo(cl_mem mem, cl_mem_info param_name,
                                                      size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_mem_is(mem), CL_INVALID_MEM_OBJECT);
    HD_REQUIRE(param_name != HD_CL_MEM_DEVICE_ADDRESS_EXT || mem->addresses != NULL,
               CL_INVALID_OPERATION);
    HD_REQUIRE(hd_mem_answer(mem, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetMemObjectDestructorCallback(
    cl_mem mem, void(CL_CALLBACK *pfn_notify)(cl_mem, void *), void *user_data)
{
    HD_TRACED;
    HD_REQUIRE(hd_mem_is(mem), CL_INVALID_MEM_OBJECT);
    HD_REQUIRE(pfn_notify != NULL, CL_INVALID_VALUE);
    return HD_ANSWER(hd_mem_on_gone(mem, pfn_notify, user_data));
}
