/* launch/device_state.h -- what device.c (queues and events) and child_launches.c (children)
 * share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_DEVICE_STATE_H
#define HD_LAUNCH_DEVICE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cond.h"
#include "base/array.h"
#include "launch/device.h"
#include "launch/pool.h"
#include "launch/work_slots.h"
#include "rt/device.h"

/* Status of an event, with OpenCL's values; less than 0: its command has failed. */
enum { HD_EVENT_COMPLETE = 0, HD_EVENT_SUBMITTED = 2, HD_EVENT_NOT_RUN = -14 };

typedef struct HdChildLaunches HdChildLaunches;
typedef struct HdChild HdChild;

typedef struct HdDeviceEvent {
    uint32_t slot, generation;
    uint32_t users; /* references that kernels have */
    uint32_t holds; /* of its command, and of those that wait for it */
    bool is_user, has_profile;
    int32_t status;
    uint64_t start_ns, end_ns, complete_ns;
    HD_ARRAY(HdChild *) waiters;
    HD_ARRAY(uint64_t *) profiles; /* where kernels want its times stored */
} HdDeviceEvent;

struct HdDeviceQueue {
    HdDeviceSide *side;
    HdDeviceQueue *next;
    uint64_t bytes, used;
    bool profiles;
};

struct HdDeviceSide {
    bool is_alone;
    pthread_mutex_t lock;
    HdCond changed; /* something is ready, or has ended */
    HdDeviceQueue *queues;
    HD_ARRAY(HdDeviceEvent *) events; /* by slot; NULL: a free one */
    HD_ARRAY(uint32_t) free_slots;
    uint32_t generation;
};

/* Something to be run, or a marker: enqueued by a kernel, or the launch that it all began with. */
struct HdChild {
    HdRtDevice api; /* first: what its own kernel calls */
    HdChild *next;  /* in the list that it is in */
    HdChild *parent;
    HdChildLaunches *family;
    HdDeviceQueue *queue;
    const HdKernelInfo *kernel; /* NULL: a marker */
    HdDeviceEvent *event;       /* NULL: not requested */
    HdRtRange range;
    HdChild *held;           /* children that wait for its end */
    uint32_t waits;          /* events that it waits for */
    uint32_t open;           /* itself and its children that are not complete */
    bool is_held, is_failed; /* failed: so has something that it waits for */
    uint64_t charge;         /* bytes of its queue */
    uint64_t start_ns, end_ns;
    uint64_t capture_bytes;
    unsigned char *captures, *block; /* after the sizes */
    uint64_t local_sizes[];          /* by argument: none of the first */
};

/* A launch and its descendants. */
struct HdChildLaunches {
    HdWorkSlot offer; /* first: the pool hands it back */
    const HdLaunch *launch;
    HdDeviceSide *side; /* NULL: nothing can be enqueued */
    HdPool *pool;
    HdDiags *d;
    HdStatus status;           /* of the first that failed */
    HdChild *ready, **end;     /* may run now */
    _Atomic uint32_t count;    /* of them */
    uint32_t running, waiting; /* launches that run; that wait for events */
    HdChild root;              /* last: it has no sizes */
};

/* With the side's lock held. */

/* The queue, event of a handle; NULL when it is none. */
HdDeviceQueue *hd_device_find_queue(HdDeviceSide *s, uint64_t handle);
HdDeviceEvent *hd_device_find_event(HdDeviceSide *s, uint64_t handle);
uint64_t hd_device_event_handle(const HdDeviceEvent *e);
/* One reference of a kernel's. NULL: no room. */
HdDeviceEvent *hd_device_event_new(HdDeviceSide *s, bool is_user);
/* It is complete, or has failed: waiters may be ready. */
void hd_device_event_settle(HdDeviceSide *s, HdDeviceEvent *e, int32_t status);
/* Fill in what kernels may do with events. */
void hd_device_event_api(HdRtDevice *d);
/* All that it waited for has been settled. */
void hd_child_launches_ready(HdChild *c);

#endif
