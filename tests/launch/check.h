/* tests/launch/check.h -- counting what holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LAUNCH_CHECK_H
#define TESTS_LAUNCH_CHECK_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Checks {
    unsigned passed, failed;
} Checks;

static inline void check_at(Checks *c, bool is_good, const char *what, const char *file, int line)
{
    if (is_good) {
        c->passed++;
        return;
    }
    c->failed++;
    printf("%s:%d: failed: %s\n", file, line, what);
}

#define CHECK(c, condition) check_at((c), (condition), #condition, __FILE__, __LINE__)

static inline int checks_end(const Checks *c, const char *name)
{
    printf("%s: %u passed, %u failed\n", name, c->passed, c->failed);
    return c->failed == 0 ? 0 : 1;
}

#endif
