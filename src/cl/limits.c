/* cl/limits.c -- limits that depend on the machine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/limits.h"

#include "base/option.h"
#include "cl/checked.h"
#include "launch/cpus.h"

unsigned hd_limits_units(void)
{
    uint64_t n = hd_option_number(HD_OPTION_THREADS);

    return n > 0 ? (unsigned)(n < 4096 ? n : 4096) : hd_launch_cpus();
}

HdEngine hd_limits_engine(void)
{
    return hd_checked() != NULL ? HD_ENGINE_INTERPRETED : HD_ENGINE_COMPILED;
}
