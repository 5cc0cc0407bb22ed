/* launch/child_launches.c -- a launch and its descendants: what kernels enqueue, when it runs, when
 * everything is complete.
 *
 * Each launch has a record (HdChild). What its kernel enqueues is held there until the kernel has
 * ended, which satisfies every flag of OpEnqueueKernel; then it waits for its events, if any, and
 * is put on the family's ready list. The thread that started the launch runs what is on the list,
 * and idle workers help. A launch is complete when it has ended and all its children are complete;
 * then its event is set.
 *
 * Spec: OpenCL C, "Enqueuing Kernels"; OpenCL API, "Execution Model: Device-Side Enqueue".
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/lock.h"
#include "base/memory.h"
#include "launch/args.h"
#include "launch/child_launches.h"
#include "launch/device_state.h"
#include "launch/ndrange.h"
#include "launch/pool_state.h"
#include "launch/size.h"
#include "launch/start.h"

/* Bytes: what a block captured is aligned to the largest type of OpenCL C, a vector of sixteen
 * doubles. */
#define CAPTURE_ALIGN 128u
#define LOOK_AGAIN_NS 50000000 /* interval of checks for cancellation */

/* ---- with the side's lock held ----------------------------------------------------------------
 */

static HdChild *take_ready(HdChildLaunches *f)
{
    HdChild *c = f->ready;

    if (c == NULL)
        return NULL;
    f->ready = c->next;
    if (f->ready == NULL)
        f->end = &f->ready;
    atomic_fetch_sub_explicit(&f->count, 1, memory_order_relaxed);
    return c;
}

static void give_back(HdChild *c)
{
    if (c->queue != NULL)
        c->queue->used -= c->charge;
    c->charge = 0;
}

static void settle(HdChild *c)
{
    HdDeviceEvent *e = c->event;

    if (e == NULL)
        return;
    e->start_ns = c->start_ns;
    e->end_ns = c->end_ns;
    e->complete_ns = hd_clock_ns();
    e->holds--;
    hd_device_event_settle(c->family->side, e, c->is_failed ? HD_EVENT_NOT_RUN : HD_EVENT_COMPLETE);
}

/* A launch has ended, or a marker is due: its children may continue, and it is complete when they
 * are. */
static void end(HdChild *c)
{
    HdChild *held = c->held, *next;

    for (c->held = NULL; held != NULL; held = next) {
        next = held->next;
        held->is_held = false;
        if (held->waits == 0)
            hd_child_launches_ready(held);
    }
    give_back(c);
    while (c != NULL && --c->open == 0) {
        HdChild *parent = c->parent;

        settle(c);
        if (parent != NULL)
            hd_free(c);
        c = parent;
    }
}

/* ---- enqueuing ----------------------------------------------------------------------------------
 */

static const HdKernelInfo *kernel_of(const HdChildLaunches *f, uint64_t invoke)
{
    return hd_build_child_info(hd_program_layout(f->launch->program), (HdId)invoke);
}

static uint32_t width_of(const HdChildLaunches *f, const HdKernelInfo *k)
{
    if (k->subgroup_size != 0 || f->launch->width == 0)
        return hd_variant_width(hd_program_cpu(f->launch->program), k);
    return f->launch->width;
}

static void set_range(const HdChildLaunches *f, const HdRtRange *r, const HdKernelInfo *k,
                      HdLaunch *l)
{
    l->program = f->launch->program;
    l->kernel = k;
    l->width = width_of(f, k);
    l->is_uniform = f->launch->is_uniform;
    l->work_dim = (uint32_t)r->dimensions;
    for (uint32_t i = 0; i < 3; i++) {
        bool is_used = i < r->dimensions;

        l->global_offset[i] = is_used ? r->offset[i] : 0;
        l->global_size[i] = is_used ? r->global[i] : 1;
        l->local_size[i] = is_used ? r->local[i] : 0;
    }
}

static bool has_local(const HdRtRange *r)
{
    for (uint32_t i = 0; i < r->dimensions; i++)
        if (r->local[i] != 0)
            return true;
    return false;
}

