/* cl/command_buffer.c -- command buffers: recording, enqueuing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/command_buffer.h"

#include <string.h>

#include "base/memory.h"
#include "cl/command.h"
#include "cl/mutable.h"
#include "cl/properties.h"

/* An enqueue of no more commands than these, all of them cheap, is not worth a thread. */
#define CHEAP_COMMANDS 4u

/* ---- the buffer ------------------------------------------------------------------------------ */

static void destroy(HdObject *o)
{
    HdCommandBuffer b = (HdCommandBuffer)o;

    hd_recording_drop(b->recording);
    for (size_t i = 0; i < b->handles.count; i++)
        hd_mutable_free(b->handles.at[i]);
    HD_ARRAY_FREE(&b->handles);
    for (size_t i = 0; i < b->commands.count; i++)
        if (b->commands.at[i] != NULL)
            hd_object_drop(&b->commands.at[i]->object);
    HD_ARRAY_FREE(&b->commands);
    for (cl_uint i = 0; i < b->queue_count; i++) {
        hd_object_drop(&b->recorders[i]->object);
        hd_object_drop(&b->queues[i]->object);
    }
    hd_free(b->recorders);
    hd_free(b->queues);
    pthread_mutex_destroy(&b->lock);
    hd_free(b->property_array);
    o->magic = 0;
    hd_object_free(b);
}

