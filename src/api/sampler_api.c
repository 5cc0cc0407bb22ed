/* api/sampler_api.c -- samplers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/sampler.h"

/* Spec: OpenCL API, "Creating Sampler Objects". CL_INVALID_OPERATION (no images) cannot occur. */
CL_API_ENTRY cl_sampler CL_API_CALL hd_clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties *properties, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_sampler s = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    hd_api_set(errcode_ret, hd_sampler_new(context, properties, &s));
    return s;
}

CL_API_ENTRY cl_sampler CL_API_CALL hd_clCreateSampler(cl_context context, cl_bool normalized,
                                                       cl_addressing_mode addressing,
                                                       cl_filter_mode filter, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_sampler s = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    hd_api_set(errcode_ret, hd_sampler_new_plain(context, normalized, addressing, filter, &s));
    return s;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainSampler(cl_sampler sampler)
{
    HD_TRACED;
    HD_REQUIRE(hd_sampler_is(sampler), CL_INVALID_SAMPLER);
    hd_object_retain(&sampler->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseSampler(cl_sampler sampler)
{
    HD_TRACED;
    HD_REQUIRE(hd_sampler_is(sampler) && hd_object_release(&sampler->object), CL_INVALID_SAMPLER);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                                    size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_sampler_is(sampler), CL_INVALID_SAMPLER);
    HD_REQUIRE(hd_sampler_answer(sampler, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}
