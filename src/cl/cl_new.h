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

#include "cl/cl_command_buffer.h"

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

/* core in 3.1 */
typedef cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSize_fn)(
    cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *global_offset,
    const size_t *global_size, size_t *suggested);

/* cl_khr_kernel_clock */
#define HD_CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR     0x1076
#define HD_CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR     (1 << 0)
#define HD_CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define HD_CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR  (1 << 2)

/* cl_khr_cooperative_matrix */
#define HD_CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR 0x1078
#define HD_CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR         0x1079
#define HD_CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR          0x107A
#define HD_CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR            0x107B
typedef cl_uint hd_cl_device_cooperative_matrix_info_khr;
typedef enum hd_cl_device_cooperative_matrix_component_type_khr {
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP16_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP32_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_FP64_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT8_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT16_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT32_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_SINT64_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT8_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT16_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT32_KHR,
    HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_UINT64_KHR
} hd_cl_device_cooperative_matrix_component_type_khr;
typedef struct hd_cl_device_cooperative_matrix_variant_khr {
    cl_uint m_size, n_size, k_size;
    cl_uint a_type, b_type, c_type, result_type;
    cl_bool saturating_accumulation;
} hd_cl_device_cooperative_matrix_variant_khr;
typedef cl_int(CL_API_CALL *clGetDeviceCooperativeMatrixInfoKHR_fn)(
    cl_device_id device, hd_cl_device_cooperative_matrix_info_khr query, size_t input_size,
    const void *input, size_t room, void *value, size_t *size);

/* cl_ext_float_atomics */
#define HD_CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define HD_CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define HD_CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#define HD_CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT   (1 << 0)
#define HD_CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT          (1 << 1)
#define HD_CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT      (1 << 2)
#define HD_CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT    (1 << 16)
#define HD_CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT           (1 << 17)
#define HD_CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT       (1 << 18)

/* cl_ext_buffer_device_address */
#define HD_CL_SEMAPHORE_EXPORTABLE                                                0x2054
#define HD_CL_MEM_DEVICE_HANDLE_LIST_KHR                                          0x2051
#define HD_CL_MEM_DEVICE_HANDLE_LIST_END_KHR                                      0
#define HD_CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#define HD_CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT                                      0x5000
#define HD_CL_MEM_DEVICE_ADDRESS_EXT                                              0x5001
#define HD_CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT                                    0x5002
typedef cl_ulong hd_cl_mem_device_address_ext;
typedef cl_int(CL_API_CALL *hd_clSetKernelArgDevicePointerEXT_fn)(
    cl_kernel kernel, cl_uint index, hd_cl_mem_device_address_ext value);

/* cl_khr_initialize_memory: bits of CL_CONTEXT_MEMORY_INITIALIZE_KHR */
#define HD_CL_CONTEXT_MEMORY_INITIALIZE_LOCAL   (1 << 0)
#define HD_CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE (1 << 1)

/* cl_ext_immutable_memory_objects */
#define HD_CL_MEM_IMMUTABLE_EXT (1 << 6)

/* cl_khr_semaphore: what was renamed before 1.0 */
#define HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST     0x2053
#define HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST_END 0

/* cl_khr_icd 2.0: unloading */
#define HD_CL_PLATFORM_UNLOADABLE 0x0921

/* cl_khr_icd */
#define HD_CL_PLATFORM_ICD_SUFFIX 0x0920

#endif
