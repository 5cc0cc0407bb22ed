/* cl/event.c -- events: states, callbacks, ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/event.h"

#include <string.h>

#include "base/round.h"
#include "base/clock.h"
#include "base/memory.h"
#include "cl/checked.h"
#include "cl/queue.h"
#include "cl/queue_lock.h"

typedef struct HdEventCallback {
    HdCallback post; /* first */
    cl_event event;  /* held while posted */
    cl_int status;   /* waited for; then reported to the host */
    HdEventFn *fn;
    void *user;
    struct HdEventCallback *next;
} HdEventCallback;

/* Events kept for reuse in a queue, after as many have been in flight together. */
#define MAX_SPARE 8192u

/* ---- memory of events ------------------------------------------------------------------------
 *
 * Commands are created on one thread and freed on another: the heap's worst case. Sanitizers and
 * checked runs should detect uses of a freed event, so there it is returned to the heap.
 */

#if defined(__SANITIZE_ADDRESS__)
#define KEEPS_SPARES 0
#else
#define KEEPS_SPARES 1
#endif

static size_t event_bytes(void)
{
    return hd_round_up(sizeof(struct _cl_event), 64) + HD_EVENT_ROOM;
}

static cl_event take_spare(cl_command_queue q)
{
    cl_event e;

    pthread_mutex_lock(&q->spare_lock);
    if (q->spare == NULL) {
        /* acquire: the links were written before the push */
        q->spare = atomic_exchange_explicit(&q->dropped, NULL, memory_order_acquire);
        atomic_store_explicit(&q->dropped_count, 0, memory_order_relaxed);
    }
    e = q->spare;
    if (e != NULL)
        q->spare = e->next_spare;
    pthread_mutex_unlock(&q->spare_lock);
    return e;
}

