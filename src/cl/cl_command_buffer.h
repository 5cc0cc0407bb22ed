/* cl/cl_command_buffer.h -- cl_khr_command_buffer 0.9.8, cl_khr_command_buffer_mutable_dispatch
 * 0.9.5, cl_khr_command_buffer_multi_device 0.9.2: numbers, structures and types of functions.
 *
 * Packaged headers have older drafts of these, whose functions take other arguments, and newer ones
 * have them only on request. So everything has our own names here, and works with either.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CL_COMMAND_BUFFER_H
#define HD_CL_CL_COMMAND_BUFFER_H

typedef struct _cl_command_buffer_khr *HdCommandBuffer;
typedef struct _cl_mutable_command_khr *HdMutableCommand;
typedef cl_uint HdSyncPoint;

/* errors */
#define HD_CL_INVALID_COMMAND_BUFFER       (-1138)
#define HD_CL_INVALID_SYNC_POINT_WAIT_LIST (-1139)
#define HD_CL_INVALID_MUTABLE_COMMAND      (-1141)

/* clGetDeviceInfo */
#define HD_CL_DEVICE_COMMAND_BUFFER_CAPABILITIES               0x12A9
#define HD_CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES  0x12AA
#define HD_CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES 0x129A
#define HD_CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES             0x12B0
#define HD_CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF          (1 << 0)
#define HD_CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE    (1 << 1)
#define HD_CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE       (1 << 2)
#define HD_CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE         (1 << 4)
#define HD_CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES           0x12AB
#define HD_CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES               0x12AC

/* clGetPlatformInfo */
#define HD_CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES    0x0908
#define HD_CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC  (1 << 0)
#define HD_CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES    (1 << 1)
#define HD_CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP (1 << 2)

/* properties of a command buffer */
#define HD_CL_COMMAND_BUFFER_FLAGS                    0x1293
#define HD_CL_COMMAND_BUFFER_SIMULTANEOUS_USE         (1 << 0)
#define HD_CL_COMMAND_BUFFER_MUTABLE                  (1 << 1)
#define HD_CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC         (1 << 2)
#define HD_CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS 0x12B7

/* clGetCommandBufferInfoKHR */
#define HD_CL_COMMAND_BUFFER_QUEUES           0x1294
#define HD_CL_COMMAND_BUFFER_NUM_QUEUES       0x1295
#define HD_CL_COMMAND_BUFFER_REFERENCE_COUNT  0x1296
#define HD_CL_COMMAND_BUFFER_STATE            0x1297
#define HD_CL_COMMAND_BUFFER_PROPERTIES_ARRAY 0x1298
#define HD_CL_COMMAND_BUFFER_CONTEXT          0x1299
#define HD_CL_COMMAND_BUFFER_STATE_RECORDING  0
#define HD_CL_COMMAND_BUFFER_STATE_EXECUTABLE 1
#define HD_CL_COMMAND_BUFFER_STATE_FINALIZED  2

/* clGetEventInfo */
#define HD_CL_COMMAND_COMMAND_BUFFER 0x12A8

/* properties of a recorded kernel */
#define HD_CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS                 0x12B1
#define HD_CL_MUTABLE_DISPATCH_GLOBAL_OFFSET                    (1 << 0)
#define HD_CL_MUTABLE_DISPATCH_GLOBAL_SIZE                      (1 << 1)
#define HD_CL_MUTABLE_DISPATCH_LOCAL_SIZE                       (1 << 2)
#define HD_CL_MUTABLE_DISPATCH_ARGUMENTS                        (1 << 3)
#define HD_CL_MUTABLE_DISPATCH_EXEC_INFO                        (1 << 4)
#define HD_CL_MUTABLE_DISPATCH_ALL                              0x1f
#define HD_CL_MUTABLE_DISPATCH_ASSERTS                          0x12B8
#define HD_CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS (1 << 0)

/* clGetMutableCommandInfoKHR */
#define HD_CL_MUTABLE_COMMAND_COMMAND_QUEUE       0x12A0
#define HD_CL_MUTABLE_COMMAND_COMMAND_BUFFER      0x12A1
#define HD_CL_MUTABLE_COMMAND_PROPERTIES_ARRAY    0x12A2
#define HD_CL_MUTABLE_DISPATCH_KERNEL             0x12A3
#define HD_CL_MUTABLE_DISPATCH_DIMENSIONS         0x12A4
#define HD_CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET 0x12A5
#define HD_CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE   0x12A6
#define HD_CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE    0x12A7
#define HD_CL_MUTABLE_COMMAND_COMMAND_TYPE        0x12AD

/* clUpdateMutableCommandsKHR */
#define HD_CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG 0

typedef struct HdMutableArg {
    cl_uint index;
    size_t size;
    const void *value;
} HdMutableArg;

