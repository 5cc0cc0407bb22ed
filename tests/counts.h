/* tests/counts.h -- counting of checks, for test programs of one file.
 *
 * check may be called by several threads. A program ends with `return report();`, which prints the
 * line of counts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TESTS_COUNTS_H
#define HD_TESTS_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static struct {
    atomic_uint passed, failed, skipped;
} counts;

static inline void check(bool holds, const char *what)
{
    atomic_fetch_add(holds ? &counts.passed : &counts.failed, 1);
    if (!holds)
        printf("FAILED: %s\n", what);
}

static inline void skip(const char *why)
{
    atomic_fetch_add(&counts.skipped, 1);
    printf("skipped: %s\n", why);
}

/* Returns what main returns. */
static inline int report(void)
{
    printf("%u passed, %u failed, %u skipped\n", atomic_load(&counts.passed),
           atomic_load(&counts.failed), atomic_load(&counts.skipped));
    return atomic_load(&counts.failed) != 0;
}

#endif
