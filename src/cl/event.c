/* cl/event.c -- events: states, callbacks, ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/event.h"

#include "base/memory.h"
#include "cl/queue.h"

typedef struct HdEventCallback {
    HdCallback post; /* first */
    cl_event event;  /* held while posted */
    cl_int status;   /* waited for; then what the host is told */
    HdEventFn *fn;
    void *user;
    struct HdEventCallback *next;
} HdEventCallback;

void hd_event_drop_payload(cl_event e)
{
    if (e->drop != NULL)
        e->drop(e);
    e->drop = NULL;
    for (size_t i = 0; i < sizeof e->held / sizeof e->held[0]; i++) {
        if (e->held[i] != NULL)
            hd_object_drop(e->held[i]);
        e->held[i] = NULL;
    }
    for (size_t i = 0; i < e->more_count; i++)
        hd_object_drop(e->more_held[i]);
    hd_free(e->more_held);
    e->more_held = NULL;
    e->more_count = 0;
}

static void destroy(HdObject *o)
{
    cl_event e = (cl_event)o;

    hd_event_drop_payload(e);
    while (e->callbacks != NULL) { /* a user event that never ended */
        HdEventCallback *c = e->callbacks;

        e->callbacks = c->next;
        hd_free(c);
    }
    for (size_t i = 0; i < e->dependents.count; i++)
        hd_object_drop(&e->dependents.at[i].to->object);
    HD_ARRAY_FREE(&e->dependents);
    if (e->queue != NULL)
        hd_object_drop((HdObject *)e->queue);
    hd_object_drop(&e->context->object);
    o->magic = 0;
    hd_object_free(e);
}

static cl_event make(cl_context c, cl_command_type type, cl_int status)
{
    cl_event e = hd_alloc_zero(sizeof *e);

    if (e == NULL)
        return NULL;
    hd_object_init(&e->object, HD_MAGIC_EVENT, destroy);
    e->context = c;
    hd_object_hold(&c->object);
    e->type = type;
    atomic_init(&e->status, status);
    return e;
}

cl_event hd_event_new(cl_command_queue q, cl_command_type type, cl_int (*run)(cl_event))
{
    cl_event e = make(q->context, type, CL_QUEUED);

    if (e == NULL)
        return NULL;
    e->queue = q;
    hd_object_hold(&q->object);
    e->run = run;
    return e;
}

cl_event hd_event_new_user(cl_context c)
{
    return make(c, CL_COMMAND_USER, CL_SUBMITTED);
}

bool hd_event_hold(cl_event e, HdObject *o)
{
    HdObject **more;

    for (size_t i = 0; i < sizeof e->held / sizeof e->held[0]; i++) {
        if (e->held[i] == NULL) {
            e->held[i] = o;
            hd_object_hold(o);
            return true;
        }
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

/* What waits for `e` waits no longer. Those that fail because of it go on the list `failed`. */
static void release_dependents(cl_event e, cl_event *failed)
{
    cl_int status = hd_event_status(e);

    for (size_t i = 0; i < e->dependents.count; i++) {
        struct HdEdge edge = e->dependents.at[i];
        cl_event to = edge.to;

        if (edge.is_explicit && status < 0)
            to->is_failed = true;
        if (--to->blocked > 0) {
            hd_object_drop(&to->object); /* its queue holds it, too */
        } else if (to->is_failed) {
            to->next_ready = *failed; /* keeps the edge's hold */
            *failed = to;
        } else {
            hd_queue_ready(to);
            hd_object_drop(&to->object);
        }
    }
    HD_ARRAY_FREE(&e->dependents);
}

void hd_event_end(cl_event e, cl_int status)
{
    cl_event failed = NULL;

    hd_object_hold(&e->object);
    for (;;) {
        if (e->queue != NULL) {
            e->ended_ns = hd_clock_ns();
            if (e->started_ns == 0)
                e->started_ns = e->ended_ns;
            if (e->submitted_ns == 0)
                e->submitted_ns = e->started_ns;
        }
        hd_event_enter(e, status);
        release_dependents(e, &failed);
        if (e->queue != NULL)
            hd_queue_forget(e);
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
        if (c->waiters > 0)
            pthread_cond_broadcast(&c->changed);
    }
    hd_queue_unlock(c);
    hd_object_drop(&e->object);
    return is_first;
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
    pthread_mutex_lock(&e->context->graph);
    if (hd_event_status(e) <= status) {
        post(e, c, hd_event_status(e));
    } else {
        for (link = &e->callbacks; *link != NULL; link = &(*link)->next)
            continue;
        *link = c;
    }
    pthread_mutex_unlock(&e->context->graph);
    return CL_SUCCESS;
}

void hd_event_wait(cl_event e)
{
    hd_queue_wait(e->context, e->queue, e, 0);
}

bool hd_event_answer(cl_event e, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_EVENT_COMMAND_QUEUE: hd_answer_handle(a, e->queue); break;
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
