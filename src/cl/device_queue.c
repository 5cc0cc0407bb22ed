/* cl/device_queue.c -- device queues.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/device_queue.h"

#include "cl/checked.h"
#include "cl/context.h"

HdDeviceSide *hd_context_side(cl_context c)
{
    HdDeviceSide *s;

    pthread_mutex_lock(&c->lock);
    if (c->side == NULL)
        (void)hd_device_side_open(false, &c->side);
    s = c->side;
    pthread_mutex_unlock(&c->lock);
    return s;
}

/* With the context's lock held; the caller drops the queue, without that lock. */
static cl_command_queue default_of(cl_context c, cl_device_id d)
{
    for (cl_command_queue q = c->device_queues; q != NULL; q = q->next)
        if (q->is_default && q->device == d && hd_object_try_hold(&q->object))
            return q;
    return NULL;
}

cl_command_queue hd_device_queue_default(cl_context c, cl_device_id d)
{
    cl_command_queue q;

    pthread_mutex_lock(&c->lock);
    q = default_of(c, d);
    pthread_mutex_unlock(&c->lock);
    return q;
}

void hd_device_queue_set_default(cl_command_queue q)
{
    cl_command_queue old;

    pthread_mutex_lock(&q->context->lock);
    old = default_of(q->context, q->device);
    if (old != NULL)
        old->is_default = false;
    q->is_default = true;
    pthread_mutex_unlock(&q->context->lock);
    if (old != NULL)
        hd_object_drop(&old->object);
}

cl_command_queue hd_device_queue_of(cl_context c, uint64_t handle)
{
    cl_command_queue q;

    pthread_mutex_lock(&c->lock);
    q = c->device_queues;
    while (q != NULL && hd_device_queue_handle(q->on_device) != handle)
        q = q->next;
    if (q != NULL && !hd_object_try_hold(&q->object))
        q = NULL;
    pthread_mutex_unlock(&c->lock);
    return q;
}

cl_int hd_device_queue_settle(cl_command_queue *queue)
{
    cl_command_queue q = *queue, known;
    cl_context c = q->context;
    HdDeviceSide *side = hd_context_side(c);

    if (side == NULL ||
        hd_device_queue_open(side, q->size, hd_queue_is_profiling(q), &q->on_device) != HD_OK)
        return CL_OUT_OF_HOST_MEMORY;
    q->is_default = (q->properties & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
    pthread_mutex_lock(&c->lock);
    known = q->is_default ? default_of(c, q->device) : NULL;
    if (known != NULL) {
        hd_object_retain(&known->object);
        q->is_default = false;
    }
    q->next = c->device_queues;
    c->device_queues = q;
    pthread_mutex_unlock(&c->lock);
    if (known != NULL) {
        hd_object_drop(&known->object);
        hd_object_release(&q->object);
        *queue = known;
    }
    return CL_SUCCESS;
}

void hd_device_queue_forget(cl_command_queue q)
{
    cl_context c = q->context;
    cl_command_queue *link = &c->device_queues;

    if (q->on_device == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    while (*link != q)
        link = &(*link)->next;
    *link = q->next;
    pthread_mutex_unlock(&c->lock);
    hd_device_queue_close(q->on_device);
}
