/* api/platform_api.c -- platform and devices.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "api/entries.h"
#include "base/clock.h"
#include "cl/matrices.h"
#include "cl/subdevice.h"

/* Spec: OpenCL API, "Querying Platform Info". A NULL platform is this one: the behaviour is ours to
 * choose. */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetPlatformInfo(cl_platform_id platform,
                                                     cl_platform_info param_name, size_t room,
                                                     void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(platform == NULL || hd_platform_is(platform), CL_INVALID_PLATFORM);
    HD_REQUIRE(hd_platform_answer(hd_platform_get(), param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

/* Spec: OpenCL API, "Querying Devices". */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetDeviceIDs(cl_platform_id platform,
                                                  cl_device_type device_type, cl_uint num_entries,
                                                  cl_device_id *devices, cl_uint *num_devices)
{
    HD_TRACED;
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    cl_device_id device = hd_device_get();

    HD_REQUIRE(device != NULL, CL_OUT_OF_HOST_MEMORY);
    HD_REQUIRE(platform == NULL || hd_platform_is(platform), CL_INVALID_PLATFORM);
    HD_REQUIRE(device_type == CL_DEVICE_TYPE_ALL ||
                   (device_type != 0 && (device_type & ~known) == 0),
               CL_INVALID_DEVICE_TYPE);
    HD_REQUIRE(devices == NULL || num_entries > 0, CL_INVALID_VALUE);
    HD_REQUIRE(devices != NULL || num_devices != NULL, CL_INVALID_VALUE);
    if ((device_type & (CL_DEVICE_TYPE_DEFAULT | device->type)) == 0) {
        if (num_devices != NULL)
            *num_devices = 0;
        if ((device_type & CL_DEVICE_TYPE_GPU) != 0)
            hd_platform_lacks_gpu();
        return CL_DEVICE_NOT_FOUND;
    }
    if (devices != NULL)
        devices[0] = device;
    if (num_devices != NULL)
        *num_devices = 1;
    return CL_SUCCESS;
}

/* Spec: OpenCL API, "Querying Devices". */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                                   size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    HD_REQUIRE(hd_device_answer(device, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

/* Spec: OpenCL API, cl_khr_cooperative_matrix. */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetDeviceCooperativeMatrixInfoKHR(
    cl_device_id device, hd_cl_device_cooperative_matrix_info_khr query, size_t input_size,
    const void *input, size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};
    cl_uint lanes;

    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    switch (query) {
    case HD_CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR:
        hd_matrices_answer(device->width, &a);
        break;
    case HD_CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR:
        HD_REQUIRE(input != NULL && input_size == sizeof lanes, CL_INVALID_VALUE);
        memcpy(&lanes, input, sizeof lanes);
        hd_matrices_answer(lanes, &a);
        break;
    default: return HD_ANSWER(CL_INVALID_VALUE);
    }
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

/* Spec: OpenCL API, "Partitioning a Device". */
CL_API_ENTRY cl_int CL_API_CALL
hd_clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                      cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret)
{
    HD_TRACED;
    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    return HD_ANSWER(
        hd_device_partition(device, properties, num_devices, out_devices, num_devices_ret));
}

/* Root devices are not counted. */
CL_API_ENTRY cl_int CL_API_CALL hd_clRetainDevice(cl_device_id device)
{
    HD_TRACED;
    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    if (device->parent != NULL)
        hd_object_retain(&device->object);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clReleaseDevice(cl_device_id device)
{
    HD_TRACED;
    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    HD_REQUIRE(device->parent == NULL || hd_object_release(&device->object), CL_INVALID_DEVICE);
    return CL_SUCCESS;
}

/* Spec: OpenCL API, "Host and Device Timers". Both are one clock. */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetDeviceAndHostTimer(cl_device_id device,
                                                           cl_ulong *device_timestamp,
                                                           cl_ulong *host_timestamp)
{
    HD_TRACED;
    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    HD_REQUIRE(device_timestamp != NULL && host_timestamp != NULL, CL_INVALID_VALUE);
    *device_timestamp = *host_timestamp = hd_clock_ns();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
    HD_TRACED;
    HD_REQUIRE(hd_device_is(device), CL_INVALID_DEVICE);
    HD_REQUIRE(host_timestamp != NULL, CL_INVALID_VALUE);
    *host_timestamp = hd_clock_ns();
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clUnloadPlatformCompiler(cl_platform_id platform)
{
    HD_TRACED;
    return hd_platform_is(platform) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clUnloadCompiler(void)
{
    HD_TRACED;
    return CL_SUCCESS;
}
