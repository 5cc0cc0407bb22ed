/* launch/device.c -- on-device queues and device events.
 *
 * An event handle names a slot and the generation of its contents, so that stale ones are
 * recognised. One lock guards queues, events and everything that waits for them: it is taken once
 * for each enqueue and each event operation of a work-item.
 *
 * Spec: OpenCL C, "Enqueuing Kernels".
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/lock.h"
#include "base/memory.h"
#include "launch/device_state.h"

/* ---- the side and its queues ------------------------------------------------------------------
 */

HdStatus hd_device_side_open(bool is_alone, HdDeviceSide **out)
{
    HdDeviceSide *s;

    *out = NULL;
    HD_TAKE(s, hd_alloc_zero(sizeof *s));
    s->is_alone = is_alone;
    hd_lock_init_short(&s->lock);
    *out = s;
    return HD_OK;
}

static void drop_event(HdDeviceEvent *e)
{
    HD_ARRAY_FREE(&e->waiters);
    HD_ARRAY_FREE(&e->profiles);
    hd_free(e);
}

void hd_device_side_close(HdDeviceSide *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->events.count; i++)
        if (s->events.at[i] != NULL)
            drop_event(s->events.at[i]);
    while (s->queues != NULL)
        hd_device_queue_close(s->queues);
    HD_ARRAY_FREE(&s->events);
    HD_ARRAY_FREE(&s->free_slots);
    pthread_mutex_destroy(&s->lock);
    hd_free(s);
}

void hd_device_side_report(HdDeviceSide *s, HdCheck *check)
{
    uint32_t count = 0;

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->events.count; i++)
        count += s->events.at[i] != NULL && s->events.at[i]->users > 0;
    pthread_mutex_unlock(&s->lock);
    if (count > 0)
        hd_check_host(check, HD_WARNING, "check.device-event-leak",
                      "release_event gives back what enqueue_kernel, enqueue_marker and "
                      "create_user_event made",
                      NULL, "kernels did not release %u device event%s", (unsigned)count,
                      count == 1 ? "" : "s");
}

HdStatus hd_device_queue_open(HdDeviceSide *s, uint32_t bytes, bool profiles, HdDeviceQueue **out)
{
    HdDeviceQueue *q;

    *out = NULL;
    HD_TAKE(q, hd_alloc_zero(sizeof *q));
    q->side = s;
    q->bytes = bytes;
    q->profiles = profiles;
    pthread_mutex_lock(&s->lock);
    q->next = s->queues;
    s->queues = q;
    pthread_mutex_unlock(&s->lock);
    *out = q;
    return HD_OK;
}

void hd_device_queue_close(HdDeviceQueue *q)
{
    HdDeviceSide *s = q->side;
    HdDeviceQueue **link = &s->queues;

    pthread_mutex_lock(&s->lock);
    while (*link != q)
        link = &(*link)->next;
    *link = q->next;
    pthread_mutex_unlock(&s->lock);
    hd_free(q);
}

uint64_t hd_device_queue_handle(const HdDeviceQueue *q)
{
    return (uint64_t)(uintptr_t)q;
}

HdDeviceQueue *hd_device_find_queue(HdDeviceSide *s, uint64_t handle)
{
    HdDeviceQueue *q = s->queues;

    while (q != NULL && hd_device_queue_handle(q) != handle)
        q = q->next;
    return q;
}

/* ---- events -----------------------------------------------------------------------------------
 */

uint64_t hd_device_event_handle(const HdDeviceEvent *e)
{
    return (uint64_t)e->generation << 32 | (e->slot + 1u);
}

HdDeviceEvent *hd_device_find_event(HdDeviceSide *s, uint64_t handle)
{
    uint64_t slot = (handle & UINT32_MAX) - 1;
    HdDeviceEvent *e = slot < s->events.count ? s->events.at[slot] : NULL;

    return e != NULL && e->users > 0 && e->generation == handle >> 32 ? e : NULL;
}

/* A free slot, UINT32_MAX when there is none. */
static uint32_t take_slot(HdDeviceSide *s)
{
    if (s->free_slots.count > 0)
        return s->free_slots.at[--s->free_slots.count];
    if (s->events.count >= HD_DEVICE_MAX_EVENTS || !HD_PUSH(NULL, &s->events, NULL))
        return UINT32_MAX;
    /* Room for giving it back, so that that cannot fail. */
    if (!HD_ARRAY_RESERVE(NULL, &s->free_slots, s->events.count)) {
        s->events.count--;
        return UINT32_MAX;
    }
    return (uint32_t)(s->events.count - 1);
}

HdDeviceEvent *hd_device_event_new(HdDeviceSide *s, bool is_user)
{
    HdDeviceEvent *e = hd_alloc_zero(sizeof *e);
    uint32_t slot = e != NULL ? take_slot(s) : UINT32_MAX;

    if (slot == UINT32_MAX) {
        hd_free(e);
        return NULL;
    }
    e->slot = slot;
    e->generation = ++s->generation;
    e->users = 1;
    e->is_user = is_user;
    e->status = HD_EVENT_SUBMITTED;
    s->events.at[slot] = e;
    return e;
}