static void give_spare(cl_command_queue q, cl_event e)
{
    unsigned count = atomic_load_explicit(&q->dropped_count, memory_order_relaxed);

    if (!KEEPS_SPARES || count >= MAX_SPARE || hd_checked() != NULL) {
        hd_object_free(e);
        return;
    }
    atomic_store_explicit(&q->dropped_count, count + 1, memory_order_relaxed);
    e->next_spare = atomic_load_explicit(&q->dropped, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&q->dropped, &e->next_spare, e,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

void hd_event_drop_spares(cl_command_queue q)
{
    cl_event e;

    while ((e = take_spare(q)) != NULL)
        hd_free(e);
}

static void destroy(HdObject *o)
{
    cl_event e = (cl_event)o;
    cl_command_queue q = e->queue;
    cl_context c = e->context;

    hd_event_drop_payload(e);
    while (e->callbacks != NULL) { /* a user event that never ended */
        HdEventCallback *cb = e->callbacks;

        e->callbacks = cb->next;
        hd_free(cb);
    }
    if (e->has_edge)
        hd_object_drop(&e->first_edge.to->object);
    for (size_t i = 0; i < e->more_edges.count; i++)
        hd_object_drop(&e->more_edges.at[i].to->object);
    HD_ARRAY_FREE(&e->more_edges);
    o->magic = 0;
    if (q != NULL)
        give_spare(q, e);
    else
        hd_object_free(e);
    hd_object_drop(q != NULL ? &q->object : &c->object); /* it may go with the event */
}

static void init(cl_event e, cl_context c, cl_command_type type, cl_int status)
{
    memset(e, 0, sizeof *e);
    hd_object_init(&e->object, HD_MAGIC_EVENT, destroy);
    e->context = c;
    e->type = type;
    atomic_init(&e->status, status);
}

cl_event hd_event_new(cl_command_queue q, cl_command_type type, cl_int (*run)(cl_event))
{
    cl_event e = take_spare(q);

    if (e == NULL)
        e = hd_alloc(event_bytes());
    if (e == NULL)
        return NULL;
    init(e, q->context, type, CL_QUEUED);
    e->queue = q;
    hd_object_hold(&q->object);
    e->run = run;
    return e;
}

cl_event hd_event_new_user(cl_context c)
{
    cl_event e = hd_alloc(sizeof *e);

    if (e == NULL)
        return NULL;
    init(e, c, CL_COMMAND_USER, CL_SUBMITTED);
    hd_object_hold(&c->object);
    return e;
}

bool hd_event_hold(cl_event e, HdObject *o)
{
    HdObject **more;

    if (e->held_count < sizeof e->held / sizeof e->held[0]) {
        e->held[e->held_count++] = o;
        hd_object_hold(o);
        return true;
    }
    more = hd_realloc(e->more_held, (e->more_count + 1) * sizeof *more);
    if (more == NULL)
        return false;
    more[e->more_count++] = o;
    e->more_held = more;
    hd_object_hold(o);
    return true;
}

static void call_host(HdCallback *post)
{
    HdEventCallback *c = (HdEventCallback *)post;
    cl_event e = c->event;

    c->fn(e, c->status, c->user);
    hd_free(c);
    hd_object_drop(&e->object);
}

static void post(cl_event e, HdEventCallback *c, cl_int status)
{
    c->event = e;
    hd_object_hold(&e->object);
    if (status < 0)
        c->status = status;
    hd_callback_post(&c->post);
}

void hd_event_enter(cl_event e, cl_int status)
{
    HdEventCallback **link = &e->callbacks;

    atomic_store_explicit(&e->status, status, memory_order_release);
    while (*link != NULL) {
        HdEventCallback *c = *link;

        if (c->status < status) {
            link = &c->next;
            continue;
        }
        *link = c->next;
        post(e, c, status);
    }
}

/* ---- edges ------------------------------------------------------------------------------------
 */

bool hd_event_reserve_edges(cl_event from, size_t extra)
{
    /* The first one has a place in the event. */
    return (!from->has_edge && extra <= 1) || HD_ARRAY_RESERVE(NULL, &from->more_edges, extra);
}

void hd_event_draw_edge(cl_event from, cl_event to, bool is_explicit)
{
    struct HdEdge edge = {.to = to, .is_explicit = is_explicit};

    if (from->has_edge)
        from->more_edges.at[from->more_edges.count++] = edge;
    else
        from->first_edge = edge;
    from->has_edge = true;
    hd_object_hold(&to->object);
    to->blocked++;
}

/* One thing less that `e` waits for; ends on *failed when nothing is left and something failed. */
static void unblock(cl_event e, cl_event *failed)
{
    if (--e->blocked > 0)
        return;
    if (e->is_failed) {
        hd_object_hold(&e->object);
        e->next_ready = *failed;
        *failed = e;
    } else {
        hd_queue_ready(e);
    }
}

static void release(struct HdEdge edge, cl_int status, cl_event *failed)
{
    if (edge.is_explicit && status < 0)
        edge.to->is_failed = true;
    unblock(edge.to, failed);
    hd_object_drop(&edge.to->object); /* its queue holds it, too */
}

/* What waits for `e` waits no longer. Those that fail because of it continue the list `failed`,
 * held.
 */
static void release_dependents(cl_event e, cl_event *failed)
{
    cl_int status = hd_event_status(e);

    if (!e->has_edge)
        return;
    e->has_edge = false;
    release(e->first_edge, status, failed);
    for (size_t i = 0; i < e->more_edges.count; i++)
        release(e->more_edges.at[i], status, failed);
    HD_ARRAY_FREE(&e->more_edges);
}

void hd_event_end(cl_event e, cl_int status)
{
    cl_event failed = NULL, next;

    hd_object_hold(&e->object);
    for (;;) {
        if (e->queue != NULL && hd_queue_is_profiling(e->queue)) {
            e->ended_ns = hd_clock_ns();
            if (e->started_ns == 0)
                e->started_ns = e->ended_ns;
            if (e->submitted_ns == 0)
                e->submitted_ns = e->started_ns;
        }
        hd_event_enter(e, status);
        if (status == CL_COMPLETE && e->ended != NULL)
            e->ended(e);
        release_dependents(e, &failed);
        next = e->queue != NULL ? hd_queue_forget(e) : NULL;
        if (next != NULL)
            unblock(next, &failed);
        hd_object_drop(&e->object);
        e = failed;
        if (e == NULL)
            break;
        failed = e->next_ready;
        e->next_ready = NULL;
        status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
}

bool hd_event_set_user_status(cl_event e, cl_int status)
{
    cl_context c = e->context;
    bool is_first;

    hd_object_hold(&e->object); /* its last reference must not go while the lock is held */
    pthread_mutex_lock(&c->graph);
    is_first = hd_event_status(e) > CL_COMPLETE;
    if (is_first) {
        hd_event_end(e, status);
        hd_cond_broadcast(&c->changed);
    }
    hd_queue_unlock_graph(c);
    hd_object_drop(&e->object);
    return is_first;
}

/* What guards an event. */
static void lock(cl_event e)
{
    if (e->queue != NULL)
        hd_queue_lock(e->queue);
    else
        pthread_mutex_lock(&e->context->graph);
}

static void unlock(cl_event e)
{
    if (e->queue != NULL)
        hd_queue_unlock(e->queue);
    else
        hd_queue_unlock_graph(e->context);
}

cl_int hd_event_on_status(cl_event e, cl_int status, HdEventFn *fn, void *user)
{
    HdEventCallback *c = hd_alloc_zero(sizeof *c), **link;

    if (c == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    c->post.call = call_host;
    c->status = status;
    c->fn = fn;
    c->user = user;
    lock(e);
    if (hd_event_status(e) <= status) {
        post(e, c, hd_event_status(e));
    } else {
        for (link = &e->callbacks; *link != NULL; link = &(*link)->next)
            continue;
        *link = c;
    }
    unlock(e);
    return CL_SUCCESS;
}

bool hd_event_answer(cl_event e, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_EVENT_COMMAND_QUEUE: hd_answer_handle(a, e->spans_queues ? NULL : e->queue); break;
    case CL_EVENT_CONTEXT: hd_answer_handle(a, e->context); break;
    case CL_EVENT_COMMAND_TYPE: hd_answer_uint(a, e->type); break;
    case CL_EVENT_COMMAND_EXECUTION_STATUS: hd_answer_int(a, hd_event_status(e)); break;
    case CL_EVENT_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&e->object)); break;
    default: return false;
    }
    return true;
}

cl_int hd_event_profile(cl_event e, cl_uint query, HdAnswer *a)
{
    if (e->queue == NULL || (e->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0 ||
        hd_event_status(e) != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (query) {
    case CL_PROFILING_COMMAND_QUEUED: hd_answer_ulong(a, e->queued_ns); break;
    case CL_PROFILING_COMMAND_SUBMIT: hd_answer_ulong(a, e->submitted_ns); break;
    case CL_PROFILING_COMMAND_START: hd_answer_ulong(a, e->started_ns); break;
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: hd_answer_ulong(a, e->ended_ns); break;
    default: return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
}
