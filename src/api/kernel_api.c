/* api/kernel_api.c -- kernels: creation, arguments, queries, enqueuing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/command.h"
#include "cl/kernel.h"
#include "cl/limits.h"
#include "cl/precompile.h"

/* Spec: OpenCL API, "Creating Kernel Objects". */
CL_API_ENTRY cl_kernel CL_API_CALL hd_clCreateKernel(cl_program program, const char *name,
                                                     cl_int *errcode_ret)
{
    HD_TRACED;
    HdExecutable *x;
    cl_kernel k = NULL;

    HD_REQUIRE_OR_NULL(hd_program_is(program), CL_INVALID_PROGRAM, errcode_ret);
    x = hd_program_executable(program);
    HD_REQUIRE_OR_NULL(x != NULL, CL_INVALID_PROGRAM_EXECUTABLE, errcode_ret);
    hd_executable_drop(x);
    HD_REQUIRE_OR_NULL(name != NULL, CL_INVALID_VALUE, errcode_ret);
    hd_api_set(errcode_ret, hd_kernel_new(program, name, &k));
    return k;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                                            cl_kernel *kernels,
                                                            cl_uint *num_kernels_ret)
{
    HD_TRACED;
    const HdBuildLayout *layout;
    HdExecutable *x;
    cl_int code = CL_SUCCESS;

    HD_REQUIRE(hd_program_is(program), CL_INVALID_PROGRAM);
    x = hd_program_executable(program);
    HD_REQUIRE(x != NULL, CL_INVALID_PROGRAM_EXECUTABLE);
    layout = hd_program_layout(x->program);
    if (kernels != NULL && num_kernels < layout->kernel_count)
        code = CL_INVALID_VALUE;
    if (kernels != NULL && code == CL_SUCCESS)
        hd_precompile_expect(x);
    for (uint32_t i = 0; kernels != NULL && code == CL_SUCCESS && i < layout->kernel_count; i++) {
        code = hd_kernel_new(program, layout->kernels[i].name, &kernels[i]);
        while (code != CL_SUCCESS && i > 0)
            hd_object_release(&kernels[--i]->object);
    }
    if (code == CL_SUCCESS && num_kernels_ret != NULL)
        *num_kernels_ret = layout->kernel_count;
    hd_executable_drop(x);
    return code;
}

