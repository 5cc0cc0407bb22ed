/* base/clock.h -- the clock used for all timing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment; it never goes back. Any thread. */
static inline uint64_t hd_clock_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The same in milliseconds, with fractions. */
static inline double hd_clock_ms(void)
{
    return (double)hd_clock_ns() * 1e-6;
}

/* Milliseconds of a processor that the calling thread has used. */
static inline double hd_clock_used_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The same of all threads. */
static inline double hd_clock_all_used_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#endif