typedef struct HdMutableExecInfo {
    cl_uint param_name;
    size_t size;
    const void *value;
} HdMutableExecInfo;

/* cl_mutable_dispatch_config_khr: what changes of a recorded kernel; NULL and 0: nothing. */
typedef struct HdMutableConfig {
    HdMutableCommand command;
    cl_uint num_args, num_svm_args, num_exec_infos;
    cl_uint work_dim;
    const HdMutableArg *args, *svm_args;
    const HdMutableExecInfo *exec_infos;
    const size_t *global_offset, *global_size, *local_size;
} HdMutableConfig;

/* Common parameters of recording functions, before and after their own. */
#define HD_RECORD_FIRST \
    HdCommandBuffer buffer, cl_command_queue queue, const cl_properties *properties
#define HD_RECORD_LAST \
    cl_uint num_points, const HdSyncPoint *points, HdSyncPoint *point, HdMutableCommand *handle

typedef HdCommandBuffer(CL_API_CALL *hd_clCreateCommandBufferKHR_fn)(
    cl_uint num_queues, const cl_command_queue *queues, const cl_properties *properties,
    cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *hd_clFinalizeCommandBufferKHR_fn)(HdCommandBuffer buffer);
typedef cl_int(CL_API_CALL *hd_clRetainCommandBufferKHR_fn)(HdCommandBuffer buffer);
typedef cl_int(CL_API_CALL *hd_clReleaseCommandBufferKHR_fn)(HdCommandBuffer buffer);
typedef cl_int(CL_API_CALL *hd_clEnqueueCommandBufferKHR_fn)(
    cl_uint num_queues, cl_command_queue *queues, HdCommandBuffer buffer, cl_uint num_events,
    const cl_event *waits, cl_event *event);
typedef cl_int(CL_API_CALL *hd_clGetCommandBufferInfoKHR_fn)(HdCommandBuffer buffer, cl_uint query,
                                                             size_t room, void *value,
                                                             size_t *size);
typedef cl_int(CL_API_CALL *hd_clCommandBarrierWithWaitListKHR_fn)(HD_RECORD_FIRST, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandCopyBufferKHR_fn)(HD_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                          size_t src_offset, size_t dst_offset,
                                                          size_t size, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandCopyBufferRectKHR_fn)(HD_RECORD_FIRST, cl_mem src,
                                                              cl_mem dst, const size_t *src_origin,
                                                              const size_t *dst_origin,
                                                              const size_t *region, size_t src_row,
                                                              size_t src_slice, size_t dst_row,
                                                              size_t dst_slice, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandCopyBufferToImageKHR_fn)(HD_RECORD_FIRST, cl_mem src,
                                                                 cl_mem dst, size_t offset,
                                                                 const size_t *origin,
                                                                 const size_t *region,
                                                                 HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandCopyImageKHR_fn)(HD_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                         const size_t *src_origin,
                                                         const size_t *dst_origin,
                                                         const size_t *region, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandCopyImageToBufferKHR_fn)(HD_RECORD_FIRST, cl_mem src,
                                                                 cl_mem dst, const size_t *origin,
                                                                 const size_t *region,
                                                                 size_t offset, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandFillBufferKHR_fn)(HD_RECORD_FIRST, cl_mem mem,
                                                          const void *pattern, size_t pattern_size,
                                                          size_t offset, size_t size,
                                                          HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandFillImageKHR_fn)(HD_RECORD_FIRST, cl_mem image,
                                                         const void *colour, const size_t *origin,
                                                         const size_t *region, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandNDRangeKernelKHR_fn)(HD_RECORD_FIRST, cl_kernel kernel,
                                                             cl_uint work_dim, const size_t *offset,
                                                             const size_t *global,
                                                             const size_t *local, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandSVMMemcpyKHR_fn)(HD_RECORD_FIRST, void *dst,
                                                         const void *src, size_t size,
                                                         HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clCommandSVMMemFillKHR_fn)(HD_RECORD_FIRST, void *pointer,
                                                          const void *pattern, size_t pattern_size,
                                                          size_t size, HD_RECORD_LAST);
typedef cl_int(CL_API_CALL *hd_clUpdateMutableCommandsKHR_fn)(HdCommandBuffer buffer,
                                                              cl_uint num_configs,
                                                              const cl_uint *config_types,
                                                              const void **configs);
typedef cl_int(CL_API_CALL *hd_clGetMutableCommandInfoKHR_fn)(HdMutableCommand command,
                                                              cl_uint query, size_t room,
                                                              void *value, size_t *size);
typedef HdCommandBuffer(CL_API_CALL *hd_clRemapCommandBufferKHR_fn)(
    HdCommandBuffer buffer, cl_bool automatic, cl_uint num_queues, const cl_command_queue *queues,
    cl_uint num_handles, const HdMutableCommand *handles, HdMutableCommand *handles_ret,
    cl_int *errcode_ret);

#endif
