/* base/ticks.h -- a clock for events that are shorter than reading the system's clock.
 *
 * The processor's time stamp counter, where the system itself keeps its time by it, which it does
 * if the counter is constant and the same on all processors; else the system's clock. Reading the
 * counter takes 10 ns, the clock 24 (Zen 5).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_TICKS_H
#define HD_BASE_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

typedef struct HdTicks {
    bool is_counter;    /* else ticks are nanoseconds of hd_clock_ns */
    bool is_fixed;      /* ns_per_tick changes no more: all conversions agree */
    uint64_t ticks, ns; /* the same moment */
    double ns_per_tick;
    uint64_t ticks_per_us; /* about; it never changes */
} HdTicks;

/* Decide what is read, and begin to compare it with the clock. Takes some 20 microseconds. */
void hd_ticks_begin(HdTicks *t);
/* Find out how long a tick is; the longer ago the beginning, the better. */
void hd_ticks_compare(HdTicks *t);

static inline uint64_t hd_ticks_now(const HdTicks *t)
{
#ifdef __x86_64__
    if (t->is_counter)
        return __builtin_ia32_rdtsc();
#endif
    (void)t;
    return hd_clock_ns();
}

/* On hd_clock_ns' scale; hd_ticks_compare has been called. */
static inline uint64_t hd_ticks_ns(const HdTicks *t, uint64_t ticks)
{
    if (!t->is_counter)
        return ticks;
    return t->ns + (uint64_t)(int64_t)((double)(int64_t)(ticks - t->ticks) * t->ns_per_tick);
}

#endif
