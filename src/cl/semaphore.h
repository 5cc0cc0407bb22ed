/* cl/semaphore.h -- binary semaphores, which commands of queues signal and wait for.
 *
 * Signals and waits are matched in the order in which waits were enqueued: a semaphore may be
 * signalled again as soon as the wait for the previous signal is enqueued, however late that runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_SEMAPHORE_H
#define HD_CL_SEMAPHORE_H

#include "cl/queue.h"

struct _cl_semaphore_khr {
    HdObject object;
    cl_context context;  /* held */
    cl_device_id device; /* one of the context's */
    cl_semaphore_properties_khr *properties;
    size_t property_count; /* words, the closing 0 among them */
    int fd;             /* ours; where its signals are (cl/semaphore_fd.h); -1: it is not shared */
    bool is_exportable; /* others may be given a copy of the descriptor */

    /* guarded by the context's graph lock */
    cl_uint signals; /* that no wait has taken yet */
    HD_ARRAY(cl_event)
    waits; /* enqueued and not yet run, in that order; a semaphore does not hold
              them: each leaves before it goes */
};

static inline bool hd_semaphore_is(cl_semaphore_khr s)
{
    return hd_object_is(s, HD_MAGIC_SEMAPHORE);
}

/* Errors: as clCreateSemaphoreWithPropertiesKHR. */
cl_int hd_semaphore_new(cl_context c, const cl_semaphore_properties_khr *properties,
                        cl_semaphore_khr *out);
/* A descriptor for others; -1: there is none. */
int hd_semaphore_export(cl_semaphore_khr s);
bool hd_semaphore_answer(cl_semaphore_khr s, cl_uint query, HdAnswer *a);

/* Enqueue a command that waits for semaphores, or signals them. Errors: CL_OUT_OF_HOST_MEMORY,
 * those of hd_queue_enqueue. */
cl_int hd_semaphore_wait(cl_command_queue q, cl_uint count, const cl_semaphore_khr *semaphores,
                         HdEnqueue how);
cl_int hd_semaphore_signal(cl_command_queue q, cl_uint count, const cl_semaphore_khr *semaphores,
                           HdEnqueue how);

#endif
