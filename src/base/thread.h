/* base/thread.h -- threads that the host does not know of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_THREAD_H
#define HD_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* As pthread_create, without the host's signals, which are not for this thread. attr: NULL = the
 * default. */
static inline bool hd_thread_start(pthread_t *t, const pthread_attr_t *attr, void *(*run)(void *),
                                   void *arg)
{
    sigset_t all, before;
    bool is_started;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_started = pthread_create(t, attr, run, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

/* The same for one that nobody waits for. */
static inline bool hd_thread_start_detached(void *(*run)(void *), void *arg)
{
    pthread_t t;

    if (!hd_thread_start(&t, NULL, run, arg))
        return false;
    pthread_detach(t);
    return true;
}

#endif
