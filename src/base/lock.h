/* base/lock.h -- locks that are held for a few instructions, and waiting for so long at most.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_LOCK_H
#define HD_BASE_LOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* Who finds it taken looks again for a moment before going to sleep: waking a thread costs a
 * hundred times what such a lock is held for. */
static inline void hd_lock_init_short(pthread_mutex_t *m)
{
    pthread_mutexattr_t kind;

    pthread_mutexattr_init(&kind);
#if defined(__GLIBC__)
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    pthread_mutex_init(m, &kind);
    pthread_mutexattr_destroy(&kind);
}

/* Wait for a condition as pthread_cond_wait does, but so long at most. */
static inline void hd_lock_wait_ns(pthread_cond_t *changed, pthread_mutex_t *m, uint64_t ns)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    ns += (uint64_t)until.tv_nsec;
    until.tv_sec += (time_t)(ns / 1000000000u);
    until.tv_nsec = (long)(ns % 1000000000u);
    pthread_cond_timedwait(changed, m, &until);
}

#endif
