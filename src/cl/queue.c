/* cl/queue.c -- command queues: the states of their commands, and who brings them there.
 *
 *   state          where the command is                     what brings it there
 *   CL_QUEUED      in the queue's list; `blocked` counts    hd_queue_enqueue
 *                  what it waits for
 *   … and ready    among the ready ones, too                hd_queue_ready: nothing blocks it
 *   CL_SUBMITTED   the same; a pool job is on its way       flush: the host's, a wait's, of many
 *   CL_RUNNING     no longer among the ready ones           run: drain_job in the pool, or wait_for
 *   CL_COMPLETE,   in no list; what waited for it is        hd_event_end, then hd_queue_forget
 *   or below       ready, or fails
 *
 * A command whose wait list failed ends with an error without having run. One without work ends in
 * hd_queue_enqueue. All but `run` itself happens with what guards the queue locked
 * (cl/queue_lock.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/queue.h"

#include <string.h>

#include "base/clock.h"
#include "base/float_env.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/trace.h"
#include "cl/device_queue.h"
#include "cl/queue_lock.h"

/* Start commands without a flush when so many that are worth it are waiting, or so many in total:
 * another thread's help with cheap ones costs more than it gains. */
#define DEAR_LIMIT      16u
#define UNFLUSHED_LIMIT (1u << 14)

static HdPoolJob drain_job;

static void forget(cl_command_queue q)
{
    cl_context c = q->context;
    cl_command_queue *link = &c->queues;

    pthread_mutex_lock(&c->graph);
    while (*link != q)
        link = &(*link)->next;
    *link = q->next;
    pthread_mutex_unlock(&c->graph);
}

static void destroy(HdObject *o)
{
    cl_command_queue q = (cl_command_queue)o;
    cl_context c = q->context;

    if (hd_queue_is_on_device(q))
        hd_device_queue_forget(q);
    else
        forget(q);
    hd_event_drop_spares(q);
    pthread_mutex_destroy(&q->lock);
    pthread_mutex_destroy(&q->spare_lock);
    hd_free(q->property_array);
    o->magic = 0;
    hd_object_free(q);
    hd_object_drop(&c->object);
}

/* Hints change nothing: all queues share the threads, and a command that can run does.
 * Spec: cl_khr_priority_hints, cl_khr_throttle_hints. */
static bool is_hint(cl_queue_properties name)
{
    return name == CL_QUEUE_PRIORITY_KHR || name == CL_QUEUE_THROTTLE_KHR;
}

/* High, medium or low. */
static bool is_one_of_three(cl_queue_properties level)
{
    return level == 1 || level == 2 || level == 4;
}