/* Free an event that is no longer needed. */
static void drop_unused(HdDeviceSide *s, HdDeviceEvent *e)
{
    if (e->users > 0 || e->holds > 0)
        return;
    s->events.at[e->slot] = NULL;
    s->free_slots.at[s->free_slots.count++] = e->slot;
    drop_event(e);
}

static void write_profile(const HdDeviceEvent *e, uint64_t *to)
{
    to[0] = e->end_ns - e->start_ns;
    to[1] = e->complete_ns - e->start_ns;
}

void hd_child_launches_ready(HdChild *c)
{
    HdChildLaunches *f = c->family;

    c->next = NULL;
    *f->end = c;
    f->end = &c->next;
    f->waiting--;
    atomic_fetch_add_explicit(&f->count, 1, memory_order_relaxed);
    hd_cond_broadcast(&f->side->changed);
}

void hd_device_event_settle(HdDeviceSide *s, HdDeviceEvent *e, int32_t status)
{
    e->status = status;
    for (size_t i = 0; i < e->profiles.count; i++)
        write_profile(e, e->profiles.at[i]);
    for (size_t i = 0; i < e->waiters.count; i++) {
        HdChild *c = e->waiters.at[i];

        c->is_failed = c->is_failed || status < 0;
        e->holds--;
        if (--c->waits == 0 && !c->is_held)
            hd_child_launches_ready(c);
    }
    e->waiters.count = 0;
    drop_unused(s, e);
}

/* ---- what kernels do with them ----------------------------------------------------------------
 */

static uint64_t new_user_event(HdRtDevice *d)
{
    HdDeviceSide *s = ((HdChild *)d)->family->side;
    HdDeviceEvent *e;
    uint64_t handle;

    if (s == NULL)
        return 0;
    pthread_mutex_lock(&s->lock);
    e = hd_device_event_new(s, true);
    handle = e != NULL ? hd_device_event_handle(e) : 0;
    pthread_mutex_unlock(&s->lock);
    return handle;
}

/* The event of a handle, with the side locked when there is one. */
static HdDeviceEvent *open_event(HdRtDevice *d, uint64_t handle, HdDeviceSide **s)
{
    HdDeviceEvent *e;

    *s = ((HdChild *)d)->family->side;
    if (*s == NULL)
        return NULL;
    pthread_mutex_lock(&(*s)->lock);
    e = hd_device_find_event(*s, handle);
    if (e == NULL)
        pthread_mutex_unlock(&(*s)->lock);
    return e;
}

static bool is_event(HdRtDevice *d, uint64_t handle)
{
    HdDeviceSide *s;

    if (open_event(d, handle, &s) == NULL)
        return false;
    pthread_mutex_unlock(&s->lock);
    return true;
}

static bool retain(HdRtDevice *d, uint64_t handle)
{
    HdDeviceSide *s;
    HdDeviceEvent *e = open_event(d, handle, &s);

    if (e == NULL)
        return false;
    e->users++;
    pthread_mutex_unlock(&s->lock);
    return true;
}

static bool release(HdRtDevice *d, uint64_t handle)
{
    HdDeviceSide *s;
    HdDeviceEvent *e = open_event(d, handle, &s);

    if (e == NULL)
        return false;
    e->users--;
    drop_unused(s, e);
    pthread_mutex_unlock(&s->lock);
    return true;
}

static bool set_status(HdRtDevice *d, uint64_t handle, int32_t status)
{
    HdDeviceSide *s;
    HdDeviceEvent *e = open_event(d, handle, &s);
    bool fits;

    if (e == NULL)
        return false;
    fits = e->is_user && e->status == HD_EVENT_SUBMITTED && status <= HD_EVENT_COMPLETE;
    if (fits)
        hd_device_event_settle(s, e, status);
    pthread_mutex_unlock(&s->lock);
    return fits;
}

static bool capture_profile(HdRtDevice *d, uint64_t handle, uint64_t *to)
{
    HdDeviceSide *s;
    HdDeviceEvent *e = open_event(d, handle, &s);
    bool fits;

    if (e == NULL)
        return false;
    fits = e->has_profile;
    if (fits && e->status <= HD_EVENT_COMPLETE)
        write_profile(e, to);
    else if (fits)
        fits = HD_PUSH(NULL, &e->profiles, to);
    pthread_mutex_unlock(&s->lock);
    return fits;
}

void hd_device_event_api(HdRtDevice *d)
{
    d->new_user_event = new_user_event;
    d->is_event = is_event;
    d->retain = retain;
    d->release = release;
    d->set_status = set_status;
    d->capture_profile = capture_profile;
}
