/* cl/semaphore.c -- binary semaphores.
 *
 * Spec: OpenCL API, "Semaphores".
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/semaphore.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cl/queue_lock.h"
#include "cl/semaphore_fd.h"

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
    if (s->fd >= 0)
        close(s->fd);
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

/* The handle types of a list that ends with 0, of which there may be one; *n: its words. */
static cl_int read_types(const cl_semaphore_properties_khr *list, bool *is_exportable, size_t *n)
{
    size_t count = 0;

    for (; list[count] != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR; count++)
        if (list[count] != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
            return CL_INVALID_PROPERTY;
    *is_exportable = count > 0;
    *n = count + 1;
    return count > 1 ? CL_INVALID_VALUE : CL_SUCCESS;
}

/* Each property once at most. */
typedef struct Given {
    bool type, types, handle;
    int fd;
} Given;

/* *words: after the property's name. */
static cl_int read_one(cl_semaphore_khr s, const cl_semaphore_properties_khr *p, Given *g,
                       size_t *words)
{
    *words = 1;
    switch (p[0]) {
    case CL_SEMAPHORE_TYPE_KHR:
        if (g->type || p[1] != CL_SEMAPHORE_TYPE_BINARY_KHR)
            return CL_INVALID_PROPERTY;
        g->type = true;
        return CL_SUCCESS;
    case HD_CL_SEMAPHORE_DEVICE_HANDLE_LIST:
        return s->device != NULL ? CL_INVALID_PROPERTY
                                 : read_device(s->context, p + 1, &s->device, words);
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
        if (g->types)
            return CL_INVALID_PROPERTY;
        g->types = true;
        return read_types(p + 1, &s->is_exportable, words);
    case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR:
        if (g->handle)
            return CL_INVALID_PROPERTY;
        g->handle = true;
        g->fd = (int)p[1];
        return CL_SUCCESS;
    default: return CL_INVALID_PROPERTY;
    }
}

/* An imported descriptor is ours if nothing else is wrong. */
static cl_int open_fd(cl_semaphore_khr s, const Given *g)
{
    if (g->handle && g->types)
        return CL_INVALID_OPERATION;
    if (g->handle) {
        if (!hd_semaphore_fd_prepare(g->fd))
            return CL_INVALID_PROPERTY;
        s->fd = g->fd;
    } else if (s->is_exportable) {
        s->fd = hd_semaphore_fd_new();
        return s->fd >= 0 ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    }
    return CL_SUCCESS;
}

static cl_int read_properties(cl_semaphore_khr s, const cl_semaphore_properties_khr *p)
{
    Given g = {.fd = -1};
    size_t n = 0, words;

    s->fd = -1;
    if (p == NULL)
        return CL_INVALID_VALUE;
    for (; p[n] != 0; n += 1 + words) {
        cl_int code = read_one(s, p + n, &g, &words);

        if (code != CL_SUCCESS)
            return code;
    }
    if (!g.type)
        return CL_INVALID_VALUE;
    if (s->device == NULL && s->context->device_count > 1)
        return CL_INVALID_PROPERTY;
    if (s->device == NULL)
        s->device = s->context->devices[0];
    s->property_count = n + 1;
    s->properties = hd_memdup(p, (n + 1) * sizeof *p);
    return s->properties != NULL ? open_fd(s, &g) : CL_OUT_OF_HOST_MEMORY;
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
    is = s->fd >= 0 ? hd_semaphore_fd_has(s->fd) : s->signals > 0;
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
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
        hd_answer_bytes(a, hd_semaphore_handle_types,
                        s->is_exportable ? sizeof hd_semaphore_handle_types : 0);
        break;
    case HD_CL_SEMAPHORE_EXPORTABLE: hd_answer_bool(a, s->is_exportable); break;
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

/* Are there so many signals? Those of a shared semaphore are brought here while that is found out.
 */
static bool has(cl_semaphore_khr s, size_t signals)
{
    while (s->fd >= 0 && s->signals < signals && hd_semaphore_fd_take(s->fd))
        s->signals++;
    return s->signals >= signals;
}

static void bring_back(cl_semaphore_khr s)
{
    if (s->fd < 0)
        return;
    hd_semaphore_fd_add(s->fd, s->signals);
    s->signals = 0;
}

/* A wait that nothing else blocks takes its signals, if all are available. */
static bool take(cl_event e)
{
    struct HdSemaphoreCommand *w = e->payload.semaphores;
    bool is_there = true;

    w->is_ready = true;
    if (w->is_taken)
        return true;
    for (cl_uint i = 0; i < w->count && is_there; i++)
        is_there = has(w->at[i], place_of(w->at[i], e) + 1);
    for (cl_uint i = 0; i < w->count; i++) {
        if (is_there) {
            leave(w->at[i], place_of(w->at[i], e));
            w->at[i]->signals--;
        }
        bring_back(w->at[i]);
    }
    w->is_taken = is_there;
    return is_there;
}

/* Let those continue that a semaphore has a signal for. */
static void wake(cl_semaphore_khr s)
{
    for (size_t i = 0; i < s->waits.count && (s->fd >= 0 || i < s->signals);) {
        cl_event e = s->waits.at[i];

        if (e->payload.semaphores->is_ready && take(e))
            hd_queue_ready(e); /* the next one has come to this place */
        else
            i++;
    }
}

/* Called by the thread that watches descriptors. */
static bool serve(HdObject *o)
{
    cl_semaphore_khr s = (cl_semaphore_khr)o;
    bool is_wanted = false;

    pthread_mutex_lock(&s->context->graph);
    wake(s);
    for (size_t i = 0; i < s->waits.count; i++)
        is_wanted = is_wanted || s->waits.at[i]->payload.semaphores->is_ready;
    if (!is_wanted)
        hd_semaphore_fd_forget(o);
    hd_cond_broadcast(&s->context->changed); /* who waits for a command may have to run it */
    hd_queue_unlock_graph(s->context);
    return is_wanted;
}

/* Called where the command may run: what it waits for may come from elsewhere. */
static bool take_or_watch(cl_event e)
{
    struct HdSemaphoreCommand *w = e->payload.semaphores;

    if (take(e))
        return true;
    for (cl_uint i = 0; i < w->count; i++)
        if (w->at[i]->fd >= 0)
            hd_semaphore_fd_watch(&w->at[i]->object, w->at[i]->fd, serve);
    return false;
}

int hd_semaphore_export(cl_semaphore_khr s)
{
    return fcntl(s->fd, F_DUPFD_CLOEXEC, 0);
}

static void signal_all(cl_event e)
{
    const struct HdSemaphoreCommand *w = e->payload.semaphores;

    for (cl_uint i = 0; i < w->count; i++) {
        if (w->at[i]->fd >= 0)
            hd_semaphore_fd_add(w->at[i]->fd, 1);
        else
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
        hd_queue_unlock_graph(e->context);
        hd_semaphore_fd_poke();
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
    hd_queue_unlock_graph(e->context);
    return is_kept;
}

cl_int hd_semaphore_wait(cl_command_queue q, cl_uint count, const cl_semaphore_khr *semaphores,
                         HdEnqueue how)
{
    cl_event e = make(q, CL_COMMAND_SEMAPHORE_WAIT_KHR, count, semaphores);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->may_run = take_or_watch;
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