static cl_int read_properties(cl_command_queue q, const cl_queue_properties *p)
{
    const cl_queue_properties known =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_queue_properties device_side = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    bool has_size = false, has_hint = false;
    size_t n = 0;

    q->size = HD_DEVICE_QUEUE_PREFERRED;
    if (p == NULL)
        return CL_SUCCESS;
    for (; p[n] != 0; n += 2) {
        if (is_hint(p[n]) && is_one_of_three(p[n + 1])) {
            has_hint = true;
            continue;
        }
        if (p[n] != CL_QUEUE_PROPERTIES && p[n] != CL_QUEUE_SIZE)
            return CL_INVALID_VALUE;
        if (p[n] == CL_QUEUE_SIZE) {
            if (p[n + 1] == 0 || p[n + 1] > HD_DEVICE_QUEUE_MOST)
                return CL_INVALID_QUEUE_PROPERTIES;
            q->size = (cl_uint)p[n + 1];
            has_size = true;
            continue;
        }
        if ((p[n + 1] & ~(known | device_side)) != 0)
            return CL_INVALID_VALUE;
        q->properties = p[n + 1];
    }
    if (has_hint && (q->properties & CL_QUEUE_ON_DEVICE) != 0)
        return CL_INVALID_QUEUE_PROPERTIES;
    /* Those on the device are out of order, and only they can be a default or have a size. */
    if ((q->properties & CL_QUEUE_ON_DEVICE) != 0
            ? !hd_queue_is_out_of_order(q)
            : has_size || (q->properties & CL_QUEUE_ON_DEVICE_DEFAULT) != 0)
        return CL_INVALID_VALUE;
    n++;
    q->property_array = hd_memdup(p, n * sizeof *p);
    if (q->property_array == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    q->property_count = n;
    return CL_SUCCESS;
}

cl_int hd_queue_new(cl_context c, cl_device_id d, const cl_queue_properties *properties,
                    cl_command_queue *out)
{
    cl_command_queue q = hd_alloc_zero(sizeof *q);
    bool is_on_device;
    cl_int code;

    *out = NULL;
    if (q == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    code = read_properties(q, properties);
    if (code != CL_SUCCESS) {
        hd_free(q);
        return code;
    }
    is_on_device = (q->properties & CL_QUEUE_ON_DEVICE) != 0;
    hd_object_init(&q->object, is_on_device ? HD_MAGIC_DEVICE_QUEUE : HD_MAGIC_QUEUE, destroy);
    q->context = c;
    q->device = d;
    q->drain = drain_job;
    atomic_init(&q->is_joined, hd_queue_is_out_of_order(q));
    hd_lock_init_short(&q->lock);
    hd_lock_init_short(&q->spare_lock);
    hd_object_hold(&c->object);
    if (is_on_device) {
        code = hd_device_queue_settle(&q);
        if (code != CL_SUCCESS)
            hd_object_release(&q->object);
        else
            *out = q;
        return code;
    }
    pthread_mutex_lock(&c->graph);
    q->next = c->queues;
    c->queues = q;
    pthread_mutex_unlock(&c->graph);
    *out = q;
    return CL_SUCCESS;
}

bool hd_queue_answer(cl_command_queue q, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_QUEUE_CONTEXT: hd_answer_handle(a, q->context); break;
    case CL_QUEUE_DEVICE: hd_answer_handle(a, q->device); break;
    case CL_QUEUE_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&q->object)); break;
    case CL_QUEUE_PROPERTIES: hd_answer_ulong(a, q->properties); break;
    case CL_QUEUE_PROPERTIES_ARRAY:
        hd_answer_bytes(a, q->property_array, q->property_count * sizeof *q->property_array);
        break;
    case CL_QUEUE_SIZE: hd_answer_uint(a, q->size); break;
    case CL_QUEUE_DEVICE_DEFAULT: {
        cl_command_queue on_device = hd_device_queue_default(q->context, q->device);

        hd_answer_handle(a, on_device);
        if (on_device != NULL)
            hd_object_drop(&on_device->object);
        break;
    }
    default: return false;
    }
    return true;
}

/* ---- with what guards the queue locked ------------------------------------------------------ */

static void mark_submitted(cl_event e)
{
    if (hd_event_status(e) != CL_QUEUED)
        return;
    if (hd_queue_is_profiling(e->queue))
        e->submitted_ns = hd_clock_ns();
    hd_event_enter(e, CL_SUBMITTED);
}

static void flush(cl_command_queue q)
{
    if (q->flushed != q->serial) {
        for (cl_event e = q->last; e != NULL && e->serial > q->flushed; e = e->previous)
            mark_submitted(e);
        q->flushed = q->serial;
        q->dear = 0;
    }
    hd_queue_submit(q); /* also what an earlier flush found no memory for */
}

static cl_event take_ready(cl_command_queue q, uint64_t until)
{
    cl_event e = q->first_ready;

    if (e == NULL || e->serial > until)
        return NULL;
    q->first_ready = e->next_ready;
    e->next_ready = NULL;
    q->ready--;
    return e;
}

/* With the graph lock held: a flushed command that no job is on its way to run, because without
 * memory or threads there was none. */
