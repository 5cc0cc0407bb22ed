/* launch/checked.h -- a checked launch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_CHECKED_H
#define HD_LAUNCH_CHECKED_H

#include "interp/interp.h"
#include "launch/launch.h"

typedef struct HdChecked {
    HdInterpCheck of;
    HdRegion *parts; /* [arg_count] of allocations that arguments refer to */
} HdChecked;

/* Close it either way. */
HdStatus hd_checked_open(const HdLaunch *l, const HdInterpProgram *p, uint64_t groups,
                         HdChecked *c);
void hd_checked_close(HdChecked *c);

#endif