static uint64_t group_items(HdRtDevice *d, uint64_t invoke, const HdRtRange *r)
{
    const HdChildLaunches *f = ((HdChild *)d)->family;
    const HdKernelInfo *k = kernel_of(f, invoke);
    HdLaunch l = {0};

    if (k == NULL || r->dimensions < 1 || r->dimensions > 3)
        return 0;
    set_range(f, r, k, &l);
    if (!has_local(r))
        hd_launch_local_size(&l, l.local_size);
    for (uint32_t i = 0; i < 3; i++)
        l.local_size[i] += l.local_size[i] == 0;
    return l.local_size[0] * l.local_size[1] * l.local_size[2];
}

static int64_t check_range(const HdChildLaunches *f, const HdKernelInfo *k, const HdRtRange *r)
{
    uint64_t items = 1, width = width_of(f, k);
    bool is_given;

    if (r->dimensions < 1 || r->dimensions > 3)
        return HD_RT_INVALID_NDRANGE;
    is_given = has_local(r);
    for (uint32_t i = 0; i < 3 && is_given; i++) {
        uint64_t size = i < r->dimensions ? r->local[i] : 1;

        if (size == 0 || size > hd_limits_group_items() || !hd_kernel_allows_local(k, i, size) ||
            (f->launch->is_uniform && i < r->dimensions && r->global[i] % size != 0))
            return HD_RT_INVALID_NDRANGE;
        items *= size;
    }
    if (items > hd_limits_group_items())
        return HD_RT_INVALID_NDRANGE;
    if (is_given && k->subgroups_per_group != 0 &&
        (items + width - 1) / width != k->subgroups_per_group)
        return HD_RT_INVALID_NDRANGE;
    return HD_RT_ENQUEUED;
}

static int64_t check_sizes(const HdKernelInfo *k, const HdRtEnqueue *w)
{
    uint64_t total = hd_kernel_own_local(k);

    if (w->local_count + 1 != k->arg_count)
        return HD_RT_ENQUEUE_FAILURE;
    for (uint64_t i = 0; i < w->local_count; i++) {
        if (w->local_sizes[i] == 0)
            return HD_RT_INVALID_ARG_SIZE;
        if (w->local_sizes[i] > hd_limits_local_bytes())
            return HD_RT_OUT_OF_RESOURCES;
        total += w->local_sizes[i];
    }
    return total <= hd_limits_local_bytes() ? HD_RT_ENQUEUED : HD_RT_OUT_OF_RESOURCES;
}

static const uint64_t *waits_of(const HdRtEnqueue *w)
{
    return (const uint64_t *)(uintptr_t)w->waits;
}

/* With the side's lock held. */
static int64_t check_waits(HdDeviceSide *s, const HdRtEnqueue *w)
{
    if ((w->wait_count == 0) != (w->waits == 0) || (w->wait_count == 0 && w->invoke == 0))
        return HD_RT_INVALID_WAIT_LIST;
    for (uint64_t i = 0; i < w->wait_count; i++)
        if (hd_device_find_event(s, waits_of(w)[i]) == NULL)
            return HD_RT_INVALID_WAIT_LIST;
    return HD_RT_ENQUEUED;
}

/* A record with its sizes, its argument block and its captures, all of which are charged. */
static HdChild *new_child(const HdKernelInfo *k, const HdRtEnqueue *w)
{
    uint64_t sizes = k != NULL ? k->arg_count * sizeof(uint64_t) : 0;
    uint64_t block = k != NULL ? k->block_bytes : 0;
    uint64_t align = w->capture_align > CAPTURE_ALIGN && w->capture_align <= 4096 ? w->capture_align
                                                                                  : CAPTURE_ALIGN;
    uint64_t bytes = sizeof(HdChild) + sizes + block + w->capture_bytes;
    HdChild *c = hd_alloc_zero((size_t)(bytes + align));
    uintptr_t at;

    if (c == NULL)
        return NULL;
    c->kernel = k;
    c->charge = bytes;
    c->range = w->range;
    c->block = (unsigned char *)(c->local_sizes) + sizes;
    at = (uintptr_t)c->block + block + align - 1;
    c->captures = (unsigned char *)(at - at % align);
    c->capture_bytes = w->capture_bytes;
    if (k == NULL)
        return c;
    at = (uintptr_t)c->captures;
    memcpy(c->captures, (const void *)(uintptr_t)w->captures, (size_t)w->capture_bytes);
    memcpy(c->block + k->args[0].offset, &at, sizeof at);
    memcpy(c->local_sizes + 1, w->local_sizes, (size_t)w->local_count * sizeof *w->local_sizes);
    return c;
}

