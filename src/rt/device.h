/* rt/device.h -- device-side enqueue as kernels see it: what they pass to the runtime, and what
 * they may query.
 *
 * Queues and events are 64-bit handles, 0 is none. Both engines use HdRtDevice, which launch/ fills
 * for each launch; launch/device.h has the objects behind the handles.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_DEVICE_H
#define HD_RT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/* Results of enqueuing, as OpenCL C numbers them. */
typedef enum HdRtEnqueued {
    HD_RT_ENQUEUED = 0,
    HD_RT_OUT_OF_RESOURCES = -5,
    HD_RT_INVALID_ARG_SIZE = -51,
    HD_RT_INVALID_WAIT_LIST = -57,
    HD_RT_NO_EVENT = -100,
    HD_RT_ENQUEUE_FAILURE = -101,
    HD_RT_INVALID_QUEUE = -102,
    HD_RT_INVALID_NDRANGE = -160,
    HD_RT_QUEUE_FULL = -161
} HdRtEnqueued;

/* The parts of an NDRange, each in 64 bits: the structure of OpBuildNDRange without padding. */
typedef struct HdRtRange {
    uint64_t dimensions, offset[3], global[3], local[3]; /* local: all 0 = chosen */
} HdRtRange;

/* What a work-item enqueues. Addresses are the host's; captures and local sizes are copied. */
typedef struct HdRtEnqueue {
    uint64_t queue, flags;
    HdRtRange range;
    uint64_t wait_count, waits; /* address of as many events */
    uint64_t event;             /* address where the event goes; 0 = none is made */
    uint64_t invoke;            /* id of the function in its module; 0 = a marker */
    uint64_t captures, capture_bytes, capture_align;
    uint64_t local_count, local_sizes[]; /* bytes of each local argument */
} HdRtEnqueue;

/* When a child may begin. */
enum { HD_RT_NO_WAIT, HD_RT_WAIT_KERNEL, HD_RT_WAIT_WORK_GROUP };

typedef struct HdRtDevice HdRtDevice;
struct HdRtDevice {
    uint64_t default_queue;
    int64_t (*enqueue)(HdRtDevice *d, const HdRtEnqueue *what); /* HdRtEnqueued */
    /* Work-items of a whole group of that range. */
    uint64_t (*group_items)(HdRtDevice *d, uint64_t invoke, const HdRtRange *range);
    uint64_t (*new_user_event)(HdRtDevice *d); /* 0: there are too many */
    /* The rest do what they can; false: the handle is of no event, or of none that it fits. */
    bool (*is_event)(HdRtDevice *d, uint64_t event);
    bool (*retain)(HdRtDevice *d, uint64_t event);
    bool (*release)(HdRtDevice *d, uint64_t event);
    bool (*set_status)(HdRtDevice *d, uint64_t event, int32_t status);
    bool (*capture_profile)(HdRtDevice *d, uint64_t event, uint64_t *to); /* two numbers */
};

#endif
