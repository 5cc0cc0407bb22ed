/* cl/semaphore.c -- binary semaphores.
 *
 * Spec: OpenCL API, "Semaphores".
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/semaphore.h"

#include <string.h>

#include "base/memory.h"

/* What a command waits for or signals, each once. */
struct HdSemaphoreCommand {
    cl_semaphore_khr *at; /* held by the event; heap */
    cl_uint count;
    bool is_ready; /* a wait: nothing but semaphores is missing */
    bool is_taken; /* a wait: it has taken a signal of each */
};

static void destroy(HdObject *o)
{
    cl_semaphore_khr s = (cl_semaphore_khr)o;
    cl_context c = s->context;

    HD_ARRAY_FREE(&s->waits);
    hd_free(s->properties);
    o->magic = 0;
    hd_object_free(s);
    hd_object_drop(&c->object);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* The one device of a list that ends with 0; *n: its words. */
static cl_int read_device(cl_context c, const cl_semaphore_properties_khr *list,
                          cl_device_id *device, size_t *n)
{
    *device = (cl_device_id)(uintptr_t)list[0];
    if (list[0] == HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST_END ||
        list[1] != HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST_END || !hd_context_has(c, *device))
        return CL_INVALID_DEVICE;
    *n = 2;
    return CL_SUCCESS;
}

static cl_int read_properties(cl_semaphore_khr s, const cl_semaphore_properties_khr *p)
{
    bool has_type = false;
    size_t n = 0, words;

    if (p == NULL)
        return CL_INVALID_VALUE;
    for (; p[n] != 0; n += 1 + words) {
        cl_int code;

        if (p[n] == CL_SEMAPHORE_TYPE_KHR) {
            if (has_type || p[n + 1] != CL_SEMAPHORE_TYPE_BINARY_KHR)
                return CL_INVALID_PROPERTY;
            has_type = true;
            words = 1;
        } else if (p[n] == HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST) {
            if (s->device != NULL)
                return CL_INVALID_PROPERTY;
            code = read_device(s->context, p + n + 1, &s->device, &words);
            if (code != CL_SUCCESS)
                return code;
        } else {
            return CL_INVALID_PROPERTY;
        }
    }
    if (!has_type)
        return CL_INVALID_VALUE;
    if (s->device == NULL && s->context->device_count > 1)
        return CL_INVALID_PROPERTY;
    if (s->device == NULL)
        s->device = s->context->devices[0];
    s->property_count = n + 1;
    s->properties = hd_memdup(p, (n + 1) * sizeof *p);
    return s->properties != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int hd_semaphore_new(cl_context c, const cl_semaphore_properties_khr *properties,
                        cl_semaphore_khr *out)
{
    cl_semaphore_khr s = hd_alloc_zero(sizeof *s);
    cl_int code;

    *out = NULL;
    if (s == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    hd_object_init(&s->object, HD_MAGIC_SEMAPHORE, destroy);
    s->context = c;
    hd_object_hold(&c->object);
    code = read_properties(s, properties);
    if (code == CL_SUCCESS)
        *out = s;
    else
        hd_object_release(&s->object);
    return code;
}

static bool is_signalled(cl_semaphore_khr s)
{
    bool is;

    pthread_mutex_lock(&s->context->graph);
    is = s->signals > 0;
    pthread_mutex_unlock(&s->context->graph);
    return is;
}

bool hd_semaphore_answer(cl_semaphore_khr s, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_SEMAPHORE_CONTEXT_KHR: hd_answer_handle(a, s->context); break;
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR: hd_answer_uint(a, hd_object_api_refs(&s->object)); break;
    case CL_SEMAPHORE_PROPERTIES_KHR:
        hd_answer_bytes(a, s->properties, s->property_count * sizeof *s->properties);
        break;
    case CL_SEMAPHORE_TYPE_KHR: hd_answer_uint(a, CL_SEMAPHORE_TYPE_BINARY_KHR); break;
    case CL_SEMAPHORE_PAYLOAD_KHR: hd_answer_ulong(a, is_signalled(s)); break;
    case HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST: hd_answer_handle(a, s->device); break;
    default: return false;
    }
    return true;
}

/* ---- with the graph lock held ---------------------------------------------------------------- */

/* A wait's place among those of a semaphore; their number: it has none. */
static size_t place_of(const struct _cl_semaphore_khr *s, const struct _cl_event *e)
{
    size_t i = 0;

    while (i < s->waits.count && s->waits.at[i] != e)
        i++;
    return i;
}

static void leave(cl_semaphore_khr s, size_t place)
{
    s->waits.count--;
    memmove(s->waits.at + place, s->waits.at + place + 1,
            (s->waits.count - place) * sizeof *s->waits.at);
}

/* A wait that nothing else blocks takes its signals, if all are available. */
static bool take(cl_event e)
{
    struct HdSemaphoreCommand *w = e->payload.semaphores;

    w->is_ready = true;
    if (w->is_taken)
        return true;
    for (cl_uint i = 0; i < w->count; i++)
        if (place_of(w->at[i], e) >= w->at[i]->signals)
            return false;
    for (cl_uint i = 0; i < w->count; i++) {
        leave(w->at[i], place_of(w->at[i], e));
        w->at[i]->signals--;
    }
    w->is_taken = true;
    return true;
}

/* Let those continue that a semaphore has a signal for. */
static void wake(cl_semaphore_khr s)
{
    for (size_t i = 0; i < s->waits.count && i < s->signals;) {
        cl_event e = s->waits.at[i];

        if (e->payload.semaphores->is_ready && take(e))
            hd_queue_ready(e); /* the next one has come to this place */
        else
            i++;
    }
}

static void signal_all(cl_event e)
{
    const struct HdSemaphoreCommand *w = e->payload.semaphores;

    for (cl_uint i = 0; i < w->count; i++) {
        w->at[i]->signals++;
        wake(w->at[i]);
    }
}

/* ---- commands -------------------------------------------------------------------------------- */

static cl_int run(cl_event e)
{
    (void)e;
    return CL_SUCCESS;
}

/* A failed wait leaves its signals to later waits. */
static void drop(cl_event e)
{
    struct HdSemaphoreCommand *w = e->payload.semaphores;

    if (e->may_run != NULL && !w->is_taken) {
        pthread_mutex_lock(&e->context->graph);
        for (cl_uint i = 0; i < w->count; i++) {
            size_t place = place_of(w->at[i], e);

            if (place < w->at[i]->waits.count)
                leave(w->at[i], place);
            wake(w->at[i]);
        }
        hd_queue_unlock(e->context);
    }
    hd_free(w->at);
}

/* The command uses a semaphore; a second time changes nothing. */
static bool add(cl_event e, cl_semaphore_khr s)
{
    struct HdSemaphoreCommand *w = e->payload.semaphores;

    for (cl_uint i = 0; i < w->count; i++)
        if (w->at[i] == s)
            return true;
    w->at[w->count++] = s;
    return hd_event_hold(e, &s->object);
}

static cl_event make(cl_command_queue q, cl_command_type type, cl_uint count,
                     const cl_semaphore_khr *semaphores)
{
    cl_event e = hd_event_new(q, type, run);
    struct HdSemaphoreCommand *w;
    bool is_made;

    if (e == NULL)
        return NULL;
    w = hd_event_room(e);
    *w = (struct HdSemaphoreCommand){.at = hd_alloc(count * sizeof *w->at)};
    e->payload.semaphores = w;
    e->drop = drop;
    e->is_cheap = true;
    is_made = w->at != NULL;
    for (cl_uint i = 0; i < count && is_made; i++)
        is_made = add(e, semaphores[i]);
    if (is_made)
        return e;
    hd_object_release(&e->object);
    return NULL;
}

/* The wait is queued after those enqueued before. */
static bool queue_up(cl_event e)
{
    const struct HdSemaphoreCommand *w = e->payload.semaphores;
    bool is_kept = true;

    pthread_mutex_lock(&e->context->graph);
    for (cl_uint i = 0; i < w->count && is_kept; i++)
        is_kept = HD_PUSH(NULL, &w->at[i]->waits, e);
    hd_queue_unlock(e->context);
    return is_kept;
}

cl_int hd_semaphore_wait(cl_command_queue q, cl_uint count, const cl_semaphore_khr *semaphores,
                         HdEnqueue how)
{
    cl_event e = make(q, CL_COMMAND_SEMAPHORE_WAIT_KHR, count, semaphores);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->may_run = take;
    if (!queue_up(e)) {
        hd_object_release(&e->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    return hd_queue_enqueue(q, e, how);
}

cl_int hd_semaphore_signal(cl_command_queue q, cl_uint count, const cl_semaphore_khr *semaphores,
                           HdEnqueue how)
{
    cl_event e = make(q, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, count, semaphores);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->ended = signal_all;
    return hd_queue_enqueue(q, e, how);
}