/* Room in what it waits for, so that registering cannot fail. */
static bool reserve_waits(HdDeviceSide *s, const HdRtEnqueue *w)
{
    for (uint64_t i = 0; i < w->wait_count; i++) {
        HdDeviceEvent *e = hd_device_find_event(s, waits_of(w)[i]);

        if (!HD_ARRAY_RESERVE(NULL, &e->waiters, w->wait_count))
            return false;
    }
    return true;
}

static void wait_for_events(HdDeviceSide *s, HdChild *c, const HdRtEnqueue *w)
{
    for (uint64_t i = 0; i < w->wait_count; i++) {
        HdDeviceEvent *e = hd_device_find_event(s, waits_of(w)[i]);

        if (e->status <= HD_EVENT_COMPLETE) {
            c->is_failed = c->is_failed || e->status < 0;
            continue;
        }
        e->waiters.at[e->waiters.count++] = c;
        e->holds++;
        c->waits++;
    }
}

/* Make the child one of its parent's; cannot fail. */
static void adopt(HdChild *parent, HdChild *c, const HdRtEnqueue *w)
{
    HdChildLaunches *f = parent->family;

    c->family = f;
    c->parent = parent;
    c->open = 1;
    c->queue->used += c->charge;
    parent->open++;
    f->waiting++;
    wait_for_events(f->side, c, w);
    c->is_held = c->kernel != NULL;
    if (c->is_held) {
        c->next = parent->held;
        parent->held = c;
    } else if (c->waits == 0) {
        hd_child_launches_ready(c);
    }
}

/* With the side's lock held: into a queue. `c` is freed by the caller unless this succeeds. */
static int64_t enter(HdChild *parent, HdChild *c, const HdRtEnqueue *w)
{
    HdDeviceSide *s = parent->family->side;
    HdDeviceQueue *q = hd_device_find_queue(s, w->queue);
    uint64_t handle;
    int64_t code;

    if (q == NULL)
        return HD_RT_INVALID_QUEUE;
    code = check_waits(s, w);
    if (code != HD_RT_ENQUEUED)
        return code;
    if (c->charge > q->bytes - q->used)
        return HD_RT_QUEUE_FULL;
    if (!reserve_waits(s, w))
        return HD_RT_OUT_OF_RESOURCES;
    if (w->event != 0) {
        c->event = hd_device_event_new(s, false);
        if (c->event == NULL)
            return HD_RT_NO_EVENT;
        c->event->holds = 1;
        c->event->has_profile = q->profiles;
    }
    c->queue = q;
    adopt(parent, c, w);
    if (c->event != NULL) {
        handle = hd_device_event_handle(c->event);
        memcpy((void *)(uintptr_t)w->event, &handle, sizeof handle);
    }
    return HD_RT_ENQUEUED;
}

