/* tests/base/lock_test.c -- how long a waiting thread looks before it sleeps.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/lock.h"

#include <sched.h>

#include "../launch/check.h"

/* Nanoseconds of this thread's processor time. */
static uint64_t own_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The thread stays where it is, so that it is on the processor that it noted. */
static bool stay(void)
{
    cpu_set_t here;

    CPU_ZERO(&here);
    CPU_SET((unsigned)sched_getcpu(), &here);
    return sched_setaffinity(0, sizeof here, &here) == 0;
}

int main(void)
{
    _Atomic unsigned number = 1;
    _Atomic int by = -1;
    uint64_t start = hd_clock_ns();
    Checks c = {0};

    CHECK(&c, !hd_lock_look(&number, 1, &by));
    CHECK(&c, hd_clock_ns() - start >= HD_LOCK_LOOK_NS);
    CHECK(&c, stay());
    hd_lock_note(&by);
    start = own_ns();
    CHECK(&c, !hd_lock_look(&number, 1, &by));
    CHECK(&c, own_ns() - start < HD_LOCK_LOOK_NS / 2); /* who changes it runs at once */
    CHECK(&c, hd_lock_look(&number, 0, &by));
    return checks_end(&c, "lock_test");
}
