/* cl/queue.h -- command queues: who runs a command, and when.
 *
 * A ready command waits in its queue until someone runs it: a job on the thread pool once the queue
 * has been flushed, or the thread inside a blocking wait. The latter makes small launches cheap; it
 * only runs commands that the wait is for, and never happens inside flush, enqueue or callbacks,
 * where the host may be about to set the flag that a kernel waits for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_QUEUE_H
#define HD_CL_QUEUE_H

#include <pthread.h>

#include "cl/event.h"

struct _cl_command_queue {
    HdObject object;
    cl_context context; /* held */
    cl_device_id device;
    cl_command_queue_properties properties;
    cl_uint size;                        /* of a queue on the device, in bytes */
    cl_queue_properties *property_array; /* as given, with the closing 0; NULL = none */
    size_t property_count;

    /* On the device (cl/device_queue.h), guarded by the context's lock; else NULL. */
    struct HdDeviceQueue *on_device;
    bool is_default;

    /* Of the queue that a command buffer records with, guarded by that buffer's lock: where the
     * next command goes instead of being run; else NULL. */
    cl_event *recorded;

    /* of the context's list: guarded by its graph lock, of a queue on the device by its lock */
    cl_command_queue next;

    pthread_mutex_t lock;  /* while it is apart */
    atomic_bool is_joined; /* written with both locks held */
    /* guarded by the one or the other (cl/queue_lock.h) */
    cl_event dead;                    /* ended while apart: given back when the lock is let go */
    cl_event first, last;             /* commands that have not ended, in order */
    cl_event first_ready, last_ready; /* those that may run */
    cl_event barrier;                 /* the last barrier, while it has not ended */
    uint64_t serial, flushed;         /* of the last command enqueued, flushed */
    unsigned dear;                    /* commands not flushed that are not cheap */
    unsigned ready;                   /* how many are on the ready list */
    cl_int error;                     /* of the first command that failed since the last finish */
    unsigned jobs;                    /* how many pool jobs are on their way or at work */
    HdPoolJob *drain;                 /* such a job */

    /* Events for reuse: dropping one pushes it onto `dropped`; allocating one takes from `spare`,
     * under `spare_lock`, which receives all of `dropped` when it is empty. */
    pthread_mutex_t spare_lock;
    cl_event spare;
    _Atomic(cl_event) dropped;
    atomic_uint dropped_count; /* about */
};

typedef struct HdWaitList {
    cl_uint count;
    const cl_event *events;
} HdWaitList;

static inline bool hd_queue_is(cl_command_queue q)
{
    return hd_object_is(q, HD_MAGIC_QUEUE);
}

static inline bool hd_queue_is_out_of_order(const struct _cl_command_queue *q)
{
    return (q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

static inline bool hd_queue_is_profiling(const struct _cl_command_queue *q)
{
    return (q->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

/* Make a queue. properties: those given, NULL or with a closing 0.
 * Errors: CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES, CL_OUT_OF_HOST_MEMORY. */
cl_int hd_queue_new(cl_context c, cl_device_id d, const cl_queue_properties *properties,
                    cl_command_queue *out);
bool hd_queue_answer(cl_command_queue q, cl_uint query, HdAnswer *a);

/* Check a wait list as every clEnqueue… must. */
cl_int hd_queue_check_waits(cl_command_queue q, HdWaitList w);
/* Hand a command over; it is dropped on failure. Where the queue records, it is the recorder's.
 *   after_all  wait for all commands enqueued before
 *   blocking   return when it has ended, with its error
 *   out        NULL, or gets the event */
typedef struct HdEnqueue {
    HdWaitList waits;
    bool after_all;
    bool blocking;
    cl_event *out;
} HdEnqueue;
cl_int hd_queue_enqueue(cl_command_queue q, cl_event e, HdEnqueue how);

void hd_queue_flush(cl_command_queue q);
/* Wait until an event has ended, which may be a user event. */
void hd_queue_wait(cl_event e);
/* Wait for all; the error of a command that failed while running, which hosts may not ask its
 * event for. */
cl_int hd_queue_finish(cl_command_queue q);

/* Wait for what all queues of a context hold now. Errors: CL_OUT_OF_HOST_MEMORY. */
cl_int hd_queue_wait_all(cl_context c);

/* With that lock held: a command may run; a command has ended, and one thing less keeps the one
 * that is returned (NULL: none); see to it that pool jobs are on their way for what is ready. */
void hd_queue_ready(cl_event e);
cl_event hd_queue_forget(cl_event e);
void hd_queue_submit(cl_command_queue q);
/* A command in words, for traces: "NDRANGE_KERNEL"; a literal. */
const char *hd_command_name(cl_command_type type);

#endif