static cl_int read_properties(HdCommandBuffer b, const cl_properties *p)
{
    HdBitsProperty rows[] = {
        {.name = HD_CL_COMMAND_BUFFER_FLAGS,
         .known = HD_CL_COMMAND_BUFFER_SIMULTANEOUS_USE | HD_CL_COMMAND_BUFFER_MUTABLE |
                  HD_CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC,
         .refusal = CL_INVALID_VALUE},
        {.name = HD_CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS,
         .known = HD_CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS,
         .refusal = CL_INVALID_VALUE},
    };
    cl_int code = hd_read_bits_properties(p, rows, 2, &b->property_count);

    if (code != CL_SUCCESS || p == NULL)
        return code;
    b->flags = rows[0].bits;
    b->asserts = rows[1].bits;
    b->property_array = hd_memdup(p, b->property_count * sizeof *p);
    return b->property_array != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* Each of the host's queues, and one of ours that records for it. */
static cl_int keep_queues(HdCommandBuffer b, cl_uint count, const cl_command_queue *queues)
{
    b->queues = hd_alloc(count * sizeof *b->queues);
    b->recorders = hd_alloc(count * sizeof *b->recorders);
    if (b->queues == NULL || b->recorders == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (; b->queue_count < count; b->queue_count++) {
        cl_command_queue q = queues[b->queue_count], recorder;
        cl_int code = hd_queue_new(q->context, q->device, NULL, &recorder);

        if (code != CL_SUCCESS)
            return code;
        hd_object_own(&recorder->object);
        hd_object_hold(&q->object);
        b->queues[b->queue_count] = q;
        b->recorders[b->queue_count] = recorder;
    }
    return CL_SUCCESS;
}

cl_int hd_command_buffer_new(cl_uint queue_count, const cl_command_queue *queues,
                             const cl_properties *properties, HdCommandBuffer *out)
{
    HdCommandBuffer b = hd_alloc_zero(sizeof *b);
    cl_int code;

    *out = NULL;
    if (b == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    hd_object_init(&b->object, HD_MAGIC_COMMAND_BUFFER, destroy);
    pthread_mutex_init(&b->lock, NULL);
    code = read_properties(b, properties);
    if (code == CL_SUCCESS)
        code = keep_queues(b, queue_count, queues);
    if (code != CL_SUCCESS) {
        hd_object_release(&b->object);
        return code;
    }
    *out = b;
    return CL_SUCCESS;
}

cl_int hd_command_buffer_place(const struct _cl_command_buffer_khr *b, cl_command_queue q,
                               cl_uint *place)
{
    *place = 0;
    if (q == NULL)
        return b->queue_count == 1 ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
    if (hd_queue_is(q) && q->context != hd_command_buffer_context(b))
        return CL_INVALID_CONTEXT;
    while (*place < b->queue_count && b->queues[*place] != q)
        ++*place;
    return *place < b->queue_count ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

static bool is_complete(const struct _cl_command_buffer_khr *b)
{
    for (size_t i = 0; i < b->commands.count; i++)
        if (b->commands.at[i] == NULL)
            return false;
    return true;
}

static cl_uint state_of(const struct _cl_command_buffer_khr *b)
{
    if (!b->is_final)
        return HD_CL_COMMAND_BUFFER_STATE_RECORDING;
    return is_complete(b) ? HD_CL_COMMAND_BUFFER_STATE_EXECUTABLE
                          : HD_CL_COMMAND_BUFFER_STATE_FINALIZED;
}

cl_int hd_command_buffer_finalize(HdCommandBuffer b)
{
    bool was_final;

    pthread_mutex_lock(&b->lock);
    was_final = b->is_final;
    b->is_final = true;
    pthread_mutex_unlock(&b->lock);
    return was_final ? CL_INVALID_OPERATION : CL_SUCCESS;
}

bool hd_command_buffer_answer(HdCommandBuffer b, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case HD_CL_COMMAND_BUFFER_NUM_QUEUES: hd_answer_uint(a, b->queue_count); break;
    case HD_CL_COMMAND_BUFFER_QUEUES:
        hd_answer_bytes(a, b->queues, b->queue_count * sizeof *b->queues);
        break;
    case HD_CL_COMMAND_BUFFER_CONTEXT: hd_answer_handle(a, hd_command_buffer_context(b)); break;
    case HD_CL_COMMAND_BUFFER_REFERENCE_COUNT:
        hd_answer_uint(a, hd_object_api_refs(&b->object));
        break;
    case HD_CL_COMMAND_BUFFER_STATE:
        pthread_mutex_lock(&b->lock);
        hd_answer_uint(a, state_of(b));
        pthread_mutex_unlock(&b->lock);
        break;
    case HD_CL_COMMAND_BUFFER_PROPERTIES_ARRAY:
        hd_answer_bytes(a, b->property_array, b->property_count * sizeof *b->property_array);
        break;
    default: return false;
    }
    return true;
}

/* ---- recording ------------------------------------------------------------------------------- */

/* Synchronization points are the numbers of commands, from 1. */
static bool points_are_fine(const struct _cl_command_buffer_khr *b, cl_uint count,
                            const HdSyncPoint *points)
{
    if ((count == 0) != (points == NULL))
        return false;
    for (cl_uint i = 0; i < count; i++)
        if (points[i] == 0 || points[i] > b->commands.count)
            return false;
    return true;
}

cl_int hd_command_buffer_begin(HdCommandBuffer b, cl_uint place, cl_uint num_points,
                               const HdSyncPoint *points, cl_event *made)
{
    cl_int code = CL_SUCCESS;

    *made = NULL;
    pthread_mutex_lock(&b->lock);
    if (b->is_final)
        code = CL_INVALID_OPERATION;
    else if (!points_are_fine(b, num_points, points))
        code = HD_CL_INVALID_SYNC_POINT_WAIT_LIST;
    else if (b->commands.count >= CL_UINT_MAX)
        code = CL_OUT_OF_RESOURCES;
    else if (!HD_ARRAY_RESERVE(NULL, &b->commands, 1))
        code = CL_OUT_OF_HOST_MEMORY;
    if (code != CL_SUCCESS) {
        pthread_mutex_unlock(&b->lock);
        return code;
    }
    b->recorder = b->recorders[place];
    b->recorder->recorded = made;
    return CL_SUCCESS;
}

cl_int hd_command_buffer_end(HdCommandBuffer b, cl_int code, HdSyncPoint *point)
{
    cl_event *made = b->recorder->recorded;

    b->recorder->recorded = NULL;
    if (*made != NULL)
        hd_object_own(&(*made)->object);
    if (code == CL_SUCCESS) {
        b->commands.at[b->commands.count++] = *made;
        if (point != NULL)
            *point = (HdSyncPoint)b->commands.count;
    } else if (*made != NULL) {
        hd_object_drop(&(*made)->object);
    }
    pthread_mutex_unlock(&b->lock);
    return code;
}

cl_int hd_command_buffer_record_kernel(HdCommandBuffer b, cl_uint place,
                                       const cl_properties *properties, cl_kernel k,
                                       const HdRange *r, cl_uint num_points,
                                       const HdSyncPoint *points, HdSyncPoint *point,
                                       HdMutableCommand *handle)
{
    cl_ulong fields = HD_CL_MUTABLE_DISPATCH_ALL, asserts = b->asserts;
    bool says_fields, is_set = hd_args_missing(&k->args) == UINT32_MAX;
    size_t property_count;
    HdMutableCommand m = NULL;
    cl_event made;
    cl_int code =
        hd_mutable_properties(properties, &fields, &says_fields, &asserts, &property_count);

    if (code == CL_SUCCESS && asserts != 0 && r->local == NULL)
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS)
        code = hd_command_buffer_begin(b, place, num_points, points, &made);
    if (code != CL_SUCCESS)
        return code;
    if (!is_set && says_fields && (fields & HD_CL_MUTABLE_DISPATCH_ARGUMENTS) != 0)
        code = hd_kernel_check_unset(b->recorder, k, r);
    else
        code = hd_kernel_enqueue(b->recorder, CL_COMMAND_NDRANGE_KERNEL, k, r,
                                 (HdEnqueue){.out = NULL});
    if (code == CL_SUCCESS && handle != NULL) {
        m = hd_mutable_new(b, b->commands.count, k, r, properties, property_count, fields);
        if (m == NULL) {
            code = CL_OUT_OF_HOST_MEMORY;
        } else {
            m->place = place;
            *handle = m;
        }
    }
    return hd_command_buffer_end(b, code, point);
}

/* ---- copies for other queues ----------------------------------------------------------------- */

/* Of the queues, one of a device that no other has more threads than. */
static cl_uint widest(const struct _cl_command_buffer_khr *b)
{
    cl_uint best = 0;

    for (cl_uint i = 1; i < b->queue_count; i++)
        if (b->queues[i]->device->units > b->queues[best]->device->units)
            best = i;
    return best;
}

static cl_uint place_of(const struct _cl_command_buffer_khr *b, const struct _cl_event *e)
{
    cl_uint i = 0;

    while (i + 1 < b->queue_count && b->recorders[i] != e->queue)
        i++;
    return i;
}

/* Kernels are launched anew. What moves bytes is the same command: it reads nothing of its queue
 * that devices differ in, and never changes. */
static cl_int copy_command(HdCommandBuffer to, cl_uint place, cl_event from)
{
    cl_command_queue recorder = to->recorders[place];
    cl_event made = NULL;
    cl_int code = CL_SUCCESS;

    if (from != NULL && hd_kernel_is_command(from)) {
        recorder->recorded = &made;
        code = hd_kernel_enqueue_like(recorder, from, (HdEnqueue){.out = NULL});
        recorder->recorded = NULL;
        if (code == CL_SUCCESS)
            hd_object_own(&made->object);
    } else if (from != NULL) {
        hd_object_hold(&from->object);
        made = from;
    }
    if (code == CL_SUCCESS)
        to->commands.at[to->commands.count++] = made;
    return code;
}

/* All of a buffer, whose lock is held. all: in the copy, each for the same queue. */
static cl_int copy_all(HdCommandBuffer to, const struct _cl_command_buffer_khr *b, bool all)
{
    cl_uint one = widest(to);
    cl_int code = CL_SUCCESS;

    to->is_final = b->is_final;
    if (b->commands.count > 0 && !HD_ARRAY_RESERVE(NULL, &to->commands, b->commands.count))
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < b->commands.count && code == CL_SUCCESS; i++) {
        cl_event from = b->commands.at[i];

        code = copy_command(to, all ? one : from != NULL ? place_of(b, from) : 0, from);
    }
    for (size_t i = 0; i < b->handles.count && code == CL_SUCCESS; i++)
        if (hd_mutable_copy(to, b->handles.at[i], all ? one : b->handles.at[i]->place) == NULL)
            code = CL_OUT_OF_HOST_MEMORY;
    return code;
}

cl_int hd_command_buffer_remap(HdCommandBuffer b, bool is_automatic, cl_uint queue_count,
                               const cl_command_queue *queues, cl_uint count,
                               const HdMutableCommand *handles, HdMutableCommand *copies,
                               HdCommandBuffer *out)
{
    HdCommandBuffer to;
    cl_int code = hd_command_buffer_new(queue_count, queues, b->property_array, &to);

    *out = NULL;
    if (code != CL_SUCCESS)
        return code;
    pthread_mutex_lock(&b->lock);
    code = copy_all(to, b, is_automatic);
    for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
        for (size_t k = 0; k < b->handles.count; k++)
            if (b->handles.at[k] == handles[i])
                copies[i] = to->handles.at[k];
    pthread_mutex_unlock(&b->lock);
    if (code != CL_SUCCESS)
        hd_object_release(&to->object);
    else
        *out = to;
    return code;
}

/* ---- running --------------------------------------------------------------------------------- */

static cl_int run(cl_event e)
{
    const HdRecording *r = e->payload.recording;
    cl_int code = CL_SUCCESS;

    for (size_t i = 0; i < r->count && code == CL_SUCCESS; i++)
        if (r->at[i]->run != NULL)
            code = r->at[i]->run(r->at[i]);
    return code;
}

static void drop(cl_event e)
{
    hd_recording_drop(e->payload.recording);
    e->payload.recording = NULL;
}

static void weigh(cl_event e, const HdRecording *r)
{
    e->is_cheap = r->count <= CHEAP_COMMANDS;
    for (size_t i = 0; i < r->count; i++) {
        e->is_heavy = e->is_heavy || r->at[i]->is_heavy;
        e->is_cheap = e->is_cheap && r->at[i]->is_cheap;
    }
}

/* What an enqueue runs, for it to hold. */
static cl_int take_recording(HdCommandBuffer b, HdRecording **out)
{
    cl_int code = CL_SUCCESS;

    *out = NULL;
    pthread_mutex_lock(&b->lock);
    if (state_of(b) != HD_CL_COMMAND_BUFFER_STATE_EXECUTABLE) {
        code = CL_INVALID_OPERATION;
    } else {
        if (b->recording == NULL)
            b->recording = hd_recording_new(b->commands.at, b->commands.count);
        if (b->recording == NULL)
            code = CL_OUT_OF_HOST_MEMORY;
        else
            hd_recording_hold(b->recording);
        *out = b->recording;
    }
    pthread_mutex_unlock(&b->lock);
    return code;
}

/* To one queue. */
static cl_int enqueue(HdCommandBuffer b, cl_command_queue q, HdEnqueue how)
{
    HdRecording *r;
    cl_int code = take_recording(b, &r);
    cl_event e;

    if (code != CL_SUCCESS)
        return code;
    e = hd_event_new(q, HD_CL_COMMAND_COMMAND_BUFFER, run);
    if (e == NULL || !hd_event_hold(e, &b->object)) {
        hd_recording_drop(r);
        if (e != NULL)
            hd_object_release(&e->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    e->payload.recording = r;
    e->drop = drop;
    e->spans_queues = b->queue_count > 1;
    weigh(e, r);
    return hd_queue_enqueue(q, e, how);
}

/* The queue that it runs in: one that profiles, if there is one. */
static cl_command_queue home_of(cl_uint count, const cl_command_queue *queues)
{
    for (cl_uint i = 0; i < count; i++)
        if (hd_queue_is_profiling(queues[i]))
            return queues[i];
    return queues[0];
}

/* It runs in one of the queues, after what a command of each of them would come after; what comes
 * after it in each waits for it.
 *   waits  room for as many events more as there are queues */
static cl_int enqueue_to_all(HdCommandBuffer b, const cl_command_queue *queues, cl_event *waits,
                             HdEnqueue how)
{
    cl_command_queue home = home_of(b->queue_count, queues);
    cl_uint given = how.waits.count, count = given;
    cl_int code = CL_SUCCESS;
    cl_event e = NULL;
    HdEnqueue main = how;

    for (cl_uint i = 0; i < b->queue_count && code == CL_SUCCESS; i++) {
        if (queues[i] == home)
            continue;
        code = hd_command_nothing(queues[i], CL_COMMAND_MARKER, NULL,
                                  (HdEnqueue){.out = &waits[count]});
        count += code == CL_SUCCESS;
        hd_queue_flush(queues[i]);
    }
    main.waits = (HdWaitList){.count = count, .events = waits};
    main.out = &e;
    if (code == CL_SUCCESS)
        code = enqueue(b, home, main);
    for (cl_uint i = given; i < count; i++)
        hd_object_release(&waits[i]->object);
    for (cl_uint i = 0; i < b->queue_count && code == CL_SUCCESS; i++)
        if (queues[i] != home && !hd_queue_is_out_of_order(queues[i]))
            code = hd_command_nothing(queues[i], CL_COMMAND_MARKER, NULL,
                                      (HdEnqueue){.waits = {.count = 1, .events = &e}});
    if (how.out != NULL && code == CL_SUCCESS)
        *how.out = e;
    else if (e != NULL)
        hd_object_release(&e->object);
    return code;
}

cl_int hd_command_buffer_enqueue(HdCommandBuffer b, const cl_command_queue *queues, HdEnqueue how)
{
    cl_event *waits;
    cl_int code;

    if (b->queue_count == 1)
        return enqueue(b, queues[0], how);
    waits = hd_alloc((how.waits.count + b->queue_count) * sizeof *waits);
    if (waits == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    if (how.waits.count > 0)
        memcpy(waits, how.waits.events, how.waits.count * sizeof *waits);
    code = enqueue_to_all(b, queues, waits, how);
    hd_free(waits);
    return code;
}
