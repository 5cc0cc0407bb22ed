/* tests/base/lock_test.c -- how long a waiting thread looks before it sleeps.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/lock.h"

#include <sched.h>

#include "../launch/check.h"

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
    CHECK(&c, !hd_lock_look_until(&number, 1, &by, UINT64_MAX)); /* who changes it runs at once */
    CHECK(&c, hd_lock_look(&number, 0, &by));
    return checks_end(&c, "lock_test");
}