CL_API_ENTRY cl_kernel CL_API_CALL hd_clCloneKernel(cl_kernel source, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_kernel k = NULL;

    HD_REQUIRE_OR_NULL(hd_kernel_is(source), CL_INVALID_KERNEL, errcode_ret);
    hd_api_set(errcode_ret, hd_kernel_clone(source, &k));
    return k;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clRetainKernel(cl_kernel kernel)
{
    HD_TRACED;
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    hd_object_retain(&kernel->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseKernel(cl_kernel kernel)
{
    HD_TRACED;
    HD_REQUIRE(hd_kernel_is(kernel) && hd_object_release(&kernel->object), CL_INVALID_KERNEL);
    return CL_SUCCESS;
}

/* Spec: OpenCL API, "Setting Kernel Arguments". */
CL_API_ENTRY cl_int CL_API_CALL hd_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                                  const void *value)
{
    HD_TRACED;
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(index < kernel->info->arg_count, CL_INVALID_ARG_INDEX);
    return HD_ANSWER(hd_kernel_set_arg(kernel, index, size, value));
}

/* CL_INVALID_OPERATION (no SVM) cannot occur. */
CL_API_ENTRY cl_int CL_API_CALL hd_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index,
                                                            const void *value)
{
    HD_TRACED;
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(index < kernel->info->arg_count, CL_INVALID_ARG_INDEX);
    HD_REQUIRE(hd_kernel_arg_is_pointer(kernel, index), CL_INVALID_ARG_VALUE);
    return HD_ANSWER(hd_kernel_set_svm(kernel, index, value));
}

/* Spec: cl_ext_buffer_device_address. Any address is fine that the kernel does not follow. */
CL_API_ENTRY cl_int CL_API_CALL hd_clSetKernelArgDevicePointerEXT(
    cl_kernel kernel, cl_uint index, hd_cl_mem_device_address_ext value)
{
    HD_TRACED;
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(index < kernel->info->arg_count, CL_INVALID_ARG_INDEX);
    HD_REQUIRE(kernel->info->args[index].kind == HD_ARG_GLOBAL, CL_INVALID_ARG_INDEX);
    return HD_ANSWER(hd_kernel_set_svm(kernel, index, (const void *)(uintptr_t)value));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clSetKernelExecInfo(cl_kernel kernel,
                                                       cl_kernel_exec_info param_name, size_t size,
                                                       const void *value)
{
    HD_TRACED;
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    return HD_ANSWER(hd_kernel_check_exec_info(param_name, size, value));
}

/* ---- queries --------------------------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL hd_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                                   size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(hd_kernel_answer(kernel, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetKernelArgInfo(cl_kernel kernel, cl_uint index,
                                                      cl_kernel_arg_info param_name, size_t room,
                                                      void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};
    cl_int code;

    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(index < kernel->info->arg_count, CL_INVALID_ARG_INDEX);
    code = hd_kernel_arg_answer(kernel, index, param_name, &a);
    return HD_ANSWER(code == CL_SUCCESS ? hd_answer_give(&a, room, value, size) : code);
}

/* NULL means the only device of the kernel's program. */
static bool is_for(cl_kernel k, cl_device_id d)
{
    return d == NULL ? k->program->device_count == 1 : hd_program_is_for(k->program, d);
}

/* CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels: CL_INVALID_VALUE. */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                            cl_kernel_work_group_info param_name,
                                                            size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(is_for(kernel, device), CL_INVALID_DEVICE);
    HD_REQUIRE(hd_kernel_group_answer(kernel, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

/* Work-items of a local size given as bytes of size_t's; 0 when it is none. */
static size_t items_of(size_t bytes, const void *sizes)
{
    const size_t *local = sizes;
    size_t items = 1, count = bytes / sizeof(size_t), most = hd_device_get()->most_items;

    if (sizes == NULL || bytes % sizeof(size_t) != 0 || count < 1 || count > 3)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (local[i] > most)
            return 0;
        items *= local[i];
    }
    return items;
}

/* May its groups be so many work-items in a row? */
static bool may_have_items(const HdKernelInfo *k, size_t items)
{
    const uint32_t *required = k->required_local;

    return items > 0 && items <= hd_device_get()->most_items &&
           hd_kernel_allows_local(k, 0, items) &&
           (required[0] == 0 || (required[1] <= 1 && required[2] <= 1));
}

/* The local size that makes so many sub-groups; 0 when none does. Answers of one, two or three
 * sizes: as many as the host has room for. */
static void answer_local_size(HdAnswer *a, const HdKernelInfo *k, size_t room, size_t subgroups,
                              size_t width)
{
    bool is_required = k->subgroups_per_group == 0 || k->subgroups_per_group == subgroups;
    size_t items = subgroups <= hd_device_get()->most_items ? subgroups * width : 0;

    if (!is_required || !may_have_items(k, items))
        hd_answer_sizes(a, 0, 0, 0);
    else
        hd_answer_sizes(a, items, 1, 1);
    if (room >= sizeof(size_t) && room < 3 * sizeof(size_t))
        a->size = room / sizeof(size_t) * sizeof(size_t);
}

/* Spec: OpenCL API, "Kernel Object Queries", sub-groups. The sub-group size is the real one,
 * whatever the local size. */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                           cl_kernel_sub_group_info param_name,
                                                           size_t input_size, const void *input,
                                                           size_t room, void *value, size_t *size)
{
    HD_TRACED;
    size_t width, items = items_of(input_size, input);
    HdAnswer a = {0};

    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(is_for(kernel, device), CL_INVALID_DEVICE);
    width = hd_kernel_width(kernel);
    switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        HD_REQUIRE(items > 0, CL_INVALID_VALUE);
        hd_answer_size(&a, width);
        break;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        HD_REQUIRE(items > 0, CL_INVALID_VALUE);
        hd_answer_size(&a, (items + width - 1) / width);
        break;
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        HD_REQUIRE(input != NULL && input_size == sizeof(size_t), CL_INVALID_VALUE);
        HD_REQUIRE(value == NULL || room % sizeof(size_t) == 0, CL_INVALID_VALUE);
        answer_local_size(&a, kernel->info, room, *(const size_t *)input, width);
        break;
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        hd_answer_size(&a, (hd_device_get()->most_items + width - 1) / width);
        break;
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        hd_answer_size(&a, kernel->info->subgroups_per_group);
        break;
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        hd_answer_size(&a, kernel->info->subgroup_size);
        break;
    default: return CL_INVALID_VALUE;
    }
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                                              cl_kernel_sub_group_info param_name,
                                                              size_t input_size, const void *input,
                                                              size_t room, void *value,
                                                              size_t *size)
{
    HD_TRACED;
    return hd_clGetKernelSubGroupInfo(kernel, device, param_name, input_size, input, room, value,
                                      size);
}

/* cl_khr_suggested_local_work_size */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetKernelSuggestedLocalWorkSizeKHR(
    cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *offset,
    const size_t *global, size_t *suggested)
{
    HD_TRACED;
    HdRange r = {.work_dim = work_dim, .offset = offset, .global = global};
    size_t local[3];

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    HD_REQUIRE(kernel->program->context == queue->context, CL_INVALID_CONTEXT);
    HD_REQUIRE(hd_program_is_for(kernel->program, queue->device), CL_INVALID_PROGRAM_EXECUTABLE);
    HD_REQUIRE(hd_args_missing(&kernel->args) == UINT32_MAX, CL_INVALID_KERNEL_ARGS);
    HD_REQUIRE(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION);
    HD_REQUIRE(global != NULL, CL_INVALID_GLOBAL_WORK_SIZE);
    for (cl_uint i = 0; i < work_dim; i++) {
        HD_REQUIRE(global[i] != 0, CL_INVALID_GLOBAL_WORK_SIZE);
        HD_REQUIRE(offset == NULL || offset[i] <= SIZE_MAX - global[i], CL_INVALID_GLOBAL_OFFSET);
    }
    HD_REQUIRE(suggested != NULL, CL_INVALID_VALUE);
    hd_kernel_suggest(kernel, &r, local);
    for (cl_uint i = 0; i < work_dim; i++)
        suggested[i] = local[i];
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
hd_clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                                     const size_t *offset, const size_t *global, size_t *suggested)
{
    HD_TRACED;
    return hd_clGetKernelSuggestedLocalWorkSizeKHR(queue, kernel, work_dim, offset, global,
                                                   suggested);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Spec: OpenCL API, "Executing Kernels". */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                          cl_uint work_dim, const size_t *offset,
                                                          const size_t *global, const size_t *local,
                                                          cl_uint num_events, const cl_event *waits,
                                                          cl_event *event)
{
    HD_TRACED;
    HdRange r = {.work_dim = work_dim, .offset = offset, .global = global, .local = local};

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    return HD_ANSWER(hd_kernel_enqueue(queue, CL_COMMAND_NDRANGE_KERNEL, kernel, &r,
                                       hd_api_how(num_events, waits, event)));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                                 cl_uint num_events, const cl_event *waits,
                                                 cl_event *event)
{
    HD_TRACED;
    const size_t one = 1;
    HdRange r = {.work_dim = 1, .global = &one, .local = &one};

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(hd_kernel_is(kernel), CL_INVALID_KERNEL);
    return HD_ANSWER(hd_kernel_enqueue(queue, CL_COMMAND_TASK, kernel, &r,
                                       hd_api_how(num_events, waits, event)));
}

/* Spec: OpenCL API, "Executing Native Kernels". */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueNativeKernel(
    cl_command_queue queue, void(CL_CALLBACK *user_func)(void *), void *args, size_t args_size,
    cl_uint num_mems, const cl_mem *mems, const void **args_mem_loc, cl_uint num_events,
    const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code;

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(user_func != NULL, CL_INVALID_VALUE);
    HD_REQUIRE(args != NULL || (args_size == 0 && num_mems == 0), CL_INVALID_VALUE);
    HD_REQUIRE(args == NULL || args_size > 0, CL_INVALID_VALUE);
    HD_REQUIRE((num_mems == 0) == (mems == NULL) && (num_mems == 0) == (args_mem_loc == NULL),
               CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_mems; i++)
        HD_REQUIRE(mems[i] == NULL || hd_buffer_is(mems[i]), CL_INVALID_MEM_OBJECT);
    code = hd_queue_check_waits(queue, how.waits);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return HD_ANSWER(
        hd_command_native(queue, user_func, args, args_size, num_mems, mems, args_mem_loc, how));
}