static cl_event take_stranded(cl_context c)
{
    for (cl_command_queue q = c->queues; q != NULL; q = q->next) {
        cl_event e = q->is_joined && q->jobs == 0 ? take_ready(q, q->flushed) : NULL;

        if (e != NULL)
            return e;
    }
    return NULL;
}

/* Run a command; the lock is let go meanwhile, and it may be the other one afterwards. Is it the
 * graph's? */
static bool run(cl_event e)
{
    HD_FLOAT_ENV;
    cl_command_queue q = e->queue;
    cl_context c = e->context;
    cl_int code;
    HD_TRACE("queue", hd_command_name(e->type));

    hd_trace_track(&hd_span, q, "queue");
    mark_submitted(e);
    if (hd_queue_is_profiling(q))
        e->started_ns = hd_clock_ns();
    hd_event_enter(e, CL_RUNNING);
    hd_queue_unlock(q);
    code = e->run != NULL ? e->run(e) : CL_SUCCESS;
    if (e->ended == NULL)
        hd_event_drop_payload(e);
    hd_queue_lock(q);
    if (code != CL_SUCCESS && q->error == CL_SUCCESS)
        q->error = CL_OUT_OF_RESOURCES;
    hd_event_end(e, code);
    if (q->is_joined) /* who waits made it join */
        hd_cond_broadcast(&c->changed);
    return q->is_joined;
}

static void drain_job(void *user)
{
    cl_command_queue q = user;
    cl_event e;

    hd_queue_lock(q);
    while ((e = take_ready(q, UINT64_MAX)) != NULL) {
        e->is_ahead = true;
        run(e);
    }
    q->jobs--;
    hd_pool_end_job(hd_device_pool(q->device));
    hd_queue_unlock(q);
    hd_object_drop(&q->object);
}

/* ---- enqueue, flush, wait ------------------------------------------------------------------- */

