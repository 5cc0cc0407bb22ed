/* tests/robust/world.h -- what the tests of this folder share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_ROBUST_WORLD_H
#define TESTS_ROBUST_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

double world_seconds(void);

/* Run `test(which)` in a process of its own; false when it answers false, dies, or takes more than
 * a minute of processor time. What dies is said. */
bool world_apart(const char *name, bool (*test)(size_t which), size_t which);

/* Take a module through everything up to object code: the status of the first stage that is not
 * HD_OK, and its name. */
HdStatus world_through(const uint32_t *words, size_t count, uint8_t width, HdDiags *d,
                       const char **stage);

#endif
