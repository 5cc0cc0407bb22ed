/* base/cond.h -- waiting for a change of what a mutex guards.
 *
 * As pthread_cond_t, which in glibc before 2.41 can lose a wake-up when several threads wait
 * (sourceware bug 25847): the waiter sleeps on, and who next signals waits for it. Here each signal
 * changes a number, and waiters sleep while it is the one that they saw under the lock.
 *
 * Thread-safe; waiters hold the mutex, who signals may hold it. Waits may end for no reason: the
 * caller looks again. Zeros are a condition that nobody waits for; nothing has to be released.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_COND_H
#define HD_BASE_COND_H

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct HdCond {
    atomic_uint changes, waiters;
} HdCond;

static inline void hd_cond_sleep(HdCond *c, pthread_mutex_t *m, const struct timespec *most)
{
    unsigned seen = atomic_load(&c->changes);

    atomic_fetch_add(&c->waiters, 1);
    pthread_mutex_unlock(m);
    (void)syscall(SYS_futex, &c->changes, FUTEX_WAIT_PRIVATE, seen, most, NULL, 0);
    pthread_mutex_lock(m);
    atomic_fetch_sub(&c->waiters, 1);
}

static inline void hd_cond_wait(HdCond *c, pthread_mutex_t *m)
{
    hd_cond_sleep(c, m, NULL);
}

/* So long at most. */
static inline void hd_cond_wait_ns(HdCond *c, pthread_mutex_t *m, uint64_t ns)
{
    struct timespec most = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

    hd_cond_sleep(c, m, &most);
}

static inline void hd_cond_wake(HdCond *c, int count)
{
    atomic_fetch_add(&c->changes, 1);
    if (atomic_load(&c->waiters) != 0)
        (void)syscall(SYS_futex, &c->changes, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* One of those that wait looks again, or all of them. */
static inline void hd_cond_signal(HdCond *c)
{
    hd_cond_wake(c, 1);
}

static inline void hd_cond_broadcast(HdCond *c)
{
    hd_cond_wake(c, INT_MAX);
}

#endif