static int64_t enqueue(HdRtDevice *d, const HdRtEnqueue *w)
{
    HdChild *parent = (HdChild *)d;
    HdChildLaunches *f = parent->family;
    const HdKernelInfo *k = w->invoke != 0 ? kernel_of(f, w->invoke) : NULL;
    HdChild *c;
    int64_t code = HD_RT_ENQUEUED;

    if (f->side == NULL)
        return HD_RT_INVALID_QUEUE;
    if (w->invoke != 0) {
        code = k == NULL ? (int64_t)HD_RT_ENQUEUE_FAILURE : check_range(f, k, &w->range);
        if (code == HD_RT_ENQUEUED)
            code = check_sizes(k, w);
    }
    if (code != HD_RT_ENQUEUED)
        return code;
    c = new_child(k, w);
    if (c == NULL)
        return HD_RT_OUT_OF_RESOURCES;
    pthread_mutex_lock(&f->side->lock);
    code = enter(parent, c, w);
    pthread_mutex_unlock(&f->side->lock);
    if (code != HD_RT_ENQUEUED)
        hd_free(c);
    return code;
}

static void open_api(HdChildLaunches *f, HdChild *c)
{
    const HdDeviceQueue *q = f->launch->default_queue;

    c->family = f;
    c->api.default_queue = q != NULL ? hd_device_queue_handle(q) : 0;
    c->api.enqueue = enqueue;
    c->api.group_items = group_items;
    hd_device_event_api(&c->api);
}

/* ---- running ------------------------------------------------------------------------------------
 */

/* In a checked run the captures are a separate allocation. */
static HdStatus run_watched(HdPool *pool, HdLaunch *l, const HdChild *c, HdDiags *d)
{
    HdRegion captures = {.at = (uint64_t)(uintptr_t)c->captures,
                         .bytes = c->capture_bytes,
                         .kind = HD_REGION_PROGRAM,
                         .is_read_only = true,
                         .owner = c};
    HdLaunchCheck check = *l->check;
    HdStatus st = HD_OK;

    check.spans = NULL;
    l->check = &check;
    if (c->capture_bytes > 0)
        HD_TRY(hd_check_add(check.check, &captures, "captures of a block"));
    st = hd_launch_start(pool, l, d);
    hd_check_remove_all(check.check, c);
    return st;
}

static HdStatus run_child(HdChildLaunches *f, HdChild *c, HdDiags *d)
{
    const HdLaunch *from = f->launch;
    HdArgs args = {.kernel = c->kernel, .block = c->block, .local_sizes = c->local_sizes};
    HdLaunch l = {.memory = from->memory,
                  .args = &args,
                  .engine = from->engine,
                  .tests = from->tests,
                  .sink = from->sink,
                  .sink_user = from->sink_user,
                  .cancel = from->cancel,
                  .check = from->check,
                  .zeroes = from->zeroes,
                  .device = &c->api};

    open_api(f, c);
    set_range(f, &c->range, c->kernel, &l);
    return l.check != NULL ? run_watched(f->pool, &l, c, d) : hd_launch_start(f->pool, &l, d);
}

static void note_failure(HdChildLaunches *f, HdStatus st, const HdDiags *from)
{
    if (f->status != HD_OK)
        return;
    f->status = st;
    hd_diags_append(f->d, from);
}

/* Run what was taken; with the side's lock, which is let go meanwhile. Where something failed the
 * rest is given up. */
static void run_ready(HdChildLaunches *f, HdChild *c)
{
    HdStatus st = HD_OK;
    HdDiags d;

    if (c->kernel == NULL || c->is_failed || f->status != HD_OK ||
        hd_is_cancelled(f->launch->cancel)) {
        c->start_ns = c->end_ns = hd_clock_ns();
        end(c);
        return;
    }
    f->running++;
    pthread_mutex_unlock(&f->side->lock);
    hd_diags_init(&d);
    c->start_ns = hd_clock_ns();
    st = run_child(f, c, &d);
    c->end_ns = hd_clock_ns();
    pthread_mutex_lock(&f->side->lock);
    f->running--;
    c->is_failed = st != HD_OK;
    if (st != HD_OK)
        note_failure(f, st, &d);
    hd_diags_drop(&d);
    end(c);
    hd_cond_broadcast(&f->side->changed);
}

static bool has_more(const HdWorkSlot *o)
{
    const HdChildLaunches *f = (const HdChildLaunches *)o;

    return atomic_load_explicit(&f->count, memory_order_relaxed) > 0;
}

