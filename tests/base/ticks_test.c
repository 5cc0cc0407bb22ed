/* tests/base/ticks_test.c -- moments read from the counter lie where the clock has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/ticks.h"

#include <time.h>

#include "counts.h"

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Moments between two readings of the clock, converted, lie between them but for `room` ns. */
static void compare_moments(HdTicks *t, uint64_t room)
{
    for (int i = 0; i < 1000; i++) {
        uint64_t before = hd_clock_ns(), ticks = hd_ticks_now(t), after = hd_clock_ns(), ns;

        ns = hd_ticks_ns(t, ticks);
        check(ns + room >= before && ns <= after + room, "a moment between two readings");
    }
}

int main(void)
{
    HdTicks counter, clock = {.ns_per_tick = 1};
    uint64_t first, second;

    hd_ticks_begin(&counter);
    first = hd_ticks_now(&counter);
    pause_ms(2);
    hd_ticks_compare(&counter);
    compare_moments(&counter, 2000);
    pause_ms(40);
    hd_ticks_compare(&counter);
    check(counter.is_fixed == counter.is_counter, "the length of a tick is known");
    compare_moments(&counter, 2000);
    if (counter.is_counter) {
        double us = counter.ns_per_tick * (double)counter.ticks_per_us;

        check(us > 900 && us < 1100, "ticks of a microsecond, about");
    }
    /* What was before the last comparison as well, and nothing goes back. */
    second = hd_ticks_now(&counter);
    check(hd_ticks_ns(&counter, second) - hd_ticks_ns(&counter, first) >= 42000000u,
          "what lies between two pauses");
    pause_ms(200);
    compare_moments(&counter, 20000);
    /* Without the counter a tick is a nanosecond. */
    check(hd_ticks_ns(&clock, 12345) == 12345, "nanoseconds");
    hd_ticks_compare(&clock);
    compare_moments(&clock, 0);
    return report();
}
