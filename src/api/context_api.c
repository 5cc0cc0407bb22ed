/* api/context_api.c -- contexts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"

static cl_context create(const cl_context_properties *properties, cl_uint count,
                         const cl_device_id *devices, HdContextNotify *notify, void *user,
                         cl_int *errcode)
{
    cl_context c;

    hd_api_set(errcode, hd_context_new(properties, count, devices, notify, user, &c));
    return c;
}

/* Spec: OpenCL API, "Contexts". */
CL_API_ENTRY cl_context CL_API_CALL hd_clCreateContext(
    const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
    void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
    cl_int *errcode_ret)
{
    HD_TRACED;
    cl_int code = hd_context_check_properties(properties);

    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    HD_REQUIRE_OR_NULL(devices != NULL && num_devices > 0, CL_INVALID_VALUE, errcode_ret);
    HD_REQUIRE_OR_NULL(pfn_notify != NULL || user_data == NULL, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_devices; i++)
        HD_REQUIRE_OR_NULL(hd_device_is(devices[i]), CL_INVALID_DEVICE, errcode_ret);
    return create(properties, num_devices, devices, pfn_notify, user_data, errcode_ret);
}

CL_API_ENTRY cl_context CL_API_CALL hd_clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type device_type,
    void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *), void *user_data,
    cl_int *errcode_ret)
{
    HD_TRACED;
    cl_int code = hd_context_check_properties(properties);
    cl_device_id device;

    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    HD_REQUIRE_OR_NULL(pfn_notify != NULL || user_data == NULL, CL_INVALID_VALUE, errcode_ret);
    code = hd_clGetDeviceIDs(hd_platform_get(), device_type, 1, &device, NULL);
    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    return create(properties, 1, &device, pfn_notify, user_data, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainContext(cl_context context)
{
    HD_TRACED;
    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    hd_object_retain(&context->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseContext(cl_context context)
{
    HD_TRACED;
    HD_REQUIRE(hd_context_is(context) && hd_object_release(&context->object), CL_INVALID_CONTEXT);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetContextInfo(cl_context context, cl_context_info param_name,
                                                    size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    HD_REQUIRE(hd_context_answer(context, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetContextDestructorCallback(
    cl_context context, void(CL_CALLBACK *pfn_notify)(cl_context, void *), void *user_data)
{
    HD_TRACED;
    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    HD_REQUIRE(pfn_notify != NULL, CL_INVALID_VALUE);
    return HD_ANSWER(hd_context_on_gone(context, pfn_notify, user_data));
}
