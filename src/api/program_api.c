/* api/program_api.c -- programs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/program.h"

/* Spec: OpenCL API, "Creating Program Objects". */
CL_API_ENTRY cl_program CL_API_CALL hd_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                                 const char **strings,
                                                                 const size_t *lengths,
                                                                 cl_int *errcode_ret)
{
    HD_TRACED;
    cl_program p = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL(count > 0 && strings != NULL, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < count; i++)
        HD_REQUIRE_OR_NULL(strings[i] != NULL, CL_INVALID_VALUE, errcode_ret);
    hd_api_set(errcode_ret, hd_program_new_source(context, count, strings, lengths, &p));
    return p;
}

CL_API_ENTRY cl_program CL_API_CALL hd_clCreateProgramWithIL(cl_context context, const void *il,
                                                             size_t length, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_program p = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL(il != NULL && length > 0, CL_INVALID_VALUE, errcode_ret);
    hd_api_set(errcode_ret, hd_program_new_il(context, il, length, &p));
    return p;
}

CL_API_ENTRY cl_program CL_API_CALL hd_clCreateProgramWithILKHR(cl_context context, const void *il,
                                                                size_t length, cl_int *errcode_ret)
{
    HD_TRACED;
    return hd_clCreateProgramWithIL(context, il, length, errcode_ret);
}

CL_API_ENTRY cl_program CL_API_CALL hd_clCreateProgramWithBinary(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_program p = NULL;
    cl_int code;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL(devices != NULL && num_devices > 0, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_devices; i++)
        HD_REQUIRE_OR_NULL(hd_context_has(context, devices[i]), CL_INVALID_DEVICE, errcode_ret);
    HD_REQUIRE_OR_NULL(lengths != NULL && binaries != NULL, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_devices; i++) {
        bool is_given = lengths[i] > 0 && binaries[i] != NULL;

        if (!is_given && binary_status != NULL)
            binary_status[i] = CL_INVALID_VALUE;
        HD_REQUIRE_OR_NULL(is_given, CL_INVALID_VALUE, errcode_ret);
    }
    code = hd_program_new_binary(context, (HdDeviceList){.count = num_devices, .at = devices},
                                 binaries[0], lengths[0], &p);
    for (cl_uint i = 0; binary_status != NULL && i < num_devices; i++)
        binary_status[i] = code == CL_INVALID_BINARY ? CL_INVALID_BINARY : CL_SUCCESS;
    hd_api_set(errcode_ret, code);
    return p;
}

