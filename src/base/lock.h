/* base/lock.h -- locks that are held for a few instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_LOCK_H
#define HD_BASE_LOCK_H

#include <pthread.h>

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

#endif
