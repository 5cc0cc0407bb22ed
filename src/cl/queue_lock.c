/* cl/queue_lock.c -- what guards a queue: its own lock, or that of the context's event graph.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/queue_lock.h"

void hd_queue_join(cl_command_queue q)
{
    if (q->is_joined)
        return;
    pthread_mutex_lock(&q->lock);
    q->is_joined = true;
    pthread_mutex_unlock(&q->lock);
}

void hd_queue_part(cl_command_queue q)
{
    if (q->first != NULL || hd_queue_is_out_of_order(q))
        return;
    pthread_mutex_lock(&q->lock);
    q->is_joined = false;
    pthread_mutex_unlock(&q->lock);
}

/* The queue joins, or has joined; its own lock is not held. */
static void lock_graph(cl_command_queue q)
{
    pthread_mutex_lock(&q->context->graph);
    hd_queue_join(q);
}

void hd_queue_change_to_graph(cl_command_queue q)
{
    if (q->is_joined)
        return;
    pthread_mutex_unlock(&q->lock);
    lock_graph(q);
}

void hd_queue_lock(cl_command_queue q)
{
    if (!atomic_load_explicit(&q->is_joined, memory_order_relaxed)) {
        pthread_mutex_lock(&q->lock);
        if (!q->is_joined)
            return;
        pthread_mutex_unlock(&q->lock);
    }
    lock_graph(q); /* it may have parted meanwhile */
}

static void give_back(cl_event dead)
{
    while (dead != NULL) { /* the queue and the context may go with the last one */
        cl_event e = dead;

        dead = e->next;
        e->next = NULL;
        hd_event_drop_payload(e);
        hd_object_drop(&e->object);
    }
}

void hd_queue_unlock_graph(cl_context c)
{
    cl_event dead = c->dead;

    c->dead = NULL;
    pthread_mutex_unlock(&c->graph);
    give_back(dead);
}

void hd_queue_unlock(cl_command_queue q)
{
    cl_event dead;

    if (q->is_joined) {
        hd_queue_part(q);
        hd_queue_unlock_graph(q->context);
        return;
    }
    dead = q->dead;
    q->dead = NULL;
    pthread_mutex_unlock(&q->lock);
    give_back(dead);
}