cl_int hd_queue_check_waits(cl_command_queue q, HdWaitList w)
{
    if ((w.count == 0) != (w.events == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < w.count; i++) {
        if (!hd_event_is(w.events[i]))
            return CL_INVALID_EVENT_WAIT_LIST;
        if (w.events[i]->context != q->context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

/* Does the command wait for something outside of its queue? */
static bool reaches_out(const struct _cl_event *e, HdWaitList w)
{
    if (e->may_run != NULL || e->ended != NULL)
        return true;
    for (cl_uint i = 0; i < w.count; i++)
        if (w.events[i]->queue != e->queue && hd_event_status(w.events[i]) > CL_COMPLETE)
            return true;
    return false;
}

/* Lock what guards the command, and all that it waits for and has not ended. */
static void lock_all(cl_command_queue q, const struct _cl_event *e, HdWaitList w)
{
    hd_queue_lock(q);
    if (!q->is_joined && !reaches_out(e, w))
        return;
    hd_queue_change_to_graph(q);
    for (cl_uint i = 0; i < w.count; i++)
        if (w.events[i]->queue != NULL && hd_event_status(w.events[i]) > CL_COMPLETE)
            hd_queue_join(w.events[i]->queue);
}

/* Room for every edge that will be drawn, so that drawing them cannot fail. */
static bool reserve_edges(cl_command_queue q, const HdEnqueue *how)
{
    /* A single edge may be the only one of its event; any of several may be drawn twice. */
    size_t extra = how->waits.count == 1 && q->barrier == NULL && !how->after_all
                       ? 1
                       : (size_t)how->waits.count + 2;

    for (cl_uint i = 0; i < how->waits.count; i++) {
        if (hd_event_status(how->waits.events[i]) > CL_COMPLETE &&
            !hd_event_reserve_edges(how->waits.events[i], extra))
            return false;
    }
    if (!hd_queue_is_out_of_order(q))
        return true;
    if (q->barrier != NULL && !hd_event_reserve_edges(q->barrier, extra))
        return false;
    for (cl_event e = q->first; how->after_all && e != NULL; e = e->next) {
        if (!hd_event_reserve_edges(e, extra))
            return false;
    }
    return true;
}

static void draw_edges(cl_command_queue q, cl_event e, const HdEnqueue *how)
{
    for (cl_uint i = 0; i < how->waits.count; i++) {
        cl_int status = hd_event_status(how->waits.events[i]);

        if (status > CL_COMPLETE)
            hd_event_draw_edge(how->waits.events[i], e, true);
        else if (status < 0)
            e->is_failed = true;
    }
    if (!hd_queue_is_out_of_order(q)) {
        if (q->last != NULL)
            e->blocked++; /* until that one leaves the queue's list */
    } else if (how->after_all) {
        for (cl_event before = q->first; before != NULL; before = before->next)
            hd_event_draw_edge(before, e, false);
    } else if (q->barrier != NULL) {
        hd_event_draw_edge(q->barrier, e, false);
    }
}

cl_int hd_queue_enqueue(cl_command_queue q, cl_event e, HdEnqueue how)
{
    cl_int code = CL_SUCCESS;

    if (hd_platform_is_forked()) {
        hd_object_release(&e->object);
        return CL_OUT_OF_RESOURCES;
    }
    if (q->recorded != NULL) {
        *q->recorded = e;
        return CL_SUCCESS;
    }
    if (hd_queue_is_profiling(q))
        e->queued_ns = hd_clock_ns();
    lock_all(q, e, how.waits);
    if (!reserve_edges(q, &how)) {
        hd_queue_unlock(q);
        hd_object_release(&e->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    e->serial = ++q->serial;
    draw_edges(q, e, &how);
    hd_object_hold(&e->object); /* the queue's */
    e->previous = q->last;
    if (q->last != NULL)
        q->last->next = e;
    else
        q->first = e;
    q->last = e;
    if (e->is_barrier)
        q->barrier = e;
    if (how.out != NULL)
        *how.out = e; /* before a callback or another thread can see it end */
    if (e->blocked == 0 && e->is_failed)
        hd_event_end(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    else if (e->blocked == 0 && e->run == NULL)
        hd_event_end(e, CL_SUCCESS); /* nothing to do and nothing to wait for */
    else if (e->blocked == 0)
        hd_queue_ready(e);
    q->dear += !e->is_cheap;
    if (!how.blocking &&
        (e->is_heavy || q->dear >= DEAR_LIMIT || q->serial - q->flushed >= UNFLUSHED_LIMIT))
        flush(q);
    hd_queue_unlock(q);
    if (how.blocking) {
        hd_queue_wait(e);
        code = hd_event_status(e) < 0 ? hd_event_status(e) : CL_SUCCESS;
    }
    if (how.out == NULL)
        hd_object_release(&e->object);
    return code;
}

void hd_queue_flush(cl_command_queue q)
{
    hd_queue_lock(q);
    flush(q);
    hd_queue_unlock(q);
}

static bool has_ended(void *event)
{
    return hd_event_status(event) <= CL_COMPLETE;
}

static bool is_over(cl_command_queue q, cl_event e, uint64_t until)
{
    if (e != NULL)
        return has_ended(e);
    return q->first == NULL || q->first->serial > until;
}

/* With the graph lock held: what is waited for may need other queues to move. One that is apart is
 * none of those. */
static void kick(cl_context c, cl_command_queue except)
{
    for (cl_command_queue q = c->queues; q != NULL; q = q->next)
        if (q->is_joined && q != except)
            flush(q);
}

/* Instead of sleeping: help with what the queue runs on another thread, until `e` or, when it is
 * NULL, all that the queue has now is over, or there is nothing to help with. What guards the queue
 * is locked, and may be the other lock afterwards. Is it the graph's? */
static bool help(cl_command_queue q, cl_event e)
{
    HdPool *pool = hd_device_pool(q->device);

    if (e == NULL)
        e = q->last;
    if (e == NULL || pool == NULL)
        return q->is_joined;
    hd_object_hold(&e->object);
    hd_queue_unlock(q);
    hd_pool_help(pool, q, has_ended, e);
    hd_object_drop(&e->object);
    hd_queue_lock(q);
    return q->is_joined;
}

/* Wait until `e` (or, when it is NULL, everything of q up to the serial number) has ended, with
 * what guards it locked. q: the queue of `e`, NULL for a user event. */
static void wait_for(cl_context c, cl_command_queue q, cl_event e, uint64_t until)
{
    /* What may be run here: of an in-order queue all that comes before; when a whole queue is
     * waited for, anything in it. */
    bool may_run = q != NULL &&
                   (e == NULL || !hd_queue_is_out_of_order(q) || hd_device_pool(q->device) == NULL);
    bool has_graph = q == NULL || q->is_joined, is_kicked = false, has_helped = false;

    while (!is_over(q, e, until)) {
        cl_event next = may_run ? take_ready(q, until) : NULL;

        if (next == NULL && has_graph && is_kicked)
            next = take_stranded(c);
        if (next != NULL) {
            has_graph = run(next);
        } else if (!has_graph) {
            hd_queue_change_to_graph(q); /* to wait, and to see what others do */
            has_graph = true;
        } else if (!is_kicked) {
            kick(c, may_run && !hd_queue_is_out_of_order(q) ? q : NULL);
            is_kicked = true;
        } else if (q != NULL && !has_helped) {
            has_graph = help(q, e);
            has_helped = true;
        } else {
            hd_cond_wait(&c->changed, &c->graph);
            is_kicked = has_helped = false;
        }
        if (has_graph && q != NULL)
            hd_queue_join(q); /* it may have parted while the lock was let go */
    }
}

void hd_queue_wait(cl_event e)
{
    cl_command_queue q = e->queue;

    if (hd_platform_is_forked() || hd_event_status(e) <= CL_COMPLETE)
        return;
    if (q == NULL) {
        pthread_mutex_lock(&e->context->graph);
        wait_for(e->context, NULL, e, 0);
        hd_queue_unlock_graph(e->context);
        return;
    }
    hd_queue_lock(q);
    wait_for(q->context, q, e, e->serial);
    hd_queue_unlock(q);
}

cl_int hd_queue_finish(cl_command_queue q)
{
    cl_int code;

    if (hd_platform_is_forked())
        return CL_SUCCESS;
    hd_queue_lock(q);
    wait_for(q->context, q, NULL, q->serial);
    code = q->error;
    q->error = CL_SUCCESS;
    hd_queue_unlock(q);
    return code;
}

/* With the graph lock held: a queue that holds something. */
static bool is_busy(cl_command_queue q)
{
    bool is;

    hd_queue_join(q);
    is = q->first != NULL;
    hd_queue_part(q);
    return is;
}

cl_int hd_queue_wait_all(cl_context c)
{
    HD_ARRAY(cl_command_queue) all = {0};
    bool is_kept = true;

    pthread_mutex_lock(&c->graph);
    for (cl_command_queue q = c->queues; q != NULL && is_kept; q = q->next) {
        if (!is_busy(q))
            continue; /* and its commands keep it alive when there are any */
        is_kept = HD_PUSH(NULL, &all, q);
        if (is_kept)
            hd_object_hold(&q->object);
    }
    hd_queue_unlock_graph(c);
    for (size_t i = 0; i < all.count; i++) {
        cl_command_queue q = all.at[i];

        hd_queue_lock(q);
        flush(q);
        wait_for(c, q, NULL, q->serial);
        hd_queue_unlock(q);
        hd_object_drop(&q->object);
    }
    HD_ARRAY_FREE(&all);
    return is_kept ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}
