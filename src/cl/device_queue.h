/* cl/device_queue.h -- device queues: kernels enqueue into them, the host only creates them.
 *
 * They are command queues for retain, release and queries, and for nothing else.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_DEVICE_QUEUE_H
#define HD_CL_DEVICE_QUEUE_H

#include "cl/queue.h"
#include "launch/device.h"

#define HD_MAX_DEVICE_QUEUES 64u

static inline bool hd_queue_is_on_device(cl_command_queue q)
{
    return hd_object_is(q, HD_MAGIC_DEVICE_QUEUE);
}

static inline bool hd_queue_is_any(cl_command_queue q)
{
    return hd_queue_is(q) || hd_queue_is_on_device(q);
}

/* Where kernels of a context enqueue; NULL without memory. It lives as long as the context. */
HdDeviceSide *hd_context_side(cl_context c);
/* For hd_queue_new: the implementation of a queue whose properties place it on the device. An
 * existing default queue is returned, retained, instead of `*q`, which is dropped.
 * Errors: CL_OUT_OF_HOST_MEMORY. */
cl_int hd_device_queue_settle(cl_command_queue *q);
/* For a queue that goes. */
void hd_device_queue_forget(cl_command_queue q);
/* The default of a device in a context, held for the caller; NULL. */
cl_command_queue hd_device_queue_default(cl_context c, cl_device_id d);
void hd_device_queue_set_default(cl_command_queue q);
/* The queue that a kernel knows by this number, held for the caller; NULL when there is none any
 * more. */
cl_command_queue hd_device_queue_of(cl_context c, uint64_t handle);

#endif
