/* cl/command_buffer.h -- commands that are recorded once and enqueued repeatedly.
 *
 * A command buffer records with a private queue: the enqueuing entry points check and create
 * commands for it as for any other, and it keeps them instead of running them. One enqueue of the
 * buffer is one command of the host's queue, which runs the recorded ones in the order in which
 * they were recorded. That order satisfies every synchronization point and every barrier.
 *
 * What an enqueue runs is decided when it is enqueued: a later update creates other commands for
 * later enqueues, so that simultaneous use is possible.
 *
 * Spec: OpenCL API, "Command-Buffers"; cl_khr_command_buffer,
 * cl_khr_command_buffer_mutable_dispatch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_COMMAND_BUFFER_H
#define HD_CL_COMMAND_BUFFER_H

#include "cl/kernel.h"
#include "cl/queue.h"
#include "cl/recording.h"

struct _cl_command_buffer_khr {
    HdObject object;
    cl_uint queue_count;
    cl_command_queue *queues;    /* [queue_count] the host's; held; of one context */
    cl_command_queue *recorders; /* [queue_count] our own, of the same devices */
    cl_ulong flags, asserts;
    cl_properties *property_array; /* as given, with the closing 0; NULL = none */
    size_t property_count;

    pthread_mutex_t lock; /* guards the rest */
    bool is_final;
    cl_command_queue recorder;   /* the one that a command is recorded with */
    HD_ARRAY(cl_event) commands; /* held; NULL: arguments are missing */
    HD_ARRAY(HdMutableCommand) handles;
    HdRecording *recording; /* of the current commands; NULL: not created yet */
};

/* The sizes of a recorded kernel. */
typedef struct HdKeptRange {
    cl_uint work_dim;
    bool has_local;
    size_t offset[3], global[3], local[3];
} HdKeptRange;

/* A recorded kernel that the host has a handle of. It lives as long as its buffer. */
struct _cl_mutable_command_khr {
    HdObject object; /* its magic word is all that is used */
    HdCommandBuffer buffer;
    size_t index;          /* among the buffer's commands */
    cl_uint place;         /* of its queue among the buffer's */
    cl_kernel of;          /* as given; held */
    cl_kernel kernel;      /* our copy, with the current arguments */
    cl_kernel next_kernel; /* during an update: the new one; NULL: unchanged */
    cl_event next;         /* likewise */
    HdKeptRange range, next_range;
    cl_ulong fields; /* what may change */
    cl_properties *property_array;
    size_t property_count;
};

static inline bool hd_command_buffer_is(HdCommandBuffer b)
{
    return hd_object_is(b, HD_MAGIC_COMMAND_BUFFER);
}

static inline bool hd_mutable_command_is(HdMutableCommand m)
{
    return hd_object_is(m, HD_MAGIC_MUTABLE_COMMAND);
}

/* Make one for some queues of one context. Errors: CL_INVALID_VALUE (properties),
 * CL_OUT_OF_HOST_MEMORY. */
cl_int hd_command_buffer_new(cl_uint queue_count, const cl_command_queue *queues,
                             const cl_properties *properties, HdCommandBuffer *out);
static inline cl_context hd_command_buffer_context(const struct _cl_command_buffer_khr *b)
{
    return b->queues[0]->context;
}
/* The place of a queue that a command is recorded to; NULL: the only one.
 * Errors: CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT. */
cl_int hd_command_buffer_place(const struct _cl_command_buffer_khr *b, cl_command_queue q,
                               cl_uint *place);
cl_int hd_command_buffer_finalize(HdCommandBuffer b);
bool hd_command_buffer_answer(HdCommandBuffer b, cl_uint query, HdAnswer *a);

/* Commands are recorded between these two: in between, one clEnqueue… with the buffer's recorder.
 * begin: locks the buffer unless it returns an error.
 *   place  of its queue
 *   made   where the command will be
 * end: keeps the command if `code`, which the clEnqueue… gave, is CL_SUCCESS, and unlocks.
 *   point  gets its synchronization point; may be NULL */
cl_int hd_command_buffer_begin(HdCommandBuffer b, cl_uint place, cl_uint num_points,
                               const HdSyncPoint *points, cl_event *made);
cl_int hd_command_buffer_end(HdCommandBuffer b, cl_int code, HdSyncPoint *point);

/* Record a kernel. Errors: as clCommandNDRangeKernelKHR.
 *   handle  gets one; NULL: none is wanted */
cl_int hd_command_buffer_record_kernel(HdCommandBuffer b, cl_uint place,
                                       const cl_properties *properties, cl_kernel k,
                                       const HdRange *r, cl_uint num_points,
                                       const HdSyncPoint *points, HdSyncPoint *point,
                                       HdMutableCommand *handle);

/* Enqueue what it holds now, to as many queues as it has.
 * Errors: CL_INVALID_OPERATION, those of hd_queue_enqueue. */
cl_int hd_command_buffer_enqueue(HdCommandBuffer b, const cl_command_queue *queues, HdEnqueue how);

/* A deep copy in the same state whose commands are for other queues: each for the one that has the
 * place of its own, or, if is_automatic, all for one with most threads.
 *   copies  gets the copies of `count` handles
 * Errors: CL_INVALID_PROGRAM_EXECUTABLE, CL_OUT_OF_HOST_MEMORY. */
cl_int hd_command_buffer_remap(HdCommandBuffer b, bool is_automatic, cl_uint queue_count,
                               const cl_command_queue *queues, cl_uint count,
                               const HdMutableCommand *handles, HdMutableCommand *copies,
                               HdCommandBuffer *out);

/* cl/mutable.c */

/* A copy of a handle for a copy of its buffer; NULL: no memory. */
HdMutableCommand hd_mutable_copy(HdCommandBuffer b, const struct _cl_mutable_command_khr *m,
                                 cl_uint place);

/* What clCommandNDRangeKernelKHR's properties say. Errors: CL_INVALID_VALUE, CL_INVALID_OPERATION.
 *   fields, asserts  unchanged if the properties do not specify them; *says_fields: they do
 *   count            words, the closing 0 among them */
cl_int hd_mutable_properties(const cl_properties *properties, cl_ulong *fields, bool *says_fields,
                             cl_ulong *asserts, size_t *count);
/* Make a handle of command `index` of a buffer whose lock is held. NULL: no memory. */
HdMutableCommand hd_mutable_new(HdCommandBuffer b, size_t index, cl_kernel k, const HdRange *r,
                                const cl_properties *properties, size_t property_count,
                                cl_ulong fields);
void hd_mutable_free(HdMutableCommand m);
/* Change commands of a final buffer: all of the configurations or, on an error, none.
 * Errors: as clUpdateMutableCommandsKHR. */
cl_int hd_mutable_update(HdCommandBuffer b, cl_uint count, const void *const *configs);
bool hd_mutable_answer(HdMutableCommand m, cl_uint query, HdAnswer *a);

#endif
