/* cl/limits.c -- limits that depend on the machine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/limits.h"

#include <stdlib.h>
#include <string.h>

#include "launch/cpus.h"

unsigned hd_limits_units(void)
{
    const char *asked = getenv("HEDDLE_THREADS");
    unsigned long n = asked != NULL ? strtoul(asked, NULL, 10) : 0;

    return n > 0 ? (unsigned)(n < 4096 ? n : 4096) : hd_launch_cpus();
}

HdEngine hd_limits_engine(void)
{
    const char *asked = getenv("HEDDLE_ENGINE");

    return asked != NULL && strcmp(asked, "interpreted") == 0 ? HD_ENGINE_INTERPRETED
                                                              : HD_ENGINE_COMPILED;
}
