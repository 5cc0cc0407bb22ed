/* rt/clock.c -- the clock that kernels read (OpReadClockKHR).
 *
 * One clock serves every scope: work-items of a device read the same one, which is monotonic.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "rt/group.h"

uint64_t hd_rt_clock(HdRtGroup *g, const uint64_t *operands)
{
    (void)g;
    (void)operands;
    return hd_clock_ns();
}
