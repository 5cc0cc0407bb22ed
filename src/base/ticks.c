/* base/ticks.c -- the time stamp counter beside the system's clock.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/ticks.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Two moments so far apart tell the length of a tick to about one in a million. */
#define ENOUGH_NS 20000000u
#define TRIES     8
#define ROUGH_NS  20000u /* as far apart as tells ticks_per_us */

/* Does the system keep its time by the counter? */
static bool is_trusted(void)
{
    static const char name[] = "tsc\n";
    char now[16] = {0};
    int fd;

#ifndef __x86_64__
    return false;
#endif
    fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
              O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    (void)!read(fd, now, sizeof now - 1);
    close(fd);
    return strcmp(now, name) == 0;
}

/* A moment on both scales: the quickest of some tries, so that nothing came between. */
static void read_both(const HdTicks *t, uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t before = hd_ticks_now(t), clock = hd_clock_ns(), took = hd_ticks_now(t) - before;

        if (took < best) {
            best = took;
            *ticks = before + took / 2;
            *ns = clock;
        }
    }
}

void hd_ticks_begin(HdTicks *t)
{
    uint64_t ticks, ns;

    *t = (HdTicks){.is_counter = is_trusted(), .ns_per_tick = 1, .ticks_per_us = 1000};
    if (!t->is_counter)
        return;
    read_both(t, &t->ticks, &t->ns);
    do
        read_both(t, &ticks, &ns);
    while (ns - t->ns < ROUGH_NS);
    t->ticks_per_us = (ticks - t->ticks) * 1000 / (ns - t->ns);
}

void hd_ticks_compare(HdTicks *t)
{
    uint64_t ticks, ns;

    if (!t->is_counter || t->is_fixed)
        return;
    read_both(t, &ticks, &ns);
    if (ticks == t->ticks)
        return;
    t->ns_per_tick = (double)(ns - t->ns) / (double)(ticks - t->ticks);
    t->is_fixed = ns - t->ns >= ENOUGH_NS;
}