/* There are no built-in kernels, so none of the names is one. */
CL_API_ENTRY cl_program CL_API_CALL hd_clCreateProgramWithBuiltInKernels(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const char *names,
    cl_int *errcode_ret)
{
    HD_TRACED;
    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL(devices != NULL && num_devices > 0, CL_INVALID_VALUE, errcode_ret);
    HD_REQUIRE_OR_NULL(names != NULL, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_devices; i++)
        HD_REQUIRE_OR_NULL(hd_context_has(context, devices[i]), CL_INVALID_DEVICE, errcode_ret);
    hd_api_set(errcode_ret, CL_INVALID_VALUE);
    return NULL;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainProgram(cl_program program)
{
    HD_TRACED;
    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    hd_object_retain(&program->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseProgram(cl_program program)
{
    HD_TRACED;
    HD_REQUIRE(hd_program_is(program) && hd_object_release(&program->object), CL_INVALID_PROGRAM);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data)
{
    HD_TRACED;
    (void)user_data;
    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    HD_REQUIRE(pfn_notify != NULL, CL_INVALID_VALUE);
    return CL_INVALID_OPERATION; /* no device has destructors; as the specification says for 3.0 */
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetProgramSpecializationConstant(cl_program program,
                                                                      cl_uint spec_id, size_t size,
                                                                      const void *value)
{
    HD_TRACED;
    HD_REQUIRE(hd_program_is(program) && program->kind == HD_PROGRAM_IL, CL_INVALID_PROGRAM);
    HD_REQUIRE(value != NULL, CL_INVALID_VALUE);
    return HD_ANSWER(hd_program_specialize(program, spec_id, size, value));
}

/* ---- building -------------------------------------------------------------------------------- */

/* Devices to build for. What is built serves the others of the program, too. */
static cl_int check_devices(cl_program p, cl_uint num_devices, const cl_device_id *devices)
{
    HD_REQUIRE((num_devices == 0) == (devices == NULL), CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_devices; i++)
        HD_REQUIRE(hd_program_is_for(p, devices[i]), CL_INVALID_DEVICE);
    return CL_SUCCESS;
}

static cl_build_status build_status(cl_program p)
{
    cl_build_status status;

    pthread_mutex_lock(&p->lock);
    status = p->status;
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* Spec: OpenCL API, "Building Program Executables". The build is done when the call returns. */
CL_API_ENTRY cl_int CL_API_CALL hd_clBuildProgram(cl_program program, cl_uint num_devices,
                                                  const cl_device_id *devices, const char *options,
                                                  void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                                  void *user_data)
{
    HD_TRACED;
    cl_int code;

    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    code = check_devices(program, num_devices, devices);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(pfn_notify != NULL || user_data == NULL, CL_INVALID_VALUE);
    HD_REQUIRE(program->kind != HD_PROGRAM_BINARY ||
                   program->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
               CL_INVALID_BINARY);
    HD_REQUIRE(build_status(program) != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
    HD_REQUIRE(program->kind != HD_PROGRAM_SOURCE || hd_device_get()->has_compiler,
               CL_COMPILER_NOT_AVAILABLE);
    HD_REQUIRE(atomic_load(&program->kernels) == 0, CL_INVALID_OPERATION);
    HD_REQUIRE(program->kind != HD_PROGRAM_LINKED, CL_INVALID_OPERATION);
    code = hd_program_build(program, options);
    if (pfn_notify != NULL)
        pfn_notify(program, user_data);
    return HD_ANSWER(code);
}

/* Spec: OpenCL API, "Separate Compilation of Programs". */
CL_API_ENTRY cl_int CL_API_CALL hd_clCompileProgram(
    cl_program program, cl_uint num_devices, const cl_device_id *devices, const char *options,
    cl_uint num_headers, const cl_program *headers, const char **names,
    void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data)
{
    HD_TRACED;
    cl_int code;

    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    code = check_devices(program, num_devices, devices);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE((num_headers == 0) == (headers == NULL) && (num_headers == 0) == (names == NULL),
               CL_INVALID_VALUE);
    HD_REQUIRE(pfn_notify != NULL || user_data == NULL, CL_INVALID_VALUE);
    HD_REQUIRE(program->kind == HD_PROGRAM_SOURCE || program->kind == HD_PROGRAM_IL,
               CL_INVALID_OPERATION);
    HD_REQUIRE(build_status(program) != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
    HD_REQUIRE(program->kind != HD_PROGRAM_SOURCE || hd_device_get()->has_compiler,
               CL_COMPILER_NOT_AVAILABLE);
    HD_REQUIRE(atomic_load(&program->kernels) == 0, CL_INVALID_OPERATION);
    for (cl_uint i = 0; i < num_headers; i++) {
        HD_REQUIRE(hd_program_is(headers[i]) && headers[i]->kind == HD_PROGRAM_SOURCE &&
                       names[i] != NULL,
                   CL_INVALID_VALUE);
        HD_REQUIRE(headers[i]->context == program->context, CL_INVALID_CONTEXT);
    }
    code = hd_program_compile(program, options, num_headers, headers, names);
    if (pfn_notify != NULL)
        pfn_notify(program, user_data);
    return HD_ANSWER(code);
}

/* Spec: OpenCL API, "Separate Linking". With invalid options there is no program; the callback is
 * given one all the same, because its log says which option it is. */
CL_API_ENTRY cl_program CL_API_CALL hd_clLinkProgram(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const char *options,
    cl_uint num_inputs, const cl_program *inputs, void(CL_CALLBACK *pfn_notify)(cl_program, void *),
    void *user_data, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_program p;
    cl_int code;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    HD_REQUIRE_OR_NULL((num_devices == 0) == (devices == NULL), CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_devices; i++)
        HD_REQUIRE_OR_NULL(hd_context_has(context, devices[i]), CL_INVALID_DEVICE, errcode_ret);
    HD_REQUIRE_OR_NULL(num_inputs > 0 && inputs != NULL, CL_INVALID_VALUE, errcode_ret);
    HD_REQUIRE_OR_NULL(pfn_notify != NULL || user_data == NULL, CL_INVALID_VALUE, errcode_ret);
    for (cl_uint i = 0; i < num_inputs; i++) {
        HD_REQUIRE_OR_NULL(hd_program_is(inputs[i]), CL_INVALID_PROGRAM, errcode_ret);
        HD_REQUIRE_OR_NULL(inputs[i]->context == context, CL_INVALID_CONTEXT, errcode_ret);
    }
    for (cl_uint i = 0; i < num_inputs; i++)
        HD_REQUIRE_OR_NULL(inputs[i]->binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                               inputs[i]->binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY,
                           CL_INVALID_OPERATION, errcode_ret);
    code = hd_program_link(context, (HdDeviceList){.count = num_devices, .at = devices}, options,
                           num_inputs, inputs, &p);
    hd_api_set(errcode_ret, code);
    if (pfn_notify != NULL && p != NULL)
        pfn_notify(p, user_data);
    if (code == CL_INVALID_LINKER_OPTIONS) {
        hd_object_release(&p->object);
        return NULL;
    }
    return p;
}

/* Spec: OpenCL API, "Program Object Queries". */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetProgramInfo(cl_program program, cl_program_info param_name,
                                                    size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    return HD_ANSWER(hd_program_info(program, param_name, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                         cl_program_build_info param_name,
                                                         size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    HD_REQUIRE(hd_program_is_for(program, device), CL_INVALID_DEVICE);
    return HD_ANSWER(hd_program_build_info(program, param_name, room, value, size));
}
