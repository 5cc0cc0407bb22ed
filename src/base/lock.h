/* base/lock.h -- locks that are held for a few instructions, and bounded spinning.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_LOCK_H
#define HD_BASE_LOCK_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

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

/* So long waiting threads look whether what they wait for has come before they sleep: what it
 * takes to wake one. */
#define HD_LOCK_LOOK_NS 30000u

static inline void hd_lock_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Without any lock: look until the number is another one; false when the time is over. `by` is the
 * processor that who changes it was on: not at all on that one, where looking only keeps it from
 * running. */
static inline bool hd_lock_look_until(const _Atomic unsigned *at, unsigned seen,
                                      const _Atomic int *by, uint64_t until)
{
    do {
        if (atomic_load_explicit(at, memory_order_relaxed) != seen)
            return true;
        if (atomic_load_explicit(by, memory_order_relaxed) == sched_getcpu())
            return false;
        for (unsigned i = 0; i < 16; i++) {
            if (atomic_load_explicit(at, memory_order_relaxed) != seen)
                return true;
            hd_lock_pause();
        }
    } while (hd_clock_ns() < until);
    return false;
}

static inline bool hd_lock_look(const _Atomic unsigned *at, unsigned seen, const _Atomic int *by)
{
    return hd_lock_look_until(at, seen, by, hd_clock_ns() + HD_LOCK_LOOK_NS);
}

/* The calling thread is who changes it. */
static inline void hd_lock_note(_Atomic int *by)
{
    atomic_store_explicit(by, sched_getcpu(), memory_order_relaxed);
}

#endif
