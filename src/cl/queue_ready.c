/* cl/queue_ready.c -- the lists of a queue's commands: which of them may run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/queue.h"

void hd_queue_submit(cl_command_queue q)
{
    unsigned wanted = hd_queue_is_out_of_order(q) ? q->ready : q->ready > 0;

    while (q->jobs < wanted) {
        HdPool *pool = hd_device_pool(q->device);

        if (pool == NULL)
            return; /* the waiting thread will run it */
        q->jobs++;
        hd_object_hold(&q->object);
        if (hd_pool_submit(pool, HD_POOL_NOW, q->drain, q) != HD_OK) {
            q->jobs--;
            hd_object_drop(&q->object); /* its commands hold it */
            return;
        }
    }
}

void hd_queue_ready(cl_event e)
{
    cl_command_queue q = e->queue;

    if (e->may_run != NULL && !e->may_run(e))
        return;
    e->next_ready = NULL;
    if (q->first_ready == NULL)
        q->first_ready = e;
    else
        q->last_ready->next_ready = e;
    q->last_ready = e;
    q->ready++;
    if (e->serial <= q->flushed)
        hd_queue_submit(q);
}

cl_event hd_queue_forget(cl_event e)
{
    cl_command_queue q = e->queue;
    cl_event *dead = q->is_joined ? &q->context->dead : &q->dead;
    cl_event next = e->next;

    if (e->previous != NULL)
        e->previous->next = e->next;
    else
        q->first = e->next;
    if (e->next != NULL)
        e->next->previous = e->previous;
    else
        q->last = e->previous;
    if (q->barrier == e)
        q->barrier = NULL;
    if (q->first == NULL) { /* all of it has run, flushed or not */
        q->flushed = q->serial;
        q->dear = 0;
    }
    e->previous = NULL;
    e->next = *dead; /* the queue's hold goes along */
    *dead = e;
    return hd_queue_is_out_of_order(q) ? NULL : next;
}
