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

#include "cl/command_buffer_state.h"

static inline bool hd_command_buffer_is(HdCommandBuffer b)
{
    return hd_object_is(b, HD_MAGIC_COMMAND_BUFFER);
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

#endif
