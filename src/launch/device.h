/* launch/device.h -- the device's side of queues: on-device queues, their events, and the children
 * that kernels enqueue.
 *
 * One HdDeviceSide has the queues and events that can refer to each other: those of an OpenCL
 * context. A launch whose kernel can enqueue runs with all its descendants: hd_launch_run returns
 * when none is left (docs/adr/0017-device-enqueue.md).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_DEVICE_H
#define HD_LAUNCH_DEVICE_H

#include "launch/launch.h"

/* Bytes of a queue of unspecified size: it has space for a child of each of 65,536 work-items.
 * Memory is allocated as children arrive. */
#define HD_DEVICE_QUEUE_PREFERRED (UINT32_C(1) << 25)
/* Bytes of a queue at most: 256 MiB, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE. */
#define HD_DEVICE_QUEUE_MOST (UINT32_C(1) << 28)
/* Events of a device side at a time, CL_DEVICE_MAX_ON_DEVICE_EVENTS. */
#define HD_DEVICE_MAX_EVENTS (UINT32_C(1) << 16)

/* is_alone: one launch at a time, so nothing else can complete an event that its descendants wait
 * for, and waiting for such an event is an error. */
HdStatus hd_device_side_open(bool is_alone, HdDeviceSide **out);
/* Nothing may run. */
void hd_device_side_close(HdDeviceSide *s);
/* Say which events kernels have references to, when none runs any more. */
void hd_device_side_report(HdDeviceSide *s, HdCheck *check);

/* A queue on the device for so many bytes of what waits in it. */
HdStatus hd_device_queue_open(HdDeviceSide *s, uint32_t bytes, bool profiles, HdDeviceQueue **out);
void hd_device_queue_close(HdDeviceQueue *q);
/* What a kernel has of it: the value of a queue argument. */
uint64_t hd_device_queue_handle(const HdDeviceQueue *q);

#endif
