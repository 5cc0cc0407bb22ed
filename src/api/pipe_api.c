/* api/pipe_api.c -- pipes: creation, queries.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/pipe.h"

/* Spec: OpenCL API, "Creating Pipe Objects". CL_INVALID_OPERATION (no pipes) cannot occur. */
CL_API_ENTRY cl_mem CL_API_CALL hd_clCreatePipe(cl_context context, cl_mem_flags flags,
                                                cl_uint packet_size, cl_uint max_packets,
                                                const cl_pipe_properties *properties,
                                                cl_int *errcode_ret)
{
    HD_TRACED;
    cl_mem m = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    hd_api_set(errcode_ret, hd_pipe_new(context, flags, packet_size, max_packets, properties, &m));
    return m;
}

/* Spec: OpenCL API, "Pipe Object Queries". */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t room,
                                                 void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_pipe_is(pipe), CL_INVALID_MEM_OBJECT);
    HD_REQUIRE(hd_pipe_answer(pipe, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}