static void help(HdWorkSlot *o, HdRtWorker **own)
{
    HdChildLaunches *f = (HdChildLaunches *)o;
    HdChild *c;

    (void)own; /* its launches take their own */
    pthread_mutex_lock(&f->side->lock);
    while ((c = take_ready(f)) != NULL)
        run_ready(f, c);
    pthread_mutex_unlock(&f->side->lock);
}

/* Run all that is ready, with helpers where there is more than one thing to do. */
static void run_all_ready(HdChildLaunches *f)
{
    bool offers = f->pool != NULL && f->launch->engine == HD_ENGINE_COMPILED && f->ready != NULL &&
                  f->ready->next != NULL && hd_pool_threads(f->pool) > 1;
    HdChild *c;

    if (offers) {
        f->offer = (HdWorkSlot){.help = help,
                                .has_more = has_more,
                                .may_refill = true,
                                .max_helpers = hd_pool_threads(f->pool) - 1,
                                .worth_waking = hd_pool_threads(f->pool) - 1};
        pthread_mutex_unlock(&f->side->lock);
        hd_pool_offer(f->pool, &f->offer);
        pthread_mutex_lock(&f->side->lock);
    }
    while ((c = take_ready(f)) != NULL)
        run_ready(f, c);
    if (offers) {
        pthread_mutex_unlock(&f->side->lock);
        hd_pool_withdraw(f->pool, &f->offer);
        pthread_mutex_lock(&f->side->lock);
    }
}

static bool holds_up(const HdDeviceEvent *e, const HdChildLaunches *f)
{
    for (size_t i = 0; i < e->waiters.count; i++)
        if (e->waiters.at[i]->family == f)
            return true;
    return false;
}

/* All that is left waits for events that nothing will complete: let it fail. */
static void give_up(HdChildLaunches *f)
{
    HdDeviceSide *s = f->side;

    if (f->status == HD_OK && !hd_is_cancelled(f->launch->cancel))
        f->status = hd_fail(f->d, HD_BAD_INPUT, HD_NO_PLACE, "launch.stuck",
                            "%u enqueued kernels or markers wait for events that nothing completes",
                            (unsigned)f->waiting);
    for (size_t i = 0; i < s->events.count; i++) {
        HdDeviceEvent *e = s->events.at[i];

        if (e != NULL && e->is_user && holds_up(e, f))
            hd_device_event_settle(s, e, HD_EVENT_NOT_RUN);
    }
}

static void run_offspring(HdChildLaunches *f)
{
    pthread_mutex_lock(&f->side->lock);
    end(&f->root);
    while (f->root.open > 0) {
        run_all_ready(f);
        if (f->root.open == 0 || f->ready != NULL)
            continue;
        if (f->running == 0 &&
            (f->side->is_alone || f->status != HD_OK || hd_is_cancelled(f->launch->cancel)))
            give_up(f);
        else
            hd_cond_wait_ns(&f->side->changed, &f->side->lock, LOOK_AGAIN_NS);
    }
    pthread_mutex_unlock(&f->side->lock);
}

static HdStatus run_root(HdPool *pool, const HdLaunch *l, HdDiags *d)
{
    HdChildLaunches *f;
    HdLaunch root = *l;
    HdStatus st;

    HD_TAKE(f, hd_alloc_zero(sizeof *f));
    f->launch = l;
    f->side = l->side;
    f->pool = pool;
    f->d = d;
    f->end = &f->ready;
    f->root.open = 1;
    open_api(f, &f->root);
    root.device = &f->root.api;
    st = hd_launch_start(pool, &root, d);
    f->status = st;
    if (f->side != NULL)
        run_offspring(f);
    st = f->status;
    hd_free(f);
    return st;
}

HdStatus hd_launch_run_with_children(HdPool *pool, const HdLaunch *l, HdDiags *d)
{
    bool may_enqueue = l->device == NULL && hd_program_layout(l->program)->has_device_side;

    return may_enqueue ? run_root(pool, l, d) : hd_launch_start(pool, l, d);
}
