/* cl/limits.c -- limits that depend on the machine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/limits.h"

#include "base/machine.h"
#include "base/option.h"
#include "cl/checked.h"
#include "launch/cpus.h"

unsigned hd_limits_units(void)
{
    uint64_t n = hd_option_number(HD_OPTION_THREADS);

    return n > 0 ? (unsigned)(n < 4096 ? n : 4096) : hd_launch_cpus();
}

uint64_t hd_limits_memory(void)
{
    uint64_t asked = hd_option_number(HD_OPTION_GLOBAL_MB), whole = hd_machine_memory();

    return asked != 0 && asked < whole >> 20 ? asked << 20 : whole;
}

uint64_t hd_limits_constant(uint64_t most)
{
    uint64_t asked = hd_option_number(HD_OPTION_CONSTANT_KB);

    return asked != 0 && asked < most >> 10 ? asked << 10 : most;
}

HdEngine hd_limits_engine(void)
{
    return hd_checked() != NULL ? HD_ENGINE_INTERPRETED : HD_ENGINE_COMPILED;
}
