/* cl/cl_new.h -- OpenCL's headers, and what is newer than the packaged ones.
 *
 * Everything in cl/ and api/ includes OpenCL through this file, so that all see the same version.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CL_NEW_H
#define HD_CL_CL_NEW_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

/* cl_khr_device_uuid, core in 3.1 */
#define HD_CL_DEVICE_UUID       0x106A
#define HD_CL_DRIVER_UUID       0x106B
#define HD_CL_DEVICE_LUID_VALID 0x106C
#define HD_CL_DEVICE_LUID       0x106D
#define HD_CL_DEVICE_NODE_MASK  0x106E
#define HD_CL_UUID_SIZE         16
#define HD_CL_LUID_SIZE         8

/* cl_khr_spirv_queries, core in 3.1 */
#define HD_CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS 0x12B9
#define HD_CL_DEVICE_SPIRV_EXTENSIONS                0x12BA
#define HD_CL_DEVICE_SPIRV_CAPABILITIES              0x12BB

/* cl_khr_icd 2.0: unloading */
#define HD_CL_PLATFORM_UNLOADABLE 0x0921

/* cl_khr_icd */
#define HD_CL_PLATFORM_ICD_SUFFIX 0x0920

#endif
