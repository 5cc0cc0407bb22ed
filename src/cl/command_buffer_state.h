/* cl/command_buffer_state.h -- a command buffer and the handles of its kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_COMMAND_BUFFER_STATE_H
#define HD_CL_COMMAND_BUFFER_STATE_H

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

#endif
