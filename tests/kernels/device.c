/* tests/kernels/device.c -- finding and opening the device that the cases run on; the names of
 * OpenCL's error codes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PLATFORMS = 32, MAX_DEVICES = 64 };

const char *kc_error_name(cl_int code)
{
#define NAME(x) \
    case x: return #x
    switch (code) {
        NAME(CL_SUCCESS);
        NAME(CL_DEVICE_NOT_FOUND);
        NAME(CL_DEVICE_NOT_AVAILABLE);
        NAME(CL_COMPILER_NOT_AVAILABLE);
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
        NAME(CL_OUT_OF_RESOURCES);
        NAME(CL_OUT_OF_HOST_MEMORY);
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE);
        NAME(CL_MEM_COPY_OVERLAP);
        NAME(CL_BUILD_PROGRAM_FAILURE);
        NAME(CL_MAP_FAILURE);
        NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET);
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        NAME(CL_COMPILE_PROGRAM_FAILURE);
        NAME(CL_LINKER_NOT_AVAILABLE);
        NAME(CL_LINK_PROGRAM_FAILURE);
        NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
        NAME(CL_INVALID_VALUE);
        NAME(CL_INVALID_DEVICE_TYPE);
        NAME(CL_INVALID_PLATFORM);
        NAME(CL_INVALID_DEVICE);
        NAME(CL_INVALID_CONTEXT);
        NAME(CL_INVALID_QUEUE_PROPERTIES);
        NAME(CL_INVALID_COMMAND_QUEUE);
        NAME(CL_INVALID_MEM_OBJECT);
        NAME(CL_INVALID_BINARY);
        NAME(CL_INVALID_BUILD_OPTIONS);
        NAME(CL_INVALID_PROGRAM);
        NAME(CL_INVALID_PROGRAM_EXECUTABLE);
        NAME(CL_INVALID_KERNEL_NAME);
        NAME(CL_INVALID_KERNEL_DEFINITION);
        NAME(CL_INVALID_KERNEL);
        NAME(CL_INVALID_ARG_INDEX);
        NAME(CL_INVALID_ARG_VALUE);
        NAME(CL_INVALID_ARG_SIZE);
        NAME(CL_INVALID_KERNEL_ARGS);
        NAME(CL_INVALID_WORK_DIMENSION);
        NAME(CL_INVALID_WORK_GROUP_SIZE);
        NAME(CL_INVALID_WORK_ITEM_SIZE);
        NAME(CL_INVALID_GLOBAL_OFFSET);
        NAME(CL_INVALID_EVENT_WAIT_LIST);
        NAME(CL_INVALID_EVENT);
        NAME(CL_INVALID_OPERATION);
        NAME(CL_INVALID_BUFFER_SIZE);
        NAME(CL_INVALID_GLOBAL_WORK_SIZE);
        NAME(CL_INVALID_PROPERTY);
        NAME(CL_INVALID_COMPILER_OPTIONS);
        NAME(CL_INVALID_LINKER_OPTIONS);
        NAME(CL_INVALID_SPEC_ID);
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
    }
#undef NAME
    return "unknown code";
}

static bool complain(const char *call, cl_int code)
{
    fprintf(stderr, "kernels: %s: %s (%d)\n", call, kc_error_name(code), (int)code);
    return false;
}

/* Does the device, its vendor or its platform carry this name? */
static bool matches(cl_platform_id platform, cl_device_id device, const char *substring)
{
    char text[256];

    if (substring == NULL)
        return true;
    if (clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL) == CL_SUCCESS &&
        strstr(text, substring) != NULL)
        return true;
    if (clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof text, text, NULL) == CL_SUCCESS &&
        strstr(text, substring) != NULL)
        return true;
    return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL) == CL_SUCCESS &&
           strstr(text, substring) != NULL;
}

static bool find_device(const char *substring, KcDevice *out)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id devices[MAX_DEVICES];
    cl_uint nplatforms = 0;
    cl_int code = clGetPlatformIDs(MAX_PLATFORMS, platforms, &nplatforms);

    if (code != CL_SUCCESS)
        return complain("clGetPlatformIDs", code);
    for (cl_uint p = 0; p < nplatforms && p < MAX_PLATFORMS; p++) {
        cl_uint n = 0;

        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &n) !=
            CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < n && d < MAX_DEVICES; d++)
            if (matches(platforms[p], devices[d], substring)) {
                out->platform = platforms[p];
                out->device = devices[d];
                return true;
            }
    }
    fprintf(stderr, "kernels: no OpenCL device%s%s\n", substring != NULL ? " like " : "",
            substring != NULL ? substring : "");
    return false;
}

/* Queries that an older driver may not know leave their answer at "no". */
static void ask_device(KcDevice *dev)
{
    cl_device_fp_config fp64 = 0;
    cl_bool flag = CL_FALSE;
    char text[256] = "";

    clGetDeviceInfo(dev->device, CL_DEVICE_NAME, sizeof dev->name, dev->name, NULL);
    clGetDeviceInfo(dev->device, CL_DRIVER_VERSION, sizeof dev->driver, dev->driver, NULL);
    if (clGetDeviceInfo(dev->device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof flag, &flag,
                        NULL) == CL_SUCCESS)
        dev->non_uniform = flag != CL_FALSE;
    if (clGetDeviceInfo(dev->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL) ==
        CL_SUCCESS)
        dev->fp64 = fp64 != 0;
    if (clGetDeviceInfo(dev->device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL) == CL_SUCCESS)
        dev->il = strstr(text, "SPIR-V") != NULL;
}

bool kc_open_device(const char *substring, KcDevice *out)
{
    cl_int code;

    memset(out, 0, sizeof *out);
    if (!find_device(substring, out))
        return false;
    ask_device(out);
    out->context = clCreateContext(NULL, 1, &out->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return complain("clCreateContext", code);
    out->queue = clCreateCommandQueueWithProperties(out->context, out->device, NULL, &code);
    if (code != CL_SUCCESS) {
        clReleaseContext(out->context);
        return complain("clCreateCommandQueueWithProperties", code);
    }
    return true;
}

void kc_close_device(KcDevice *dev)
{
    clReleaseCommandQueue(dev->queue);
    clReleaseContext(dev->context);
}
