/* cl/context.h -- contexts: owners of everything else, and of the lock of the event graph.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CONTEXT_H
#define HD_CL_CONTEXT_H

#include <pthread.h>

#include "base/cond.h"
#include "base/array.h"
#include "cl/info.h"
#include "cl/object.h"
#include "cl/platform.h"

typedef void(CL_CALLBACK HdContextNotify)(const char *text, const void *info, size_t size,
                                          void *user);
typedef void(CL_CALLBACK HdContextGone)(cl_context context, void *user);

struct HdSvm; /* cl/svm.c */

struct _cl_context {
    HdObject object;
    cl_device_id *devices; /* held; no two are the same */
    cl_uint device_count;
    cl_context_properties *properties; /* as given, with the closing 0; NULL = none */
    size_t property_count;
    cl_bitfield zeroes; /* memory of kernels that begins with zeros */
    HdContextNotify *notify;
    void *notify_user;

    /* Guards the event graph where queues meet (cl/queue.h): states of events, the list of
     * queues. Held for a few instructions. */
    pthread_mutex_t graph;
    HdCond changed; /* some event has ended */
    cl_command_queue queues;
    cl_event dead; /* ended, still held by us: given back when the lock is let go */

    /* Guards the rest. */
    pthread_mutex_t lock;
    HD_ARRAY(struct HdSvm *) svm; /* by address */
    struct HdDeviceSide *side;    /* cl/device_queue.c; NULL: not needed yet */
    cl_command_queue device_queues;
    HD_ARRAY(struct HdContextCallback {
        HdContextGone *fn;
        void *user;
    })
    gone;
};

/* Make a context of `count` devices, some of which may be the same. Errors:
 * CL_OUT_OF_HOST_MEMORY. */
cl_int hd_context_new(const cl_context_properties *properties, cl_uint count,
                      const cl_device_id *devices, HdContextNotify *notify, void *user,
                      cl_context *out);
/* Is it a device of the context? */
bool hd_context_has(cl_context c, cl_device_id d);
/* Check a property list. Returns the error that clCreateContext gives for it. */
cl_int hd_context_check_properties(const cl_context_properties *properties);
bool hd_context_answer(cl_context c, cl_uint query, HdAnswer *a);
cl_int hd_context_on_gone(cl_context c, HdContextGone *fn, void *user);
/* Tell the host's callback, if there is one. */
void hd_context_notify(cl_context c, const char *text);
/* The same for what was found wrong in a launch; to standard error when there is no callback. */
void hd_context_notify_diags(cl_context c, const char *what, const HdDiags *d);

static inline bool hd_context_is(cl_context c)
{
    return hd_object_is(c, HD_MAGIC_CONTEXT);
}

#endif
