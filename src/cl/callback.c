/* cl/callback.c -- the thread that calls the host's callbacks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/callback.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/cond.h"
#include "base/lock.h"
#include "base/thread.h"

/* A listed global: the process has one callback thread. */
static struct {
    pthread_mutex_t lock;
    HdCond wake;
    HdCallback *first, *last;
    _Atomic unsigned posts;
    _Atomic int by; /* processor of the thread that posted last */
    bool is_started;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *callback_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&the.lock);
    for (;;) {
        unsigned posts = atomic_load_explicit(&the.posts, memory_order_relaxed);
        HdCallback *c = the.first;

        if (c == NULL) {
            hd_cond_wait(&the.wake, &the.lock);
            continue;
        }
        the.first = c->next;
        pthread_mutex_unlock(&the.lock);
        c->call(c);
        hd_lock_look(&the.posts, posts, &the.by); /* often the next one comes soon */
        pthread_mutex_lock(&the.lock);
    }
    return NULL;
}

void hd_callback_post(HdCallback *c)
{
    c->next = NULL;
    pthread_mutex_lock(&the.lock);
    if (!the.is_started)
        the.is_started = hd_thread_start_detached(callback_main, NULL);
    if (!the.is_started) {
        pthread_mutex_unlock(&the.lock);
        c->call(c);
        return;
    }
    if (the.first == NULL)
        the.first = c;
    else
        the.last->next = c;
    the.last = c;
    hd_lock_note(&the.by);
    atomic_fetch_add_explicit(&the.posts, 1, memory_order_relaxed);
    hd_cond_signal(&the.wake);
    pthread_mutex_unlock(&the.lock);
}
